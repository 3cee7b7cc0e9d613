#include "support/traced_pair.h"

#include <stdlib.h>

#include "dp/pair_solver.h"
#include "support/test.h"

/* Copies the runs, with matches and mismatches joined as pairs. */
static void take_runs(traced_pair *out, const uint32_t *runs, int32_t count) {
  out->runs = malloc(((size_t)count + 1) * sizeof *out->runs);
  cr_assert(out->runs);
  for (int32_t i = 0; i < count; i++) {
    const int operation = runs[i] & 15;
    const cla_run_kind kind = operation == CLA_PACKED_QUERY    ? CLA_RUN_QUERY
                              : operation == CLA_PACKED_TARGET ? CLA_RUN_TARGET
                                                               : CLA_RUN_PAIR;
    if (out->run_count > 0 && out->runs[out->run_count - 1].kind == kind)
      out->runs[out->run_count - 1].length += runs[i] >> 4;
    else
      out->runs[out->run_count++] = (cla_run){.kind = kind, .length = runs[i] >> 4};
  }
}

bool traced_pair_find(traced_pair *out, const path_scheme *scheme, const pack_pair *pair, int64_t large_cells,
                      int widest) {
  static const uint32_t matches[32] = {1, 2, 4, 8};
  const int32_t rows = (int32_t)pair->query_letters, columns = (int32_t)pair->target_letters;
  int32_t end_row = (int32_t)pair->end_query, end_column = (int32_t)pair->end_target, run_count = 0;
  int64_t score = pair->score, runs = 0;
  bool solved = false;
  pair_solver *solver = NULL;
  *out = (traced_pair){.start_query = end_row, .start_target = end_column};
  const solver_pairs pairs = {.query = &pair->query,
                              .target = &pair->target,
                              .rows = &rows,
                              .columns = &columns,
                              .count = 1,
                              .paths = true,
                              .tops = &pair->rows,
                              .score = &score,
                              .end_row = &end_row,
                              .end_column = &end_column,
                              .start_row = &out->start_query,
                              .start_column = &out->start_target,
                              .runs = &runs,
                              .run_count = &run_count,
                              .solved = &solved};
  assert_ok(pair_solver_create(&solver, scheme, matches, INT64_C(1) << 28, &why));
  pair_solver_widest(solver, widest);
  pair_solver_large(solver, large_cells);
  assert_ok(pair_solver_trace(solver, &pairs, &why));
  if (solved) take_runs(out, pair_solver_runs(solver) + runs, run_count);
  pair_solver_free(solver);
  return solved;
}
