#ifndef HOST_BOUND_FITS_H
#define HOST_BOUND_FITS_H

#include <stdint.h>

#include "bound/bound_path.h"

/* What it costs at least to pass some rows of a pair of DNA sequences within some diagonals, whatever the
 * columns before and after: optimal alignments of many small parts, side by side in the lanes of vectors. A
 * gap down that comes from above is open already. */

#define FIT_MOST 20000      /* no fit costs more */
#define FIT_COST_MOST 12000 /* nor a pair or a gap's letter */

typedef struct fit_costs {
  int16_t other, first, ext; /* of a pair that is no match, of gaps; a match costs nothing */
} fit_costs;

typedef struct fit {
  int64_t row, rows;       /* the first row's letter, and how many */
  int64_t diagonal, count; /* of column less row: the first, and how many; those outside of the matrix have
                            * letters that match nothing */
  int64_t bucket;          /* diagonals for which there is one result */
  int32_t *least;          /* by bucket: of the paths that end in it */
} fit;

typedef struct fits_input {
  const uint8_t *query, *target;
  int64_t columns;
  fit_costs costs;
  fit *fits;
  int64_t count;
  int threads;
  const bound_pair *pair; /* whose stop ends the work, with results that mean nothing; NULL: none does */
} fits_input;

/* *cells: that were computed. CLA_ERROR_MEMORY. */
cla_status fits_compute(int64_t *cells, const fits_input *input, cla_error *error);

#endif
