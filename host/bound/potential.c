#include "bound/potential.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "bound/fits.h"
#include "bound/word_index.h"
#include "seq/sequence.h"

#define NEVER (INT32_MAX / 4) /* a cost that nothing has */
#define BUDGET_MOST (NEVER / 2)
#define FINE_BUCKET 32 /* diagonals */
#define COARSER 16     /* times as many rows and diagonals for the first level */
#define WORD_LEAST 5
#define WORD_MOST 11
/* Of words that chance alone may bring: first so few places of them that little is computed in vain; once
 * little is left, more, so that the threshold is higher. */
#define CHANCE_FIRST 2.5
#define CHANCE_LATER -1.0
#define TURNS 2
#define THRESHOLD_LEAST 0.9 /* of what a chunk costs */
/* Columns: what is narrower is not worth another turn, nor is what a turn would take too long for. */
#define COLUMNS_NARROW 2048
#define COLUMNS_WIDE 16384
#define FREQUENT_WORD 256 /* a word with more places in a chunk's columns counts as unbroken everywhere */
#define REGION_MOST 4096  /* diagonals of a region whose fit is computed; a wider one costs nothing */
#define MATCHES_MOST 64   /* places of words for each letter of both sequences that are looked at in all */

/* Costs of the scheme, twice as large as scores. */
typedef struct cost_scheme {
  int32_t match;      /* of a letter that is left out */
  int32_t other;      /* the least of a pair that is no match */
  int32_t first, ext; /* of a gap: its first letter and each further one, the least of both pieces */
  bool free_start, free_end;
} cost_scheme;

/* A level of chunks and buckets. */
typedef struct level {
  int64_t chunk_rows, bucket;
  int word;       /* letters of a seed */
  int32_t broken; /* what a broken seed costs */
  int32_t most;   /* the largest threshold of a chunk */
  double chance;  /* standard deviations of words by chance that count as such */
  int64_t chunks;
  int64_t *first, *last; /* buckets by chunk: what is left of them */
} level;

/* Buckets of a chunk that paths below its threshold keep to, and what such a path costs that ends in each. */
typedef struct chunk_region {
  int64_t chunk, first, last, words;
  int32_t least; /* by the words that are not there */
  int32_t *cost; /* by bucket */
} chunk_region;

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
  int64_t buckets_most;
  level fine;
  chunk_left *left; /* by chunk */
  int64_t *offsets; /* by chunk: of its first bucket in `rest` */
  int32_t *rest;    /* by chunk and bucket: the least cost from a node there on */
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

/* What a seed of so many letters costs a path that does not match all of it. Between seeds, a gap down the
 * rows that touches K of them has (K - 2) word + 2 letters at least. */
static int32_t broken_cost(const cost_scheme *c, int word) {
  const int64_t gap = smaller(c->first, (c->first + c->ext) / 2);
  return (int32_t)smaller(smaller(c->other, gap), (int64_t)c->ext * word);
}

/* A gap that was opened in the chunk above. */
static int32_t open_gap(const cost_scheme *c) {
  return c->first - c->ext;
}

/* The number of buckets whose words a path of cost `most` can meet, from its lowest diagonal's on. */
static int64_t buckets_of(const potential *p, const level *l, int64_t most) {
  return (most + open_gap(&p->costs)) / p->costs.ext / l->bucket + 2;
}

/* Words that chance puts into so many buckets, or fewer, but for a small part of the places. */
static double chance(const level *l, int64_t seeds, int64_t buckets) {
  const double mean = (double)seeds * (double)(buckets * l->bucket) / (double)(INT64_C(1) << 2 * l->word);
  double root = mean > 1 ? mean : 1;
  for (int i = 0; i < 20; i++) root = (root + mean / root) / 2;
  return mean + l->chance * root + 1;
}

/* The largest threshold up to `most` that chance does not reach, and the seeds that a path below it matches.
 */
static int64_t threshold(int64_t *needed, const potential *p, const level *l, int64_t seeds, int64_t most) {
  for (int turn = 0; turn < 4; turn++) {
    const int64_t wanted = (int64_t)chance(l, seeds, buckets_of(p, l, most));
    const int64_t limit = (seeds - wanted) * l->broken - open_gap(&p->costs);
    if (limit >= most) break;
    most = limit;
  }
  if (most < 0) most = 0;
  *needed = seeds - (most + open_gap(&p->costs)) / l->broken;
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

/* A table of costs by bucket, and NEVER beside them. */
typedef struct cost_row {
  int64_t first, last;
  int32_t *cost; /* of `first` */
} cost_row;

static int32_t cost_at(const cost_row *row, int64_t bucket) {
  return bucket < row->first || bucket > row->last ? NEVER : row->cost[bucket - row->first];
}

static int32_t least_cost(int64_t a, int64_t b) {
  return (int32_t)(a < b ? a : b);
}

/* The least cost from each bucket to `of`, over any number of further diagonals. [0]: from or below it, [1]:
 * from or above it, as if both were borders of buckets that touch. */
typedef struct spread_costs {
  cost_row side[2];
} spread_costs;

static void spread(spread_costs *s, const cost_row *of, int64_t step) {
  for (int64_t b = s->side[0].first; b <= s->side[0].last; b++)
    s->side[0].cost[b - s->side[0].first] =
        least_cost(least_cost(cost_at(of, b), cost_at(&s->side[0], b - 1) + step), NEVER);
  for (int64_t b = s->side[1].last; b >= s->side[1].first; b--)
    s->side[1].cost[b - s->side[1].first] =
        least_cost(least_cost(cost_at(of, b), cost_at(&s->side[1], b + 1) + step), NEVER);
}

/* The least cost from the bucket to another one that is `apart` or more away. */
static int32_t spread_at(const spread_costs *s, int64_t bucket, int64_t apart, int64_t ext, int64_t step) {
  const int32_t below = cost_at(&s->side[0], bucket - apart), above = cost_at(&s->side[1], bucket + apart);
  return least_cost((int64_t)least_cost(below, above) + ext + (apart - 1) * step, NEVER);
}

/* Memory for a step from one border of chunks to another. */
typedef struct step_space {
  int32_t *memory;
  int64_t capacity;
} step_space;

static cla_status prepare(spread_costs *s, step_space *space, int64_t first, int64_t last, cla_error *error) {
  const int64_t count = last - first + 1;
  cla_status status = allocate_grow((void **)&space->memory, &space->capacity, 2 * count,
                                    sizeof *space->memory, "a potential", error);
  if (status != CLA_OK) return status;
  for (int i = 0; i < 2; i++)
    s->side[i] = (cost_row){.first = first, .last = last, .cost = space->memory + i * count};
  /* Both are looked at beside what has been set. */
  for (int64_t i = 0; i < 2 * count; i++) space->memory[i] = NEVER;
  return CLA_OK;
}

/* What crossing a chunk costs. */
typedef struct crossing {
  int32_t dear;  /* outside of regions */
  int64_t count; /* of regions */
  const chunk_region *regions;
} crossing;

/* Costs at one border of a chunk from those at the other one: `back` goes from the chunk's lower border to
 * its upper one. */
static cla_status cross(cost_row *to, const cost_row *from, const potential *p, const level *l,
                        const crossing *over, bool back, step_space *space, cla_error *error) {
  const int64_t step = p->costs.ext * l->bucket, ext = p->costs.ext;
  const int64_t near = (over->dear - ext >= 0 ? (over->dear - ext) / step + 1 : 0);
  spread_costs s;
  cla_status status =
      prepare(&s, space, smaller(to->first, from->first), larger(to->last, from->last), error);
  if (status != CLA_OK) return status;
  spread(&s, from, step);
  for (int64_t b = to->first; b <= to->last; b++) {
    int64_t least = NEVER;
    for (int64_t c = b - near; c <= b + near; c++) least = smaller(least, cost_at(from, c));
    to->cost[b - to->first] =
        least_cost(least_cost(least + over->dear, spread_at(&s, b, near + 1, ext, step)), NEVER);
  }
  for (int64_t i = 0; i < over->count; i++) {
    const chunk_region *r = &over->regions[i];
    int64_t least = NEVER;
    for (int64_t b = r->first; b <= r->last; b++)
      least = smaller(least, (int64_t)cost_at(from, b) + (back ? r->cost[b - r->first] : 0));
    for (int64_t b = larger(r->first, to->first); b <= smaller(r->last, to->last); b++) {
      int32_t *cost = &to->cost[b - to->first];
      *cost = least_cost(*cost, least + (back ? 0 : r->cost[b - r->first]));
    }
  }
  return CLA_OK;
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

/* All that a level is computed with. */
typedef struct level_work {
  potential *p;
  const level *l;
  bool fits;       /* else seeds alone */
  int32_t *dear;   /* by chunk */
  int64_t *begins; /* by chunk: its first region; one more */
  chunk_region *regions;
  int64_t count, capacity;
  int32_t *memory;   /* of their costs */
  cost_row *borders; /* by chunk: costs at its upper border to the end; one more */
  int32_t *table;    /* of theirs */
  step_space space;
} level_work;

static void free_work(level_work *w) {
  free(w->dear);
  free(w->begins);
  free(w->regions);
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
      status = allocate_grow((void **)&w->regions, &w->capacity, w->count + 1, sizeof *w->regions,
                             "a potential", error);
      if (status != CLA_OK) return status;
      open = &w->regions[w->count++];
      *open = (chunk_region){.chunk = chunk, .first = begin};
    }
    open->last = smaller(b, last);
    open->least = least_cost(w->dear[chunk], larger(0, (s->seeds - larger(sum, open->words)) * l->broken -
                                                           open_gap(&w->p->costs)));
    open->words = larger(open->words, sum);
  }
  return status;
}

/* The regions of all chunks. *useless: there are too many words to look at. */
static cla_status find_all_regions(level_work *w, bool *useless, cla_error *error) {
  const pair_problem *problem = &w->p->problem;
  word_index index = {0};
  seed_counts seeds = {0};
  const int64_t most = MATCHES_MOST * (problem->rows + problem->columns);
  cla_status status = word_index_make(&index, problem->target, problem->columns, w->l->word, error);
  for (int64_t chunk = 0; status == CLA_OK && !*useless && chunk < w->l->chunks; chunk++) {
    w->begins[chunk] = w->count;
    status = count_seeds(&seeds, w, &index, chunk, error);
    if (status == CLA_OK) status = find_regions(w, chunk, &seeds, error);
    *useless = seeds.matches > most || (chunk % 64 == 0 && bound_pair_stopped(w->p->pair));
  }
  w->begins[w->l->chunks] = w->count;
  free(seeds.count);
  free(seeds.seen);
  word_index_free(&index);
  return status;
}

static int64_t region_diagonals(const level *l, const chunk_region *r) {
  return (r->last - r->first + 1) * l->bucket;
}

/* Costs of all regions: by fits, or, of the coarse level and of what is too wide, by seeds. */
static cla_status fit_regions(level_work *w, cla_error *error) {
  potential *p = w->p;
  const level *l = w->l;
  int64_t buckets = 0, count = 0, cells = 0;
  fit *fits = NULL;
  for (int64_t i = 0; i < w->count; i++) buckets += w->regions[i].last - w->regions[i].first + 1;
  cla_status status = allocate_array((void **)&w->memory, buckets, sizeof *w->memory, "a potential", error);
  if (status == CLA_OK) status = allocate_array((void **)&fits, w->count, sizeof *fits, "a potential", error);
  if (status != CLA_OK) return status;
  int32_t *cost = w->memory;
  for (int64_t i = 0; i < w->count; i++) {
    chunk_region *r = &w->regions[i];
    const int64_t row = chunk_row(p, l, r->chunk);
    r->cost = cost;
    for (int64_t b = r->first; b <= r->last; b++) *cost++ = r->least;
    if (!w->fits || region_diagonals(l, r) > REGION_MOST) continue;
    fits[count++] = (fit){.row = row,
                          .rows = chunk_row(p, l, r->chunk + 1) - row,
                          .diagonal = first_diagonal(p, l, r->first),
                          .count = region_diagonals(l, r),
                          .bucket = l->bucket,
                          .least = r->cost};
  }
  const fits_input input = {.query = p->problem.query,
                            .target = p->problem.target,
                            .columns = p->problem.columns,
                            .costs = {.other = (int16_t)smaller(p->costs.other, FIT_COST_MOST),
                                      .first = (int16_t)smaller(p->costs.first, FIT_COST_MOST),
                                      .ext = (int16_t)smaller(p->costs.ext, FIT_COST_MOST)},
                            .fits = fits,
                            .count = count,
                            .threads = p->threads};
  if (count > 0) status = fits_compute(&cells, &input, error);
  p->cells += cells;
  for (int64_t i = 0; status == CLA_OK && i < w->count; i++)
    for (int64_t b = 0; b <= w->regions[i].last - w->regions[i].first; b++)
      w->regions[i].cost[b] = least_cost(w->regions[i].cost[b], w->dear[w->regions[i].chunk]);
  free(fits);
  return status;
}

static crossing crossing_of(const level_work *w, int64_t chunk) {
  return (crossing){.dear = w->dear[chunk],
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
  const potential *p = w->p;
  const level *l = w->l;
  int64_t buckets = 0;
  cla_status status =
      allocate_array((void **)&w->borders, l->chunks + 1, sizeof *w->borders, "a potential", error);
  if (status != CLA_OK) return status;
  for (int64_t c = 0; c <= l->chunks; c++) {
    w->borders[c] = border_of(l, c);
    buckets += w->borders[c].last - w->borders[c].first + 1;
  }
  *useless = buckets > p->buckets_most;
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
    status = cross(border, &w->borders[c + 1], p, l, &over, true, &w->space, error);
    for (int64_t b = border->first; status == CLA_OK && b <= border->last; b++)
      border->cost[b - border->first] =
          least_cost(border->cost[b - border->first], end_cost(p, l, chunk_row(p, l, c + 1), b));
    *useless = c % 64 == 0 && bound_pair_stopped(p->pair);
  }
  return status;
}

/* The least cost from a node of the bucket, in a chunk, over gaps to the costs at a border of it. */
static int32_t near_cost(const spread_costs *s, const cost_row *row, const potential *p, const level *l,
                         int64_t bucket) {
  return least_cost(cost_at(row, bucket),
                    spread_at(s, bucket, 1, p->costs.ext, (int64_t)p->costs.ext * l->bucket));
}

/* Spreads a border's costs over a chunk's buckets. */
static cla_status spread_over(spread_costs *s, const cost_row *row, const level_work *w, int64_t chunk,
                              step_space *space, cla_error *error) {
  const level *l = w->l;
  cla_status status = prepare(s, space, smaller(row->first, l->first[chunk]) - 1,
                              larger(row->last, l->last[chunk]) + 1, error);
  if (status == CLA_OK) spread(s, row, (int64_t)w->p->costs.ext * l->bucket);
  return status;
}

static cla_status look_at_chunk(chunk_left *out, level_work *w, int64_t chunk, const cost_row *from_start,
                                int32_t *rest, step_space spaces[2], cla_error *error) {
  const potential *p = w->p;
  const level *l = w->l;
  spread_costs before, behind;
  const cost_row *to_end = &w->borders[chunk + 1];
  cla_status status = spread_over(&before, from_start, w, chunk, &spaces[0], error);
  if (status == CLA_OK) status = spread_over(&behind, to_end, w, chunk, &spaces[1], error);
  if (status != CLA_OK) return status;
  const int64_t upper = chunk_row(p, l, chunk), lower = chunk_row(p, l, chunk + 1);
  *out = (chunk_left){.first = INT64_MAX, .last = -1};
  for (int64_t b = l->first[chunk]; b <= l->last[chunk]; b++) {
    const int64_t start = start_cost(p, l, upper, b);
    const int64_t from = smaller(near_cost(&before, from_start, p, l, b), start);
    const int64_t to = smaller(near_cost(&behind, to_end, p, l, b), end_cost(p, l, lower, b));
    if (rest) rest[b - l->first[chunk]] = least_cost(to, NEVER);
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
  step_space spaces[2] = {{0}}, rows[2] = {{0}};
  cost_row at = border_of(l, 0);
  cla_status status = allocate_grow((void **)&rows[0].memory, &rows[0].capacity, at.last - at.first + 1,
                                    sizeof(int32_t), "a potential", error);
  at.cost = rows[0].memory;
  for (int64_t b = at.first; status == CLA_OK && b <= at.last; b++)
    at.cost[b - at.first] = first_cost(p, l, b);
  for (int64_t c = 0; c < l->chunks && status == CLA_OK; c++) {
    int32_t *rest = w->fits ? p->rest + p->offsets[c] : NULL;
    status = look_at_chunk(&left[c], w, c, &at, rest, spaces, error);
    if (status != CLA_OK) break;
    step_space *space = &rows[(c + 1) % 2];
    cost_row next = border_of(l, c + 1);
    const crossing over = crossing_of(w, c);
    status = allocate_grow((void **)&space->memory, &space->capacity, next.last - next.first + 1,
                           sizeof(int32_t), "a potential", error);
    if (status != CLA_OK) break;
    next.cost = space->memory;
    status = cross(&next, &at, p, l, &over, false, &w->space, error);
    for (int64_t b = next.first; status == CLA_OK && b <= next.last; b++)
      next.cost[b - next.first] =
          least_cost(next.cost[b - next.first], start_cost(p, l, chunk_row(p, l, c), b));
    at = next;
  }
  for (int i = 0; i < 2; i++) {
    free(spaces[i].memory);
    free(rows[i].memory);
  }
  return status;
}

static cla_status make_rest(potential *p, bool *useless, cla_error *error) {
  const level *l = &p->fine;
  int64_t buckets = 0;
  cla_status status =
      allocate_array((void **)&p->offsets, l->chunks, sizeof *p->offsets, "a potential", error);
  for (int64_t c = 0; c < l->chunks && status == CLA_OK; c++) {
    p->offsets[c] = buckets;
    buckets += l->last[c] - l->first[c] + 1;
  }
  *useless = buckets > p->buckets_most;
  return status == CLA_OK && !*useless
             ? allocate_array((void **)&p->rest, buckets, sizeof *p->rest, "a potential", error)
             : status;
}

/* Computes a level, and says what of its buckets matters. */
static cla_status narrow(chunk_left *left, potential *p, const level *l, bool *useless, cla_error *error) {
  level_work w = {.p = p, .l = l, .fits = l == &p->fine};
  cla_status status = allocate_array((void **)&w.dear, l->chunks, sizeof *w.dear, "a potential", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&w.begins, l->chunks + 1, sizeof *w.begins, "a potential", error);
  if (status == CLA_OK) status = find_all_regions(&w, useless, error);
  if (status == CLA_OK && !*useless) status = fit_regions(&w, error);
  if (status == CLA_OK && !*useless) status = go_back(&w, useless, error);
  if (status == CLA_OK && !*useless && w.fits) status = make_rest(p, useless, error);
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
  double root = mean * p->costs.other > 1 ? mean * p->costs.other : 1;
  for (double of = root, i = 0; i < 20; i++) root = (root + of / root) / 2;
  const double wanted = mean + 3 * root;
  int64_t best = -1;
  level tried = *l;
  for (int word = shape->word_most; word >= shape->word_least; word--) {
    int64_t needed;
    const int64_t paths_never_dearer = 2 * (int64_t)p->costs.match * l->chunk_rows;
    tried.word = word;
    tried.broken = broken_cost(&p->costs, word);
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

/* Another turn of the level has the buckets that the last one has left. */
static void take_left(potential *p, const chunk_left *left) {
  for (int64_t c = 0; c < p->fine.chunks; c++) {
    p->fine.first[c] = left[c].first;
    p->fine.last[c] = left[c].last;
  }
  free(p->offsets);
  free(p->rest);
  p->offsets = NULL;
  p->rest = NULL;
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
  p->buckets_most = input->buckets_most;
  p->costs = costs_of(&problem->scheme);
  p->budget = p->costs.match * (problem->rows + problem->columns) - 2 * input->bound->score;

  const double cost = path_cost(p, input->bound);
  potential_shape shape = input->shape;
  if (shape.chunk_rows == 0)
    shape = (potential_shape){chunk_rows_for(cost, p), FINE_BUCKET, WORD_LEAST, WORD_MOST, TURNS};
  if (p->costs.free_start) p->budget += (2 * p->costs.match + p->costs.ext) * shape.bucket;
  useless = p->budget < 0 || p->budget > BUDGET_MOST || !input->bound->has_path;
  if (!useless) status = level_begin(&p->fine, p, shape.chunk_rows, shape.bucket, error);
  if (status == CLA_OK && !useless)
    status = level_begin(&coarse, p, shape.chunk_rows * COARSER, shape.bucket * COARSER, error);
  if (status == CLA_OK && !useless)
    status = allocate_array((void **)&left, p->fine.chunks, sizeof *left, "a potential", error);
  if (status != CLA_OK || useless) goto done;

  const chunk_left all = gaps_leave(p);
  coarse.chance = CHANCE_FIRST;
  p->fine.chance = coarse.chance;
  useless = !choose_word(&p->fine, p, cost, &shape) && input->shape.chunk_rows == 0;
  if (useless) goto done;
  choose_word(&coarse, p, cost, &shape);
  for (int64_t c = 0; c < coarse.chunks; c++) {
    coarse.first[c] = bucket_of(p, &coarse, all.first);
    coarse.last[c] = bucket_of(p, &coarse, all.last);
  }
  status = narrow(left, p, &coarse, &useless, error);
  for (int64_t c = 0; c < p->fine.chunks && status == CLA_OK && !useless; c++) {
    const chunk_left *of = &left[c / COARSER];
    useless = of->first > of->last; /* a bound that is no score of a path */
    p->fine.first[c] = of->first * COARSER;
    p->fine.last[c] = of->last * COARSER + COARSER - 1;
  }
  if (status != CLA_OK || useless) goto done;
  for (int turn = 0; turn < shape.turns && status == CLA_OK && !useless; turn++) {
    p->fine.chance = turn == 0 ? CHANCE_FIRST : CHANCE_LATER;
    choose_word(&p->fine, p, cost, &shape);
    if (turn > 0) take_left(p, left);
    status = narrow(left, p, &p->fine, &useless, error);
    if (status == CLA_OK && !useless) useless = !measure(p, left);
    const int64_t columns = p->area / problem->rows;
    if (input->shape.chunk_rows == 0 && (columns < COLUMNS_NARROW || columns > COLUMNS_WIDE)) break;
  }
  p->left = left;
  left = NULL;

done:
  free(left);
  level_free(&coarse);
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
