#include "bounds/chain.h"

#include <stddef.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/loops.h"

#define NEVER COST_NEVER
#define ARRAYS 7      /* number of arrays in chain_arrays */
#define NEAR_MOST 255 /* largest distance between buckets, in buckets, for which a cost is stored */
#define PRICES 16     /* number of prices tried for a seed */

int32_t chain_broken_cost(const cost_scheme *c, int word) {
  const int64_t gap = smaller(c->first, (c->first + c->ext) / 2);
  return (int32_t)smaller(smaller(c->other, gap), (int64_t)c->ext * word);
}

/* Returns the least number of diagonals between nodes of two buckets that are `buckets` apart. */
static int64_t diagonals_apart(const crossing *over, int64_t buckets) {
  return buckets == 0 ? 0 : (buckets - 1) * over->bucket + 1;
}

/* Minimum numbers of steps of a path. */
typedef struct path_steps {
  int64_t seeds; /* number of broken seeds */
  int64_t edits; /* number of mismatched pairs and of letters in gaps */
  int64_t apart; /* number of diagonals between start and end */
  bool columns;  /* true: gaps along the columns lead to the end; false: gaps along the rows */
} path_steps;

/* Returns the least cost of a path with these steps (docs/internals/bounds.md, "Level 3"): the largest sum
 * over the prices that are tried for a seed. With each of them go the best prices of an edit and of a gap's
 * letter. Prices are multiplied by 2 * word. `on`: price of an edit plus a gap's letter, in gaps towards
 * the path's end. `off`: price of an edit in other steps. */
static int64_t family_cost(const crossing *over, path_steps steps) {
  const cost_scheme *c = over->costs;
  const int64_t word = over->word;
  const int64_t dearest = chain_broken_cost(c, over->word), step = dearest / PRICES + 1;
  int64_t most = 0;
  for (int64_t seed = dearest; seed >= 0; seed -= step) {
    const int64_t pair = (c->other - seed) * 2 * word;
    const int64_t column = smaller(c->ext, c->first - seed) * 2 * word;
    const int64_t short_row = smaller(2 * (c->first - seed), c->first + c->ext - 2 * seed) * word;
    const int64_t row = smaller(short_row, 2 * (c->ext * word - seed));
    const int64_t on = steps.columns ? column : row, off = smaller(pair, steps.columns ? row : column);
    if (on < 0 || off < 0) continue;
    const int64_t letters = steps.apart < steps.edits
                                ? smaller(on, off) * steps.edits + larger(on - off, 0) * steps.apart
                                : on * steps.apart;
    most = larger(most, seed * steps.seeds + letters / (2 * word));
  }
  return most - cost_open_gap(c);
}

/* Returns the least cost of a path that meets no strong region and ends `buckets` away from its start. */
static int32_t free_cost(const crossing *over, int64_t buckets, bool columns, int64_t edits) {
  const int64_t ext = over->costs->ext;
  path_steps steps = {over->seeds[1], edits, diagonals_apart(over, buckets), columns};
  const int64_t further = larger(family_cost(over, steps), ext * (over->reach[0] + 1));
  steps.seeds = over->seeds[0];
  const int64_t family = smaller(smaller(family_cost(over, steps), further), ext * (over->reach[1] + 1));
  return (int32_t)smaller(larger(ext * steps.apart, family), NEVER);
}

/* Returns the least cost, beyond the letters of its gap, of a path that meets no strong region and crosses
 * up to reach[1] diagonals. */
static int32_t far_cost(const crossing *over, bool columns) {
  const int64_t most = over->reach[1];
  const path_steps steps = {over->seeds[1], 0, most, columns};
  return (int32_t)larger(family_cost(over, steps) - over->costs->ext * most, 0);
}

/* Returns the least distance, in buckets, at which the gap alone costs `cost`; at most NEAR_MOST. */
static int64_t near_buckets(const crossing *over, int64_t cost) {
  const int64_t step = over->costs->ext * over->bucket;
  return cost <= over->costs->ext ? 0 : smaller((cost - over->costs->ext) / step + 1, NEAR_MOST);
}

/* Costs of paths by distance in buckets. [0]: paths from a lower bucket; [1]: from a higher one. */
typedef struct apart_costs {
  /* Distances. Up to `near`, `cost` has the costs. Between `near` and `far`, a path costs its gap plus
   * `more`. From `far` on, it costs its gap alone. */
  int64_t near, far;
  int32_t cost[2][NEAR_MOST + 1]; /* by distance */
  int32_t more[2];                /* cost between `near` and `far`, in addition to the gap */
} apart_costs;

/* Arrays by bucket. They cover all buckets of both borders, and `pad` more on each side. */
typedef struct chain_arrays {
  int64_t first, count, pad;
  int32_t *from; /* costs at the border where paths enter the chunk */
  /* Least cost of reaching the bucket by a gap. [0]: from this bucket or a lower one; [1]: from this bucket
   * or a higher one. */
  int32_t *side[2];
  int32_t *free;      /* the costs in `from`, but only outside strong regions */
  int32_t *out;       /* least costs found so far at the border where paths leave the chunk */
  int32_t *dear;      /* costs of paths that stay in no region */
  int32_t *met;       /* costs of paths that reach and leave strong regions by gaps */
  apart_costs *apart; /* costs, by distance, of paths that stay in no region */
} chain_arrays;

static cla_status prepare(chain_arrays *a, const cost_row *to, const cost_row *from, int64_t pad,
                          chain_space *space, cla_error *error) {
  a->pad = pad;
  a->first = smaller(to->first, from->first);
  a->count = larger(to->last, from->last) - a->first + 1;
  const int64_t size = a->count + 2 * pad;
  cla_status status = ALLOCATE_GROW(&space->memory, &space->capacity, ARRAYS * size, "a potential", error);
  if (status != CLA_OK) return status;
  int32_t **const arrays[ARRAYS] = {&a->from, &a->side[0], &a->side[1], &a->free, &a->out, &a->dear, &a->met};
  for (int64_t i = 0; i < ARRAYS * size; i++) space->memory[i] = NEVER;
  for (int64_t i = 0; i < ARRAYS; i++) *arrays[i] = space->memory + i * size + pad;
  for (int64_t b = from->first; b <= from->last; b++) a->from[b - a->first] = from->cost[b - from->first];
  return CLA_OK;
}

/* Computes side[0] and side[1] from the costs `of`. One loop computes both: each value depends on the value
 * before it, so the processor can work on both at once. */
static void spread(const chain_arrays *a, const int32_t *of, int32_t step) {
  int32_t *below = a->side[0], *above = a->side[1];
  const int64_t first = -a->pad, last = a->count + a->pad - 1;
  int32_t lower = of[first], higher = of[last];
  below[first] = lower;
  above[last] = higher;
  for (int64_t b = first + 1, c = last - 1; b <= last; b++, c--) {
    lower = LEAST(of[b], lower + step);
    higher = LEAST(of[c], higher + step);
    below[b] = lower;
    above[c] = higher;
  }
}

/* Lowers `out` to the costs of paths that come from at least `apart` buckets away; apart >= 1. */
ALWAYS_INLINE void from_far(int32_t *restrict out, const chain_arrays *a, int64_t apart, int32_t from_below,
                            int32_t from_above) {
  const int32_t *restrict below = a->side[0] - apart, *restrict above = a->side[1] + apart;
  INDEPENDENT
  for (int64_t b = 0; b < a->count; b++) {
    const int32_t lower = below[b] + from_below, higher = above[b] + from_above;
    const int32_t least = LEAST(lower, higher);
    out[b] = LEAST(out[b], least);
  }
}

/* Lowers out[b] to from[b] + cost, if that is less. */
ALWAYS_INLINE void from_near(int32_t *restrict out, const int32_t *restrict from, int64_t count,
                             int32_t cost) {
  INDEPENDENT
  for (int64_t b = 0; b < count; b++) {
    const int32_t value = from[b] + cost;
    out[b] = LEAST(out[b], value);
  }
}

ALWAYS_INLINE void pass(int32_t *out, const int32_t *from, const chain_arrays *a, const apart_costs *of,
                        const int32_t gaps[2]) {
  if (of->near + 1 < of->far) from_far(out, a, of->near + 1, gaps[0] + of->more[0], gaps[0] + of->more[1]);
  from_far(out, a, of->far, gaps[1], gaps[1]);
  for (int64_t d = 0; d <= of->near; d++) {
    from_near(out, from - d, a->count, of->cost[0][d]);
    if (d > 0) from_near(out, from + d, a->count, of->cost[1][d]);
  }
}

BY_PROCESSOR(static, void, pass_best, pass,
             (int32_t * out, const int32_t *from, const chain_arrays *a, const apart_costs *of,
              const int32_t gaps[2]),
             (out, from, a, of, gaps))

static int32_t gap_to(const crossing *over, int64_t buckets) {
  return (int32_t)smaller(over->costs->ext * diagonals_apart(over, buckets), NEVER);
}

static void find_apart_costs(apart_costs *out, const crossing *over, bool back, int64_t edits) {
  const int64_t ext = over->costs->ext;
  const bool seeds = over->dear > 0;
  out->near = seeds ? near_buckets(over, ext * (over->reach[0] + 1)) : 0;
  for (int higher = 0; higher < 2; higher++) {
    const bool columns = (higher == 1) == back;
    for (int64_t d = 0; d <= out->near; d++) out->cost[higher][d] = free_cost(over, d, columns, edits);
    out->more[higher] = seeds ? far_cost(over, columns) : 0;
  }
  const int64_t more = LARGEST(out->more[0], out->more[1]);
  out->far = larger(out->near + 1, near_buckets(over, ext * over->reach[1] - more));
}

static int32_t apart_cost(const apart_costs *of, const crossing *over, int64_t from, int64_t to) {
  const int64_t d = from < to ? to - from : from - to;
  return d <= of->near ? of->cost[from > to][d] : gap_to(over, d);
}

/* Lowers a->out to the costs of paths that stay in the region. */
static void cross_region(const chain_arrays *a, const chunk_region *r, const crossing *over,
                         const apart_costs *apart, bool back) {
  int32_t most = 0;
  for (int64_t b = 0; b <= r->last - r->first; b++) {
    most = LARGEST(most, r->cost[b]);
    most = LARGEST(most, r->seeds[b]);
  }
  const int64_t near = larger(near_buckets(over, most), r->strong ? 0 : apart->near);
  const int32_t far = gap_to(over, near + 1);
  const int64_t low = larger(r->first, a->first), high = smaller(r->last, a->first + a->count - 1);
  for (int64_t b = low; b <= high; b++) {
    const int64_t at = b - a->first;
    int32_t least = LEAST(a->side[0][larger(at - near - 1, -a->pad)],
                          a->side[1][smaller(at + near + 1, a->count + a->pad - 1)]) +
                    far;
    for (int64_t c = larger(b - near, low); c <= smaller(b + near, high); c++) {
      const int64_t start = back ? b : c, end = back ? c : b;
      const int32_t fit = LARGEST(r->cost[end - r->first], r->seeds[start - r->first]);
      const int32_t gap = r->strong ? gap_to(over, b < c ? c - b : b - c) : apart_cost(apart, over, c, b);
      const int32_t cost = a->from[c - a->first] + LARGEST(fit, gap);
      least = LEAST(least, cost);
    }
    a->out[at] = LEAST(a->out[at], least);
  }
}

static void mark_regions(const chain_arrays *a, const crossing *over, const int32_t *from, int32_t *to) {
  for (int64_t i = 0; i < over->count; i++) {
    const chunk_region *r = &over->regions[i];
    if (!r->strong) continue;
    const int64_t low = larger(r->first, a->first), high = smaller(r->last, a->first + a->count - 1);
    for (int64_t b = low - a->first; b <= high - a->first; b++) to[b] = from ? from[b] : NEVER;
  }
}

typedef struct far_gaps {
  int32_t to[2];
} far_gaps;

static far_gaps gaps_of(const crossing *over, const apart_costs *of) {
  return (far_gaps){{gap_to(over, of->near + 1), gap_to(over, of->far)}};
}

/* Lowers a->out to the costs of paths that stay in no region, but meet a strong one. */
static void meet_regions(const chain_arrays *a, const crossing *over, int32_t step) {
  apart_costs *dear = a->apart;
  for (int64_t d = 0; d <= dear->near; d++) dear->cost[0][d] = dear->cost[1][d] = over->dear;
  pass_best(a->dear, a->from, a, dear, gaps_of(over, dear).to);
  for (int64_t b = 0; b < a->count; b++) a->free[b] = a->from[b];
  from_far(a->free, a, 1, gap_to(over, 1), gap_to(over, 1));
  mark_regions(a, over, a->free, a->met);
  spread(a, a->met, step);
  from_far(a->met, a, 1, gap_to(over, 1), gap_to(over, 1));
  for (int64_t b = 0; b < a->count; b++) {
    const int32_t cost = LARGEST(a->dear[b], a->met[b]);
    a->out[b] = LEAST(a->out[b], cost);
    a->dear[b] = NEVER;
  }
  spread(a, a->from, step);
}

/* Lowers a->out to the costs of paths that meet no strong region. */
static void meet_none(const chain_arrays *a, const crossing *over, const apart_costs *apart, bool back) {
  apart_costs *dear = a->apart;
  if (over->edits > 0)
    find_apart_costs(dear, over, back, over->edits);
  else
    *dear = *apart;
  for (int64_t d = 0; d <= dear->near; d++)
    for (int higher = 0; higher < 2; higher++)
      dear->cost[higher][d] = LARGEST(dear->cost[higher][d], over->dear);
  for (int64_t b = 0; b < a->count; b++) a->free[b] = a->from[b];
  mark_regions(a, over, NULL, a->free);
  pass_best(a->dear, a->free, a, dear, gaps_of(over, dear).to);
  mark_regions(a, over, NULL, a->dear);
  for (int64_t b = 0; b < a->count; b++) a->out[b] = LEAST(a->out[b], a->dear[b]);
}

cla_status chain_cross(cost_row *to, const cost_row *from, const crossing *over, bool back,
                       chain_space *space, cla_error *error) {
  chain_arrays a = {0};
  apart_costs apart, dear;
  const int32_t step = (int32_t)smaller(over->costs->ext * over->bucket, NEVER);
  bool strong = false;
  find_apart_costs(&apart, over, back, 0);
  dear.near = near_buckets(over, smaller(over->dear, over->costs->ext * (over->reach[0] + 1)));
  dear.far = dear.near + 1;
  a.apart = &dear;
  cla_status status = prepare(&a, to, from, larger(apart.far, dear.far) + 1, space, error);
  if (status != CLA_OK) return status;
  spread(&a, a.from, step);
  for (int64_t i = 0; i < over->count; i++) {
    cross_region(&a, &over->regions[i], over, &apart, back);
    strong |= over->regions[i].strong;
  }
  if (strong) meet_regions(&a, over, step);
  meet_none(&a, over, &apart, back);
  for (int64_t b = to->first; b <= to->last; b++) to->cost[b - to->first] = LEAST(a.out[b - a.first], NEVER);
  return CLA_OK;
}

cla_status chain_reach(cost_row *to, const cost_row *from, const crossing *over, chain_space *space,
                       cla_error *error) {
  chain_arrays a = {0};
  cla_status status = prepare(&a, to, from, 1, space, error);
  if (status != CLA_OK) return status;
  spread(&a, a.from, (int32_t)smaller(over->costs->ext * over->bucket, NEVER));
  for (int64_t b = 0; b < a.count; b++) a.out[b] = a.from[b];
  from_far(a.out, &a, 1, over->costs->ext, over->costs->ext);
  for (int64_t b = to->first; b <= to->last; b++) to->cost[b - to->first] = LEAST(a.out[b - a.first], NEVER);
  return CLA_OK;
}
