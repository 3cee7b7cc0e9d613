#ifndef HOST_PIPELINE_SWEEP_END_H
#define HOST_PIPELINE_SWEEP_END_H

#include "pipeline/checkpoint.h"
#include "plan/plan.h"

/* The node in which the canonical path ends (docs/internals/exactness.md), from what a sweep has computed. */

/* The best end above a sweep that begins with row 0: one of the upper border. */
void sweep_end_begin(sweep_start *start, const plan_input *input);

/* The best end of the matrix: of those above the sweep, its best cell, and the last row, `bottom`, where that
 * counts. Its value is INT64_MIN where all was passed over for a bound that no path reaches: the caller
 * compares. */
trace_point sweep_end(const sweep_start *start, const plan_input *input, const region_result *result,
                      const int64_t *bottom);

#endif
