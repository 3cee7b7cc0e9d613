#ifndef HOST_WAVEFRONT_WAVEFRONT_INTERNAL_H
#define HOST_WAVEFRONT_WAVEFRONT_INTERNAL_H

#include "device/device.h"
#include "wavefront/wavefront.h"

/* What wavefront.c and lane_values.c share; private to this room. */

typedef struct grown_buffer {
  cl_mem memory;
  int64_t bytes;
} grown_buffer;

struct wavefront {
  cla_device *device;
  pair_problem pair; /* its letters are not looked at: they are in the buffers */
  int64_t device_memory_bytes;
  grown_buffer query, target, scores, params, bus, states, bases, rows, bottom, bests, counters, runs, notes,
      used, used_first;
  transfer_memory pieces; /* of kept rows on their way, one for each thread of the sink:
                           * kernel_row_pieces_for; of the last row, while there are no others */
  void *staging;          /* host memory for bus lines */
  int64_t staging_bytes;
  int known_shift; /* of the region: scores shifted right by this fit an int */
};

/* One region on its way through an engine, with one kernel config. */
typedef struct region_work {
  wavefront *engine;
  const region *what;
  const kernel_config *config;
  const kernel_geometry *g;
  int64_t row_slots; /* kept rows that the device has room for, >= 1 */
} region_work;

/* Writes `values` modulo 2^lane_bits, or reads such values back given a true neighbour; lane_values.c. */

/* Puts `count` values of each line that a bus of one parity has of the region's upper border into the
 * engine's staging memory, one line behind the other, from the lines' value `first` on, padding included. */
void lane_values_top(const region_work *w, int64_t first, int64_t count);

/* Such lines H and F of 16-bit values as a line of bus words of strip -1, and F2, if there is one, as
 * another.
 */
void lane_values_words(uint64_t *words, const void *lines, const kernel_geometry *geometry, int64_t count);

/* Turns `count` wrapped values of a line into true ones; `neighbour` is the true one left of the first. */
void lane_values_unwrap(int64_t *h, const void *line, int64_t first, int64_t count, int lane_bits,
                        int64_t neighbour);

/* Enqueues nothing else before it has written `bytes` of the buffer. */
cla_status wavefront_write(const wavefront *engine, const grown_buffer *buffer, int64_t offset,
                           const void *data, int64_t bytes, cla_error *error);

/* The same, beside a launch that does not touch these bytes, where the device can do that. */
cla_status wavefront_write_beside(const wavefront *engine, const grown_buffer *buffer, int64_t offset,
                                  const void *data, int64_t bytes, cla_error *error);

/* What a kernel for the region is built for. */
kernel_build wavefront_build(const region_work *w);

/* H of the region's left border, `row` >= 0 nodes below the corner. */
int64_t region_left_h(const region *what, int64_t row);

/* And of its upper border, `column` >= 0 nodes from the corner. */
int64_t region_top_h(const region *what, int64_t column);

/* Takes the best of the next strips' best cells, as a node of the region, if it is better: strips ascend by
 * rows, so the first of equal ones is canonical. */
void take_best(strip_best *best, const strip_best *next, int64_t count);

#endif
