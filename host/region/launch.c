#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "region/last_row.h"
#include "region/pruning.h"
#include "region/row_delivery.h"
#include "region/upper_border.h"
#include "region/wavefront_internal.h"

/* A batch is the work that is enqueued before the host waits for the device. */
/* Wanted duration of a batch, in seconds: much longer than the wait, but short enough for progress reports
 * and displays. */
#define BATCH_SECONDS 0.1
/* Cells of the first batch per compute unit. Any device computes them in far less than BATCH_SECONDS. */
#define BATCH_CELLS_CPU 3e8
#define BATCH_CELLS_GPU 2e9                     /* cells of the first batch per compute unit */
#define BATCH_DIAGONALS_MOST (INT64_C(1) << 20) /* maximum number of diagonals of a batch */
/* Maximum number of diagonals of a pruned batch. After the batch, the host reads the states of that many
 * strips. */
#define BATCH_DIAGONALS_PRUNED 64
/* Strips per group in the first launch of whole strips; with fewer, groups would be idle. */
#define STRIPS_FIRST 4
#define FIRST_HANDED_DOWN 8 /* divides the length of the first batch if the last row is handed down */
/* Pause, in nanoseconds, between checks for a batch's end, its border and its last row. */
#define NANOSECONDS_BETWEEN_LOOKS 50000

/* The state in which a region is computed on the device. */
typedef struct region_launch {
  const region_work *w;
  cl_kernel kernel;
  row_delivery rows;
  last_row *below;
  upper_border above;
  pruning pruned;
  kernel_panel panel; /* current panel; in most regions it contains all strips */
} region_launch;

/* Enqueues the tiles of the strips `first` to `last` in the diagonals [diagonal, diagonal + count). */
static cla_status launch(const region_launch *l, int64_t diagonal, int64_t count, int64_t first, int64_t last,
                         cla_error *error) {
  const bool persistent = l->w->config->launch == KERNEL_PERSISTENT;
  const int64_t strips = last - first + 1;
  const int64_t chains = persistent && l->w->config->groups < strips ? l->w->config->groups : strips;
  const int64_t groups = kernel_groups(l->w->config, chains);
  const int64_t numbers[] = {diagonal, count, first, last};
  cla_status status =
      persistent ? wavefront_fill_zero(l->w->engine, BUFFER_COUNTERS, 0, 2 * sizeof(cl_int), error) : CLA_OK;
  cl_int code = CL_SUCCESS;
  for (cl_uint i = 0; i < sizeof numbers / sizeof numbers[0] && code == CL_SUCCESS; i++)
    code = clSetKernelArg(l->kernel, BUFFER_COUNT + i, sizeof numbers[i], &numbers[i]);
  if (status == CLA_OK) status = device_check(l->w->engine->device, code, "clSetKernelArg", error);
  if (status != CLA_OK) return status;
  return device_launch(l->w->engine->device, l->kernel, groups, kernel_group_items(l->w->config), error);
}

/* Sets *first and *last to the strips that have tiles in the diagonals [begin, end); none if *first > *last.
 */
static void strips_between(const region_launch *l, int64_t begin, int64_t end, int64_t *first,
                           int64_t *last) {
  int64_t unused = 0;
  kernel_diagonal(l->w->g, begin, first, &unused);
  kernel_diagonal(l->w->g, end - 1, &unused, last);
  *first = larger(*first, l->panel.first);
  *last = smaller(*last, l->panel.last);
  if (l->w->what->prune) pruning_clip(&l->pruned, end, first, last);
}

/* Enqueues the diagonals [begin, end), in one launch or one launch per diagonal. */
static cla_status launch_batch(region_launch *l, int64_t begin, int64_t end, cla_error *error) {
  const bool persistent = l->w->config->launch == KERNEL_PERSISTENT;
  cla_status status = CLA_OK;
  for (int64_t diagonal = begin; status == CLA_OK && diagonal < end;) {
    const int64_t next = persistent ? end : diagonal + 1;
    int64_t first = 0, last = 0;
    strips_between(l, diagonal, next, &first, &last);
    if (first <= last) status = launch(l, diagonal, next - diagonal, first, last, error);
    diagonal = next;
  }
  /* Some drivers start to work only after a flush. */
  return status == CLA_OK
             ? device_check(l->w->engine->device, clFlush(l->w->engine->device->on->queue), "clFlush", error)
             : status;
}

/* Sets *out to the first diagonal in [begin, end) with a tile that has not been computed; `end` if there is
 * none. */
static cla_status first_unfinished(int64_t *out, const region_launch *l, int64_t begin, int64_t end,
                                   cla_error *error) {
  const kernel_geometry *g = l->w->g;
  int64_t first = 0, last = 0;
  cl_int *counters = NULL;
  strips_between(l, begin, end, &first, &last);
  *out = end;
  if (first > last) return CLA_OK;
  cla_status status = ALLOCATE_ARRAY(&counters, KERNEL_COUNTERS(last + 1), "counters", error);
  if (status != CLA_OK) return status;
  status = wavefront_read(l->w->engine, BUFFER_COUNTERS, 0, counters,
                          KERNEL_COUNTERS(last + 1) * (int64_t)sizeof *counters, error);
  for (int64_t strip = first; status == CLA_OK && strip <= last; strip++) {
    const int64_t tile = counters[KERNEL_COUNTER_PROGRESS(strip)] / g->tile_columns;
    if (tile < g->tiles && tile + 2 * strip < *out) *out = tile + 2 * strip;
  }
  if (*out < begin) *out = begin; /* some strips may have tiles that were skipped earlier */
  free(counters);
  return status;
}

/* Waits for the batch. As long as chains have given up, launches the remaining tiles again. */
static cla_status finish_batch(region_launch *l, int64_t begin, int64_t end, cla_error *error) {
  const cla_device *device = l->w->engine->device;
  const bool repeats =
      l->w->config->launch == KERNEL_PERSISTENT && l->w->config->variant->persistent.single_tiles;
  cl_int abandoned = 1;
  if (!repeats) return device_check(device, clFinish(device->on->queue), "clFinish", error);
  for (;;) {
    cla_status status =
        wavefront_read(l->w->engine, BUFFER_COUNTERS, KERNEL_COUNTER_ABANDONED * (int64_t)sizeof abandoned,
                       &abandoned, sizeof abandoned, error);
    if (status == CLA_OK && !abandoned) return CLA_OK;
    if (status == CLA_OK) status = first_unfinished(&begin, l, begin, end, error);
    if (status == CLA_OK && begin < end) status = launch_batch(l, begin, end, error);
    if (status != CLA_OK || begin == end) return status;
  }
}

/* True if data must be copied to or from the device while a batch runs. */
static bool goes_on_beside(const region_launch *l, int64_t end) {
  return upper_border_arrives(&l->above) || last_row_comes(l->below, end);
}

/* While the batch runs, copies the arriving border to the device, so that the next batch need not wait, and
 * hands down the last row. */
static cla_status hand_on(region_launch *l, int64_t end, cla_error *error) {
  const cla_device *device = l->w->engine->device;
  const struct timespec pause = {.tv_nsec = NANOSECONDS_BETWEEN_LOOKS};
  cl_event done = NULL;
  cl_int state = CL_QUEUED;
  if (!goes_on_beside(l, end)) return CLA_OK;
  cla_status status = device_check(device, clEnqueueMarkerWithWaitList(device->on->queue, 0, NULL, &done),
                                   "clEnqueueMarkerWithWaitList", error);
  if (status == CLA_OK) status = device_check(device, clFlush(device->on->queue), "clFlush", error);
  while (status == CLA_OK && state > CL_COMPLETE && goes_on_beside(l, end)) {
    status = upper_border_prepare(&l->above, error);
    if (status == CLA_OK) status = last_row_look(l->below, end, error);
    const cl_int code = clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (status == CLA_OK) status = device_check(device, code, "clGetEventInfo", error);
    if (status == CLA_OK && state < 0) status = device_check(device, state, "a launch", error);
    if (state > CL_COMPLETE) nanosleep(&pause, NULL);
  }
  if (done) clReleaseEvent(done);
  return status;
}

/* Returns the panel's first diagonal. */
static int64_t panel_begin(const region_launch *l) {
  return kernel_first_diagonal(l->w->g, l->panel.first);
}

static int64_t panel_end(const region_launch *l) {
  return kernel_last_diagonal(l->w->g, l->panel.last) + 1;
}

/* Returns the end of a batch from diagonal `begin` on: after `batch` diagonals, or earlier if there is no
 * more room for kept rows. */
static int64_t batch_end(const region_launch *l, int64_t begin, int64_t batch) {
  const int64_t diagonals = panel_end(l);
  const int64_t last_kept = row_delivery_last_diagonal(&l->rows);
  int64_t end = batch < diagonals - begin ? begin + batch : diagonals;
  if (last_kept < end) end = last_kept + 1;
  return end > begin ? end : begin + 1;
}

/* Calls the region's tick with the number of cells done. */
static cla_status tick(const region_launch *l, int64_t cells, cla_error *error) {
  const region *what = l->w->what;
  if (!what->calls.tick) return CLA_OK;
  if (what->calls.passed_over)
    *what->calls.passed_over = what->prune ? larger(cells - l->pruned.cells, 0) : 0;
  return what->calls.tick(what->calls.user, cells, error);
}

/* Returns the number of diagonals of the first batch. */
static int64_t first_batch(const region_launch *l) {
  const cla_device_info *device = &l->w->engine->device->info;
  const double cells =
      (device->kind == CLA_DEVICE_GPU ? BATCH_CELLS_GPU : BATCH_CELLS_CPU) * device->compute_units;
  const double strips = (double)(l->panel.last + 1 - l->panel.first);
  const double rows = fmin(strips * (double)kernel_strip_rows(l->w->config), (double)l->w->what->rows);
  const double share = cells / (rows * (double)l->w->what->columns);
  const double diagonals = (double)(panel_end(l) - panel_begin(l));
  return share < 1 ? (int64_t)(share * diagonals) + 1 : (int64_t)diagonals;
}

/* Returns the maximum number of diagonals of a batch. */
static int64_t batch_most(const region_launch *l) {
  const int64_t most = l->w->what->prune ? BATCH_DIAGONALS_PRUNED : BATCH_DIAGONALS_MOST;
  return l->w->what->calls.below ? smaller(most, larger(kernel_diagonals(l->w->g) / REGION_BATCHES_BELOW, 1))
                                 : most;
}

/* Exchanges the best known score with the regions that are computed at the same time. */
static cla_status share_reached(const region_launch *l, cla_error *error) {
  const int shift = l->w->known_shift;
  const int64_t offset = KERNEL_COUNTER_KNOWN * (int64_t)sizeof(int32_t);
  int32_t here = 0;
  if (!l->w->what->reached) return CLA_OK;
  cla_status status = wavefront_read(l->w->engine, BUFFER_COUNTERS, offset, &here, sizeof here, error);
  int64_t all = atomic_load(l->w->what->reached);
  const int64_t reached = (int64_t)here << shift;
  while (status == CLA_OK && all < reached &&
         !atomic_compare_exchange_weak(l->w->what->reached, &all, reached)) {
  }
  const int32_t known = (int32_t)smaller(all >> shift, INT32_MAX);
  if (status == CLA_OK && known > here)
    status = wavefront_write(l->w->engine, BUFFER_COUNTERS, offset, &known, sizeof known, error);
  return status;
}

/* Returns a number of diagonals for the next batch with which it takes about BATCH_SECONDS. */
static int64_t next_batch(int64_t diagonals, double seconds) {
  if (seconds < BATCH_SECONDS / 2 && diagonals < BATCH_DIAGONALS_MOST) return 2 * diagonals;
  if (seconds > BATCH_SECONDS * 2 && diagonals > 1) return diagonals / 2;
  return diagonals;
}

/* Computes the panel in batches, the first one with *batch diagonals. *done is set if nothing below the
 * panel can matter. */
static cla_status launch_panel(region_launch *l, int64_t *batch, bool *done, cla_error *error) {
  const int64_t diagonals = panel_end(l);
  const int64_t all = l->w->what->rows * l->w->what->columns;
  const bool overlaps = l->w->engine->device->on->transfers != l->w->engine->device->on->queue;
  /* true: rows are handed over while the device computes the next batch */
  const bool hands_down_later = overlaps && !l->w->what->prune;
  int64_t end = 0;
  cla_status status = CLA_OK;
  for (int64_t begin = panel_begin(l); status == CLA_OK && begin < diagonals && !*done; begin = end) {
    *batch = smaller(*batch, batch_most(l));
    end = batch_end(l, begin, *batch);
    if (hands_down_later && !upper_border_there(&l->above, begin, end))
      status = last_row_hand_over(l->below, begin, error); /* another region may wait for these nodes */
    if (status == CLA_OK) status = upper_border_await(&l->above, begin, &end, error);
    const double began = machine_seconds();
    if (status == CLA_OK && !overlaps) status = row_delivery_hand_over(&l->rows, error);
    if (status == CLA_OK) status = launch_batch(l, begin, end, error);
    if (status == CLA_OK && hands_down_later) status = last_row_hand_over(l->below, begin, error);
    if (status == CLA_OK && overlaps) status = row_delivery_hand_over(&l->rows, error);
    if (status == CLA_OK) status = hand_on(l, end, error);
    if (status == CLA_OK) status = finish_batch(l, begin, end, error);
    if (status == CLA_OK) row_delivery_diagonals(&l->rows, end, l->panel.last);
    if (status == CLA_OK && !hands_down_later) status = last_row_hand_over(l->below, end, error);
    if (status == CLA_OK) status = share_reached(l, error);
    if (end - begin == *batch) *batch = next_batch(*batch, machine_seconds() - began);
    if (status == CLA_OK && l->w->what->prune) status = pruning_update(&l->pruned, done, l->w, end, error);
    const double tile_cells = (double)(kernel_strip_rows(l->w->config) * l->w->config->tile_columns);
    const int64_t cells = (int64_t)(kernel_tiles_before(l->w->g, &l->panel, end) * tile_cells);
    if (status == CLA_OK) status = tick(l, smaller(cells, all), error);
  }
  return status;
}

/* Computes all panels, one after the other. */
static cla_status launch_all(region_launch *l, cla_error *error) {
  const int64_t strips = l->w->g->strips;
  int64_t batch = l->w->what->calls.below
                      ? smaller(first_batch(l), larger(batch_most(l) / FIRST_HANDED_DOWN, 1))
                      : first_batch(l);
  bool done = false;
  cla_status status = launch_panel(l, &batch, &done, error);
  while (status == CLA_OK && l->panel.last < strips - 1) {
    l->panel.first = l->panel.last + 1;
    l->panel.last = smaller(l->panel.last + l->w->panel_strips, strips - 1);
    status = launch_panel(l, &batch, &done, error);
  }
  if (done)
    row_delivery_strips(&l->rows, l->pruned.started); /* some strips ended before their last diagonals */
  return status == CLA_OK ? row_delivery_hand_over(&l->rows, error) : status;
}

/* Computes the region by launches of whole strips; each strip determines where it starts and ends. */
static cla_status launch_strips(region_launch *l, cla_error *error) {
  const int64_t strips = l->w->g->strips, strip_cells = kernel_strip_rows(l->w->config) * l->w->what->columns;
  const int64_t all = l->w->what->rows * l->w->what->columns;
  int64_t batch = STRIPS_FIRST * l->w->config->groups;
  strip_run *runs = NULL;
  bool reaches = true; /* some path that matters may continue below the last strip */
  cla_status status = ALLOCATE_ARRAY(&runs, strips, "the strips", error);
  for (int64_t begin = 0, end; status == CLA_OK && begin < strips && reaches; begin = end) {
    const double began = machine_seconds();
    end = smaller(begin + batch, strips);
    const int64_t last_kept = row_delivery_last_strip(&l->rows);
    if (last_kept < end) end = larger(last_kept, begin) + 1;
    status = launch(l, 0, kernel_diagonals(l->w->g), begin, end - 1, error);
    if (status == CLA_OK)
      status = device_check(l->w->engine->device, clFlush(l->w->engine->device->on->queue), "clFlush", error);
    if (status == CLA_OK) status = row_delivery_hand_over(&l->rows, error);
    if (status == CLA_OK)
      status =
          device_check(l->w->engine->device, clFinish(l->w->engine->device->on->queue), "clFinish", error);
    if (status == CLA_OK) row_delivery_strips(&l->rows, end - 1);
    if (status == CLA_OK) status = pruning_read(runs + begin, l->w->engine, begin, end - begin, error);
    for (int64_t strip = begin; strip < end; strip++)
      l->pruned.cells += pruning_strip_cells(l->w->what, l->w->config, strip, runs + strip);
    if (end - begin == batch) batch = next_batch(batch, machine_seconds() - began);
    if (status == CLA_OK) status = tick(l, smaller(end * strip_cells, all), error);
    reaches = runs[end - 1].start >= 0;
  }
  free(runs);
  return status == CLA_OK ? row_delivery_hand_over(&l->rows, error) : status;
}

cla_status launch_region(const region_work *w, cl_kernel kernel, last_row *below, cla_error *error) {
  region_launch l = {.w = w,
                     .kernel = kernel,
                     .below = below,
                     .pruned = {.started = -1},
                     .panel = {.last = smaller(w->panel_strips, w->g->strips) - 1}};
  upper_border_begin(&l.above, w);
  row_delivery_begin(&l.rows, w);
  cla_status status =
      w->what->prune && w->config->variant->run_columns ? launch_strips(&l, error) : launch_all(&l, error);
  if (status == CLA_ERROR_INTERRUPTED)
    row_delivery_hand_over(&l.rows, NULL); /* keeps the rows that are complete */
  if (status != CLA_OK) clFinish(w->engine->device->on->queue);
  row_delivery_free(&l.rows);
  return status;
}
