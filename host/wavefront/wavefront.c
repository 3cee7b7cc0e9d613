#include "wavefront/wavefront.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "scoring/lane_width.h"
#include "wavefront/last_row.h"
#include "wavefront/launch.h"
#include "wavefront/pruning.h"
#include "wavefront/region_params.h"
#include "wavefront/row_delivery.h"
#include "wavefront/upper_border.h"
#include "wavefront/used_cells.h"
#include "wavefront/wavefront_internal.h"

/* common.clh's: two codes more than letters, QUERY_NEVER and TARGET_NEVER, which match nothing. */
#define SCORE_STRIDE (CLA_MATRIX_STRIDE + 2)

/* Larger content is written to its buffer, so that no driver keeps a copy of it. */
#define CONTENT_BYTES_MOST (INT64_C(1) << 20)

/* The score table as common.clh has it. */
typedef struct kernel_scores {
  int32_t score[SCORE_STRIDE][SCORE_STRIDE];
  uint8_t above[SCORE_STRIDE][CLA_MATRIX_STRIDE]; /* the lowest, by target and query, modulo 256 */
  uint8_t wide[SCORE_STRIDE];                     /* whether one of these is above 255 */
} kernel_scores;

/* Bytes of device memory in buffers now. */
static int64_t device_bytes(const wavefront *engine) {
  return engine->query.bytes + engine->target.bytes + engine->scores.bytes + engine->params.bytes +
         engine->bus.bytes + engine->states.bytes + engine->bases.bytes + engine->rows.bytes +
         engine->bottom.bytes + engine->bests.bytes + engine->counters.bytes + engine->runs.bytes +
         engine->notes.bytes + engine->used.bytes + engine->used_first.bytes;
}

/* What a buffer is made for. */
typedef struct buffer_use {
  const char *what; /* for people */
  poison_kind kind;
  int64_t bytes;
  const void *content; /* or NULL */
} buffer_use;

/* Makes the buffer so large. *written: it is a new one that has the content, which is not too large for that.
 */
static cla_status grow_for(grown_buffer *buffer, bool *written, const wavefront *engine,
                           const buffer_use *use, cla_error *error) {
  const int64_t bytes = use->bytes;
  *written = false;
  if (buffer->memory && buffer->bytes >= bytes)
    return device_poison(engine->device, buffer->memory, 0, bytes, use->kind, error);
  if (buffer->memory) clReleaseMemObject(buffer->memory);
  buffer->memory = NULL;
  buffer->bytes = 0;
  const int64_t all = device_bytes(engine) + bytes;
  if (engine->input.device_memory_bytes > 0 && all > engine->input.device_memory_bytes)
    return error_set(error, CLA_ERROR_MEMORY,
                     "--device-memory %lld is too small: with %s it takes %lld bytes",
                     (long long)engine->input.device_memory_bytes, use->what, (long long)all);
  *written = use->content && bytes > 0 && bytes <= CONTENT_BYTES_MOST;
  cla_status status =
      *written ? device_buffer_with(&buffer->memory, engine->device, bytes, use->content, use->what, error)
               : device_buffer(&buffer->memory, engine->device, bytes, use->kind, use->what, error);
  if (status == CLA_OK) buffer->bytes = bytes;
  return status;
}

static cla_status grow(grown_buffer *buffer, const wavefront *engine, int64_t bytes, poison_kind kind,
                       const char *what, cla_error *error) {
  bool written = false;
  return grow_for(buffer, &written, engine, &(buffer_use){.what = what, .kind = kind, .bytes = bytes}, error);
}

cla_status wavefront_write(const wavefront *engine, const grown_buffer *buffer, int64_t offset,
                           const void *data, int64_t bytes, cla_error *error) {
  const cl_int code = clEnqueueWriteBuffer(engine->device->queue, buffer->memory, CL_TRUE, (size_t)offset,
                                           (size_t)bytes, data, 0, NULL, NULL);
  return device_check(engine->device, code, "clEnqueueWriteBuffer", error);
}

cla_status wavefront_write_beside(const wavefront *engine, const grown_buffer *buffer, int64_t offset,
                                  const void *data, int64_t bytes, cla_error *error) {
  const cl_int code = clEnqueueWriteBuffer(engine->device->transfers, buffer->memory, CL_TRUE, (size_t)offset,
                                           (size_t)bytes, data, 0, NULL, NULL);
  return device_check(engine->device, code, "clEnqueueWriteBuffer", error);
}

static cla_status read_buffer(const wavefront *engine, const grown_buffer *buffer, int64_t offset, void *data,
                              int64_t bytes, cla_error *error) {
  cl_int code = clEnqueueReadBuffer(engine->device->queue, buffer->memory, CL_TRUE, (size_t)offset,
                                    (size_t)bytes, data, 0, NULL, NULL);
  return device_check(engine->device, code, "clEnqueueReadBuffer", error);
}

/* Makes the buffer and puts `data` there. */
static cla_status load(grown_buffer *buffer, const wavefront *engine, const void *data, int64_t bytes,
                       const char *what, cla_error *error) {
  bool written = false;
  const buffer_use use = {.what = what, .kind = POISON_LETTERS, .bytes = bytes, .content = data};
  cla_status status = grow_for(buffer, &written, engine, &use, error);
  return status == CLA_OK && !written ? wavefront_write(engine, buffer, 0, data, bytes, error) : status;
}

/* The score table as the kernels take it: clamped, and with a code for padding that matches nothing. */
static cla_status upload_scores(wavefront *engine, cla_error *error) {
  kernel_scores scores = {0};
  const score_table *table = engine->input.table;
  const int32_t lowest = table->minimum < 0 ? table->minimum : 0;
  for (int query = 0; query < SCORE_STRIDE; query++)
    for (int target = 0; target < SCORE_STRIDE; target++) {
      const bool padding = query >= CLA_MATRIX_STRIDE || target >= CLA_MATRIX_STRIDE;
      const int32_t score = padding ? lowest : table->score[query * CLA_MATRIX_STRIDE + target];
      scores.score[query][target] = lane_width_clamp(score, engine->input.scoring);
    }
  const int32_t least = lane_width_clamp(lowest, engine->input.scoring);
  for (int target = 0; target < SCORE_STRIDE; target++)
    for (int query = 0; query < CLA_MATRIX_STRIDE; query++) {
      const int32_t above = scores.score[query][target] - least;
      scores.above[target][query] = (uint8_t)above;
      if (above > UINT8_MAX) scores.wide[target] = 1;
    }
  return load(&engine->scores, engine, &scores, sizeof scores, "the score table", error);
}

cla_status wavefront_create(wavefront **out, cla_device *device, const wavefront_input *input,
                            cla_error *error) {
  wavefront *engine = NULL;
  cla_status status = allocate_zeros((void **)&engine, 1, sizeof *engine, "the wavefront", error);
  if (status != CLA_OK) return status;
  engine->device = device;
  engine->input = *input;
  status = load(&engine->query, engine, input->query, input->query_length, "the query", error);
  if (status == CLA_OK)
    status = load(&engine->target, engine, input->target, input->target_length, "the target", error);
  if (status == CLA_OK)
    status = grow(&engine->params, engine, sizeof(region_params), POISON_LONGS, "the parameters", error);
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
  grown_buffer *buffers[] = {&engine->query,  &engine->target, &engine->scores,    &engine->params,
                             &engine->bus,    &engine->states, &engine->bases,     &engine->rows,
                             &engine->bottom, &engine->bests,  &engine->counters,  &engine->runs,
                             &engine->notes,  &engine->used,   &engine->used_first};
  for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
    if (buffers[i]->memory) clReleaseMemObject(buffers[i]->memory);
  free(engine->staging);
  free(engine);
}

void wavefront_save_programs(wavefront *engine) {
  device_save_programs(engine->device);
}

kernel_build wavefront_build(const region_work *w) {
  return (kernel_build){
      .local = w->what->floor,
      .best = w->what->best,
      .matrix = w->engine->input.table->needs_lookup,
      .used = w->engine->input.table->used != NULL,
      .prune = w->what->prune,
      .gaps = kernel_gaps_of(w->engine->input.scoring),
      .segment = kernel_segment(w->config, w->engine->input.scoring, w->engine->input.table)};
}

static cla_status find_program(cl_program *out, const region_work *w, cla_error *error) {
  char file[64], options[256];
  snprintf(file, sizeof file, "%s.cl", w->config->variant->name);
  kernel_options(options, sizeof options, w->config, &w->engine->device->info, wavefront_build(w));
  return device_build(out, w->engine->device, file, options, error);
}

/* How far scores must be shifted right to fit an int: no score exceeds the borders' largest by more than the
 * largest pair score for every letter of the shorter side. Of a border that is yet to arrive that holds, too.
 */
static int known_shift(const region_work *w) {
  const int64_t shorter = smaller(w->what->rows, w->what->columns);
  const int64_t largest = w->engine->input.table->maximum > 0 ? w->engine->input.table->maximum : 0;
  int64_t border = larger(w->what->corner, 0);
  if (w->what->await)
    border += largest * smaller(w->what->row, w->what->columns);
  else
    for (int64_t node = 0; w->what->top_h && node <= w->what->columns; node++)
      border = larger(border, w->what->top_h[node]);
  const int64_t score = border + shorter * largest;
  int shift = 0;
  while (score >> shift > INT32_MAX) shift++;
  return shift;
}

static region_params make_params(const region_work *w) {
  const wavefront_input *input = &w->engine->input;
  const int64_t step = w->what->reverse ? -1 : 1;
  region_params params = region_params_make(input->scoring, input->table, &w->what->left, &w->what->top);
  params.rows = w->what->rows;
  params.columns = w->what->columns;
  params.query_first = w->what->reverse ? w->what->row - 1 : w->what->row;
  params.target_first = w->what->reverse ? w->what->column - 1 : w->what->column;
  params.query_step = params.target_step = step;
  params.strips = w->g->strips;
  params.tiles = w->g->tiles;
  params.tile_columns = w->config->tile_columns;
  params.corner = w->what->corner;
  params.row_interval = w->what->row_interval / kernel_strip_rows(w->config);
  params.row_slots = w->row_slots;
  params.bottom = w->what->bottom != NULL;
  params.stride = w->g->stride;
  params.known_shift = w->engine->known_shift;
  params.slant = w->g->slant;
  if (w->what->prune) pruning_params(&params, w);
  return params;
}

/* The pairs that may not be made, strip by strip: those of strip s are at used_first[s] .. used_first[s + 1].
 */
static cla_status load_used(const region_work *w, cla_error *error) {
  used_cells cells = {0};
  const int64_t strip_rows = kernel_strip_rows(w->config);
  cla_status status = CLA_OK;
  if (w->engine->input.table->used)
    status = used_cells_make(&cells, w->engine->input.table->used, w->what, strip_rows, w->g->strips, error);
  const int64_t run_bytes = cells.count * (int64_t)sizeof *cells.runs;
  const int64_t first_bytes = cells.first ? (w->g->strips + 1) * (int64_t)sizeof *cells.first : 0;
  if (status == CLA_OK)
    status = grow(&w->engine->used, w->engine, run_bytes > 0 ? run_bytes : 1, POISON_LONGS,
                  "the pairs that were used", error);
  if (status == CLA_OK)
    status = grow(&w->engine->used_first, w->engine, first_bytes > 0 ? first_bytes : 1, POISON_LONGS,
                  "the pairs that were used", error);
  if (status == CLA_OK && run_bytes > 0)
    status = wavefront_write(w->engine, &w->engine->used, 0, cells.runs, run_bytes, error);
  if (status == CLA_OK && first_bytes > 0)
    status = wavefront_write(w->engine, &w->engine->used_first, 0, cells.first, first_bytes, error);
  used_cells_free(&cells);
  return status;
}

/* Allocates and fills the region's buffers. */
static cla_status load_region(const region_work *w, cl_program program, cla_error *error) {
  const int64_t line_bytes = w->g->row_bytes;
  w->engine->known_shift = known_shift(w);
  const region_params params = make_params(w);
  strip_best *bests = NULL;
  cla_status status =
      allocate_grow(&w->engine->staging, &w->engine->staging_bytes, line_bytes, 1, "a bus line", error);
  if (status == CLA_OK) poison_memory(w->engine->staging, line_bytes, POISON_LINES);
  if (status == CLA_OK)
    status = grow(&w->engine->bus, w->engine, w->g->bus_bytes, POISON_LINES, "the bus between strips", error);
  if (status == CLA_OK)
    status = grow(&w->engine->states, w->engine, w->g->state_bytes, POISON_LINES, "the strips' state", error);
  if (status == CLA_OK)
    status = grow(&w->engine->bases, w->engine, w->g->base_bytes, POISON_LONGS, "the strips' bases", error);
  if (status == CLA_OK)
    status =
        grow(&w->engine->bests, w->engine, w->g->best_bytes, POISON_LONGS, "the strips' best cells", error);
  if (status == CLA_OK)
    status = grow(&w->engine->counters, w->engine, w->g->counter_bytes, POISON_INTS, "the strips' counters",
                  error);
  if (status == CLA_OK)
    status = grow(&w->engine->runs, w->engine, w->what->prune ? w->g->run_bytes : 1, POISON_LONGS,
                  "the strips' ends", error);
  if (status == CLA_OK)
    status = grow(&w->engine->notes, w->engine, w->what->prune ? w->g->note_bytes : 1, POISON_LONGS,
                  "the tiles' notes", error);
  if (status == CLA_OK)
    status = grow(&w->engine->rows, w->engine, w->what->row_interval ? w->row_slots * w->g->row_bytes : 1,
                  POISON_LINES, "the special rows", error);
  if (status == CLA_OK)
    status = grow(&w->engine->bottom, w->engine, w->what->bottom ? w->g->bottom_bytes : 1, POISON_LINES,
                  "the last row", error);
  if (status == CLA_OK)
    status = wavefront_write(w->engine, &w->engine->params, 0, &params, sizeof params, error);
  if (status != CLA_OK) return status;
  status = upper_border_load(w, program, error);
  if (status == CLA_OK) status = load_used(w, error);
  if (status == CLA_OK && w->what->prune) status = pruning_load(w, error);
  if (status == CLA_OK && w->what->best) {
    status = allocate_array((void **)&bests, w->g->strips, sizeof *bests, "best cells", error);
    for (int64_t i = 0; status == CLA_OK && i < w->g->strips; i++)
      bests[i] = (strip_best){.score = REGION_NO_BEST(w->what->best), .row = INT64_MAX, .column = INT64_MAX};
    if (status == CLA_OK)
      status = wavefront_write(w->engine, &w->engine->bests, 0, bests, w->g->best_bytes, error);
    free(bests);
  }
  if (status == CLA_OK)
    status = launch_fill_zero(w->engine, &w->engine->counters, 0, w->g->counter_bytes, error);
  if (status == CLA_OK && w->what->best == BEST_ANYWHERE &&
      w->what->bound > 0) { /* no cell below the bound is the best one */
    const int64_t bound = w->what->bound >> params.known_shift;
    const int32_t known = bound < INT32_MAX ? (int32_t)bound : INT32_MAX;
    status = wavefront_write(w->engine, &w->engine->counters, KERNEL_COUNTER_KNOWN * (int64_t)sizeof known,
                             &known, sizeof known, error);
  }
  return status;
}

void take_best(strip_best *best, const strip_best *next, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (next[i].score > best->score)
      *best = (strip_best){.score = next[i].score, .row = next[i].row + 1, .column = next[i].column + 1};
}

static cla_status collect_best(region_result *out, const region_work *w, cla_error *error) {
  strip_best *bests = NULL, best = {.score = REGION_NO_BEST(w->what->best)};
  cla_status status = allocate_array((void **)&bests, w->g->strips, sizeof *bests, "best cells", error);
  if (status == CLA_OK) status = read_buffer(w->engine, &w->engine->bests, 0, bests, w->g->best_bytes, error);
  if (status == CLA_OK) take_best(&best, bests, w->g->strips);
  out->best_score = best.score;
  out->best_row = best.row;
  out->best_column = best.column;
  free(bests);
  return status;
}

static cla_status collect_bottom(region_result *out, const region_work *w, cla_error *error) {
  strip_run run;
  cla_status status = CLA_OK;
  if (w->what->prune) status = pruning_read(&run, w->engine, w->g->strips - 1, 1, error);
  if (status == CLA_OK)
    status = read_buffer(w->engine, &w->engine->bottom, 0, w->engine->staging, w->g->bottom_bytes, error);
  if (status != CLA_OK) return status;
  const row_nodes nodes = pruning_row_nodes(w, w->g->strips - 1, w->what->rows, &run);
  out->bottom_first = nodes.first;
  out->bottom_last = nodes.last;
  if (nodes.first > nodes.last) return CLA_OK;
  w->what->bottom[nodes.first] = nodes.left_h;
  lane_values_unwrap(w->what->bottom + nodes.first + 1, w->engine->staging, w->g->margin + nodes.first,
                     nodes.last - nodes.first, w->config->variant->lane_bits, nodes.left_h);
  return CLA_OK;
}

cla_status wavefront_solve(region_result *out, wavefront *engine, const region *what,
                           const kernel_config *wanted, cla_error *error) {
  const kernel_config pruned = kernel_pruned(wanted);
  const kernel_config *config = what->prune ? &pruned : wanted;
  const kernel_geometry g =
      kernel_layout(config, kernel_gaps_of(engine->input.scoring), what->rows, what->columns);
  const int64_t slots = kernel_row_slots(&g, config, what->rows, what->row_interval, what->prune);
  const region_work work = {
      .engine = engine, .what = what, .config = config, .g = &g, .row_slots = slots > 0 ? slots : 1};
  cl_program program = NULL;
  cl_kernel kernel = NULL;
  cl_int code = CL_SUCCESS;
  memset(out, 0, sizeof *out);
  cla_status status = find_program(&program, &work, error);
  if (status == CLA_OK) status = load_region(&work, program, error);
  if (status != CLA_OK) return status;
  kernel = clCreateKernel(program, config->variant->name, &code);
  status = device_check(engine->device, code, "clCreateKernel", error);
  if (status != CLA_OK) return status;
  const cl_mem arguments[] = {engine->params.memory, engine->scores.memory,   engine->query.memory,
                              engine->target.memory, engine->bus.memory,      engine->states.memory,
                              engine->bases.memory,  engine->rows.memory,     engine->bottom.memory,
                              engine->bests.memory,  engine->counters.memory, engine->runs.memory,
                              engine->notes.memory,  engine->used.memory,     engine->used_first.memory};
  for (cl_uint i = 0; i < LAUNCH_FIRST_ARGUMENT && code == CL_SUCCESS; i++)
    code = clSetKernelArg(kernel, i, sizeof(cl_mem), &arguments[i]);
  status = device_check(engine->device, code, "clSetKernelArg", error);
  last_row below = {.next = -1};
  if (status == CLA_OK) status = last_row_begin(&below, &work, error);
  if (status == CLA_OK) status = launch_region(&work, kernel, &below, error);
  if (status == CLA_OK && what->best) status = collect_best(out, &work, error);
  if (status == CLA_OK) status = last_row_end(&below, out, error);
  if (status == CLA_OK && what->bottom) status = collect_bottom(out, &work, error);
  out->cells = what->rows * what->columns;
  if (status == CLA_OK && what->prune)
    status = pruning_cells(&out->cells, &work, error);
  else if (status == CLA_OK && what->strips)
    what->strips(what->user, &(region_strip){.rows = what->rows, .columns = what->columns});
  last_row_free(&below);
  clReleaseKernel(kernel);
  return status;
}
