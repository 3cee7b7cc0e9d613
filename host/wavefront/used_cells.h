#ifndef HOST_WAVEFRONT_USED_CELLS_H
#define HOST_WAVEFRONT_USED_CELLS_H

#include "wavefront/wavefront_internal.h"

/* The pairs that no path of a region may make, as its kernels take them: by strips, in the region's
 * coordinates. */
typedef struct used_cells {
  strip_used *runs; /* owned */
  int64_t count, capacity;
  int64_t *first; /* of strip s and of the one behind the last; owned */
} used_cells;

/* CLA_ERROR_MEMORY. The caller ends with used_cells_free. */
cla_status used_cells_make(used_cells *out, const region_work *w, cla_error *error);
void used_cells_free(used_cells *cells);

#endif
