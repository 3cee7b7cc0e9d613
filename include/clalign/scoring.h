#ifndef CLALIGN_SCORING_H
#define CLALIGN_SCORING_H

#include <stdint.h>

#include "clalign/status.h"

/* A score scheme: what a pair of letters is worth and what a gap costs.
 *
 * A gap of k letters costs gap_first + (k - 1) * gap_ext (paper 000, section 2.3; Gotoh 1982). The NCBI
 * form, open + k * extend, is gap_first = open + extend, gap_ext = extend.
 *
 * Without a matrix (matrix_size 0), equal letters of A C G T score `match` and every other pair, N and
 * the IUPAC letters included, scores `mismatch`. With a matrix, a pair scores
 * matrix[row * CLA_MATRIX_STRIDE + column], where row and column are the positions of the query's and the
 * target's letter in `letters`; a letter that is not there is looked up as '*', and without '*' scores
 * the matrix' lowest value. */

#define CLA_MATRIX_STRIDE 32
#define CLA_SCORE_LIMIT 1000000 /* no score or cost may exceed it in size */

typedef struct cla_scoring {
  int32_t match;                                         /* 0 .. CLA_SCORE_LIMIT */
  int32_t mismatch;                                      /* -CLA_SCORE_LIMIT .. 0 */
  int32_t gap_first;                                     /* gap_ext .. CLA_SCORE_LIMIT */
  int32_t gap_ext;                                       /* 0 .. gap_first */
  int32_t matrix_size;                                   /* letters of the matrix, 0 for none, <= 32 */
  char letters[CLA_MATRIX_STRIDE + 1];                   /* upper case, zero-terminated, no letter twice */
  int32_t matrix[CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE]; /* each within +-CLA_SCORE_LIMIT */
} cla_scoring;

/* The defaults: match 1, mismatch -3, gap_first 5, gap_ext 2, no matrix. */
void cla_scoring_init(cla_scoring *scoring);

/* CLA_OK, or CLA_ERROR_OPTION naming the first value that is out of its range. */
cla_status cla_scoring_check(const cla_scoring *scoring, cla_error *error);

#endif
