/* Naive (Aji 2008, section 4.2.2): the serial version, one thread, row by row. Three matrices take 12 bytes a
 * cell: the thesis' card of 512 MB holds pairs of 6000 letters. */

#include "swat.h"

cla_status swat_naive(study_result *out, const study_task *task, cla_error *error);

cla_status swat_naive(study_result *out, const study_task *task, cla_error *error) {
  const pair_problem *pair = &task->problem->pair;
  const int64_t plane = (pair->rows + 1) * (pair->columns + 1);
  double last = machine_seconds();
  swat_best best = {0};
  cla_status status = swat_make(out, 3 * plane, error);
  if (status != CLA_OK) return status;
  out->cells[0].row_stride = pair->columns + 1;
  out->cells[0].column_stride = 1;
  out->prepare = study_lap(&last);
  const swat_rows matrix = {task->problem, out->cells[0].values, plane};
  swat_fill_rows(&matrix, &(swat_part){0, pair->rows, 0, pair->columns}, &best);
  out->compute = study_lap(&last);
  status = swat_trace(out, task, plane, &best, error);
  out->trace = study_lap(&last);
  return status;
}
