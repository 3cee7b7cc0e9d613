#ifndef HOST_PATH_AREA_CROSS_H
#define HOST_PATH_AREA_CROSS_H

#include "path/bound_path.h"

/* Limits of an area that is aligned exactly. */
#define EXACT_SPACE_CELLS (INT64_C(1) << 22) /* most cells, a byte of memory each */
#define EXACT_SPACE_SIDE (INT64_C(1) << 16)  /* most letters of a side */
/* Approximate memory of such an alignment. */
#define EXACT_SPACE_BYTES (EXACT_SPACE_CELLS + 48 * EXACT_SPACE_SIDE)

/* Leads the path from the first corner of `area`, where it stops, to the last by an optimal global alignment
 * under the first piece of gap costs. The area has 1 .. EXACT_SPACE_CELLS cells and sides of at most
 * EXACT_SPACE_SIDE letters. CLA_ERROR_MEMORY. */
cla_status exact_area_cross(bound_path *path, const bound_pair *pair, const bound_area *area,
                            cla_error *error);

/* Approximate number of cells that wide_space_cross computes. */
int64_t wide_space_cells(const bound_area *area);

/* Leads the path across the area as open_space_cross does, but aligns what lies along the two diagonals:
 * optimally, in overlapping blocks, of which it takes the first half. CLA_ERROR_MEMORY. */
cla_status wide_space_cross(bound_path *path, const bound_pair *pair, const bound_area *area,
                            cla_error *error);

/* Leads the path from the first corner of `area`, where it stops, to the last in linear time and constant
 * memory. It makes pairs along the first corner's diagonal, then gaps, then pairs along the last corner's
 * diagonal, each as far as that scores best. CLA_ERROR_MEMORY. */
cla_status open_space_cross(bound_path *path, const bound_pair *pair, const bound_area *area,
                            cla_error *error);

#endif
