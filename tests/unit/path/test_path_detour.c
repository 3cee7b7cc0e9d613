/* Paths that go to another diagonal and back, though the letters straight on are as good. */

#include <inttypes.h>

#include "path/path_mend.h"
#include "support/bound_pairs.h"
#include "support/test.h"
#include "trace/banded.h"

#define LETTERS 9000

/* Makes a path that pairs a sequence with itself, except for a detour. That is a gap of `there` letters,
 * 1,000 letters on one of `back` letters in the other sequence, and one of the rest at the end. Returns its
 * score. */
static int64_t lead(bound_path *way, const bound_pair *pair, cla_run_kind kind, int64_t there, int64_t back) {
  const cla_run_kind other = kind == CLA_RUN_QUERY ? CLA_RUN_TARGET : CLA_RUN_QUERY;
  const cla_run runs[] = {{.length = 3000, .kind = CLA_RUN_PAIR},
                          {.length = there, .kind = kind},
                          {.length = 1000, .kind = CLA_RUN_PAIR},
                          {.length = back, .kind = other},
                          {.length = pair->problem.rows - 4000 - there, .kind = CLA_RUN_PAIR},
                          {.length = there - back, .kind = other}};
  bound_path_begin(way, 0, 0);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
    assert_ok(bound_path_add(way, runs[i].kind, runs[i].length, &why));
  cr_assert_eq(way->query_stop, pair->problem.rows);
  cr_assert_eq(way->target_stop, pair->problem.rows);
  return bound_path_score(way, pair);
}

Test(path_detour, leads_straight_on) {
  OWNED(bound_fixture_tear_down) bound_fixture x;
  bound_fixture_set_up(&x, (related_kind)0, 1, LETTERS, 0);
  bound_pair pair = x.pair;
  pair.banded = banded_cross;
  pair.problem.target = pair.problem.query;
  pair.problem.columns = pair.problem.rows;
  const int64_t whole = pair.problem.scheme.table->match * pair.problem.rows;
  for (int kind = (int)CLA_RUN_QUERY; kind <= (int)CLA_RUN_TARGET; kind++) {
    OWNED(bound_path_free) bound_path way = {0};
    space_crosser t = {.pair = &pair, .path = &way, .threads = 1};
    cr_assert_lt(lead(&way, &pair, (cla_run_kind)kind, 100, 100), whole);
    assert_ok(path_detours(&t, INT64_C(1) << 30, &why));
    cr_expect_eq(bound_path_score(&way, &pair), whole);
    cr_expect_eq(way.count, 1);
    const int64_t before = lead(&way, &pair, (cla_run_kind)kind, 200, 100);
    assert_ok(path_detours(&t, 0, &why)); /* too few letters */
    cr_expect_eq(bound_path_score(&way, &pair), before);
    assert_ok(path_detours(&t, INT64_C(1) << 30, &why));
    cr_expect_eq(way.query_stop, pair.problem.rows);
    cr_expect_eq(way.target_stop, pair.problem.rows);
    cr_expect_gt(bound_path_score(&way, &pair), before);
  }
}
