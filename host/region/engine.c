#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "region/wavefront_internal.h"
#include "scoring/lane_width.h"

/* Row length of the kernels' score table, as in common.clh: codes of all letters, QUERY_NEVER and
 * TARGET_NEVER. */
#define SCORE_STRIDE (CLA_MATRIX_STRIDE + 2)

/* Maximum number of bytes with which clCreateBuffer is called. Larger content is written afterwards, so
 * that no driver keeps a copy of it. */
#define CONTENT_BYTES_MOST (INT64_C(1) << 20)

/* The score table as in common.clh. */
typedef struct kernel_scores {
  int32_t score[SCORE_STRIDE][SCORE_STRIDE];
  uint8_t above[SCORE_STRIDE][CLA_MATRIX_STRIDE]; /* by target and query: score minus the table's lowest
                                                     score, modulo 256 */
  uint8_t wide[SCORE_STRIDE]; /* by target: 1 if one of the target's differences in `above` exceeds 255 */
} kernel_scores;

/* Name and kind of content of each buffer. */
static const struct {
  const char *what; /* for messages */
  poison_kind kind;
} uses[BUFFER_COUNT] = {
    [BUFFER_PARAMS] = {"the parameters", POISON_LONGS},
    [BUFFER_SCORES] = {"the score table", POISON_LETTERS},
    [BUFFER_QUERY] = {"the query", POISON_LETTERS},
    [BUFFER_TARGET] = {"the target", POISON_LETTERS},
    [BUFFER_BUS] = {"the bus between strips", POISON_LINES},
    [BUFFER_STATES] = {"the strips' state", POISON_LINES},
    [BUFFER_BASES] = {"the strips' bases", POISON_LONGS},
    [BUFFER_ROWS] = {"the special rows", POISON_LINES},
    [BUFFER_BOTTOM] = {"the last row", POISON_LINES},
    [BUFFER_BESTS] = {"the strips' best cells", POISON_LONGS},
    [BUFFER_COUNTERS] = {"the strips' counters", POISON_INTS},
    [BUFFER_RUNS] = {"the strips' ends", POISON_LONGS},
    [BUFFER_NOTES] = {"the tiles' notes", POISON_LONGS},
    [BUFFER_USED] = {"the pairs that were used", POISON_LONGS},
    [BUFFER_USED_FIRST] = {"the pairs that were used", POISON_LONGS},
};

/* Makes a new buffer with the given content; if `content` is NULL, without content. */
static cla_status make_buffer(wavefront *engine, engine_buffer which, int64_t bytes, const void *content,
                              cla_error *error) {
  grown_buffer *buffer = engine->buffers + which;
  const char *what = uses[which].what;
  int64_t all = bytes;
  if (buffer->memory) clReleaseMemObject(buffer->memory);
  *buffer = (grown_buffer){0};
  for (int i = 0; i < BUFFER_COUNT; i++) all += engine->buffers[i].bytes;
  if (engine->device_memory_bytes > 0 && all > engine->device_memory_bytes)
    return error_set(error, CLA_ERROR_MEMORY,
                     "--device-memory %lld is too small: with %s it takes %lld bytes",
                     (long long)engine->device_memory_bytes, what, (long long)all);
  cla_status status =
      content ? device_buffer_with(&buffer->memory, engine->device, bytes, content, what, error)
              : device_buffer(&buffer->memory, engine->device, bytes, uses[which].kind, what, error);
  if (status == CLA_OK) buffer->bytes = bytes;
  return status;
}

cla_status wavefront_grow(wavefront *engine, engine_buffer which, int64_t bytes, cla_error *error) {
  const grown_buffer *buffer = engine->buffers + which;
  if (!buffer->memory || buffer->bytes < bytes) return make_buffer(engine, which, bytes, NULL, error);
  return device_poison(engine->device, buffer->memory, 0, bytes, uses[which].kind, error);
}

cla_status wavefront_write(const wavefront *engine, engine_buffer which, int64_t offset, const void *data,
                           int64_t bytes, cla_error *error) {
  const cl_int code = clEnqueueWriteBuffer(engine->device->on->queue, engine->buffers[which].memory, CL_TRUE,
                                           (size_t)offset, (size_t)bytes, data, 0, NULL, NULL);
  return device_check(engine->device, code, "clEnqueueWriteBuffer", error);
}

cla_status wavefront_write_beside(const wavefront *engine, engine_buffer which, int64_t offset,
                                  const void *data, int64_t bytes, cla_error *error) {
  const cl_int code = clEnqueueWriteBuffer(engine->device->on->transfers, engine->buffers[which].memory,
                                           CL_TRUE, (size_t)offset, (size_t)bytes, data, 0, NULL, NULL);
  return device_check(engine->device, code, "clEnqueueWriteBuffer", error);
}

cla_status wavefront_read(const wavefront *engine, engine_buffer which, int64_t offset, void *into,
                          int64_t bytes, cla_error *error) {
  const cl_int code = clEnqueueReadBuffer(engine->device->on->queue, engine->buffers[which].memory, CL_TRUE,
                                          (size_t)offset, (size_t)bytes, into, 0, NULL, NULL);
  return device_check(engine->device, code, "clEnqueueReadBuffer", error);
}

cla_status wavefront_read_beside(const wavefront *engine, engine_buffer which, int64_t offset, void *into,
                                 int64_t bytes, cla_error *error) {
  const cl_int code = clEnqueueReadBuffer(engine->device->on->transfers, engine->buffers[which].memory,
                                          CL_TRUE, (size_t)offset, (size_t)bytes, into, 0, NULL, NULL);
  return device_check(engine->device, code, "clEnqueueReadBuffer", error);
}

cla_status wavefront_fill_zero(const wavefront *engine, engine_buffer which, int64_t offset, int64_t bytes,
                               cla_error *error) {
  const cl_int zero = 0;
  const cl_int code = clEnqueueFillBuffer(engine->device->on->queue, engine->buffers[which].memory, &zero,
                                          sizeof zero, (size_t)offset, (size_t)bytes, 0, NULL, NULL);
  return device_check(engine->device, code, "clEnqueueFillBuffer", error);
}

/* Makes a buffer that contains `data`. */
static cla_status load(wavefront *engine, engine_buffer which, const void *data, int64_t bytes,
                       cla_error *error) {
  const bool at_once = bytes <= CONTENT_BYTES_MOST;
  cla_status status = make_buffer(engine, which, bytes, at_once ? data : NULL, error);
  return status == CLA_OK && !at_once ? wavefront_write(engine, which, 0, data, bytes, error) : status;
}

/* Uploads the score table, with clamped scores, and with padding codes that match nothing. */
static cla_status upload_scores(wavefront *engine, cla_error *error) {
  kernel_scores scores = {0};
  const score_table *table = engine->pair.scheme.table;
  const int32_t lowest = table->minimum < 0 ? table->minimum : 0;
  for (int query = 0; query < SCORE_STRIDE; query++)
    for (int target = 0; target < SCORE_STRIDE; target++) {
      const bool padding = query >= CLA_MATRIX_STRIDE || target >= CLA_MATRIX_STRIDE;
      const int32_t score = padding ? lowest : table->score[query * CLA_MATRIX_STRIDE + target];
      scores.score[query][target] = lane_width_clamp(score, engine->pair.scheme.scoring);
    }
  const int32_t least = lane_width_clamp(lowest, engine->pair.scheme.scoring);
  for (int target = 0; target < SCORE_STRIDE; target++)
    for (int query = 0; query < CLA_MATRIX_STRIDE; query++) {
      const int32_t above = scores.score[query][target] - least;
      scores.above[target][query] = (uint8_t)above;
      if (above > UINT8_MAX) scores.wide[target] = 1;
    }
  return load(engine, BUFFER_SCORES, &scores, sizeof scores, error);
}

cla_status wavefront_create(wavefront **out, cla_device *device, const pair_problem *pair,
                            int64_t device_memory_bytes, cla_error *error) {
  wavefront *engine = NULL;
  cla_status status = ALLOCATE_ZEROS(&engine, 1, "the wavefront", error);
  if (status != CLA_OK) return status;
  engine->device = device;
  engine->pair = *pair;
  engine->device_memory_bytes = device_memory_bytes;
  status = load(engine, BUFFER_QUERY, pair->query, pair->rows, error);
  if (status == CLA_OK) status = load(engine, BUFFER_TARGET, pair->target, pair->columns, error);
  if (status == CLA_OK) status = wavefront_grow(engine, BUFFER_PARAMS, sizeof(region_params), error);
  if (status == CLA_OK) status = upload_scores(engine, error);
  if (status != CLA_OK) {
    wavefront_free(engine);
    engine = NULL;
  }
  *out = engine;
  return status;
}

void wavefront_free(wavefront *engine) {
  if (!engine) return;
  transfer_memory_free(&engine->pieces, engine->device);
  for (int i = 0; i < BUFFER_COUNT; i++)
    if (engine->buffers[i].memory) clReleaseMemObject(engine->buffers[i].memory);
  free(engine->staging);
  free(engine);
}

cla_device *wavefront_device(const wavefront *engine) {
  return engine->device;
}

void wavefront_save_programs(wavefront *engine) {
  device_save_programs(engine->device);
}

kernel_build wavefront_build(const region_work *w) {
  return (kernel_build){
      .local = w->what->floor,
      .best = w->what->best,
      .matrix = w->engine->pair.scheme.table->needs_lookup,
      .used = w->engine->pair.scheme.table->used != NULL,
      .prune = w->what->prune,
      .gaps = kernel_gaps_of(w->engine->pair.scheme.scoring),
      .scoring = w->engine->pair.scheme.scoring,
      .table = w->engine->pair.scheme.table,
      .segment = kernel_segment(w->config, w->engine->pair.scheme.scoring, w->engine->pair.scheme.table)};
}
