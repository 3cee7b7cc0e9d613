#ifndef HOST_PLAN_PLAN_PRUNE_H
#define HOST_PLAN_PLAN_PRUNE_H

#include "plan/plan.h"

/* The part of the matrix that is computed, about, when some path is known to reach `bound`: 0 .. 1. For local
 * alignments the cells that a path may start in; the others lie near paths that score high. */
double plan_prune_share(const plan_input *input, int64_t bound);

/* Lets the sweep of a plan that has been made pass over what no path can use that reaches `bound`, if that
 * saves enough to pay: with narrower tiles or other rows a lane. Rows and memory follow. Where a budget has
 * no room for it, the plan stays as it is. */
void plan_prune(plan *out, const plan_input *input, int64_t bound);

/* Whether plan_prune would change the plan for the best bound that there can be. */
bool plan_prune_possible(const plan *unpruned, const plan_input *input);

#endif
