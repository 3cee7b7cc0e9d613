#ifndef HOST_REGION_WAVEFRONT_INTERNAL_H
#define HOST_REGION_WAVEFRONT_INTERNAL_H

#include "device/device.h"
#include "region/wavefront.h"

/* Declarations for the files of this room only. */

/* An engine's buffers. They are the first arguments of every kernel, in this order; the diagonals and strips
 * of the launch follow. */
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
  pair_problem pair; /* the pair; its letters are read only from the buffers */
  int64_t device_memory_bytes;
  grown_buffer buffers[BUFFER_COUNT];
  transfer_memory pieces; /* pieces of kept rows, one per thread of the sink, or a piece of the last row */
  void *staging;          /* host memory for KERNEL_NODES_STAGED nodes of the bus lines */
  int64_t staging_bytes;
};

/* A region that an engine solves with one kernel config. */
typedef struct region_work {
  wavefront *engine;
  const region *what;
  const kernel_config *config;
  const kernel_geometry *g;
  int64_t row_slots;    /* number of kept rows that fit on the device, >= 1 */
  int64_t panel_strips; /* strips of a panel */
  int known_shift; /* number of bits by which the region's scores are shifted to the right to fit in an int */
} region_work;

/* Makes the buffer at least `bytes` large. The buffer's content is lost. Fails with CLA_ERROR_MEMORY beyond
 * the engine's budget. */
cla_status wavefront_grow(wavefront *engine, engine_buffer which, int64_t bytes, cla_error *error);

/* Write or read a part of the buffer after all enqueued work, and wait until the transfer is done. */
cla_status wavefront_write(const wavefront *engine, engine_buffer which, int64_t offset, const void *data,
                           int64_t bytes, cla_error *error);
cla_status wavefront_read(const wavefront *engine, engine_buffer which, int64_t offset, void *into,
                          int64_t bytes, cla_error *error);

/* Write or read a part of the buffer while a launch runs, if the device can do so. The launch must not access
 * these bytes. */
cla_status wavefront_write_beside(const wavefront *engine, engine_buffer which, int64_t offset,
                                  const void *data, int64_t bytes, cla_error *error);
cla_status wavefront_read_beside(const wavefront *engine, engine_buffer which, int64_t offset, void *into,
                                 int64_t bytes, cla_error *error);

/* Enqueues a command that fills a part of the buffer with zeros. `offset` and `bytes` are multiples of 4. */
cla_status wavefront_fill_zero(const wavefront *engine, engine_buffer which, int64_t offset, int64_t bytes,
                               cla_error *error);

/* Returns the build of the region's kernel. */
kernel_build wavefront_build(const region_work *w);

/* Sets *out to the file and options of the program that contains the region's kernel. */
void wavefront_program(wanted_program *out, char file[64], const region_work *w);

/* Returns H of the node on the region's left border that lies `row` >= 0 rows from the corner. */
int64_t region_left_h(const region *what, int64_t row);

/* Returns H of the node on the region's upper border that lies `column` >= 0 columns from the corner. Not
 * allowed for borders that calls.top reads. */
int64_t region_top_h(const region *what, int64_t column);

/* Maximum number of nodes that calls.top reads at a time. */
#define REGION_TOP_NODES 1024

/* Writes the region's upper border to the engine's staging memory, as bus lines of one parity. The values
 * [first, first + count) of each line, padding included, follow line after line, modulo 2^lane_bits. */
void lane_values_top(const region_work *w, int64_t first, int64_t count);

/* Converts staged lines of 16-bit values to lines of bus words of strip -1: one line for H and F, one for F2.
 */
void lane_values_words(uint64_t *words, const void *lines, const kernel_geometry *geometry, int64_t count);

/* Converts `count` wrapped values of a line, from value `first` on, to true values. `neighbour`: true value
 * of the node left of the first. */
void lane_values_unwrap(int64_t *h, const void *line, int64_t first, int64_t count, int lane_bits,
                        int64_t neighbour);

/* Allocates and fills the region's buffers. Must be called before launch_region. */
cla_status region_load(const region_work *w, cl_program program, cla_error *error);

struct last_row;

/* Computes all tiles of the region, with one launch per diagonal or many diagonals per launch, as the
 * config says. Waits for an arriving border as needed, and passes kept rows to the sink while the device
 * continues. Between launches, passes parts of the last row to `below`, and calls the tick. */
cla_status launch_region(const region_work *w, cl_kernel kernel, struct last_row *below, cla_error *error);

#endif
