#ifndef HOST_BOUND_AREA_CROSS_H
#define HOST_BOUND_AREA_CROSS_H

#include "bound/bound_path.h"

/* The most cells that are worth it, a byte of memory each, and the most letters of a side. */
#define EXACT_SPACE_CELLS (INT64_C(1) << 22)
#define EXACT_SPACE_SIDE (INT64_C(1) << 16)
#define EXACT_SPACE_BYTES (EXACT_SPACE_CELLS + 48 * EXACT_SPACE_SIDE) /* of memory, about */

/* Memory that is used again and again. Begins as zero, ends with exact_space_free. */
typedef struct exact_space {
  int64_t *h, *f;      /* a row of the matrix */
  uint8_t *directions; /* of every cell */
  cla_run *runs;       /* of the path, last one first */
} exact_space;

void exact_space_free(exact_space *space);

/* Leads the path from the first corner of `area` (its stop) to the last by an optimal global alignment of the
 * area under the first piece of gap costs, which has 1 .. EXACT_SPACE_CELLS cells and sides of
 * EXACT_SPACE_SIDE at most. CLA_ERROR_MEMORY. */
cla_status exact_space_cross(exact_space *space, bound_path *path, const bound_pair *pair,
                             const bound_area *area, cla_error *error);

/* The cells that wide_space_cross computes of an area, about. */
int64_t wide_space_cells(const bound_area *area);

/* Leads the path from the first corner of `area` (its stop) to the last as open_space_cross does, but for the
 * pairs on either diagonal: optimal alignments of blocks along it, the first half of each, take their place.
 * CLA_ERROR_MEMORY. */
cla_status wide_space_cross(exact_space *space, bound_path *path, const bound_pair *pair,
                            const bound_area *area, cla_error *error);

/* Leads the path from the first corner of `area` (its stop) to the last in linear time and constant memory:
 * pairs along the diagonal of the first corner, gaps, pairs along the diagonal of the last corner, each as
 * far as it scores best. CLA_ERROR_MEMORY. */
cla_status open_space_cross(bound_path *path, const bound_pair *pair, const bound_area *area,
                            cla_error *error);

#endif
