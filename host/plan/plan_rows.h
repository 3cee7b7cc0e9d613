#ifndef HOST_PLAN_PLAN_ROWS_H
#define HOST_PLAN_PLAN_ROWS_H

#include "plan/plan.h"

/* Fills the plan's rows and memory from the budgets: as many special rows as help, fewer where memory is
 * short. The kernel must have been chosen. CLA_ERROR_MEMORY names the least budget that would do, or the
 * buffer that the device does not allow. */
cla_status plan_rows(plan *out, const plan_input *input, cla_error *error);

/* Cells a second that one thread of the host computes in bands. */
#define PLAN_BAND_RATE 3e9

/* Cells of the bands between rows so far apart, for sequences of which a tenth or so differs. */
double plan_band_cells(const plan_input *input, int64_t interval);

#endif
