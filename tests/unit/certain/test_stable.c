/* Ranges of costs of tiny pairs, beside all alignments that there are. */

#include "clalign/stable.h"
#include "seq/sequence.h"
#include "support/all_alignments.h"
#include "support/random_pairs.h"
#include "support/test.h"
#include "support/tiny_cases.h"

#define CASES_OF_ONE_RUN 120
/* Two ends of ranges of pairs so small differ by more than 1 / CLOSE. */
#define CLOSE 1000

/* True if alignment `of` is optimal in the scheme in which the cost has the value number / one. */
static bool is_optimal(const tiny_case *c, int64_t of, int cost, int64_t number, int64_t one) {
  cla_scoring scheme = c->scoring;
  for (int i = 0; i < CLA_COST_COUNT; i++) *tiny_cost(&scheme, i) *= (int32_t)one;
  *tiny_cost(&scheme, cost) = (int32_t)number;
  tiny_problem tiny;
  tiny_problem_make(&tiny, c, &scheme);
  alignment_list list;
  alignment_list_make(&list, &tiny.problem);
  const bool is = list.all[of].score == (list.optimum > 0 || c->mode != CLA_MODE_LOCAL ? list.optimum : 0);
  alignment_list_free(&list);
  return is;
}

static void check_end(const tiny_case *c, int64_t of, int cost, const cla_stable_end *end, int side) {
  cla_scoring scheme = c->scoring;
  const int64_t from = *tiny_cost(&scheme, cost);
  cr_assert(end->exact && end->one >= 1 && side * (end->number - from * end->one) >= 0, "case %llu",
            (unsigned long long)c->seed);
  if (end->number > 1000 * end->one || end->number < -1000 * end->one) return; /* a limit */
  for (int i = 0; i <= 4; i++)
    cr_assert(is_optimal(c, of, cost, end->number * i + from * end->one * (4 - i), end->one * 4),
              "case %llu: not optimal %d / 4 of the way to %s %lld / %lld", (unsigned long long)c->seed, i,
              cla_cost_name((cla_cost)cost), (long long)end->number, (long long)end->one);
  cr_assert(end->limit || !is_optimal(c, of, cost, end->number * CLOSE + side, end->one * CLOSE),
            "case %llu: still optimal beyond %s %lld / %lld", (unsigned long long)c->seed,
            cla_cost_name((cla_cost)cost), (long long)end->number, (long long)end->one);
}

/* Returns false for a case without an alignment that has columns. */
static bool check_case(uint64_t seed) {
  tiny_case made;
  const tiny_case *c = &made;
  tiny_case_make(&made, seed);
  made.rows -= made.rows > 5;
  made.columns -= made.columns > 5;
  tiny_problem tiny;
  tiny_problem_make(&tiny, c, &c->scoring);
  alignment_list list;
  alignment_list_make(&list, &tiny.problem);
  const int64_t of = alignment_list_draw(&list, seed / 7);
  const bool empty = of < 0 || (c->mode == CLA_MODE_LOCAL && list.optimum <= 0);
  if (!empty) {
    OWNED(free_sequence) cla_sequence *query = random_pair_sequence("q", c->query, c->rows);
    OWNED(free_sequence) cla_sequence *target = random_pair_sequence("t", c->target, c->columns);
    OWNED(free_alignment)
    cla_alignment *alignment = tiny_case_alignment(c, &list.all[of], query, target);
    cla_align_options how;
    cla_align_options_init(&how);
    how.host_cells = 1 << 20;
    const cla_results pair = {
        .alignments = (const cla_alignment *const *)&alignment, .count = 1, .query = query, .target = target};
    cla_stability got;
    assert_ok_for(cla_stability_find(&got, NULL, &pair, &how, &why), "case %llu", (unsigned long long)seed);
    for (int cost = 0; cost < CLA_COST_COUNT; cost++) {
      cr_assert_eq(got.ranges[cost].varies, cost < CLA_COST_GAP_FIRST2 || c->scoring.gap_first2 > 0);
      if (!got.ranges[cost].varies) continue;
      check_end(c, of, cost, &got.ranges[cost].low, -1);
      check_end(c, of, cost, &got.ranges[cost].high, 1);
    }
  }
  alignment_list_free(&list);
  return !empty;
}

Test(stable, ranges_end_where_another_alignment_is_better) {
  tiny_cases_check(check_case, CASES_OF_ONE_RUN, 2);
}
