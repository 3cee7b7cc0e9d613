/* Naive (Aji 2008, section 4.2.2): the serial version, one thread, row by row. Three matrices take 12 bytes a
 * cell: the thesis' card of 512 MB holds pairs of 6000 letters. */

#include "swat.h"

cla_status swat_naive(study_result *out, const study_task *task, cla_error *error);

static cla_status fill(swat_best *best, const swat_rows *matrix, study_setting setting, cla_error *error) {
  const pair_problem *pair = &matrix->problem->pair;
  (void)setting;
  (void)error;
  swat_fill_rows(matrix, &(swat_part){0, pair->rows, 0, pair->columns}, best);
  return CLA_OK;
}

cla_status swat_naive(study_result *out, const study_task *task, cla_error *error) {
  return swat_on_host(out, task, fill, error);
}
