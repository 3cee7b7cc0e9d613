#ifndef HOST_WAVEFRONT_WAVEFRONT_INTERNAL_H
#define HOST_WAVEFRONT_WAVEFRONT_INTERNAL_H

#include "device/device.h"
#include "wavefront/wavefront.h"

/* What the files of this room share, and is private to it. From below: engine.c, lane_values.c,
 * region_load.c, launch.c. */

/* An engine's buffers: the first arguments of every kernel, in this order. The diagonals and strips of a
 * launch follow. */
typedef enum engine_buffer {
  BUFFER_PARAMS,
  BUFFER_SCORES,
  BUFFER_QUERY,
  BUFFER_TARGET,
  BUFFER_BUS,
  BUFFER_STATES,
  BUFFER_BASES,
  BUFFER_ROWS,
  BUFFER_BOTTOM,
  BUFFER_BESTS,
  BUFFER_COUNTERS,
  BUFFER_RUNS,
  BUFFER_NOTES,
  BUFFER_USED,
  BUFFER_USED_FIRST,
  BUFFER_COUNT
} engine_buffer;

typedef struct grown_buffer {
  cl_mem memory;
  int64_t bytes;
} grown_buffer;

struct wavefront {
  cla_device *device;
  pair_problem pair; /* its letters are in the buffers, and no longer looked at here */
  int64_t device_memory_bytes;
  grown_buffer buffers[BUFFER_COUNT];
  transfer_memory pieces; /* of kept rows on their way, one for each thread of the sink:
                           * kernel_row_pieces_for; of the last row, while there are no others */
  void *staging;          /* host memory for KERNEL_NODES_STAGED of a bus' lines */
  int64_t staging_bytes;
};

/* One region on its way through an engine, with one kernel config. */
typedef struct region_work {
  wavefront *engine;
  const region *what;
  const kernel_config *config;
  const kernel_geometry *g;
  int64_t row_slots;    /* kept rows that the device has room for, >= 1 */
  int64_t panel_strips; /* that are computed to their ends before those below */
  int known_shift;      /* scores of the region shifted right by this fit an int */
} region_work;

/* Makes the buffer at least so large. Its content is lost. CLA_ERROR_MEMORY beyond the engine's budget. */
cla_status wavefront_grow(wavefront *engine, engine_buffer which, int64_t bytes, cla_error *error);

/* Writes or reads a part of the buffer after all that is enqueued, and returns when that is done. */
cla_status wavefront_write(const wavefront *engine, engine_buffer which, int64_t offset, const void *data,
                           int64_t bytes, cla_error *error);
cla_status wavefront_read(const wavefront *engine, engine_buffer which, int64_t offset, void *into,
                          int64_t bytes, cla_error *error);

/* The same, where the device can do that, beside a launch that does not touch these bytes. */
cla_status wavefront_write_beside(const wavefront *engine, engine_buffer which, int64_t offset,
                                  const void *data, int64_t bytes, cla_error *error);
cla_status wavefront_read_beside(const wavefront *engine, engine_buffer which, int64_t offset, void *into,
                                 int64_t bytes, cla_error *error);

/* Enqueues the filling of a part of the buffer with zeros; offset and bytes are multiples of 4. */
cla_status wavefront_fill_zero(const wavefront *engine, engine_buffer which, int64_t offset, int64_t bytes,
                               cla_error *error);

/* What a kernel for the region is built for. */
kernel_build wavefront_build(const region_work *w);

/* The program that the region's kernel is in. */
void wavefront_program(wanted_program *out, char file[64], const region_work *w);

/* H of the region's left border, `row` >= 0 nodes below the corner. */
int64_t region_left_h(const region *what, int64_t row);

/* And of its upper border, `column` >= 0 nodes from the corner, unless calls.top reads it. */
int64_t region_top_h(const region *what, int64_t column);

/* Nodes of an upper border that calls.top reads at once. */
#define REGION_TOP_NODES 1024

/* Lanes hold values modulo 2^lane_bits. */

/* Puts `count` values of each line that a bus of one parity has of the region's upper border into the
 * engine's staging memory, one line behind the other, from the lines' value `first` on, padding included. */
void lane_values_top(const region_work *w, int64_t first, int64_t count);

/* Such lines H and F of 16-bit values as a line of bus words of strip -1, and F2, if there is one, as
 * another. */
void lane_values_words(uint64_t *words, const void *lines, const kernel_geometry *geometry, int64_t count);

/* Turns `count` wrapped values of a line into true ones; `neighbour` is the true one left of the first. */
void lane_values_unwrap(int64_t *h, const void *line, int64_t first, int64_t count, int lane_bits,
                        int64_t neighbour);

/* Makes and fills the region's buffers, for launch_region. */
cla_status region_load(const region_work *w, cl_program program, cla_error *error);

struct last_row;

/* Computes all tiles of the region, in the config's launch style, diagonal by diagonal or
 * many at once, as its upper border arrives. Hands kept rows to the sink while the device goes on, parts of
 * the last row to `below` between launches, and calls the tick, some times a second. */
cla_status launch_region(const region_work *w, cl_kernel kernel, struct last_row *below, cla_error *error);

#endif
