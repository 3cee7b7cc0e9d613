#ifndef HOST_REGION_WAVEFRONT_INTERNAL_H
#define HOST_REGION_WAVEFRONT_INTERNAL_H

#include "device/device.h"
#include "region/wavefront.h"

/* Shared by the files of this room, and private to it. */

/* An engine's buffers. They are the first arguments of every kernel, in this order; the diagonals and strips
 * of a launch follow. */
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
  pair_problem pair; /* the pair, whose letters are read from the buffers only */
  int64_t device_memory_bytes;
  grown_buffer buffers[BUFFER_COUNT];
  transfer_memory pieces; /* pieces of kept rows, one for each thread of the sink, or of the last row */
  void *staging;          /* host memory for KERNEL_NODES_STAGED nodes of a bus' lines */
  int64_t staging_bytes;
};

/* One region on its way through an engine, with one kernel config. */
typedef struct region_work {
  wavefront *engine;
  const region *what;
  const kernel_config *config;
  const kernel_geometry *g;
  int64_t row_slots;    /* kept rows that the device has room for, >= 1 */
  int64_t panel_strips; /* strips of a panel */
  int known_shift;      /* scores of the region shifted right by this fit an int */
} region_work;

/* Makes the buffer at least `bytes` large. Its content is lost. CLA_ERROR_MEMORY beyond the engine's budget.
 */
cla_status wavefront_grow(wavefront *engine, engine_buffer which, int64_t bytes, cla_error *error);

/* Write or read a part of the buffer after all enqueued work, and wait for it. */
cla_status wavefront_write(const wavefront *engine, engine_buffer which, int64_t offset, const void *data,
                           int64_t bytes, cla_error *error);
cla_status wavefront_read(const wavefront *engine, engine_buffer which, int64_t offset, void *into,
                          int64_t bytes, cla_error *error);

/* Write or read a part of the buffer beside a launch that does not touch these bytes, if the device can do
 * that. */
cla_status wavefront_write_beside(const wavefront *engine, engine_buffer which, int64_t offset,
                                  const void *data, int64_t bytes, cla_error *error);
cla_status wavefront_read_beside(const wavefront *engine, engine_buffer which, int64_t offset, void *into,
                                 int64_t bytes, cla_error *error);

/* Enqueues the filling of a part of the buffer with zeros; offset and bytes are multiples of 4. */
cla_status wavefront_fill_zero(const wavefront *engine, engine_buffer which, int64_t offset, int64_t bytes,
                               cla_error *error);

/* The build of the region's kernel. */
kernel_build wavefront_build(const region_work *w);

/* Names the program with the region's kernel. */
void wavefront_program(wanted_program *out, char file[64], const region_work *w);

/* H of the region's left border, `row` >= 0 nodes below the corner. */
int64_t region_left_h(const region *what, int64_t row);

/* H of the region's upper border, `column` >= 0 nodes from the corner, unless calls.top reads it. */
int64_t region_top_h(const region *what, int64_t column);

/* Most nodes that calls.top reads at once. */
#define REGION_TOP_NODES 1024

/* Writes the region's upper border to the engine's staging memory as lines of a bus of one parity. It writes
 * the values [first, first + count) of each line, padding included, line after line, modulo 2^lane_bits. */
void lane_values_top(const region_work *w, int64_t first, int64_t count);

/* Turns staged lines of 16-bit values into lines of bus words of strip -1: one line for H and F, one for F2.
 */
void lane_values_words(uint64_t *words, const void *lines, const kernel_geometry *geometry, int64_t count);

/* Turns `count` wrapped values of a line into true ones. neighbour: the true value left of the first. */
void lane_values_unwrap(int64_t *h, const void *line, int64_t first, int64_t count, int lane_bits,
                        int64_t neighbour);

/* Makes and fills the region's buffers before launch_region. */
cla_status region_load(const region_work *w, cl_program program, cla_error *error);

struct last_row;

/* Computes all tiles of the region, by the config's launch: diagonal by diagonal, or many at once. It follows
 * an arriving border, and hands kept rows to the sink while the device goes on. Between launches it hands
 * parts of the last row to `below` and calls the tick. */
cla_status launch_region(const region_work *w, cl_kernel kernel, struct last_row *below, cla_error *error);

#endif
