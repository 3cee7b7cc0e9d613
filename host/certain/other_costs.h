#ifndef HOST_CERTAIN_OTHER_COSTS_H
#define HOST_CERTAIN_OTHER_COSTS_H

#include "clalign/stable.h"
#include "result/alignment.h"

/* The pair of an alignment, aligned again with other scores and costs. */

/* The most scores and costs that vary together. */
#define COSTS_TOGETHER 2

/* Values of scores and costs: numbers[i] / one. The others are those of the alignment's scheme. */
typedef struct cost_values {
  cla_cost costs[COSTS_TOGETHER];
  int count;
  int64_t numbers[COSTS_TOGETHER], one;
} cost_values;

/* An alignment, and what its pair is aligned again with. */
typedef struct cost_search {
  const cla_alignment *alignment;
  cla_device *device;
  const cla_align_options *how; /* budgets, callbacks, tuning and host_cells are used */
  rotated_pair pair;
  bool own_path;      /* the alignment's path is the lower bound, which is good near its scheme only */
  int64_t alignments; /* number of alignments that were computed */
  cla_error *error;
} cost_search;

/* Checks the alignment, and that it is optimal, by aligning again. The caller calls cost_search_end, also
 * after an error. Errors are those of cla_stability_find. */
cla_status cost_search_begin(cost_search *out, const cla_results *pair);
void cost_search_end(cost_search *s);

/* True if the scheme has the score or cost, and no matrix has taken its place. */
bool cost_varies(const cla_scoring *scoring, cla_cost cost);

/* Returns the largest absolute score or cost of the alignment's scheme but those that vary, at least 1. */
int64_t cost_largest_other(const cost_search *s, const cost_values *values);

/* True if a scheme of integers can express the values. */
bool cost_can_express(const cost_search *s, const cost_values *values);

/* Finds an optimal alignment at the values. Errors are those of cla_align. */
cla_status cost_align(cla_alignment **out, cost_search *s, const cost_values *values);

/* Sets *out to values->one times the score of an alignment at the values. CLA_ERROR_VERIFICATION. */
cla_status cost_score(int64_t *out, const cost_search *s, const cla_alignment *of, const cost_values *values);

/* Sets *out to the score of the path's pairs, with 0 for the scores that `values` names.
 * CLA_ERROR_VERIFICATION.
 */
cla_status cost_pairs_score(int64_t *out, const cost_search *s, const cla_alignment *of,
                            const cost_values *values);

/* Sets *out to the number of the path's pairs that score `match`, or `mismatch`. CLA_ERROR_VERIFICATION. */
cla_status cost_pairs(int64_t *out, const cost_search *s, const cla_alignment *of, cla_cost cost);

#endif
