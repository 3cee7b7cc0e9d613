#include "wavefront/launch.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/machine.h"
#include "wavefront/pruning.h"

/* A batch is what is enqueued before the host waits: long enough that waiting costs nothing, short enough for
 * progress, an interrupt, and displays that hang while a kernel runs. */
#define BATCH_SECONDS 0.1
/* Cells of the first batch for each compute unit: well below what the fastest device does in BATCH_SECONDS.
 */
#define BATCH_CELLS_CPU 3e8
#define BATCH_CELLS_GPU 2e9
#define BATCH_DIAGONALS_MOST (INT64_C(1) << 20)
/* With pruning, as many strips may have begun at a batch's end, and are asked whether they have. */
#define BATCH_DIAGONALS_PRUNED 64

/* A kept row on its way to the host. */
typedef struct staged_row {
  int64_t strip; /* the row is below it */
  strip_run run; /* of that strip, with pruning */
  cl_event read;
  char *values; /* in the engine's row_staging */
} staged_row;

/* One region on its way through the device. */
typedef struct region_launch {
  wavefront *engine;
  const region *what;
  const kernel_config *config;
  const kernel_geometry *g;
  cl_kernel kernel;
  int64_t row_slots;
  int64_t tiles_done;
  int64_t next_kept; /* the first strip whose kept row has not been read */
  int rows_at_once;
  staged_row staged[KERNEL_ROWS_AT_ONCE_MOST];
  int staged_count;
  pruning pruned;
  strip_best *bests; /* of all strips, where the best cell is wanted with each kept row; else NULL */
  strip_best best;   /* of the strips that were looked at: */
  int64_t bests_seen;
} region_launch;

cla_status launch_fill_zero(wavefront *engine, const grown_buffer *buffer, int64_t offset, int64_t bytes,
                            cla_error *error) {
  const cl_int zero = 0;
  const cl_int code = clEnqueueFillBuffer(engine->device->queue, buffer->memory, &zero, sizeof zero,
                                          (size_t)offset, (size_t)bytes, 0, NULL, NULL);
  return device_check(engine->device, code, "clEnqueueFillBuffer", error);
}

/* Enqueues the tiles of diagonals [diagonal, diagonal + count) of the strips first to last. */
static cla_status launch(const region_launch *l, int64_t diagonal, int64_t count, int64_t first, int64_t last,
                         cla_error *error) {
  const bool persistent = l->config->launch == KERNEL_PERSISTENT;
  const int64_t strips = last - first + 1;
  const int64_t chains = persistent && l->config->groups < strips ? l->config->groups : strips;
  const size_t local = (size_t)kernel_group_items(l->config);
  const size_t global = (size_t)kernel_groups(l->config, chains) * local;
  const int64_t numbers[] = {diagonal, count, first, last};
  cla_status status =
      persistent ? launch_fill_zero(l->engine, &l->engine->counters, 0, 2 * sizeof(cl_int), error) : CLA_OK;
  cl_int code = CL_SUCCESS;
  for (cl_uint i = 0; i < sizeof numbers / sizeof numbers[0] && code == CL_SUCCESS; i++)
    code = clSetKernelArg(l->kernel, LAUNCH_FIRST_ARGUMENT + i, sizeof numbers[i], &numbers[i]);
  if (status == CLA_OK) status = device_check(l->engine->device, code, "clSetKernelArg", error);
  if (status != CLA_OK) return status;
  code = clEnqueueNDRangeKernel(l->engine->device->queue, l->kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  return device_check(l->engine->device, code, "clEnqueueNDRangeKernel", error);
}

/* Enqueues diagonals [begin, end), in one launch or one by one. */
static cla_status launch_batch(region_launch *l, int64_t begin, int64_t end, cla_error *error) {
  const bool persistent = l->config->launch == KERNEL_PERSISTENT;
  cla_status status = CLA_OK;
  for (int64_t diagonal = begin; status == CLA_OK && diagonal < end;) {
    const int64_t next = persistent ? end : diagonal + 1;
    int64_t first = 0, last = 0, unused = 0;
    kernel_diagonal(l->g, diagonal, &first, &unused);
    kernel_diagonal(l->g, next - 1, &unused, &last);
    if (l->what->prune) pruning_clip(&l->pruned, next, &first, &last);
    if (first <= last) status = launch(l, diagonal, next - diagonal, first, last, error);
    diagonal = next;
  }
  /* Some drivers begin only when they are told to. */
  return status == CLA_OK
             ? device_check(l->engine->device, clFlush(l->engine->device->queue), "clFlush", error)
             : status;
}

/* The first diagonal from `begin` on with a tile that has not been computed, or `end`. */
static cla_status first_unfinished(int64_t *out, const region_launch *l, int64_t begin, int64_t end,
                                   cla_error *error) {
  const kernel_geometry *g = l->g;
  int64_t first = 0, last = 0, unused = 0;
  cl_int *counters = NULL;
  kernel_diagonal(g, begin, &first, &unused);
  kernel_diagonal(g, end - 1, &unused, &last);
  if (l->what->prune) pruning_clip(&l->pruned, end, &first, &last);
  *out = end;
  if (first > last) return CLA_OK;
  cla_status status =
      allocate_array((void **)&counters, KERNEL_COUNTERS(last + 1), sizeof *counters, "counters", error);
  if (status != CLA_OK) return status;
  const cl_int code =
      clEnqueueReadBuffer(l->engine->device->queue, l->engine->counters.memory, CL_TRUE, 0,
                          (size_t)KERNEL_COUNTERS(last + 1) * sizeof *counters, counters, 0, NULL, NULL);
  status = device_check(l->engine->device, code, "clEnqueueReadBuffer", error);
  for (int64_t strip = first; status == CLA_OK && strip <= last; strip++) {
    const int64_t tile = counters[KERNEL_COUNTER_PROGRESS(strip)] / g->tile_columns;
    if (tile < g->tiles && tile + 2 * strip < *out) *out = tile + 2 * strip;
  }
  if (*out < begin) *out = begin; /* strips whose tiles were passed over long ago */
  free(counters);
  return status;
}

/* Waits for the batch, and launches what is left of it again while chains of it gave up. */
static cla_status finish_batch(region_launch *l, int64_t begin, int64_t end, cla_error *error) {
  cl_command_queue queue = l->engine->device->queue;
  const bool repeats = l->config->launch == KERNEL_PERSISTENT && l->config->variant->tile_tickets;
  cl_int abandoned = 1;
  if (!repeats) return device_check(l->engine->device, clFinish(queue), "clFinish", error);
  for (;;) {
    const cl_int code = clEnqueueReadBuffer(queue, l->engine->counters.memory, CL_TRUE,
                                            KERNEL_COUNTER_ABANDONED * sizeof abandoned, sizeof abandoned,
                                            &abandoned, 0, NULL, NULL);
    cla_status status = device_check(l->engine->device, code, "clEnqueueReadBuffer", error);
    if (status == CLA_OK && !abandoned) return CLA_OK;
    if (status == CLA_OK) status = first_unfinished(&begin, l, begin, end, error);
    if (status == CLA_OK && begin < end) status = launch_batch(l, begin, end, error);
    if (status != CLA_OK || begin == end) return status;
  }
}

/* Whether `strip`'s bottom row is wanted and is a row of the region. */
static bool keeps_row(const region_launch *l, int64_t strip) {
  const int64_t row = (strip + 1) * kernel_strip_rows(l->config);
  return strip >= 0 && strip < l->g->strips && l->what->row_interval > 0 && row <= l->what->rows &&
         row % l->what->row_interval == 0;
}

/* Strips from one kept row to the next. */
static int64_t strips_apart(const region_launch *l) {
  return l->what->row_interval / kernel_strip_rows(l->config);
}

/* Where a batch from `begin` on ends: after `batch` diagonals, or with the last row that can be staged. */
static int64_t batch_end(const region_launch *l, int64_t begin, int64_t batch) {
  const int64_t diagonals = kernel_diagonals(l->g);
  const int64_t last_kept = l->next_kept + (l->rows_at_once - 1) * strips_apart(l);
  int64_t end = batch < diagonals - begin ? begin + batch : diagonals;
  if (keeps_row(l, last_kept) && kernel_last_diagonal(l->g, last_kept) < end)
    end = kernel_last_diagonal(l->g, last_kept) + 1;
  return end > begin ? end : begin + 1;
}

/* Starts to read the best cells of the strips down to `strip`, which have ended, that were not taken yet. */
static cla_status read_bests(region_launch *l, int64_t strip, cla_error *error) {
  const int64_t bytes = (int64_t)sizeof *l->bests;
  cla_status status = CLA_OK;
  if (!l->what->best) return CLA_OK;
  if (!l->bests)
    status = allocate_array((void **)&l->bests, l->g->strips, bytes, "the strips' best cells", error);
  if (status != CLA_OK) return status;
  const cl_int code = clEnqueueReadBuffer(
      l->engine->device->queue, l->engine->bests.memory, CL_FALSE, (size_t)(l->bests_seen * bytes),
      (size_t)((strip + 1 - l->bests_seen) * bytes), l->bests + l->bests_seen, 0, NULL, NULL);
  return device_check(l->engine->device, code, "clEnqueueReadBuffer", error);
}

/* Starts to read the row kept below `strip`. */
static cla_status read_row(region_launch *l, int64_t strip, cla_error *error) {
  staged_row *staged = &l->staged[l->staged_count];
  const int64_t row = (strip + 1) * kernel_strip_rows(l->config);
  const int64_t slot = (row / l->what->row_interval - 1) % l->row_slots;
  staged->strip = strip;
  staged->values = (char *)l->engine->row_staging + l->staged_count * l->g->row_bytes;
  cla_status status = read_bests(l, strip, error);
  if (status == CLA_OK && l->what->prune) status = pruning_read(&staged->run, l->engine, strip, 1, error);
  if (status != CLA_OK) return status;
  const cl_int code = clEnqueueReadBuffer(l->engine->device->queue, l->engine->rows.memory, CL_FALSE,
                                          (size_t)(slot * l->g->row_bytes), (size_t)l->g->row_bytes,
                                          staged->values, 0, NULL, &staged->read);
  status = device_check(l->engine->device, code, "clEnqueueReadBuffer", error);
  if (status == CLA_OK) l->staged_count++;
  return status;
}

/* Hands a row to the sink once it is read: the left border's node, which follows a rule, and the lanes'. */
static cla_status deliver_row(region_launch *l, staged_row *staged, cla_error *error) {
  const region *what = l->what;
  const int64_t row = (staged->strip + 1) * kernel_strip_rows(l->config);
  const row_nodes nodes = pruning_row_nodes(l->engine, what, l->config, staged->strip, row, &staged->run);
  const uint32_t border_h = (uint32_t)nodes.left_h;
  const uint32_t border_f = (uint32_t)(nodes.left_h - l->engine->input.scoring->gap_first);
  const char *line_h = staged->values + (l->g->margin + nodes.first) * l->g->value_bytes;
  const region_row_part left = {.row = row,
                                .column = nodes.first,
                                .count = 1,
                                .before = nodes.left_h,
                                .h = &border_h,
                                .f = &border_f,
                                .lane_bits = 32};
  const region_row_part lanes = {.row = row,
                                 .column = nodes.first + 1,
                                 .count = nodes.last - nodes.first,
                                 .before = nodes.left_h,
                                 .h = line_h,
                                 .f = line_h + l->g->stride * l->g->value_bytes,
                                 .lane_bits = l->config->variant->lane_bits};
  cla_status status =
      device_check(l->engine->device, clWaitForEvents(1, &staged->read), "clWaitForEvents", error);
  clReleaseEvent(staged->read);
  staged->read = NULL;
  if (status != CLA_OK) return status;
  if (l->bests) {
    take_best(&l->best, l->bests + l->bests_seen, staged->strip + 1 - l->bests_seen);
    l->bests_seen = staged->strip + 1;
  }
  if (nodes.first > nodes.last) return CLA_OK;
  const region_row_part end = {.row = row,
                               .column = nodes.last + 1,
                               .best_score = l->best.score,
                               .best_row = l->best.row,
                               .best_column = l->best.column};
  status = what->sink(what->user, &left, error);
  if (status == CLA_OK && nodes.last > nodes.first) status = what->sink(what->user, &lanes, error);
  if (status == CLA_OK) status = what->sink(what->user, &end, error);
  return status;
}

/* Hands all that were read to the sink. */
static cla_status deliver_rows(region_launch *l, cla_error *error) {
  cla_status status = CLA_OK;
  for (int i = 0; status == CLA_OK && i < l->staged_count; i++) status = deliver_row(l, &l->staged[i], error);
  if (status == CLA_OK) l->staged_count = 0;
  return status;
}

/* Starts to read the rows of the strips that have ended before diagonal `end`. */
static cla_status read_rows(region_launch *l, int64_t end, cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && keeps_row(l, l->next_kept) && kernel_last_diagonal(l->g, l->next_kept) < end) {
    if (l->staged_count == l->rows_at_once) status = deliver_rows(l, error);
    if (status == CLA_OK) status = read_row(l, l->next_kept, error);
    l->next_kept += strips_apart(l);
  }
  return status;
}

/* Before anything is known. */
static int64_t first_batch(const region_launch *l) {
  const cla_device_info *device = &l->engine->device->info;
  const double cells =
      (device->kind == CLA_DEVICE_GPU ? BATCH_CELLS_GPU : BATCH_CELLS_CPU) * device->compute_units;
  const double share = cells / ((double)l->what->rows * (double)l->what->columns);
  const double diagonals = (double)kernel_diagonals(l->g);
  return share < 1 ? (int64_t)(share * diagonals) + 1 : (int64_t)diagonals;
}

/* Batches so long that each takes about BATCH_SECONDS. */
static int64_t next_batch(int64_t diagonals, double seconds) {
  if (seconds < BATCH_SECONDS / 2 && diagonals < BATCH_DIAGONALS_MOST) return 2 * diagonals;
  if (seconds > BATCH_SECONDS * 2 && diagonals > 1) return diagonals / 2;
  return diagonals;
}

/* The rows of strips that have ended before their last diagonals. */
static cla_status deliver_rest(region_launch *l, cla_error *error) {
  cla_status status = CLA_OK;
  for (; status == CLA_OK && keeps_row(l, l->next_kept) && l->next_kept <= l->pruned.started;
       l->next_kept += strips_apart(l)) {
    status = read_row(l, l->next_kept, error);
    if (status == CLA_OK) status = deliver_rows(l, error);
  }
  return status;
}

static cla_status launch_all(region_launch *l, cla_error *error) {
  const int64_t diagonals = kernel_diagonals(l->g);
  const int64_t all = l->what->rows * l->what->columns;
  int64_t batch = first_batch(l);
  bool done = false;
  int64_t end = 0;
  cla_status status = CLA_OK;
  for (int64_t begin = 0; status == CLA_OK && begin < diagonals && !done; begin = end) {
    const double began = machine_seconds();
    if (l->what->prune && batch > BATCH_DIAGONALS_PRUNED) batch = BATCH_DIAGONALS_PRUNED;
    end = batch_end(l, begin, batch);
    status = launch_batch(l, begin, end, error);
    if (status == CLA_OK) status = deliver_rows(l, error); /* while the device works */
    if (status == CLA_OK) status = finish_batch(l, begin, end, error);
    if (status == CLA_OK) status = read_rows(l, end, error);
    if (end - begin == batch) batch = next_batch(batch, machine_seconds() - began);
    if (status == CLA_OK && l->what->prune)
      status = pruning_update(&l->pruned, &done, l->engine, l->g, end, error);
    const double tile_cells = (double)(kernel_strip_rows(l->config) * l->config->tile_columns);
    const int64_t cells = (int64_t)(kernel_tiles_before(l->g, end) * tile_cells);
    if (status == CLA_OK && l->what->tick)
      status = l->what->tick(l->what->user, cells < all ? cells : all, error);
  }
  if (status == CLA_OK) status = deliver_rows(l, error);
  if (status == CLA_OK && done) status = deliver_rest(l, error);
  return status;
}

cla_status launch_region(wavefront *engine, const region *what, const kernel_config *config,
                         const kernel_geometry *g, cl_kernel kernel, int64_t row_slots, cla_error *error) {
  region_launch l = {.engine = engine,
                     .what = what,
                     .config = config,
                     .g = g,
                     .kernel = kernel,
                     .row_slots = row_slots,
                     .next_kept = what->row_interval / kernel_strip_rows(config) - 1,
                     .rows_at_once = kernel_rows_at_once(g, config),
                     .pruned = {.started = -1}};
  cla_status status = CLA_OK;
  if (what->row_interval > 0)
    status = allocate_grow(&engine->row_staging, &engine->row_staging_bytes, l.rows_at_once * g->row_bytes, 1,
                           "kept rows", error);
  if (status == CLA_OK) status = launch_all(&l, error);
  if (status == CLA_ERROR_INTERRUPTED) deliver_rows(&l, NULL); /* they are there: keep them */
  if (status != CLA_OK) {
    clFinish(engine->device->queue);
    for (int i = 0; i < l.staged_count; i++)
      if (l.staged[i].read) clReleaseEvent(l.staged[i].read);
  }
  free(l.bests);
  return status;
}
