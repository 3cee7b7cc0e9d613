#ifndef HOST_PLAN_PLAN_KEEP_H
#define HOST_PLAN_PLAN_KEEP_H

#include "plan/plan.h"

/* Lets a sweep that passes over nothing keep its whole matrix for the strand's further alignments, in blocks
 * of rows (pipeline/kept_matrix.h): sets the plan's matrix_block_rows, a multiple of row_interval, or 0 where
 * no rows are kept. Lanes hold a block if they hold the sweep: no row was pruned, so its values are those of
 * the matrix, of which scoring/lane_width.h says (2) with L = 0. */
void plan_keep(plan *out, const plan_input *input);

/* Lets the sweep go in blocks of `block_rows` rows that have been chosen before: other rows a lane and
 * another row_interval, if need be. False, and nothing is changed, where the kernel has no strips that fit.
 */
bool plan_keep_fit(plan *out, const plan_input *input, int64_t block_rows);

#endif
