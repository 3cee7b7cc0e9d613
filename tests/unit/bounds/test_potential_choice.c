/* Whether a potential is made for a pair, by what it would take and leave. */

#include <math.h>

#include "bounds/potential.h"
#include "seq/random_stream.h"
#include "support/bound_pairs.h"
#include "support/test.h"
#include "trace/banded.h"

#define LETTERS 30000

/* A pair, and the bound that is found for it. */
typedef struct fixture {
  bound_fixture pair;
  lower_bound bound;
} fixture;

/* Of each hundred letters of the target so many are drawn anew. */
static void set_up(fixture *x, related_kind kind, int64_t drawn) {
  const cla_lower_bound automatic = {.kind = CLA_LOWER_BOUND_AUTO};
  random_stream stream;
  random_stream_init(&stream, 3, 27);
  bound_fixture_set_up(&x->pair, kind, 11, LETTERS, 0);
  for (int64_t i = 0; i < x->pair.related.target_length; i++)
    if ((int64_t)random_stream_below(&stream, 100) < drawn)
      x->pair.related.target[i] = (uint8_t)random_stream_below(&stream, 4);
  x->pair.pair.problem.scheme.ends = path_ends_make(CLA_MODE_GLOBAL, 0);
  const lower_bound_input input = {.problem = x->pair.pair.problem,
                                   .mode = CLA_MODE_GLOBAL,
                                   .wanted = &automatic,
                                   .banded = banded_cross,
                                   .work_most = BOUND_MUCH_WORK,
                                   .threads = 2,
                                   .memory_bytes = INT64_C(1) << 40};
  assert_ok(lower_bound_find(&x->bound, &input, &why));
  cr_assert(x->bound.has_path);
}

static void tear_down(fixture *x) {
  lower_bound_free(&x->bound);
  bound_fixture_tear_down(&x->pair);
}

static double a_cell_each(const void *user, const potential *p, double area, double expected) {
  (void)user;
  (void)p;
  (void)expected;
  return area;
}

/* Whether one is made; *spread says how far it spreads then. */
static bool is_made(double *spread, potential_levels *levels, const fixture *x, bool edits,
                    double spread_most) {
  potential *made = NULL;
  const potential_input input = {.pair = &x->pair.pair,
                                 .bound = &x->bound,
                                 .threads = 2,
                                 .work_most = INT64_MAX / 2,
                                 .bytes_most = INT64_MAX,
                                 .spread_most = spread_most,
                                 .edits = edits,
                                 .left_work = a_cell_each};
  assert_ok(potential_make(&made, levels, &input, &why));
  *spread = made ? potential_spread(made) : -1;
  potential_free(made);
  return *spread >= 0;
}

static void expect_refused(const potential_levels *levels) {
  cr_expect_eq(levels->count, 1);
  cr_expect_eq(levels->at[0].end, CLA_LEVEL_TIME);
}

Test(potential_choice, takes_edits_only_where_they_are_allowed) {
  OWNED(tear_down) fixture alike;
  OWNED(tear_down) fixture unlike;
  potential_levels levels;
  double spread;
  set_up(&alike, RELATED_FEW_CHANGES, 0);
  set_up(&unlike, RELATED_FEW_CHANGES, 24);
  cr_expect(is_made(&spread, &levels, &alike, false, INFINITY));
  cr_expect(is_made(&spread, &levels, &unlike, true, INFINITY));
  cr_expect_not(is_made(&spread, &levels, &unlike, false, INFINITY));
  expect_refused(&levels);
}

Test(potential_choice, refuses_what_unlike_stretches_spread_too_far) {
  OWNED(tear_down) fixture alike;
  OWNED(tear_down) fixture inverted;
  potential_levels levels;
  double spread, spread_of_alike;
  set_up(&alike, RELATED_FEW_CHANGES, 0);
  set_up(&inverted, RELATED_INVERSION, 0);
  cr_expect(is_made(&spread_of_alike, &levels, &alike, true, LETTERS));
  cr_expect(is_made(&spread, &levels, &inverted, true, INFINITY));
  cr_expect_gt(spread, 100.0 * LETTERS);
  cr_expect_lt(spread_of_alike, LETTERS);
  const double of_inverted = spread;
  cr_expect(is_made(&spread, &levels, &inverted, true, of_inverted));
  cr_expect_not(is_made(&spread, &levels, &inverted, true, of_inverted - 1));
  expect_refused(&levels);
}
