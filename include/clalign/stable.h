#ifndef CLALIGN_STABLE_H
#define CLALIGN_STABLE_H

#include "clalign/align.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far each score and cost of the scheme can change, one at a time, while an alignment stays optimal
 * (docs/certainty.md). Parametric alignment: Gusfield, Balasubramanian and Naor 1994. */

/* The scores and costs of a scheme that can change. */
typedef enum cla_cost {
  CLA_COST_MATCH = 0,
  CLA_COST_MISMATCH = 1,
  CLA_COST_GAP_FIRST = 2,
  CLA_COST_GAP_EXT = 3,
  CLA_COST_GAP_FIRST2 = 4,
  CLA_COST_GAP_EXT2 = 5,
} cla_cost;

#define CLA_COST_COUNT 6 /* number of scores and costs */

/* An end of a range: number / one units of the scheme. */
typedef struct cla_stable_end {
  int64_t number, one; /* one >= 1; no common divisor */
  bool limit; /* no value beyond this one makes another alignment better, or no scheme has such a value
                 (clalign/scoring.h) */
  /* false: the true end lies less than 2 / 10^6 of the largest cost beyond this one, because a scheme cannot
   * express it */
  bool exact;
} cla_stable_end;

/* The range of a score or cost: for all values from `low` to `high` the alignment is optimal. */
typedef struct cla_stable_range {
  bool varies; /* false: the scheme does not have this score or cost, or a matrix has taken its place */
  cla_stable_end low, high; /* the ends of the range; both belong to it */
} cla_stable_range;

/* The ranges of an alignment. */
typedef struct cla_stability {
  cla_stable_range ranges[CLA_COST_COUNT]; /* by cla_cost */
  int64_t alignments;                      /* number of alignments that were computed */
  double seconds;                          /* wall time */
} cla_stability;

/* Returns the name of a score or cost, as in JSON's `scoring`; static. */
const char *cla_cost_name(cla_cost cost);

/* Returns the score or cost of a scheme, in its units. */
int32_t cla_cost_value(const cla_scoring *scoring, cla_cost cost);

/* Finds the ranges of the first alignment of `pair`, which must be optimal and have a path. `how` has
 * budgets, callbacks, tuning and host_cells, as for cla_align; mode, strand and scheme are the alignment's.
 * Another strand or rotation is not looked at. The pair is aligned some ten times for each score and cost,
 * each time with a lower bound. Errors are those of cla_align, and:
 *
 * - CLA_ERROR_OPTION: a piece (has_split), a band, an alignment without columns, or ambiguous letters whose
 *   scores are rounded (CLA_AMBIGUITY_EXPECTED)
 * - CLA_ERROR_VERIFICATION: the alignment is not optimal, or the sequences do not fit */
cla_status cla_stability_find(cla_stability *out, cla_device *device, const cla_results *pair,
                              const cla_align_options *how, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
