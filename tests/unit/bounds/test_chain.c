/* Costs of crossing a chunk, against the cheapest of all ways of pairs that are no match and gaps. Ways
 * differ by the diagonals that they reach and the seeds that they may break (docs/internals/bounds.md). */

#include "base/extremes.h"
#include "bounds/chain.h"
#include "seq/random_stream.h"
#include "support/test.h"

#define AWAY 8 /* diagonals on either side of the start */
#define PLACES (2 * AWAY + 1)
#define SEEDS_MOST 5
#define EDITS_MOST 8
#define NEVER COST_NEVER

/* Costs of ways. Indices: diagonals reached below the start's, and above it; diagonal of the way's end; seeds
 * that it may have broken; its edits. */
typedef int32_t way_costs[AWAY + 1][AWAY + 1][PLACES][SEEDS_MOST + 1][EDITS_MOST + 1];

typedef struct fixture {
  uint64_t seed;
  random_stream stream;
  cost_scheme costs;
  crossing over;
  chunk_region region; /* strong; of no bucket if over.count is 0 */
  int32_t nothing[PLACES], dear[PLACES];
  way_costs ways;
} fixture;

static int64_t below(fixture *x, int64_t limit) {
  return (int64_t)random_stream_below(&x->stream, (uint64_t)limit);
}

static void set_up(fixture *x, uint64_t seed) {
  x->seed = seed;
  random_stream_init(&x->stream, seed, 17);
  const int32_t ext = 1 + (int32_t)below(x, 6);
  x->costs = (cost_scheme){
      .other = 1 + (int32_t)below(x, 12), .first = ext + (int32_t)(below(x, 3) * below(x, 8)), .ext = ext};
  x->over = (crossing){.costs = &x->costs,
                       .bucket = 1 + below(x, 4),
                       .word = 1 + (int)below(x, 5),
                       .dear = 1 + (int32_t)below(x, 12),
                       .reach = {below(x, 6), 0},
                       .seeds = {1 + below(x, SEEDS_MOST), 0},
                       .edits = below(x, 2) * below(x, EDITS_MOST + 1),
                       .count = below(x, 2),
                       .regions = &x->region};
  x->over.reach[1] = x->over.reach[0] + below(x, 5);
  x->over.seeds[1] = below(x, x->over.seeds[0] + 1);
  for (int i = 0; i < PLACES; i++) x->dear[i] = x->over.dear;
  x->region = (chunk_region){.first = below(x, 13) - 6, .strong = true, .seeds = x->nothing, .cost = x->dear};
  x->region.last = x->region.first + below(x, 3);
}

/* A step of a way: seeds that it breaks at most, its edits, diagonals that it goes up, and what it costs. */
typedef struct way_step {
  int64_t seeds, edits, up, cost;
} way_step;

static way_step gap_along_columns(const fixture *x, int64_t letters) {
  return (way_step){
      .seeds = 1, .edits = letters, .up = letters, .cost = x->costs.first + (letters - 1) * x->costs.ext};
}

static way_step gap_down_rows(const fixture *x, int64_t letters) {
  return (way_step){.seeds = letters == 1 ? 1 : 2 + (letters - 2) / x->over.word,
                    .edits = letters,
                    .up = -letters,
                    .cost = x->costs.first + (letters - 1) * x->costs.ext};
}

/* A way that has reached low .. high and stands at `at`. */
typedef struct way {
  int64_t low, high, at, seeds, edits;
} way;

static int32_t *cost_of(fixture *x, const way *w) {
  return &x->ways[w->low][w->high][w->at + AWAY][w->seeds][w->edits];
}

static bool take(fixture *x, const way *from, const way_step *step) {
  const int32_t cost = *cost_of(x, from) + (int32_t)step->cost;
  const int64_t to = from->at + step->up;
  if (to < -AWAY || to > AWAY) return false;
  const way next = {.low = larger(from->low, -to),
                    .high = larger(from->high, to),
                    .at = to,
                    .seeds = smaller(from->seeds + step->seeds, SEEDS_MOST),
                    .edits = smaller(from->edits + step->edits, EDITS_MOST)};
  int32_t *best = cost_of(x, &next);
  if (cost >= *best) return false;
  *best = cost;
  return true;
}

static bool take_all(fixture *x, const way *from) {
  bool better = take(x, from, &(way_step){.seeds = 1, .edits = 1, .cost = x->costs.other});
  for (int64_t letters = 1; letters <= 2 * AWAY; letters++) {
    const way_step across = gap_along_columns(x, letters), down = gap_down_rows(x, letters);
    better |= take(x, from, &across);
    better |= take(x, from, &down);
  }
  return better;
}

/* All ways, of which the first step may be a gap from above that has paid its opening. */
static void find_ways(fixture *x) {
  int32_t *const all = &x->ways[0][0][0][0][0];
  const way start = {0};
  for (size_t i = 0; i < sizeof x->ways / sizeof *all; i++) all[i] = NEVER;
  *cost_of(x, &start) = 0;
  for (int64_t letters = 1; letters <= AWAY; letters++) {
    way_step down = gap_down_rows(x, letters);
    down.cost -= x->costs.first - x->costs.ext;
    take(x, &start, &down);
  }
  for (bool better = true; better;) {
    better = false;
    for (way w = {0}; w.low <= AWAY; w.low++)
      for (w.high = 0; w.high <= AWAY; w.high++)
        for (w.at = -w.low; w.at <= w.high; w.at++)
          for (w.seeds = 0; w.seeds <= SEEDS_MOST; w.seeds++)
            for (w.edits = 0; w.edits <= EDITS_MOST; w.edits++)
              if (*cost_of(x, &w) < NEVER) better |= take_all(x, &w);
  }
}

/* Whether a way from `begin`, a diagonal of bucket 0, meets the region. */
static bool meets(const fixture *x, int64_t begin, int64_t low, int64_t high) {
  const int64_t first = x->region.first * x->over.bucket, end = (x->region.last + 1) * x->over.bucket;
  return x->over.count > 0 && begin - low < end && begin + high >= first;
}

/* The cheapest way from a diagonal of bucket 0 to another one that breaks what it must. */
static int32_t cheapest(const fixture *x, int64_t begin, int64_t up) {
  int32_t least = NEVER;
  for (int64_t low = 0; low <= AWAY; low++)
    for (int64_t high = 0; high <= AWAY; high++) {
      const int64_t reach = low + high;
      int64_t seeds = reach <= x->over.reach[0]   ? x->over.seeds[0]
                      : reach <= x->over.reach[1] ? x->over.seeds[1]
                                                  : 0;
      for (seeds = meets(x, begin, low, high) ? 0 : seeds; seeds <= SEEDS_MOST; seeds++)
        for (int64_t edits = x->over.edits; edits <= EDITS_MOST; edits++)
          least = (int32_t)smaller(least, x->ways[low][high][up + AWAY][seeds][edits]);
    }
  return (int32_t)larger(least, x->over.dear);
}

/* Crosses the chunk from bucket 0, at its upper border, or at its lower one if `back`. */
static void cross(int32_t *out, int64_t buckets, const fixture *x, bool back) {
  int32_t from_costs[2 * AWAY + 1];
  chain_space space = {0};
  for (int64_t b = -buckets; b <= buckets; b++) from_costs[b + buckets] = b == 0 ? 0 : NEVER;
  const cost_row from = {.first = -buckets, .last = buckets, .cost = from_costs};
  cost_row to = {.first = -buckets, .last = buckets, .cost = out};
  assert_ok(chain_cross(&to, &from, &x->over, back, &space, &why));
  free(space.memory);
}

/* Back is the other way round: it comes from as many buckets above as forth goes up. */
static void expect_cheapest(long long *tight, const fixture *x) {
  int32_t forth[2 * AWAY + 1], back[2 * AWAY + 1];
  const int64_t bucket = x->over.bucket, buckets = AWAY / bucket;
  cross(forth, buckets, x, false);
  for (int64_t b = -buckets; b <= buckets; b++) {
    int32_t least = NEVER;
    for (int64_t begin = 0; begin < bucket; begin++)
      for (int64_t end = b * bucket; end < (b + 1) * bucket; end++)
        if (end - begin >= -AWAY && end - begin <= AWAY)
          least = (int32_t)smaller(least, cheapest(x, begin, end - begin));
    cr_assert_leq(forth[b + buckets], least, "seed %llu: %d, not %d, to bucket %lld",
                  (unsigned long long)x->seed, forth[b + buckets], least, (long long)b);
    *tight += forth[b + buckets] == least;
  }
  if (x->over.count > 0) return;
  cross(back, buckets, x, true);
  for (int64_t b = -buckets; b <= buckets; b++)
    cr_assert_eq(back[buckets - b], forth[b + buckets], "seed %llu: bucket %lld", (unsigned long long)x->seed,
                 (long long)b);
}

Test(chain, crosses_a_chunk_for_no_more_than_the_cheapest_way) {
  static fixture x;
  long long tight = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    set_up(&x, seed);
    find_ways(&x);
    expect_cheapest(&tight, &x);
  }
  cr_log_info("%lld tight\n", tight);
  cr_expect_gt(tight, 400);
}
