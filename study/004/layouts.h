#ifndef TOOLS_STUDY_004_LAYOUTS_H
#define TOOLS_STUDY_004_LAYOUTS_H

#include "base/allocate.h"
#include "study.h"

/* The systems of the paper on layouts: score and matrix, no path. `setting.items` are the rows of a slice and
 * the work-items of the one group. CLA_ERROR_MEMORY, CLA_ERROR_DEVICE. */
cla_status layout_sequential(study_result *out, const study_task *task, cla_error *error);
cla_status layout_rows(study_result *out, const study_task *task, cla_error *error);
cla_status layout_columns(study_result *out, const study_task *task, cla_error *error);
cla_status layout_diagonals(study_result *out, const study_task *task, cla_error *error);

#endif
