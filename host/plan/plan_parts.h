#ifndef HOST_PLAN_PLAN_PARTS_H
#define HOST_PLAN_PLAN_PARTS_H

#include "plan/plan.h"

/* A pruned sweep in two parts (docs/internals/pruning.md, "In two parts"). Strips run side by side, and each goes on as
 * far to the right as the one above it, less a tile, because something may still come from there. Where paths
 * may begin in many columns of the first rows only, as with a short query in a long target, these rows are
 * computed to their ends first: what is below then knows that nothing comes. */

/* Sets first_rows of the pruned sweep that the plan describes, with the memory that its parts take, or 0
 * where one part is better or the budgets do not allow two. */
void plan_parts(plan *pruned, const plan_input *input);

/* Rows and columns in which a path that scores `bound` may begin. */
void plan_start_area(double *rows, double *columns, const plan_input *input, int64_t bound);

#endif
