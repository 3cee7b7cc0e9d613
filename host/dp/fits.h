#ifndef HOST_DP_FITS_H
#define HOST_DP_FITS_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* A fit is the least cost of a path through some rows of a pair of DNA sequences. The path stays within
 * some diagonals, and may begin and end in any column. So each fit is the cost of an optimal alignment of a
 * small part. The lanes of vectors compute many fits at the same time. A gap that continues from the rows
 * above is already open. */

#define FIT_MOST 20000      /* largest cost of a fit */
#define FIT_COST_MOST 12000 /* largest cost of a pair or a gap's letter */

typedef struct fit_costs {
  /* Costs of a pair that is no match, of a gap's first letter, and of each further letter. A match costs 0.
   */
  int16_t other, first, ext;
} fit_costs;

typedef struct fit {
  int64_t row, rows;       /* index of the first row's letter; number of rows */
  int64_t diagonal, count; /* first diagonal (column minus row); number of diagonals */
  int64_t bucket;          /* diagonals of a bucket */
  int32_t *least;          /* output: for each bucket, the least cost of a path that ends in the bucket */
} fit;

typedef struct fits_input {
  const uint8_t *query, *target;
  int64_t columns;
  fit_costs costs;
  fit *fits;
  int64_t count;
  int threads;
  /* If this function returns true, the work ends and the results are invalid. NULL: the work is never
   * stopped. */
  bool (*stopped)(const void *by, int thread);
  const void *stopped_by;
} fits_input;

/* Computes all fits. *cells is set to the number of computed cells. CLA_ERROR_MEMORY. */
cla_status fits_compute(int64_t *cells, const fits_input *input, cla_error *error);

#endif
