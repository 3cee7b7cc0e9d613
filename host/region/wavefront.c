#include "region/wavefront.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "region/last_row.h"
#include "region/pruning.h"
#include "region/row_delivery.h"
#include "region/wavefront_internal.h"

void wavefront_program(wanted_program *out, char file[64], const region_work *w) {
  snprintf(file, 64, "%s.cl", w->config->variant->name);
  out->file = file;
  kernel_options(out->options, sizeof out->options, w->config, &w->engine->device->info, wavefront_build(w));
}

static cla_status find_program(cl_program *out, const region_work *w, cla_error *error) {
  char file[64];
  wanted_program wanted;
  wavefront_program(&wanted, file, w);
  return device_build(out, w->engine->device, wanted.file, wanted.options, error);
}

/* Returns the largest H of the upper border; INT64_MIN if the border follows a rule. */
static int64_t border_most(const region *what) {
  int64_t most = INT64_MIN;
  for (int64_t node = 0; what->above.h && node <= what->columns; node++)
    most = larger(most, what->above.h[node]);
  for (int64_t node = 0; what->calls.top && node <= what->columns; node += REGION_TOP_NODES) {
    int64_t h[REGION_TOP_NODES];
    const int64_t count = smaller(what->columns + 1 - node, REGION_TOP_NODES);
    what->calls.top(what->calls.user, node, count, (row_values){.h = h});
    for (int64_t i = 0; i < count; i++) most = larger(most, h[i]);
  }
  return most;
}

/* Returns the number of bits by which scores are shifted to the right, so that all fit in an int. A score
 * exceeds the border's largest score by at most the largest pair score for every letter of the shorter
 * side. The same limit holds for a border that has yet to arrive. */
static int known_shift(const wavefront *engine, const region *what) {
  const int64_t shorter = smaller(what->rows, what->columns);
  const int64_t largest = engine->pair.scheme.table->maximum > 0 ? engine->pair.scheme.table->maximum : 0;
  int64_t border = larger(what->corner, 0);
  if (what->calls.await)
    border += largest * smaller(what->row, what->columns);
  else
    border = larger(border, border_most(what));
  const int64_t score = border + shorter * largest;
  int shift = 0;
  while (score >> shift > INT32_MAX) shift++;
  return shift;
}

static cla_status collect_best(region_result *out, const region_work *w, cla_error *error) {
  strip_best *bests = NULL, best = {.score = REGION_NO_BEST(w->what->best)};
  cla_status status = ALLOCATE_ARRAY(&bests, w->g->strips, "best cells", error);
  if (status == CLA_OK) status = wavefront_read(w->engine, BUFFER_BESTS, 0, bests, w->g->best_bytes, error);
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
  if (status != CLA_OK) return status;
  const row_nodes nodes = pruning_row_nodes(w, w->g->strips - 1, w->what->rows, &run);
  out->bottom_first = nodes.first;
  out->bottom_last = nodes.last;
  if (nodes.first > nodes.last) return CLA_OK;
  int64_t *bottom = w->what->bottom;
  bottom[nodes.first] = nodes.left_h;
  for (int64_t node = nodes.first + 1; status == CLA_OK && node <= nodes.last; node += KERNEL_NODES_STAGED) {
    const int64_t count = smaller(KERNEL_NODES_STAGED, nodes.last + 1 - node), bytes = w->g->value_bytes;
    status = wavefront_read(w->engine, BUFFER_BOTTOM, (w->g->margin + node - 1) * bytes, w->engine->staging,
                            count * bytes, error);
    if (status == CLA_OK)
      lane_values_unwrap(bottom + node, w->engine->staging, 0, count, w->config->variant->lane_bits,
                         bottom[node - 1]);
  }
  return status;
}

cla_status wavefront_solve(region_result *out, wavefront *engine, const region *what,
                           const kernel_config *wanted, cla_error *error) {
  const kernel_config pruned = kernel_pruned(wanted);
  const kernel_config *config = what->prune ? &pruned : wanted;
  const kernel_geometry g =
      kernel_layout(config, kernel_gaps_of(engine->pair.scheme.scoring), what->rows, what->columns);
  const kernel_kept_rows kept = {
      .rows = what->rows,
      .interval = what->row_interval,
      .panel_rows = what->panel_rows,
      .prune = what->prune,
      .window = what->windows ? row_windows_widest(what->windows, kernel_strip_rows(config)) : 0};
  const region_work work = {
      .engine = engine,
      .what = what,
      .config = config,
      .g = &g,
      .row_slots = larger(kernel_row_slots(&g, config, &kept), 1),
      .panel_strips = what->panel_rows > 0 ? what->panel_rows / kernel_strip_rows(config) : g.strips,
      .known_shift = known_shift(engine, what)};
  cl_program program = NULL;
  cl_kernel kernel = NULL;
  cl_int code = CL_SUCCESS;
  memset(out, 0, sizeof *out);
  cla_status status = find_program(&program, &work, error);
  if (status == CLA_OK) status = region_load(&work, program, error);
  if (status != CLA_OK) return status;
  kernel = clCreateKernel(program, config->variant->name, &code);
  status = device_check(engine->device, code, "clCreateKernel", error);
  if (status != CLA_OK) return status;
  for (cl_uint i = 0; i < BUFFER_COUNT && code == CL_SUCCESS; i++)
    code = clSetKernelArg(kernel, i, sizeof(cl_mem), &engine->buffers[i].memory);
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
  else if (status == CLA_OK && what->calls.strips)
    what->calls.strips(what->calls.user, &(region_strip){.rows = what->rows, .columns = what->columns});
  last_row_free(&below);
  clReleaseKernel(kernel);
  return status;
}
