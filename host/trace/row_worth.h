#ifndef HOST_TRACE_ROW_WORTH_H
#define HOST_TRACE_ROW_WORTH_H

#include "scoring/score_table.h"

/* What each row of the matrix adds to a path at most: the largest score of its letter of the query with any
 * letter of the target, or 0. H less the worth of all rows down to a node never rises along a path; by that,
 * bands know what cannot matter any more (trace/band_goals.h). One number for all rows would be the score
 * of the rarest pair: BLOSUM62 has 11 for W with W, and 4 to 6 for most other letters. */
typedef struct row_worth {
  const uint8_t *query; /* codes: row i has letter [i - 1]; not owned */
  int32_t of[CLA_MATRIX_STRIDE];
  int32_t least; /* of any row */
  int32_t mean;  /* about */
  int64_t *sums; /* of the rows before every ROW_WORTH_PART-th; NULL: all are worth `least` */
} row_worth;

#define ROW_WORTH_PART 128

/* For rows 1 to `rows`. The query must outlive it. CLA_ERROR_MEMORY. */
cla_status row_worth_make(row_worth *out, const uint8_t *query, int64_t rows, const score_table *table,
                          cla_error *error);
void row_worth_free(row_worth *worth);

/* Of row i >= 1. */
static inline int32_t row_worth_at(const row_worth *worth, int64_t i) {
  return worth->sums ? worth->of[worth->query[i - 1]] : worth->least;
}

/* Of the first `rows` rows together. */
int64_t row_worth_to(const row_worth *worth, int64_t rows);

#endif
