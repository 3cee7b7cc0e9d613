/* Gotoh (CUDAlign 1.0, sections 2.2 and 2.3): one thread, row by row, in memory for one row.
 *
 *   h  h  h  h  H  H  H  H      above: what is left of the row before
 *   H  H  H  H  *               a cell needs three of H, E of the cell before, F of the cell above.
 *
 * E goes along the row in a register; H and F of each column wait in memory for the next row. */

#include <stdlib.h>

#include "gotoh.h"

gotoh_costs gotoh_costs_of(const study_problem *problem) {
  const cla_scoring *scoring = &problem->scoring;
  return (gotoh_costs){scoring->match, scoring->mismatch, scoring->gap_first, scoring->gap_ext};
}

/* Row i of the matrix over row i - 1; h and f have a value for each column, border included. */
static void fill_row(int32_t *h, int32_t *f, gotoh_end *best, const pair_problem *pair, gotoh_costs costs,
                     int64_t i) {
  int32_t diagonal = 0, e = GOTOH_MINUS_INFINITY;
  for (int64_t j = 1; j <= pair->columns; j++) {
    const bool equal = pair->query[i - 1] == pair->target[j - 1];
    f[j] = gotoh_larger(f[j] - costs.ext, h[j] - costs.first);
    e = gotoh_larger(e - costs.ext, h[j - 1] - costs.first);
    const int32_t value = gotoh_larger(gotoh_larger(0, diagonal + (equal ? costs.match : costs.mismatch)),
                                       gotoh_larger(e, f[j]));
    diagonal = h[j];
    h[j] = value;
    if (value > best->score) *best = (gotoh_end){value, i, j};
  }
}

cla_status gotoh_sweep(gotoh_end *out, const study_problem *problem, cla_error *error) {
  const pair_problem *pair = &problem->pair;
  int32_t *h = NULL, *f = NULL;
  *out = (gotoh_end){0, 0, 0};
  cla_status status = allocate_zeros((void **)&h, pair->columns + 1, sizeof *h, "a row", error);
  if (status == CLA_OK) status = allocate_array((void **)&f, pair->columns + 1, sizeof *f, "a row", error);
  for (int64_t j = 0; j <= pair->columns && status == CLA_OK; j++) f[j] = GOTOH_MINUS_INFINITY;
  for (int64_t i = 1; i <= pair->rows && status == CLA_OK; i++)
    fill_row(h, f, out, pair, gotoh_costs_of(problem), i);
  free(h);
  free(f);
  return status;
}

cla_status cudalign_gotoh(study_result *out, const study_task *task, cla_error *error) {
  double last = machine_seconds();
  gotoh_end best;
  const cla_status status = gotoh_sweep(&best, task->problem, error);
  out->score = best.score;
  out->query_end = best.i;
  out->target_end = best.j;
  out->compute = study_lap(&last);
  return status;
}
