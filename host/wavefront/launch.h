#ifndef HOST_WAVEFRONT_LAUNCH_H
#define HOST_WAVEFRONT_LAUNCH_H

#include "wavefront/last_row.h"
#include "wavefront/wavefront_internal.h"

/* Launches a region's tiles, diagonal by diagonal or many diagonals at once; private to this room. */

/* The kernel argument that launch_region sets first: the diagonal. Those before are set by the caller. */
#define LAUNCH_FIRST_ARGUMENT 15

/* Computes all tiles of the region, in the config's launch style, with the buffers that are loaded, as its
 * upper border arrives. Hands kept rows to the sink while the device goes on, parts of the last row to
 * `below` between launches, and calls the tick, some times a second. */
cla_status launch_region(const region_work *w, cl_kernel kernel, last_row *below, cla_error *error);

/* Enqueues the filling of a part of a buffer with zeros; offset and bytes are multiples of 4. */
cla_status launch_fill_zero(wavefront *engine, const grown_buffer *buffer, int64_t offset, int64_t bytes,
                            cla_error *error);

#endif
