#ifndef HOST_BATCH_BATCH_PLAN_H
#define HOST_BATCH_BATCH_PLAN_H

#include "batch/batch_state.h"

/* The plan for the pairs that wait, as text of several lines: devices, pairs by size, how they are done, and
 * how long that takes. The caller frees *out. CLA_ERROR_MEMORY. */
cla_status batch_plan_text(char **out, batch_state *state, const cla_batch_options *options,
                           cla_error *error);

#endif
