#ifndef TOOLS_STUDY_000_GOTOH_H
#define TOOLS_STUDY_000_GOTOH_H

#include "study.h"

/* Local alignment of DNA with affine gaps on one thread, as in the papers 000 and 002 (Gotoh 1982;
 * CUDAlign 1.0, section 2.3). Equal letters score `match`, others `mismatch`. A gap of k letters costs first
 * + (k - 1) * ext. */

#define GOTOH_MINUS_INFINITY (-(1 << 29)) /* costs may be taken from it without a check */

typedef struct gotoh_costs {
  int32_t match, mismatch, first, ext;
} gotoh_costs;

/* Where a path ends: after i letters of the query and j of the target. A score of 0: there is none. */
typedef struct gotoh_end {
  int32_t score;
  int64_t i, j;
} gotoh_end;

static inline int32_t gotoh_larger(int32_t a, int32_t b) {
  return a > b ? a : b;
}

gotoh_costs gotoh_costs_of(const study_problem *problem);

/* The whole matrix row by row, of which one row is in memory. CLA_ERROR_MEMORY. */
cla_status gotoh_sweep(gotoh_end *out, const study_problem *problem, cla_error *error);

#endif
