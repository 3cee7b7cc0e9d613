#ifndef HOST_PATH_AREA_CROSS_H
#define HOST_PATH_AREA_CROSS_H

#include "path/bound_path.h"

/* Limits on an area that is aligned exactly. */
#define EXACT_SPACE_CELLS (INT64_C(1) << 22) /* maximum number of cells; each takes a byte of memory */
#define EXACT_SPACE_SIDE (INT64_C(1) << 16)  /* maximum number of letters of a side */
/* Approximate memory of an exact alignment, in bytes. */
#define EXACT_SPACE_BYTES (EXACT_SPACE_CELLS + 48 * EXACT_SPACE_SIDE)

/* Extends the path, which stops at the first corner of `area`, to the last corner. The added part is an
 * optimal global alignment with the first piece of the gap costs only. The area must have 1 ..
 * EXACT_SPACE_CELLS cells and sides of at most EXACT_SPACE_SIDE letters. Fails with CLA_ERROR_MEMORY. */
cla_status exact_area_cross(bound_path *path, const bound_pair *pair, const bound_area *area,
                            cla_error *error);

/* Approximate number of cells that wide_space_cross computes. */
int64_t wide_space_cells(const bound_area *area);

/* Extends the path across the area near the two diagonals that open_space_cross uses. Aligns overlapping
 * blocks along both diagonals optimally, and uses the first half of each block's path. Fails with
 * CLA_ERROR_MEMORY. */
cla_status wide_space_cross(bound_path *path, const bound_pair *pair, const bound_area *area,
                            cla_error *error);

/* Extends the path, which stops at the first corner of `area`, to the last corner, in linear time and
 * constant memory. Adds pairs on the first corner's diagonal, then gaps, then pairs on the last corner's
 * diagonal. Chooses the numbers of pairs with the best score. Fails with CLA_ERROR_MEMORY. */
cla_status open_space_cross(bound_path *path, const bound_pair *pair, const bound_area *area,
                            cla_error *error);

#endif
