#include "region/upper_border.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "region/pruning.h"

/* Number of columns that a work-group of nvidia16_top.clh computes. */
#define TOP_COLUMNS 2048

/* True if a launch computes whole strips, so it needs the whole border. */
static bool takes_strips(const region *what, const kernel_config *config) {
  return what->prune && config->variant->run_columns > 0;
}

typedef cla_status (*writer)(const wavefront *engine, engine_buffer which, int64_t offset, const void *data,
                             int64_t bytes, cla_error *error);

/* Writes `count` values of each line to the lines of odd parity, which strip 0 reads; as values or as bus
 * words. */
static cla_status load_piece(const region_work *w, int64_t first, int64_t count, writer write,
                             cla_error *error) {
  const int64_t part_bytes = count * w->g->value_bytes, line_bytes = w->g->stride * w->g->value_bytes;
  const int64_t odd_words = w->g->bus_bytes - w->g->word_bytes / 2, word = (int64_t)sizeof(uint64_t);
  uint64_t *words = NULL;
  cla_status status = CLA_OK;
  lane_values_top(w, first, count);
  if (w->g->word_bytes == 0) {
    for (int line = 0; status == CLA_OK && line < w->g->lines; line++)
      status = write(w->engine, BUFFER_BUS, w->g->row_bytes + line * line_bytes + first * w->g->value_bytes,
                     (const char *)w->engine->staging + line * part_bytes, part_bytes, error);
    return status;
  }
  status = ALLOCATE_ARRAY(&words, (w->g->lines - 1) * count, "bus words", error);
  if (status != CLA_OK) return status;
  lane_values_words(words, w->engine->staging, w->g, count);
  for (int line = 0; status == CLA_OK && line < w->g->lines - 1; line++)
    status = write(w->engine, BUFFER_BUS, odd_words + (line * w->g->stride + first) * word,
                   words + line * count, count * word, error);
  free(words);
  return status;
}

/* Like load_piece for any number of values, which are written piece by piece. */
static cla_status load(const region_work *w, int64_t first, int64_t count, writer write, cla_error *error) {
  const int64_t end = first + count;
  cla_status status = CLA_OK;
  for (int64_t next = first; status == CLA_OK && next < end; next += KERNEL_NODES_STAGED)
    status = load_piece(w, next, smaller(end - next, KERNEL_NODES_STAGED), write, error);
  return status;
}

/* Enqueues the kernel of nvidia16_top.clh, which computes a border that follows a rule. */
static cla_status compute_words(const wavefront *engine, const kernel_config *config,
                                const kernel_geometry *g, cl_program program, cla_error *error) {
  const int64_t columns = g->stride - g->margin;
  const int64_t groups = (columns + TOP_COLUMNS - 1) / TOP_COLUMNS;
  char name[64];
  cl_int code = CL_SUCCESS;
  snprintf(name, sizeof name, "%s_top", config->variant->name);
  cl_kernel kernel = clCreateKernel(program, name, &code);
  cla_status status = device_check(engine->device, code, "clCreateKernel", error);
  if (status != CLA_OK) return status;
  code = clSetKernelArg(kernel, 0, sizeof(cl_mem), &engine->buffers[BUFFER_PARAMS].memory);
  if (code == CL_SUCCESS)
    code = clSetKernelArg(kernel, 1, sizeof(cl_mem), &engine->buffers[BUFFER_BUS].memory);
  status = device_check(engine->device, code, "clSetKernelArg", error);
  if (status == CLA_OK) status = device_launch(engine->device, kernel, groups, config->variant->items, error);
  clReleaseKernel(kernel);
  return status;
}

cla_status upper_border_load(const region_work *w, cl_program program, cla_error *error) {
  cla_status status = CLA_OK;
  /* unwritten words must be zero, a strip number for which no strip waits */
  if (w->g->word_bytes > 0)
    status = wavefront_fill_zero(w->engine, BUFFER_BUS, w->g->bus_bytes - w->g->word_bytes, w->g->word_bytes,
                                 error);
  if (status == CLA_OK && w->g->word_bytes > 0 && !w->what->above.h && !w->what->calls.top)
    return compute_words(w->engine, w->config, w->g, program, error);
  if (status != CLA_OK) return status;
  if (w->what->calls.await && !takes_strips(w->what, w->config)) return CLA_OK;
  region_arrival there = {0};
  if (w->what->calls.await)
    status = w->what->calls.await(w->what->calls.user, &there, w->what->columns + 1, error);
  return status == CLA_OK ? load(w, 0, w->g->stride, wavefront_write, error) : status;
}

/* True if parts of the border can be written while a launch runs. Only bus words allow it, because strips
 * also write to lines of values. */
static bool can_come_later(const upper_border *b) {
  const cla_device *device = b->w->engine->device;
  return !b->w->what->prune && b->w->g->word_bytes > 0 && device->on->transfers != device->on->queue;
}

void upper_border_begin(upper_border *b, const region_work *w) {
  *b = (upper_border){.w = w, .there = {.nodes = 0, .computed = -1}};
}

/* Returns the number of nodes that the diagonals before `end` need. Each diagonal has one tile of strip 0,
 * and pruning also needs the border above the next tile. */
static int64_t nodes_for(const upper_border *b, int64_t end) {
  return smaller((end + 1) * b->w->g->tile_columns, b->w->what->columns) + 1;
}

/* Copies to the device the nodes that have arrived. */
static cla_status bring(upper_border *b, writer write, cla_error *error) {
  const kernel_geometry *g = b->w->g;
  const int64_t nodes = b->there.nodes;
  const bool whole = nodes == b->w->what->columns + 1;
  const int64_t values =
      whole ? g->stride : g->margin + nodes - 1; /* with all nodes, padding follows the last one */
  const int64_t tiles = whole ? g->tiles : (nodes - 1) / g->tile_columns;
  cla_status status = load(b->w, b->loaded, values - b->loaded, write, error);
  b->loaded = values;
  if (status != CLA_OK || !b->w->what->prune) return status;
  status = pruning_note_arrived(b->w, b->noted, tiles, b->there.computed, error);
  b->noted = tiles;
  return status;
}

/* Returns the earliest end of diagonals, from `begin` on, for which waiting is worthwhile. */
static int64_t least_end(const upper_border *b, int64_t begin, int64_t end) {
  return smaller(end, begin + larger(b->w->g->tiles / UPPER_BORDER_PARTS, 1));
}

bool upper_border_there(const upper_border *b, int64_t begin, int64_t end) {
  const region *what = b->w->what;
  const int64_t wanted = nodes_for(b, least_end(b, begin, end));
  region_arrival now = b->there;
  cla_error unused = {.status = CLA_OK};
  if (!what->calls.await || now.nodes >= wanted) return true;
  return what->calls.await(what->calls.user, &now, 0, &unused) == CLA_OK && now.nodes >= wanted;
}

cla_status upper_border_await(upper_border *b, int64_t begin, int64_t *end, cla_error *error) {
  const region *what = b->w->what;
  const int64_t least = least_end(b, begin, *end);
  if (!what->calls.await) return CLA_OK;
  if (b->there.nodes < nodes_for(b, least)) {
    cla_status status = what->calls.await(what->calls.user, &b->there, nodes_for(b, least), error);
    /* The remaining nodes are copied while the batch runs. */
    if (can_come_later(b)) b->there.nodes = smaller(b->there.nodes, nodes_for(b, *end));
    if (status == CLA_OK) status = bring(b, wavefront_write, error);
    if (status != CLA_OK) return status;
  }
  if (b->there.nodes <= what->columns)
    *end = larger(least, smaller(*end, (b->there.nodes - 1) / b->w->g->tile_columns - 1));
  return CLA_OK;
}

bool upper_border_arrives(const upper_border *b) {
  return b->w->what->calls.await && can_come_later(b) && b->there.nodes <= b->w->what->columns;
}

cla_status upper_border_prepare(upper_border *b, cla_error *error) {
  const region *what = b->w->what;
  region_arrival now = b->there;
  if (!upper_border_arrives(b)) return CLA_OK;
  cla_status status = what->calls.await(what->calls.user, &now, 0, error);
  if (status != CLA_OK || now.nodes <= b->there.nodes) return status;
  /* Limits the number of nodes, so that copying takes the host much less time than a batch. */
  now.nodes = smaller(now.nodes, b->there.nodes + b->w->what->columns / UPPER_BORDER_PARTS + 1);
  b->there = now;
  return bring(b, wavefront_write_beside, error);
}
