#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/machine.h"
#include "bounds/potential_internal.h"
#include "dp/edits.h"
#include "dp/fits.h"

#define FALSE_MOST 4.0  /* largest number of a chunk's regions that may be chance */
#define FALSE_PART 0.02 /* largest accepted probability that a place has a region by chance */
/* A seed with more occurrences in a chunk's columns counts as unbroken everywhere. */
#define FREQUENT_WORD 256
#define STRONG_PART 8    /* a strong region contains at least 1 / STRONG_PART of the chunk's seeds */
#define REGION_MOST 4096 /* diagonals of the widest region whose fit is computed */
#define PLACE_WORK 50    /* work for each occurrence of a seed, in cells of a fit */
#define FETCHED 64       /* number of seeds whose occurrences are fetched together */
#define SAMPLE_PART 16   /* 1 / SAMPLE_PART of the chunks predicts the work of all fits */
#define SAMPLE_SPARE 2   /* a level is abandoned if its sample predicts this many times the limit */
#define EDITS_IN_CELL 10 /* number of cells of edits that take as long as one cell of a fit */
#define PARTS 4          /* number of parts per thread */
#define PART_CHUNKS 16   /* minimum chunks of a part */
/* Maximum number of buckets in all regions that edits find in a chunk, as a multiple of the buckets around
 * one end bucket. */
#define EDITS_REGIONS 2

/* Returns the number of adjacent buckets in which a path of cost `most` can match words. */
static int64_t buckets_of(const potential *p, const level *l, int64_t most) {
  return (most + cost_open_gap(&p->costs)) / p->costs.ext / l->bucket + 2;
}

/* Returns the least number of words that a window of `buckets` buckets rarely contains by chance, according
 * to a Poisson distribution. Rarely means: at no more than FALSE_MOST places of a chunk, and no more than a
 * fraction FALSE_PART of its places. */
static int64_t chance(const potential *p, const level *l, int64_t seeds, int64_t buckets) {
  const double mean = (double)seeds * (double)(buckets * l->bucket) * pow(p->letter_chance, l->word);
  const double all = (double)larger(l->buckets / larger(l->chunks, 1), buckets);
  const double part = FALSE_MOST / all < FALSE_PART ? FALSE_MOST / all : FALSE_PART;
  const double wanted = p->shape.chance > 0 ? p->shape.chance : part;
  double term = exp(-mean), more = 1 - term;
  int64_t words = 1;
  for (; more > wanted && words < seeds; words++) {
    term *= mean / (double)words;
    more -= term;
  }
  return words;
}

int64_t level_threshold(int64_t *needed, const potential *p, const level *l, int64_t seeds, int64_t most) {
  for (int turn = 0; turn < 4; turn++) {
    const int64_t wanted = chance(p, l, seeds, buckets_of(p, l, most));
    const int64_t limit = (seeds - wanted) * l->broken - cost_open_gap(&p->costs);
    if (limit >= most) break;
    most = limit;
  }
  if (most < 0) most = 0;
  *needed = seeds - (most + cost_open_gap(&p->costs)) / l->broken;
  if (*needed <= 0) most = *needed = 0;
  return most;
}

/* The occurrences of a chunk's seeds, counted by bucket. */
typedef struct seed_counts {
  int32_t *count; /* by bucket of the chunk: number of seeds that occur in the bucket */
  int32_t *seen;  /* by bucket of the chunk: 1-based number of the last seed counted in the bucket */
  int64_t capacity, seen_capacity;
  int64_t seeds;   /* number of the chunk's seeds that are not too frequent */
  int64_t matches; /* number of occurrences examined, plus one for each seed */
} seed_counts;

/* A seed of a chunk, and the hash of its word. */
typedef struct seed_place {
  const level_work *w;
  const word_index *index;
  int64_t chunk, row, hash;
} seed_place;

static void count_seed(seed_counts *s, const seed_place *of) {
  const potential *p = of->w->p;
  const level *l = of->w->l;
  const int64_t first = l->first[of->chunk];
  const word_range range = {of->row + first_diagonal(p, l, first),
                            of->row + first_diagonal(p, l, l->last[of->chunk] + 1) - 1};
  const int32_t *places;
  int64_t count;
  word_index_find_hash(&places, &count, of->index, of->hash, range);
  if (count > FREQUENT_WORD) return;
  s->seeds++;
  s->matches += count + 1;
  for (int64_t i = 0; i < count; i++) {
    const int64_t b = bucket_of(p, l, places[i] - of->row) - first;
    if (s->seen[b] == s->seeds) continue;
    s->seen[b] = (int32_t)s->seeds;
    s->count[b]++;
  }
}

static cla_status count_seeds(seed_counts *s, const level_work *w, const word_index *index, int64_t chunk,
                              cla_error *error) {
  const potential *p = w->p;
  const level *l = w->l;
  const int64_t first = l->first[chunk], buckets = l->last[chunk] - first + 1;
  cla_status status = ALLOCATE_GROW(&s->count, &s->capacity, buckets, "a potential", error);
  if (status == CLA_OK) status = ALLOCATE_GROW(&s->seen, &s->seen_capacity, buckets, "a potential", error);
  if (status != CLA_OK) return status;
  memset(s->count, 0, (size_t)buckets * sizeof *s->count);
  memset(s->seen, 0, (size_t)buckets * sizeof *s->seen);
  s->seeds = 0;
  const int64_t end = chunk_row(p, l, chunk + 1);
  for (int64_t row = chunk_row(p, l, chunk); row + l->word <= end; row += FETCHED * l->word) {
    int64_t hashes[FETCHED], count = smaller(FETCHED, (end - row) / l->word);
    for (int64_t i = 0; i < count; i++) {
      hashes[i] = word_index_hash(index, p->problem.query + row + i * l->word);
      word_index_fetch_begin(index, hashes[i]);
    }
    for (int64_t i = 0; i < count; i++) word_index_fetch_places(index, hashes[i]);
    for (int64_t i = 0; i < count; i++)
      if (hashes[i] >= 0) count_seed(s, &(seed_place){w, index, chunk, row + i * l->word, hashes[i]});
  }
  return CLA_OK;
}

/* Returns the minimum number of seeds that a path breaks if it meets no strong region. `which`: 0 for the
 * near reach, 1 for the far reach. */
static int32_t seeds_off_regions(const level_work *w, int64_t chunk, const seed_counts *s, int which) {
  const level *l = w->l;
  const int64_t first = l->first[chunk], last = l->last[chunk];
  const int64_t span = level_reach(w, chunk, which) / l->bucket + 2;
  const chunk_region *const end = w->regions + w->count;
  const chunk_region *enters = w->regions + w->known[chunk].begin, *leaves = enters;
  int64_t sum = 0, most = 0;
  for (int64_t b = first; b <= last; b++) {
    while (enters < end && (enters->last < b || !enters->strong)) enters++;
    if (enters == end || b < enters->first) sum += s->count[b - first];
    const int64_t left = b - span;
    while (leaves < end && (leaves->last < left || !leaves->strong)) leaves++;
    if (left >= first && (leaves == end || left < leaves->first)) sum -= s->count[left - first];
    most = larger(most, sum);
  }
  return (int32_t)larger(s->seeds - most, 0);
}

/* Makes room for the costs of `buckets` more buckets. */
static cla_status add_costs(level_work *w, int64_t buckets, cla_error *error) {
  const int64_t count = w->costs_count + buckets;
  cla_status status = ALLOCATE_GROW(&w->seeds, &w->seeds_capacity, count, "a potential", error);
  if (status == CLA_OK) status = ALLOCATE_GROW(&w->ends, &w->ends_capacity, count, "a potential", error);
  if (status == CLA_OK) w->costs_count = count;
  return status;
}

/* Extends the chunk's last region by the buckets if they overlap or follow it; otherwise adds them as a new
 * region. */
static cla_status add_buckets(level_work *w, int64_t chunk, int64_t first, int64_t last, cla_error *error) {
  chunk_region *open = w->count > w->known[chunk].begin ? &w->regions[w->count - 1] : NULL;
  if (open && open->last + 1 >= first) {
    const int64_t more = last - open->last;
    open->last = last;
    return add_costs(w, more, error);
  }
  cla_status status = ALLOCATE_GROW(&w->regions, &w->capacity, w->count + 1, "a potential", error);
  if (status != CLA_OK) return status;
  w->regions[w->count++] =
      (chunk_region){.chunk = chunk, .first = first, .last = last, .costs_at = w->costs_count};
  return add_costs(w, last - first + 1, error);
}

static void set_costs(level_work *w, const chunk_region *r, int64_t bucket, int64_t begins, int64_t ends) {
  w->seeds[r->costs_at + bucket - r->first] = (int32_t)begins;
  w->ends[r->costs_at + bucket - r->first] = (int32_t)ends;
}

static int64_t chunk_diagonals(const level *l, int64_t chunk) {
  return (l->last[chunk] - l->first[chunk] + 1) * l->bucket;
}

static int64_t chunk_height(const level_work *w, int64_t chunk) {
  return chunk_row(w->p, w->l, chunk + 1) - chunk_row(w->p, w->l, chunk);
}

static bool takes_edits(const level_work *w, int64_t chunk) {
  const level *l = w->l;
  return l->edits && l->chunk_rows <= EDIT_ROWS_MOST &&
         (l->period == 0 || chunk % l->period >= l->period - l->barrier);
}

/* Returns the least cost of a path that stays in the region and starts or ends in the bucket. It follows
 * from the seeds that the path's gaps can reach. */
static int32_t seed_cost(const level_work *w, const chunk_region *r, int64_t bucket, const seed_counts *s) {
  const level *l = w->l;
  const cost_scheme *c = &w->p->costs;
  const int32_t *count = s->count - l->first[r->chunk];
  int64_t words = count[bucket], least = w->known[r->chunk].dear;
  for (int64_t away = 0; away <= r->last - r->first; away++) {
    const int64_t gap = away == 0 ? 0 : c->ext * ((away - 1) * l->bucket + 1);
    if (gap >= least) break;
    if (away > 0 && bucket - away >= r->first) words += count[bucket - away];
    if (away > 0 && bucket + away <= r->last) words += count[bucket + away];
    least = smaller(least, larger(gap, (s->seeds - words) * l->broken - cost_open_gap(c)));
  }
  return (int32_t)larger(least, 0);
}

/* Computes the minimum numbers of seeds broken by paths that meet no strong region of the chunk. */
static void count_broken(level_work *w, int64_t chunk, const seed_counts *s) {
  for (int which = 0; which < 2; which++)
    w->known[chunk].broken[which] = w->known[chunk].dear > 0 ? seeds_off_regions(w, chunk, s, which) : 0;
}

/* Finds a chunk's regions: runs of buckets that contain at least as many words as a path within the threshold
 * leaves unbroken. */
static cla_status find_by_seeds(level_work *w, int64_t chunk, const seed_counts *s, cla_error *error) {
  const level *l = w->l;
  int64_t needed, sum = 0;
  const int64_t dear = level_threshold(&needed, w->p, l, s->seeds, l->most);
  const int64_t span = buckets_of(w->p, l, dear), first = l->first[chunk], last = l->last[chunk];
  cla_status status = CLA_OK;
  w->known[chunk].dear = dear > 0 ? (int32_t)dear + 1 : 0;
  for (int64_t b = first; dear > 0 && b <= last + span - 1; b++) {
    if (b <= last) sum += s->count[b - first];
    if (b - span >= first) sum -= s->count[b - span - first];
    if (sum < needed) continue;
    status = add_buckets(w, chunk, larger(b - span + 1, first), smaller(b, last), error);
    if (status != CLA_OK) return status;
    chunk_region *open = &w->regions[w->count - 1];
    open->words = larger(open->words, sum);
  }
  for (int64_t i = w->known[chunk].begin; i < w->count; i++) {
    chunk_region *r = &w->regions[i];
    r->strong = r->words * STRONG_PART >= s->seeds;
    for (int64_t b = r->first; b <= r->last; b++) {
      const int32_t cost = seed_cost(w, r, b, s);
      set_costs(w, r, b, cost, cost);
    }
  }
  count_broken(w, chunk, s);
  return status;
}

/* Returns the largest number of edits that is counted, which is about the number that random letters need. */
static int64_t edits_most(const level_work *w, int64_t chunk) {
  return chunk_height(w, chunk) / 2;
}

/* Returns how far a path of `edits` edits can lie from the bucket in which it ends, in buckets. */
static int64_t buckets_beside(const level *l, int64_t edits) {
  return (edits + l->bucket - 1) / l->bucket;
}

/* Returns the number of buckets in the regions that paths with at most `edits` edits form. */
static int64_t buckets_within(const level *l, const uint16_t *least, int64_t buckets, int64_t edits) {
  const int64_t beside = buckets_beside(l, edits);
  int64_t sum = 0, from = 0;
  for (int64_t b = 0; b < buckets; b++) {
    if (least[b] > edits) continue;
    const int64_t end = smaller(b + beside + 1, buckets);
    sum += end - larger(b - beside, from);
    from = end;
  }
  return sum;
}

/* Returns the largest number of edits whose regions have too few buckets for chance. */
static int64_t edits_threshold(const level *l, const uint16_t *least, int64_t buckets, int64_t most) {
  const int64_t part = EDITS_REGIONS * (2 * buckets_beside(l, most) + 1);
  int64_t low = -1, high = most;
  while (low < high) {
    const int64_t edits = low + (high - low + 1) / 2;
    if (buckets_within(l, least, buckets, edits) <= part)
      low = edits;
    else
      high = edits - 1;
  }
  return low;
}

/* Finds a chunk's regions: the buckets in which paths with few edits end, and the buckets that these paths
 * reach. */
static cla_status find_by_edits(level_work *w, int64_t chunk, const uint16_t *least, const seed_counts *s,
                                cla_error *error) {
  const level *l = w->l;
  const int64_t first = l->first[chunk], buckets = l->last[chunk] - first + 1;
  const int32_t edit = chain_edit_cost(&w->p->costs);
  const int64_t edits = edits_threshold(l, least, buckets, edits_most(w, chunk));
  const int64_t beside = buckets_beside(l, edits);
  w->known[chunk].edits = (int32_t)(edits + 1);
  w->known[chunk].dear = edit * w->known[chunk].edits;
  for (int64_t b = 0; b < buckets; b++) {
    if (least[b] > edits) continue;
    cla_status status =
        add_buckets(w, chunk, first + larger(b - beside, 0), first + smaller(b + beside, buckets - 1), error);
    if (status != CLA_OK) return status;
  }
  for (int64_t i = w->known[chunk].begin; i < w->count; i++) {
    chunk_region *r = &w->regions[i];
    for (int64_t b = r->first; b <= r->last; b++) {
      set_costs(w, r, b, 0, edit * least[b - first]);
      r->words += s->count[b - first];
    }
    r->strong = r->words * STRONG_PART >= s->seeds;
  }
  count_broken(w, chunk, s);
  return CLA_OK;
}

/* Edits in the chunks in which edits are counted. */
typedef struct chunk_edits {
  edit_chunk *chunks; /* sorted by chunk */
  int64_t count;
  uint16_t *memory;
} chunk_edits;

static cla_status count_edits(chunk_edits *out, level_work *w, int64_t begin, int64_t end, bool *useless,
                              cla_error *error) {
  potential *p = w->p;
  const level *l = w->l;
  int64_t buckets = 0, most = 0, work = 0, cells = 0;
  for (int64_t c = begin; c < end; c++) {
    if (!takes_edits(w, c)) continue;
    buckets += l->last[c] - l->first[c] + 1;
    work += chunk_height(w, c) * (chunk_diagonals(l, c) + 2 * chunk_height(w, c)) / EDITS_IN_CELL;
    most = larger(most, edits_most(w, c));
    out->count++;
  }
  *useless = too_much(p, work / p->threads);
  if (out->count == 0 || *useless) return CLA_OK;
  cla_status status = ALLOCATE_ARRAY(&out->memory, buckets, "a potential", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&out->chunks, out->count, "a potential", error);
  if (status != CLA_OK) return status;
  uint16_t *least = out->memory;
  edit_chunk *next = out->chunks;
  for (int64_t c = begin; c < end; c++) {
    if (!takes_edits(w, c)) continue;
    *next++ = (edit_chunk){.row = chunk_row(p, l, c),
                           .rows = chunk_height(w, c),
                           .diagonal = first_diagonal(p, l, l->first[c]),
                           .count = chunk_diagonals(l, c),
                           .least = least};
    least += l->last[c] - l->first[c] + 1;
  }
  const edits_input input = {.query = p->problem.query,
                             .target = p->problem.target,
                             .columns = p->problem.columns,
                             .bucket = l->bucket,
                             .most = most,
                             .chunks = out->chunks,
                             .count = out->count,
                             .threads = p->threads,
                             .stopped = bound_thread_stopped,
                             .stopped_by = p->pair};
  status = edits_compute(&cells, &input, error);
  *useless = bound_pair_stopped(p->pair);
  p->cells += cells;
  return status;
}

/* Makes the index of the words of the level's length, unless p->index already is this index. */
static cla_status make_index(level_work *w, cla_error *error) {
  const pair_problem *problem = &w->p->problem;
  word_index *index = &w->p->index;
  if (index->word == w->l->word) return CLA_OK;
  word_index_free(index);
  const word_index_input input = {
      .codes = problem->target, .letters = problem->columns, .word = w->l->word, .threads = w->p->threads};
  return word_index_make(index, &input, error);
}

/* Adjacent chunks whose regions one thread finds. */
typedef struct region_part {
  /* Has only the part's regions. work.known is shared; its `begin` fields count from the part's first
   * region. */
  level_work work;
  int64_t begin, end;
  const edit_chunk *edits; /* edits in the next chunk in which edits are counted */
  cla_status status;
} region_part;

/* Parts shared by threads. */
typedef struct shared_parts {
  region_part *parts;
  int64_t count, matches_most;
  int64_t chunks;    /* number of chunks in all parts */
  int64_t fits_most; /* limit on the fits of all parts, in cells */
  atomic_llong next, matches, done, fits;
  atomic_bool stopped;
} shared_parts;

static cla_status find_chunk(region_part *part, seed_counts *seeds, int64_t chunk) {
  level_work *w = &part->work;
  w->known[chunk].begin = w->count;
  cla_status status = count_seeds(seeds, w, &w->p->index, chunk, NULL);
  if (status != CLA_OK) return status;
  return takes_edits(w, chunk) ? find_by_edits(w, chunk, part->edits++->least, seeds, NULL)
                               : find_by_seeds(w, chunk, seeds, NULL);
}

static int64_t region_diagonals(const level *l, const chunk_region *r) {
  return (r->last - r->first + 1) * l->bucket;
}

/* Returns the number of cells that fits compute for the regions from index `from` on. */
static int64_t fit_cells(const level_work *w, int64_t from) {
  int64_t cells = 0;
  for (int64_t i = from; i < w->count && w->l->fits; i++)
    if (region_diagonals(w->l, &w->regions[i]) <= REGION_MOST)
      cells += region_diagonals(w->l, &w->regions[i]) * w->l->chunk_rows;
  return cells;
}

/* Adds the cells of a chunk's fits. Returns true if the chunks so far predict too many cells for all
 * chunks. */
static bool fits_too_dear(shared_parts *s, int64_t cells) {
  const int64_t done = atomic_fetch_add(&s->done, 1) + 1, all = atomic_fetch_add(&s->fits, cells) + cells;
  return done * SAMPLE_PART >= s->chunks && all / done > s->fits_most / s->chunks * SAMPLE_SPARE;
}

static void take_parts(void *user, int thread) {
  shared_parts *s = user;
  seed_counts seeds = {0};
  for (int64_t i; (i = atomic_fetch_add(&s->next, 1)) < s->count;) {
    region_part *part = &s->parts[i];
    for (int64_t c = part->begin; c < part->end && part->status == CLA_OK && !atomic_load(&s->stopped); c++) {
      const int64_t before = part->work.count;
      seeds.matches = 0;
      part->status = find_chunk(part, &seeds, c);
      const bool dear = fits_too_dear(s, fit_cells(&part->work, before));
      const bool many =
          dear || atomic_fetch_add(&s->matches, seeds.matches) + seeds.matches > s->matches_most;
      const bool ended = thread == 0 && c % 64 == 0 && bound_pair_stopped(part->work.p->pair);
      if (part->status != CLA_OK || ended || many) atomic_store(&s->stopped, true);
    }
  }
  free(seeds.count);
  free(seeds.seen);
}

/* Appends the part's regions to the level's regions. */
static cla_status join_part(level_work *w, const region_part *part, cla_error *error) {
  const level_work *own = &part->work;
  const int64_t regions = w->count, costs = w->costs_count;
  cla_status status = add_costs(w, own->costs_count, error);
  if (status == CLA_OK)
    status = ALLOCATE_GROW(&w->regions, &w->capacity, regions + own->count, "a potential", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < own->count; i++) {
    w->regions[regions + i] = own->regions[i];
    w->regions[regions + i].costs_at += costs;
  }
  for (int64_t i = 0; i < own->costs_count; i++) {
    w->seeds[costs + i] = own->seeds[i];
    w->ends[costs + i] = own->ends[i];
  }
  for (int64_t c = part->begin; c < part->end; c++) w->known[c].begin += regions;
  w->count += own->count;
  return CLA_OK;
}

/* Divides the chunks [begin, end) into parts. */
static cla_status cut_parts(shared_parts *s, const level_work *w, int64_t begin, int64_t end,
                            const edit_chunk *edits, cla_error *error) {
  const int64_t chunks = end - begin;
  s->count = smaller(w->p->threads == 1 ? 1 : PARTS * (int64_t)w->p->threads, (chunks - 1) / PART_CHUNKS + 1);
  cla_status status = ALLOCATE_ZEROS(&s->parts, s->count, "a potential", error);
  for (int64_t i = 0; i < s->count && status == CLA_OK; i++) {
    region_part *part = &s->parts[i];
    *part = (region_part){.work = {.p = w->p, .l = w->l, .known = w->known},
                          .begin = begin + chunks * i / s->count,
                          .end = begin + chunks * (i + 1) / s->count,
                          .edits = edits};
    for (int64_t c = part->begin; c < part->end; c++) edits += takes_edits(w, c);
  }
  return status;
}

static void free_parts(shared_parts *s) {
  for (int64_t i = 0; s->parts && i < s->count; i++) {
    free(s->parts[i].work.regions);
    free(s->parts[i].work.seeds);
    free(s->parts[i].work.ends);
  }
  free(s->parts);
}

/* Finds regions in parts. *useless is set if the words or fits take too much work, or if the search was
 * stopped. */
static cla_status find_parts(level_work *w, int64_t begin, int64_t end, const edit_chunk *edits,
                             bool *useless, cla_error *error) {
  potential *p = w->p;
  const int64_t most = (p->work_most - p->work) / PLACE_WORK;
  const int64_t fits_most =
      smaller(p->work_most - p->work, INT64_MAX / p->threads / SAMPLE_SPARE) * p->threads;
  shared_parts s = {.matches_most = most < INT64_MAX / p->threads ? most * p->threads : INT64_MAX,
                    .chunks = end - begin,
                    .fits_most = fits_most};
  cla_status status = make_index(w, error);
  if (status == CLA_OK) status = cut_parts(&s, w, begin, end, edits, error);
  if (status == CLA_OK) parallel_run((int)smaller(p->threads, s.count), take_parts, &s);
  for (int64_t i = 0; i < s.count && status == CLA_OK; i++)
    if (s.parts[i].status != CLA_OK) status = allocate_failed("the potential", error);
  *useless = too_much(p, atomic_load(&s.matches) / p->threads * PLACE_WORK) || atomic_load(&s.stopped);
  if (*useless) p->work = larger(p->work, p->work_most + 1);
  for (int64_t i = 0; i < s.count && status == CLA_OK && !*useless; i++)
    status = join_part(w, &s.parts[i], error);
  free_parts(&s);
  return status;
}

/* Finds the regions of the chunks [begin, end). *useless is set if that takes too much work. */
static cla_status find_regions(level_work *w, int64_t begin, int64_t end, bool *useless, cla_error *error) {
  chunk_edits edits = {0};
  cla_status status = count_edits(&edits, w, begin, end, useless, error);
  if (status == CLA_OK && !*useless) status = find_parts(w, begin, end, edits.chunks, useless, error);
  w->known[end].begin = w->count;
  free(edits.chunks);
  free(edits.memory);
  return status;
}

/* Computes the fits of regions. Regions that are too wide keep the costs that seeds or edits gave them. */
static cla_status fit_regions(level_work *w, int64_t begin, int64_t end, bool *useless, cla_error *error) {
  potential *p = w->p;
  const level *l = w->l;
  const int64_t from = w->known[begin].begin, past = w->known[end].begin;
  int64_t count = 0, cells = 0, all = 0;
  fit *fits = NULL;
  cla_status status = ALLOCATE_ARRAY(&fits, past - from, "a potential", error);
  if (status != CLA_OK) return status;
  for (int64_t i = from; i < past && l->fits; i++) {
    const chunk_region *r = &w->regions[i];
    if (region_diagonals(l, r) > REGION_MOST) continue;
    fits[count++] = (fit){.row = chunk_row(p, l, r->chunk),
                          .rows = chunk_height(w, r->chunk),
                          .diagonal = first_diagonal(p, l, r->first),
                          .count = region_diagonals(l, r),
                          .bucket = l->bucket,
                          .least = w->ends + r->costs_at};
    all += fits[count - 1].rows * fits[count - 1].count;
  }
  *useless = too_much(p, all / p->threads);
  const fits_input input = {.query = p->problem.query,
                            .target = p->problem.target,
                            .columns = p->problem.columns,
                            .costs = {.other = (int16_t)smaller(p->costs.other, FIT_COST_MOST),
                                      .first = (int16_t)smaller(p->costs.first, FIT_COST_MOST),
                                      .ext = (int16_t)smaller(p->costs.ext, FIT_COST_MOST)},
                            .fits = fits,
                            .count = count,
                            .threads = p->threads,
                            .stopped = bound_thread_stopped,
                            .stopped_by = p->pair};
  if (count > 0 && !*useless) status = fits_compute(&cells, &input, error);
  *useless |= bound_pair_stopped(p->pair);
  p->cells += cells;
  for (int64_t i = from; status == CLA_OK && !*useless && i < past; i++) {
    const chunk_region *r = &w->regions[i];
    int32_t *cost = w->ends + r->costs_at;
    for (int64_t b = 0; b <= r->last - r->first; b++) cost[b] = least_cost(cost[b], w->known[r->chunk].dear);
  }
  free(fits);
  return status;
}

cla_status level_regions(level_work *w, int64_t begin, int64_t end, bool *useless, cla_error *error) {
  cla_status status = find_regions(w, begin, end, useless, error);
  if (status == CLA_OK && !*useless) status = fit_regions(w, begin, end, useless, error);
  for (int64_t i = 0; i < w->count; i++) { /* the arrays may have moved when they grew */
    w->regions[i].seeds = w->seeds + w->regions[i].costs_at;
    w->regions[i].cost = w->ends + w->regions[i].costs_at;
  }
  return status;
}
