/* The sequential version (Needleman-Wunsch layouts, section 4): one thread, row by row. */

#include "layouts.h"

static void fill(int32_t *cells, const study_problem *problem) {
  const pair_problem *pair = &problem->pair;
  const int64_t stride = pair->columns + 1;
  const int32_t gap = problem->scoring.gap_first;
  for (int64_t j = 0; j < stride; j++) cells[j] = -(int32_t)j * gap;
  for (int64_t i = 1; i <= pair->rows; i++) {
    int32_t *row = cells + i * stride;
    const int32_t *above = row - stride;
    row[0] = -(int32_t)i * gap;
    for (int64_t j = 1; j < stride; j++) {
      const bool equal = pair->query[i - 1] == pair->target[j - 1];
      const int32_t paired = above[j - 1] + (equal ? problem->scoring.match : problem->scoring.mismatch);
      const int32_t gapped = (above[j] > row[j - 1] ? above[j] : row[j - 1]) - gap;
      row[j] = paired > gapped ? paired : gapped;
    }
  }
}

cla_status layout_sequential(study_result *out, const study_task *task, cla_error *error) {
  const pair_problem *pair = &task->problem->pair;
  const int64_t stride = pair->columns + 1, count = (pair->rows + 1) * stride;
  double last = machine_seconds();
  int32_t *cells = NULL;
  const cla_status status =
      allocate_array((void **)&cells, count, (int64_t)sizeof *cells, "the matrix", error);
  if (status != CLA_OK) return status;
  out->cells[0] = (study_cells){
      .values = cells, .row_step = 1, .column_step = 1, .row_stride = stride, .column_stride = 1};
  out->stored_bytes = count * (int64_t)sizeof *cells;
  out->prepare = study_lap(&last);
  fill(cells, task->problem);
  out->score = cells[count - 1];
  out->compute = study_lap(&last);
  return CLA_OK;
}
