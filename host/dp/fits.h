#ifndef HOST_DP_FITS_H
#define HOST_DP_FITS_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* Fits: the least cost of passing rows of a pair of DNA sequences within some diagonals, from any column to
 * any column. They are optimal alignments of many small parts, side by side in the lanes of vectors. A gap
 * down from above is already open. */

#define FIT_MOST 20000      /* largest cost of a fit */
#define FIT_COST_MOST 12000 /* largest cost of a pair or a gap's letter */

typedef struct fit_costs {
  /* A pair that is no match; a gap's first letter; each further one. A match costs 0. */
  int16_t other, first, ext;
} fit_costs;

typedef struct fit {
  int64_t row, rows;       /* index of the first row's letter; number of rows */
  int64_t diagonal, count; /* first diagonal (column less row) and their number; outside of the matrix,
                            * letters match nothing */
  int64_t bucket;          /* diagonals of a bucket */
  int32_t *least;          /* output, by bucket: least cost of a path that ends in it */
} fit;

typedef struct fits_input {
  const uint8_t *query, *target;
  int64_t columns;
  fit_costs costs;
  fit *fits;
  int64_t count;
  int threads;
  /* True ends the work and makes the results invalid; NULL: never. */
  bool (*stopped)(const void *by, int thread);
  const void *stopped_by;
} fits_input;

/* Computes all fits. *cells: the number of computed cells. CLA_ERROR_MEMORY. */
cla_status fits_compute(int64_t *cells, const fits_input *input, cla_error *error);

#endif
