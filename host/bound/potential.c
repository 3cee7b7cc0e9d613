#include "bound/potential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "bound/chain.h"
#include "bound/fits.h"
#include "bound/word_index.h"
#include "seq/sequence.h"

#define NEVER CHAIN_NEVER
#define BUDGET_MOST (NEVER / 2)
#define FINE_BUCKET 16 /* diagonals */
#define COARSE_BUCKETS 8
#define COARSER 16 /* times as many rows and diagonals for the first level */
#define WORD_LEAST 5
#define WORD_MOST 11
/* Regions of a chunk that chance may bring, and their part of all places. */
#define FALSE_MOST 4.0
#define FALSE_PART 0.02
#define MIDDLE 4 /* times as many diagonals, where buckets are many, */
#define BUCKETS_MANY (INT64_C(1) << 20)
#define THRESHOLD_LEAST 0.9 /* of what a chunk costs */
#define WHOLE_MOST 16384    /* diagonals of a chunk that is a region as a whole */
#define FINER_LEAVES 4      /* the fine level leaves this part of what the middle one has left, at best */
#define FREQUENT_WORD 256   /* a word with more places in a chunk's columns counts as unbroken everywhere */
#define STRONG_PART 3       /* of the seeds are in a strong region */
/* Times the diagonals that gaps of the threshold take. */
#define REACH_NEAR 4
#define REACH_FAR 24
#define REGION_MOST 4096 /* diagonals of a region whose fit is computed; a wider one costs nothing */
/* Of a bucket, and of a place of a seed, in cells of fits. */
#define BUCKET_WORK 300
#define PLACE_WORK 50

/* A level of chunks and buckets. */
typedef struct level {
  int64_t chunk_rows, bucket;
  int word;        /* letters of a seed */
  int32_t broken;  /* what a broken seed costs */
  int32_t most;    /* the largest threshold of a chunk */
  int64_t buckets; /* of all chunks */
  bool fits;       /* else seeds alone */
  int64_t chunks;
  int64_t *first, *last; /* buckets by chunk: what is left of them */
} level;

/* What is left of a chunk: buckets, or, of all chunks, diagonals. */
typedef struct chunk_left {
  int64_t first, last;
  bool starts; /* paths that matter may begin in it */
} chunk_left;

struct potential {
  pair_problem problem;
  const bound_pair *pair; /* while it is made */
  cost_scheme costs;
  int64_t budget; /* of a path that matters, with what buckets are coarse by */
  int threads;
  int64_t work, work_most; /* potential_input */
  level fine;              /* the last one so far */
  uint8_t *dear;           /* by chunk: whether the last level found nothing below its threshold there */
  int64_t fine_chunks;
  chunk_left *left;     /* by chunk */
  int64_t *offsets;     /* by chunk: of its first bucket in `rest` */
  int32_t *rest;        /* by chunk and bucket: the least cost from a node there on */
  word_index index;     /* of the target; while it is made */
  double chance;        /* potential_shape */
  double letter_chance; /* that two letters are equal */
  int64_t cells, area;
};

static cost_scheme costs_of(const path_scheme *scheme) {
  const cla_scoring *s = scheme->scoring;
  const path_ends *ends = &scheme->ends;
  const int32_t match = scheme->table->match > 0 ? scheme->table->match : 0;
  const bool two = gap_two_pieces(s);
  const int64_t first = two ? smaller(s->gap_first, s->gap_first2) : s->gap_first;
  const bool free_start = ends->floor || ends->query_start || ends->target_start;
  return (cost_scheme){.match = match,
                       .other = 2 * (match - scheme->table->mismatch),
                       .first = (int32_t)(2 * first + match),
                       .ext = (int32_t)(2 * gap_least_ext(s) + match),
                       .free_start = free_start,
                       .free_end = ends->anywhere || ends->query_end || ends->target_end};
}

bool potential_possible(const pair_problem *problem) {
  const score_table *table = problem->scheme.table;
  const int64_t limit = 1 << 12;
  if (table->needs_lookup || table->used || table->match < 0 || table->mismatch >= table->match) return false;
  if (table->match > limit || -table->mismatch > limit || gap_most_first(problem->scheme.scoring) > limit)
    return false;
  const cost_scheme costs = costs_of(&problem->scheme);
  return costs.ext > 0 && costs.first >= costs.ext && costs.ext >= costs.match &&
         problem->rows < INT32_MAX / 4 && problem->columns < INT32_MAX / 4;
}

/* The number of buckets whose words a path of cost `most` can meet, from its lowest diagonal's on. */
static int64_t buckets_of(const potential *p, const level *l, int64_t most) {
  return (most + chain_open_gap(&p->costs)) / p->costs.ext / l->bucket + 2;
}

/* The words that chance brings to a path of `buckets` in no more than FALSE_MOST places of a chunk: the least
 * number with so small a probability, of a Poisson distribution. */
static int64_t chance(const potential *p, const level *l, int64_t seeds, int64_t buckets) {
  const double mean = (double)seeds * (double)(buckets * l->bucket) * pow(p->letter_chance, l->word);
  const double all = (double)larger(l->buckets / larger(l->chunks, 1), buckets);
  const double part = FALSE_MOST / all < FALSE_PART ? FALSE_MOST / all : FALSE_PART;
  const double wanted = p->chance > 0 ? p->chance : part;
  double term = exp(-mean), more = 1 - term;
  int64_t words = 1;
  for (; more > wanted && words < seeds; words++) {
    term *= mean / (double)words;
    more -= term;
  }
  return words;
}

/* The largest threshold up to `most` that chance does not reach, and the seeds that a path below it matches.
 */
static int64_t threshold(int64_t *needed, const potential *p, const level *l, int64_t seeds, int64_t most) {
  for (int turn = 0; turn < 4; turn++) {
    const int64_t wanted = chance(p, l, seeds, buckets_of(p, l, most));
    const int64_t limit = (seeds - wanted) * l->broken - chain_open_gap(&p->costs);
    if (limit >= most) break;
    most = limit;
  }
  if (most < 0) most = 0;
  *needed = seeds - (most + chain_open_gap(&p->costs)) / l->broken;
  if (*needed <= 0) most = *needed = 0;
  return most;
}

static int64_t bucket_of(const potential *p, const level *l, int64_t diagonal) {
  return (diagonal + p->problem.rows) / l->bucket;
}

static int64_t first_diagonal(const potential *p, const level *l, int64_t bucket) {
  return bucket * l->bucket - p->problem.rows;
}

static int64_t chunk_row(const potential *p, const level *l, int64_t chunk) {
  return smaller(chunk * l->chunk_rows, p->problem.rows);
}

static int32_t least_cost(int64_t a, int64_t b) {
  return (int32_t)(a < b ? a : b);
}

/* What a path costs at least that ends after so many rows or further down on a diagonal up to the bucket's
 * last, or that begins so far down. */
static int64_t end_cost(const potential *p, const level *l, int64_t row, int64_t bucket) {
  const int64_t column = row + first_diagonal(p, l, bucket + 1) - 1;
  if (!p->costs.free_end) return NEVER;
  return p->costs.match * (larger(p->problem.rows - row, 0) + larger(p->problem.columns - column, 0));
}

static int64_t start_cost(const potential *p, const level *l, int64_t row, int64_t bucket) {
  if (!p->costs.free_start) return NEVER;
  return p->costs.match * (row + larger(row + first_diagonal(p, l, bucket), 0));
}

/* Of gaps from the bucket to a diagonal. */
static int64_t distance_cost(const potential *p, const level *l, int64_t bucket, int64_t diagonal) {
  const int64_t first = first_diagonal(p, l, bucket), last = first_diagonal(p, l, bucket + 1) - 1;
  return p->costs.ext * (diagonal < first ? first - diagonal : diagonal > last ? diagonal - last : 0);
}

/* At the lower border of the last chunk, and at the upper one of the first. */
static int32_t last_cost(const potential *p, const level *l, int64_t bucket) {
  const int64_t corner = distance_cost(p, l, bucket, p->problem.columns - p->problem.rows);
  return least_cost(smaller(corner, end_cost(p, l, p->problem.rows, bucket)), NEVER);
}

static int32_t first_cost(const potential *p, const level *l, int64_t bucket) {
  return least_cost(smaller(distance_cost(p, l, bucket, 0), start_cost(p, l, 0, bucket)), NEVER);
}

/* Adds to what was done; whether that is more than the potential is worth. */
static bool too_much(potential *p, int64_t work) {
  p->work += work;
  return p->work > p->work_most;
}

/* All that a level is computed with. */
typedef struct level_work {
  potential *p;
  const level *l;
  bool fits;       /* else seeds alone */
  int32_t *dear;   /* by chunk */
  int32_t *broken; /* by chunk, two: seeds that paths break which meet no strong region, for both reaches */
  int64_t *begins; /* by chunk: its first region; one more */
  chunk_region *regions;
  int64_t count, capacity;
  int32_t *seeds; /* of all regions, */
  int64_t seeds_count, seeds_capacity;
  int32_t *memory;   /* and their costs */
  cost_row *borders; /* by chunk: costs at its upper border to the end; one more */
  int32_t *table;    /* of theirs */
  chain_space space;
} level_work;

static void free_work(level_work *w) {
  free(w->dear);
  free(w->broken);
  free(w->begins);
  free(w->regions);
  free(w->seeds);
  free(w->memory);
  free(w->borders);
  free(w->table);
  free(w->space.memory);
}

/* The places of a chunk's seeds, counted by bucket. */
typedef struct seed_counts {
  int32_t *count, *seen; /* by bucket of the window: seeds, and the last one */
  int64_t capacity, seen_capacity;
  int64_t seeds; /* that may be broken */
  int64_t matches;
} seed_counts;

static cla_status count_seeds(seed_counts *s, const level_work *w, const word_index *index, int64_t chunk,
                              cla_error *error) {
  const potential *p = w->p;
  const level *l = w->l;
  const int64_t first = l->first[chunk], buckets = l->last[chunk] - first + 1;
  const int64_t low = first_diagonal(p, l, first), high = first_diagonal(p, l, l->last[chunk] + 1) - 1;
  cla_status status =
      allocate_grow((void **)&s->count, &s->capacity, buckets, sizeof *s->count, "a potential", error);
  if (status == CLA_OK)
    status =
        allocate_grow((void **)&s->seen, &s->seen_capacity, buckets, sizeof *s->seen, "a potential", error);
  if (status != CLA_OK) return status;
  memset(s->count, 0, (size_t)buckets * sizeof *s->count);
  memset(s->seen, 0, (size_t)buckets * sizeof *s->seen);
  s->seeds = 0;
  const int64_t end = chunk_row(p, l, chunk + 1);
  for (int64_t row = chunk_row(p, l, chunk); row + l->word <= end; row += l->word) {
    const int32_t *places;
    int64_t count;
    if (!word_index_find(&places, &count, index, p->problem.query + row, row + low, row + high)) continue;
    if (count > FREQUENT_WORD) continue;
    s->seeds++;
    s->matches += count + 1;
    for (int64_t i = 0; i < count; i++) {
      const int64_t b = bucket_of(p, l, places[i] - row) - first;
      if (s->seen[b] == s->seeds) continue;
      s->seen[b] = (int32_t)s->seeds;
      s->count[b]++;
    }
  }
  return CLA_OK;
}

/* Diagonals for which the seeds of a path that meets no region are counted. */
static int64_t reach_of(const potential *p, int64_t dear, int which) {
  return (which ? REACH_FAR : REACH_NEAR) * dear / p->costs.ext;
}

/* The seeds that a path breaks at least which meets no strong region and reaches no further. */
static int32_t seeds_off_regions(const level_work *w, int64_t chunk, const seed_counts *s, int which) {
  const level *l = w->l;
  const int64_t first = l->first[chunk], last = l->last[chunk];
  const int64_t span = reach_of(w->p, w->dear[chunk], which) / l->bucket + 2;
  const chunk_region *const end = w->regions + w->count;
  const chunk_region *enters = w->regions + w->begins[chunk], *leaves = enters;
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

static cla_status add_region(level_work *w, chunk_region region, cla_error *error) {
  cla_status status = allocate_grow((void **)&w->regions, &w->capacity, w->count + 1, sizeof *w->regions,
                                    "a potential", error);
  if (status == CLA_OK) w->regions[w->count++] = region;
  return status;
}

/* What a path costs that keeps to the region and ends, or begins, in a bucket: by the seeds of the buckets
 * that its gaps reach. */
static int32_t seed_cost(const level_work *w, const chunk_region *r, int64_t bucket, const seed_counts *s) {
  const level *l = w->l;
  const cost_scheme *c = &w->p->costs;
  const int32_t *count = s->count - l->first[r->chunk];
  int64_t words = count[bucket], least = w->dear[r->chunk];
  for (int64_t away = 0; away <= r->last - r->first; away++) {
    const int64_t gap = away == 0 ? 0 : c->ext * ((away - 1) * l->bucket + 1);
    if (gap >= least) break;
    if (away > 0 && bucket - away >= r->first) words += count[bucket - away];
    if (away > 0 && bucket + away <= r->last) words += count[bucket + away];
    least = smaller(least, larger(gap, (s->seeds - words) * l->broken - chain_open_gap(c)));
  }
  return (int32_t)larger(least, 0);
}

static cla_status count_seed_costs(level_work *w, const chunk_region *r, const seed_counts *s,
                                   cla_error *error) {
  cla_status status =
      allocate_grow((void **)&w->seeds, &w->seeds_capacity, w->seeds_count + r->last - r->first + 1,
                    sizeof *w->seeds, "a potential", error);
  for (int64_t b = r->first; b <= r->last && status == CLA_OK; b++)
    w->seeds[w->seeds_count++] = s ? seed_cost(w, r, b, s) : 0;
  return status;
}

/* Where nothing is cheap, all that is left is one region, which no path leaves. */
static cla_status take_whole(level_work *w, int64_t chunk, cla_error *error) {
  const chunk_region whole = {
      .chunk = chunk, .first = w->l->first[chunk], .last = w->l->last[chunk], .strong = true};
  w->dear[chunk] = NEVER;
  w->broken[2 * chunk] = w->broken[2 * chunk + 1] = 0;
  cla_status status = count_seed_costs(w, &whole, NULL, error);
  return status == CLA_OK ? add_region(w, whole, error) : status;
}

static bool takes_whole(const level_work *w, int64_t chunk) {
  const level *l = w->l;
  return w->fits && l->chunks == w->p->fine_chunks && w->p->dear[chunk] &&
         (l->last[chunk] - l->first[chunk] + 1) * l->bucket <= WHOLE_MOST;
}

/* Regions of a chunk: runs of buckets that hold as many words as a path below the threshold matches. */
static cla_status find_regions(level_work *w, int64_t chunk, const seed_counts *s, cla_error *error) {
  const level *l = w->l;
  int64_t needed, sum = 0;
  const int64_t dear = threshold(&needed, w->p, l, s->seeds, l->most);
  const int64_t span = buckets_of(w->p, l, dear), first = l->first[chunk], last = l->last[chunk];
  chunk_region *open = NULL;
  cla_status status = CLA_OK;
  w->dear[chunk] = dear > 0 ? (int32_t)dear + 1 : 0;
  for (int64_t b = first; dear > 0 && status == CLA_OK && b <= last + span - 1; b++) {
    if (b <= last) sum += s->count[b - first];
    if (b - span >= first) sum -= s->count[b - span - first];
    if (sum < needed) continue;
    const int64_t begin = larger(b - span + 1, first);
    if (!open || open->last + 1 < begin) {
      status = add_region(w, (chunk_region){.chunk = chunk, .first = begin}, error);
      if (status != CLA_OK) return status;
      open = &w->regions[w->count - 1];
    }
    open->last = smaller(b, last);
    open->words = larger(open->words, sum);
  }
  for (int64_t i = w->begins[chunk]; i < w->count && status == CLA_OK; i++) {
    w->regions[i].strong = w->regions[i].words * STRONG_PART >= s->seeds;
    status = count_seed_costs(w, &w->regions[i], s, error);
  }
  for (int which = 0; which < 2; which++)
    w->broken[2 * chunk + which] = dear > 0 ? seeds_off_regions(w, chunk, s, which) : 0;
  return status;
}

/* The regions of all chunks. *useless: there are too many words to look at. */
static cla_status find_all_regions(level_work *w, bool *useless, cla_error *error) {
  const pair_problem *problem = &w->p->problem;
  word_index *index = &w->p->index;
  seed_counts seeds = {0};
  int64_t seen = 0;
  cla_status status = CLA_OK;
  if (index->word != w->l->word) {
    word_index_free(index);
    status = word_index_make(index, problem->target, problem->columns, w->l->word, error);
  }
  for (int64_t chunk = 0; status == CLA_OK && !*useless && chunk < w->l->chunks; chunk++) {
    w->begins[chunk] = w->count;
    if (takes_whole(w, chunk)) {
      status = take_whole(w, chunk, error);
      continue;
    }
    status = count_seeds(&seeds, w, index, chunk, error);
    if (status == CLA_OK) status = find_regions(w, chunk, &seeds, error);
    *useless = too_much(w->p, (seeds.matches - seen) * PLACE_WORK) ||
               (chunk % 64 == 0 && bound_pair_stopped(w->p->pair));
    seen = seeds.matches;
  }
  w->begins[w->l->chunks] = w->count;
  free(seeds.count);
  free(seeds.seen);
  return status;
}

static int64_t region_diagonals(const level *l, const chunk_region *r) {
  return (r->last - r->first + 1) * l->bucket;
}

/* The chunks in which the threshold says all. */
static void find_dear(const level_work *w) {
  potential *p = w->p;
  if (w->l->chunks != p->fine_chunks) return;
  for (int64_t c = 0; c < w->l->chunks; c++) {
    p->dear[c] = w->dear[c] < NEVER;
    for (int64_t i = w->begins[c]; i < w->begins[c + 1]; i++)
      for (int64_t b = 0; b <= w->regions[i].last - w->regions[i].first; b++)
        if (w->regions[i].cost[b] < w->dear[c]) p->dear[c] = 0;
  }
}

/* Costs of all regions: by fits, or, of the coarse level and of what is too wide, by seeds. */
static cla_status fit_regions(level_work *w, bool *useless, cla_error *error) {
  potential *p = w->p;
  const level *l = w->l;
  int64_t count = 0, cells = 0, all = 0;
  fit *fits = NULL;
  cla_status status =
      allocate_array((void **)&w->memory, w->seeds_count, sizeof *w->memory, "a potential", error);
  if (status == CLA_OK) status = allocate_array((void **)&fits, w->count, sizeof *fits, "a potential", error);
  if (status != CLA_OK) return status;
  memcpy(w->memory, w->seeds, (size_t)w->seeds_count * sizeof *w->memory);
  int64_t at = 0;
  for (int64_t i = 0; i < w->count; i++) {
    chunk_region *r = &w->regions[i];
    const int64_t row = chunk_row(p, l, r->chunk);
    r->cost = w->memory + at;
    r->seeds = w->seeds + at;
    at += r->last - r->first + 1;
    if (!w->fits || region_diagonals(l, r) > (w->dear[r->chunk] == NEVER ? WHOLE_MOST : REGION_MOST))
      continue;
    fits[count++] = (fit){.row = row,
                          .rows = chunk_row(p, l, r->chunk + 1) - row,
                          .diagonal = first_diagonal(p, l, r->first),
                          .count = region_diagonals(l, r),
                          .bucket = l->bucket,
                          .least = r->cost};
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
                            .threads = p->threads};
  if (count > 0 && !*useless) status = fits_compute(&cells, &input, error);
  p->cells += cells;
  for (int64_t i = 0; status == CLA_OK && i < w->count; i++)
    for (int64_t b = 0; b <= w->regions[i].last - w->regions[i].first; b++)
      w->regions[i].cost[b] = least_cost(w->regions[i].cost[b], w->dear[w->regions[i].chunk]);
  free(fits);
  if (status == CLA_OK && w->fits) find_dear(w);
  return status;
}

static crossing crossing_of(const level_work *w, int64_t chunk) {
  return (crossing){.costs = &w->p->costs,
                    .bucket = w->l->bucket,
                    .word = w->l->word,
                    .dear = w->dear[chunk],
                    .reach = {reach_of(w->p, w->dear[chunk], 0), reach_of(w->p, w->dear[chunk], 1)},
                    .seeds = {w->broken[2 * chunk], w->broken[2 * chunk + 1]},
                    .count = w->begins[chunk + 1] - w->begins[chunk],
                    .regions = w->regions + w->begins[chunk]};
}

/* The buckets of a border between chunks: those of the chunks above and below. */
static cost_row border_of(const level *l, int64_t border) {
  const int64_t above = larger(border - 1, 0), below = smaller(border, l->chunks - 1);
  return (cost_row){.first = smaller(l->first[above], l->first[below]),
                    .last = larger(l->last[above], l->last[below])};
}

/* Costs to the end, from the last border to the first. */
static cla_status go_back(level_work *w, bool *useless, cla_error *error) {
  potential *p = w->p;
  const level *l = w->l;
  int64_t buckets = 0;
  cla_status status =
      allocate_array((void **)&w->borders, l->chunks + 1, sizeof *w->borders, "a potential", error);
  if (status != CLA_OK) return status;
  for (int64_t c = 0; c <= l->chunks; c++) {
    w->borders[c] = border_of(l, c);
    buckets += w->borders[c].last - w->borders[c].first + 1;
  }
  *useless = too_much(p, buckets * BUCKET_WORK);
  if (*useless) return CLA_OK;
  status = allocate_array((void **)&w->table, buckets, sizeof *w->table, "a potential", error);
  int32_t *cost = w->table;
  for (int64_t c = 0; c <= l->chunks && status == CLA_OK; c++) {
    w->borders[c].cost = cost;
    cost += w->borders[c].last - w->borders[c].first + 1;
  }
  cost_row *last = &w->borders[l->chunks];
  for (int64_t b = last->first; status == CLA_OK && b <= last->last; b++)
    last->cost[b - last->first] = last_cost(p, l, b);
  for (int64_t c = l->chunks - 1; c >= 0 && status == CLA_OK && !*useless; c--) {
    const crossing over = crossing_of(w, c);
    cost_row *border = &w->borders[c];
    status = chain_cross(border, &w->borders[c + 1], &over, true, &w->space, error);
    for (int64_t b = border->first; status == CLA_OK && b <= border->last; b++)
      border->cost[b - border->first] =
          least_cost(border->cost[b - border->first], end_cost(p, l, chunk_row(p, l, c + 1), b));
    *useless = c % 64 == 0 && bound_pair_stopped(p->pair);
  }
  return status;
}

/* Room for the costs of a border's buckets. */
static cla_status room_for(cost_row *row, int64_t first, int64_t last, chain_space *space, cla_error *error) {
  cla_status status = allocate_grow((void **)&space->memory, &space->capacity, last - first + 1,
                                    sizeof *space->memory, "a potential", error);
  *row = (cost_row){.first = first, .last = last, .cost = space->memory};
  return status;
}

/* What a path costs at least from the start to a node of each of the chunk's buckets, and from there to its
 * end. */
typedef struct chunk_costs {
  cost_row before, behind;
  chain_space spaces[2], work;
} chunk_costs;

static cla_status look_at_chunk(chunk_left *out, level_work *w, int64_t chunk, const cost_row *from_start,
                                int32_t *rest, chunk_costs *costs, cla_error *error) {
  const potential *p = w->p;
  const level *l = w->l;
  const crossing over = crossing_of(w, chunk);
  const int64_t first = l->first[chunk], last = l->last[chunk];
  cla_status status = room_for(&costs->before, first, last, &costs->spaces[0], error);
  if (status == CLA_OK) status = room_for(&costs->behind, first, last, &costs->spaces[1], error);
  if (status == CLA_OK) status = chain_reach(&costs->before, from_start, &over, &costs->work, error);
  if (status == CLA_OK)
    status = chain_reach(&costs->behind, &w->borders[chunk + 1], &over, &costs->work, error);
  if (status != CLA_OK) return status;
  const int64_t upper = chunk_row(p, l, chunk), lower = chunk_row(p, l, chunk + 1);
  *out = (chunk_left){.first = INT64_MAX, .last = -1};
  for (int64_t b = first; b <= last; b++) {
    const int64_t start = start_cost(p, l, upper, b);
    const int64_t from = smaller(costs->before.cost[b - first], start);
    const int64_t to = smaller(costs->behind.cost[b - first], end_cost(p, l, lower, b));
    if (rest) rest[b - first] = least_cost(to, NEVER);
    if (from + to > p->budget) continue;
    out->first = smaller(out->first, b);
    out->last = b;
    out->starts |= start + to <= p->budget;
  }
  return status;
}

/* Above a chunk in which paths begin everything of it stays, so that the diagonals of their starts lead there
 * (docs/internals/bounds.md). */
static void close_starts(chunk_left *left, int64_t chunks) {
  for (int64_t c = chunks - 1; c > 0; c--) {
    if (!left[c].starts) continue;
    left[c - 1].first = smaller(left[c - 1].first, left[c].first);
    left[c - 1].last = larger(left[c - 1].last, left[c].last);
    left[c - 1].starts = true;
  }
}

/* Costs from the start, from the first border to the last, and what is left of each chunk between them. */
static cla_status go_forth(level_work *w, chunk_left *left, cla_error *error) {
  const potential *p = w->p;
  const level *l = w->l;
  chunk_costs costs = {0};
  chain_space rows[2] = {{0}};
  cost_row at = border_of(l, 0);
  cla_status status = room_for(&at, at.first, at.last, &rows[0], error);
  for (int64_t b = at.first; status == CLA_OK && b <= at.last; b++)
    at.cost[b - at.first] = first_cost(p, l, b);
  for (int64_t c = 0; c < l->chunks && status == CLA_OK; c++) {
    int32_t *rest = w->fits ? p->rest + p->offsets[c] : NULL;
    status = look_at_chunk(&left[c], w, c, &at, rest, &costs, error);
    if (status != CLA_OK) break;
    cost_row next = border_of(l, c + 1);
    const crossing over = crossing_of(w, c);
    status = room_for(&next, next.first, next.last, &rows[(c + 1) % 2], error);
    if (status != CLA_OK) break;
    status = chain_cross(&next, &at, &over, false, &w->space, error);
    for (int64_t b = next.first; status == CLA_OK && b <= next.last; b++)
      next.cost[b - next.first] =
          least_cost(next.cost[b - next.first], start_cost(p, l, chunk_row(p, l, c), b));
    at = next;
  }
  for (int i = 0; i < 2; i++) {
    free(costs.spaces[i].memory);
    free(rows[i].memory);
  }
  free(costs.work.memory);
  return status;
}

static cla_status make_rest(potential *p, cla_error *error) {
  const level *l = &p->fine;
  int64_t buckets = 0;
  cla_status status =
      allocate_array((void **)&p->offsets, l->chunks, sizeof *p->offsets, "a potential", error);
  for (int64_t c = 0; c < l->chunks && status == CLA_OK; c++) {
    p->offsets[c] = buckets;
    buckets += l->last[c] - l->first[c] + 1;
  }
  return status == CLA_OK ? allocate_array((void **)&p->rest, buckets, sizeof *p->rest, "a potential", error)
                          : status;
}

/* Computes a level, and says what of its buckets matters. */
static cla_status narrow(chunk_left *left, potential *p, const level *l, bool *useless, cla_error *error) {
  level_work w = {.p = p, .l = l, .fits = l->fits};
  cla_status status = allocate_array((void **)&w.dear, l->chunks, sizeof *w.dear, "a potential", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&w.broken, 2 * l->chunks, sizeof *w.broken, "a potential", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&w.begins, l->chunks + 1, sizeof *w.begins, "a potential", error);
  if (status == CLA_OK) status = find_all_regions(&w, useless, error);
  if (status == CLA_OK && !*useless) status = fit_regions(&w, useless, error);
  if (status == CLA_OK && !*useless) status = go_back(&w, useless, error);
  if (status == CLA_OK && !*useless && w.fits) status = make_rest(p, error);
  if (status == CLA_OK && !*useless) status = go_forth(&w, left, error);
  if (status == CLA_OK && !*useless) close_starts(left, l->chunks);
  free_work(&w);
  return status;
}

/* The diagonals that gaps alone leave. */
static chunk_left gaps_leave(const potential *p) {
  const cost_scheme *c = &p->costs;
  const int64_t rows = p->problem.rows, columns = p->problem.columns, corner = columns - rows;
  const int64_t start = c->free_start ? c->match : c->ext, end = c->free_end ? c->match : c->ext;
  chunk_left left = {.first = -rows, .last = columns};
  if (start + end > 0) {
    left.first = larger(left.first, -((p->budget - end * corner) / (start + end)) - 1);
    left.last = smaller(left.last, (p->budget + end * corner) / (start + end) + 1);
  }
  left.first = smaller(left.first, smaller(0, corner));
  left.last = larger(left.last, larger(0, corner));
  return left;
}

static cla_status level_begin(level *l, const potential *p, int64_t chunk_rows, int64_t bucket,
                              cla_error *error) {
  l->chunk_rows = chunk_rows;
  l->bucket = bucket;
  l->chunks = (p->problem.rows + chunk_rows - 1) / chunk_rows;
  cla_status status = allocate_array((void **)&l->first, l->chunks, sizeof *l->first, "a potential", error);
  return status == CLA_OK
             ? allocate_array((void **)&l->last, l->chunks, sizeof *l->last, "a potential", error)
             : status;
}

static void level_free(level *l) {
  free(l->first);
  free(l->last);
}

static double letter_chance(const pair_problem *problem) {
  int64_t counts[2][SEQUENCE_UNAMBIGUOUS] = {{0}};
  double sum = 0;
  for (int64_t i = 0; i < problem->rows; i++)
    if (problem->query[i] < SEQUENCE_UNAMBIGUOUS) counts[0][problem->query[i]]++;
  for (int64_t j = 0; j < problem->columns; j++)
    if (problem->target[j] < SEQUENCE_UNAMBIGUOUS) counts[1][problem->target[j]]++;
  for (int letter = 0; letter < SEQUENCE_UNAMBIGUOUS; letter++)
    sum += (double)counts[0][letter] / (double)problem->rows * (double)counts[1][letter] /
           (double)problem->columns;
  return sum;
}

/* What the bound's path costs a row. */
static double path_cost(const potential *p, const lower_bound *bound) {
  const int64_t rows = bound->query_stop - bound->query_start,
                columns = bound->target_stop - bound->target_start;
  return (double)(p->costs.match * (rows + columns) - 2 * bound->score) / (double)larger(rows, 1);
}

/* Chooses the seeds of a level for paths that cost so much a row: long ones, which chance does not match, if
 * the threshold is above what a chunk is likely to cost; else those with the largest threshold. False where
 * that is so low that the potential would leave much. */
static bool choose_word(level *l, const potential *p, double cost, const potential_shape *shape) {
  const double mean = cost * (double)l->chunk_rows;
  const double wanted = mean + 3 * sqrt(mean * p->costs.other > 1 ? mean * p->costs.other : 1);
  int64_t best = -1;
  level tried = *l;
  for (int word = shape->word_most; word >= shape->word_least; word--) {
    int64_t needed;
    const int64_t paths_never_dearer = 2 * (int64_t)p->costs.match * l->chunk_rows;
    tried.word = word;
    tried.broken = chain_broken_cost(&p->costs, word);
    const int64_t all = l->chunk_rows / word * tried.broken;
    const int64_t most = p->costs.free_start ? smaller(all, paths_never_dearer - 1) : all;
    const int64_t reached = threshold(&needed, p, &tried, l->chunk_rows / word, most);
    if (reached <= best) continue;
    best = reached;
    tried.most = (int32_t)most;
    *l = tried;
    if ((double)best >= wanted) break;
  }
  return (double)best >= THRESHOLD_LEAST * mean;
}

/* Rows of a chunk: more where paths are dear, so that a path's seeds are told from chance. */
static int64_t chunk_rows_for(double cost, const potential *p) {
  return cost * 16 < p->costs.other * 1.2 ? 512 : 1024;
}

/* Counts what is left; false if a chunk has nothing, as with a bound that is no path's score. */
static bool measure(potential *p, const chunk_left *left) {
  p->area = 0;
  for (int64_t c = 0; c < p->fine.chunks; c++) {
    if (left[c].first > left[c].last) return false;
    p->area += (left[c].last - left[c].first + 1) * p->fine.bucket * p->fine.chunk_rows;
  }
  return true;
}

/* A level has what another one has left, in smaller chunks or buckets. */
static void take_left(level *to, bool *useless, const level *from, const chunk_left *left) {
  const int64_t chunks = from->chunk_rows / to->chunk_rows, buckets = from->bucket / to->bucket;
  for (int64_t c = 0; c < to->chunks && !*useless; c++) {
    const chunk_left *of = &left[c / chunks];
    *useless = of->first > of->last; /* a bound that is no score of a path */
    to->first[c] = of->first * buckets;
    to->last[c] = of->last * buckets + buckets - 1;
  }
}

static int64_t buckets_of_level(const level *l) {
  int64_t buckets = 0;
  for (int64_t c = 0; c < l->chunks; c++) buckets += l->last[c] - l->first[c] + 1;
  return buckets;
}

/* Goes on from a level with fits, in chunks and buckets `coarser` times as large as the last ones. */
static cla_status make_finer(potential *p, bool *useless, const level *from, chunk_left *left,
                             int64_t coarser, double cost, const potential_shape *shape, cla_error *error) {
  level next = {0};
  cla_status status = level_begin(&next, p, shape->chunk_rows * coarser, shape->bucket * coarser, error);
  if (status == CLA_OK) take_left(&next, useless, from, left);
  if (from == &p->fine) level_free(&p->fine);
  p->fine = next;
  p->fine.fits = true;
  if (status != CLA_OK || *useless) return status;
  p->fine.buckets = buckets_of_level(&p->fine);
  choose_word(&p->fine, p, cost, shape);
  free(p->offsets);
  free(p->rest);
  p->offsets = NULL;
  p->rest = NULL;
  return narrow(left, p, &p->fine, useless, error);
}

/* Whether some chunks can be taken as a whole. */
static bool dear_and_narrow(const potential *p, const chunk_left *left) {
  for (int64_t c = 0; c < p->fine.chunks; c++)
    if (p->dear[c] && (left[c].last - left[c].first + 1) * p->fine.bucket <= WHOLE_MOST) return true;
  return false;
}

/* Whether small buckets are so many that larger ones come first. */
static bool has_many_buckets(const level *from, const potential_shape *shape) {
  return buckets_of_level(from) * (from->chunk_rows / shape->chunk_rows) * (from->bucket / shape->bucket) >
         BUCKETS_MANY;
}

cla_status potential_make(potential **out, const potential_input *input, cla_error *error) {
  const pair_problem *problem = &input->pair->problem;
  potential *p = NULL;
  level coarse = {0};
  chunk_left *left = NULL;
  bool useless = false;
  *out = NULL;
  cla_status status = allocate_zeros((void **)&p, 1, sizeof *p, "a potential", error);
  if (status != CLA_OK) return status;
  p->pair = input->pair;
  p->problem = *problem;
  p->threads = input->threads;
  p->work_most = input->work_most;
  p->costs = costs_of(&problem->scheme);
  p->budget = p->costs.match * (problem->rows + problem->columns) - 2 * input->bound->score;

  p->chance = input->shape.chance;
  p->letter_chance = letter_chance(problem);
  const double cost = path_cost(p, input->bound);
  potential_shape shape = input->shape;
  const bool chosen = shape.chunk_rows == 0;
  if (chosen) shape = (potential_shape){chunk_rows_for(cost, p), FINE_BUCKET, WORD_LEAST, WORD_MOST, 0, 0};
  if (p->costs.free_start) p->budget += (2 * p->costs.match + p->costs.ext) * shape.bucket;
  useless = p->budget < 0 || p->budget > BUDGET_MOST || !input->bound->has_path;
  level *fine = &p->fine;
  if (!useless)
    status = level_begin(&coarse, p, shape.chunk_rows * COARSER, shape.bucket * COARSE_BUCKETS, error);
  const int64_t chunks = (problem->rows + shape.chunk_rows - 1) / shape.chunk_rows;
  p->fine_chunks = chunks;
  if (status == CLA_OK && !useless)
    status = allocate_array((void **)&left, chunks, sizeof *left, "a potential", error);
  if (status == CLA_OK && !useless)
    status = allocate_zeros((void **)&p->dear, chunks, 1, "a potential", error);
  if (status != CLA_OK || useless) goto done;

  const chunk_left all = gaps_leave(p);
  *fine = (level){.chunk_rows = shape.chunk_rows, .bucket = shape.bucket};
  useless = !choose_word(fine, p, cost, &shape) && chosen;
  if (useless) goto done;
  for (int64_t c = 0; c < coarse.chunks; c++) {
    coarse.first[c] = bucket_of(p, &coarse, all.first);
    coarse.last[c] = bucket_of(p, &coarse, all.last);
  }
  coarse.buckets = buckets_of_level(&coarse);
  choose_word(&coarse, p, cost, &shape);
  status = narrow(left, p, &coarse, &useless, error);
  if (status == CLA_OK && !useless) take_left(&coarse, &useless, &coarse, left);
  if (status != CLA_OK || useless) goto done;
  const bool twice = chosen ? has_many_buckets(&coarse, &shape) : shape.turns > 1;
  status = make_finer(p, &useless, &coarse, left, twice ? MIDDLE : 1, cost, &shape, error);
  if (status == CLA_OK && !useless && twice)
    useless = !measure(p, left) || p->area / FINER_LEAVES > input->cells_most;
  if (status == CLA_OK && !useless && twice)
    status = make_finer(p, &useless, fine, left, 1, cost, &shape, error);
  if (status == CLA_OK && !useless && dear_and_narrow(p, left))
    status = make_finer(p, &useless, fine, left, 1, cost, &shape, error);
  if (status == CLA_OK && !useless) useless = !measure(p, left);
  p->left = left;
  left = NULL;

done:
  free(left);
  level_free(&coarse);
  word_index_free(&p->index);
  if (status == CLA_OK && !useless)
    *out = p;
  else
    potential_free(p);
  return status;
}

void potential_free(potential *p) {
  if (!p) return;
  level_free(&p->fine);
  free(p->left);
  free(p->dear);
  free(p->offsets);
  free(p->rest);
  free(p);
}

int64_t potential_cells(const potential *p) {
  return p->cells;
}

int64_t potential_area(const potential *p) {
  return p->area;
}

int64_t potential_chunk_rows(const potential *p) {
  return p->fine.chunk_rows;
}

static int64_t chunk_of(const potential *p, int64_t row) {
  return row == 0 ? 0 : (row - 1) / p->fine.chunk_rows;
}

void potential_row(const potential *p, int64_t row, int64_t *first, int64_t *last) {
  const chunk_left *left = &p->left[chunk_of(p, row)];
  *first = larger(row + first_diagonal(p, &p->fine, left->first), 0);
  *last = smaller(row + first_diagonal(p, &p->fine, left->last + 1) - 1, p->problem.columns);
}

/* Twice H of a node that is not excluded, less match for each letter before it, is at least this. */
static int64_t least_value(const potential *p, int64_t chunk, int64_t bucket) {
  const chunk_left *left = &p->left[chunk];
  if (bucket < left->first || bucket > left->last) return INT64_MAX;
  return p->rest[p->offsets[chunk] + bucket - p->fine.first[chunk]] - p->budget;
}

bool potential_excludes(const potential *p, int64_t row, int64_t column, int64_t h) {
  const int64_t bucket = bucket_of(p, &p->fine, column - row);
  return 2 * h - p->costs.match * (row + column) < least_value(p, chunk_of(p, row), bucket);
}

int64_t potential_least_x(const potential *p) {
  const int64_t lowest = -p->problem.rows;
  return (-p->budget + p->costs.match * lowest) / 2 - 1;
}
