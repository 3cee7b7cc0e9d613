#ifndef HOST_PIPELINE_ALIGN_BOUND_H
#define HOST_PIPELINE_ALIGN_BOUND_H

#include "bound/lower_bound.h"
#include "pipeline/pipeline.h"

/* What is known of a strand's score before its sweep, and what the plan makes of it. */

typedef struct align_bound_input {
  const plan_input *whole;
  const cla_align_options *options;
  const uint8_t *query, *target;     /* codes of the ranges, of the query on the strand that is aligned */
  int64_t query_begin, target_begin; /* of the ranges, likewise */
  const strand_rival *rival;         /* or NULL */
  cla_status (*tick)(void *user, cla_error *error);
  void *tick_user;
} align_bound_input;

/* Whether a bound is given, or worth looking for. */
bool align_bound_wanted(const plan *what, const align_bound_input *input);

/* Finds it; then the sweep of `whole` passes over what can reach neither the bound nor what the rival asks
 * for. With the user's --lower-bound off it does neither. Ends with lower_bound_free, also after an error. */
cla_status align_bound_find(lower_bound *out, plan *whole, const align_bound_input *input, cla_error *error);

/* Whether no alignment of this strand, whose sweep gave `score`, reaches what the rival asks for. A sweep
 * that passed over what does not reach that gives no score then, so nothing else can be checked; but a path
 * found beforehand that does reach it was lost by the device, and lower_bound_check says so. */
bool align_bound_lost(const lower_bound *bound, const strand_rival *rival, int64_t score);

#endif
