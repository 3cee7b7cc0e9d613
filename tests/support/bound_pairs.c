#include "support/bound_pairs.h"

#include <inttypes.h>

#include "reference/reference.h"
#include "seq/sequence.h"
#include "support/test.h"

int64_t bound_walk(const bound_pair *pair, const cla_run *runs, int64_t count, int64_t query, int64_t target,
                   int64_t query_stop, int64_t target_stop, const char *text) {
  int64_t score = 0;
  cr_assert(
      query >= 0 && target >= 0 && query_stop <= pair->problem.rows && target_stop <= pair->problem.columns,
      "%s", text);
  for (int64_t i = 0; i < count; i++) {
    cr_assert_gt(runs[i].length, 0, "%s", text);
    cr_assert(i == 0 || runs[i].kind != runs[i - 1].kind, "%s: runs touch", text);
    if (runs[i].kind != CLA_RUN_PAIR) score -= gap_cost(pair->problem.scheme.scoring, runs[i].length);
    for (int64_t k = 0; k < runs[i].length; k++) {
      cr_assert(runs[i].kind == CLA_RUN_TARGET || query < query_stop, "%s: leaves the query", text);
      cr_assert(runs[i].kind == CLA_RUN_QUERY || target < target_stop, "%s: leaves the target", text);
      if (runs[i].kind == CLA_RUN_PAIR)
        score += pair->problem.scheme.table
                     ->score[pair->problem.query[query] * CLA_MATRIX_STRIDE + pair->problem.target[target]];
      query += runs[i].kind != CLA_RUN_TARGET;
      target += runs[i].kind != CLA_RUN_QUERY;
    }
  }
  cr_assert(query == query_stop && target == target_stop, "%s: ends at %" PRId64 ", %" PRId64, text, query,
            target);
  return score;
}

int64_t bound_optimum(const bound_pair *pair, cla_mode mode) {
  reference_alignment best;
  assert_ok(reference_score(
      &best,
      &(pair_problem){pair->problem.query,
                      pair->problem.target,
                      pair->problem.rows,
                      pair->problem.columns,
                      {pair->problem.scheme.scoring, pair->problem.scheme.table, path_ends_make(mode, 0)}},
      &why));
  return best.score;
}

bound_pair bound_pair_of(const uint8_t *query, int64_t query_length, const uint8_t *target,
                         int64_t target_length, const cla_scoring *scoring, score_table *table) {
  score_table_build(table, scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  return (bound_pair){.problem = {.query = query,
                                  .target = target,
                                  .rows = query_length,
                                  .columns = target_length,
                                  .scheme = {.scoring = scoring, .table = table}}};
}

void bound_fixture_set_up(bound_fixture *x, related_kind kind, uint64_t seed, int64_t letters, int scheme) {
  const related_pair *related = &x->related;
  related_pair_make(&x->related, kind, seed, letters);
  related_scheme(&x->scoring, scheme);
  x->pair = bound_pair_of(related->query, related->query_length, related->target, related->target_length,
                          &x->scoring, &x->table);
}

void bound_fixture_tear_down(bound_fixture *x) {
  related_pair_free(&x->related);
}
