/* The systems of CUDA-SWat that run on the device: matrices of zeros there, a launch a diagonal, all of it
 * back, the path on the host. */

#include <stdio.h>
#include <stdlib.h>

#include "swat.h"

#define ALIGN_NUMBERS 16 /* 64 bytes */

cla_status swat_offload(study_result *out, const study_task *task, cla_error *error);
cla_status swat_coalesced(study_result *out, const study_task *task, cla_error *error);
cla_status swat_tiled(study_result *out, const study_task *task, cla_error *error);

typedef struct swat_gpu {
  const study_task *task;
  cl_mem cells, best, query, target;
  cl_kernel kernel;
  int64_t numbers, plane; /* in `cells`; between H and E */
  int64_t bests;          /* work-items of the largest launch */
  int tile, align;        /* of a tiled system: the side of a tile; else where diagonals begin */
} swat_gpu;

static int64_t parts(int64_t value, int64_t part) {
  return (value + part - 1) / part;
}

static int64_t tile_plane(int64_t tile) {
  return (tile + 1) * (tile + 1);
}

static int64_t tile_numbers(int64_t tile) {
  return parts(3 * tile_plane(tile), ALIGN_NUMBERS) * ALIGN_NUMBERS;
}

/* How large everything is. */
static swat_gpu size_up(const study_task *task, int align) {
  const pair_problem *pair = &task->problem->pair;
  const int64_t tile = task->setting.rows, items = task->setting.items;
  swat_gpu gpu = {.task = task, .tile = (int)tile, .align = align};
  if (tile > 0) {
    const int64_t down = parts(pair->rows, tile), across = parts(pair->columns, tile);
    gpu.plane = tile_plane(tile);
    gpu.numbers = down * across * tile_numbers(tile);
    gpu.bests = (down < across ? down : across) * items;
  } else {
    const int64_t longest = 1 + (pair->rows < pair->columns ? pair->rows : pair->columns);
    gpu.plane = swat_diagonals_size(pair, align);
    gpu.numbers = 3 * gpu.plane;
    gpu.bests = parts(longest, items) * items;
  }
  return gpu;
}

static cla_status make_kernel(swat_gpu *gpu, cla_error *error) {
  const cla_scoring *scoring = &gpu->task->problem->scoring;
  char options[160];
  snprintf(options, sizeof options,
           "-D FIRST=%d -D EXT=%d -D MATCH=%d -D MISMATCH=%d -D TILE=%d -D TILE_NUMBERS=%d",
           scoring->gap_first, scoring->gap_ext, scoring->match, scoring->mismatch, gpu->tile,
           (int)tile_numbers(gpu->tile));
  return study_kernel(&gpu->kernel, gpu->task, "sweep", options, error);
}

static cla_status make_memory(swat_gpu *gpu, cla_error *error) {
  const pair_problem *pair = &gpu->task->problem->pair;
  const cla_device *device = gpu->task->device;
  const int64_t size = (int64_t)sizeof(int32_t);
  cla_status status = study_zeros(&gpu->cells, gpu->task, gpu->numbers * size, "the matrices", error);
  if (status == CLA_OK)
    status = study_zeros(&gpu->best, gpu->task, 3 * gpu->bests * size, "the best cells", error);
  if (status == CLA_OK)
    status = device_buffer_with(&gpu->query, device, pair->rows, pair->query, "the query", error);
  if (status == CLA_OK)
    status = device_buffer_with(&gpu->target, device, pair->columns, pair->target, "the target", error);
  return status == CLA_OK ? study_wait(gpu->task, error) : status;
}

static void end(swat_gpu *gpu) {
  const cl_mem all[] = {gpu->cells, gpu->best, gpu->query, gpu->target};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (all[k]) clReleaseMemObject(all[k]);
  if (gpu->kernel) clReleaseKernel(gpu->kernel);
}

/* The arguments that stay; `next` is the number of the diagonal's. */
static cla_status set_arguments(const swat_gpu *gpu, cl_uint *next, cla_error *error) {
  const cl_int rows = (cl_int)gpu->task->problem->pair.rows,
               columns = (cl_int)gpu->task->problem->pair.columns;
  const cl_long plane = gpu->plane;
  cl_uint n = 0;
  cl_int code = clSetKernelArg(gpu->kernel, n++, sizeof gpu->cells, &gpu->cells);
  if (gpu->tile == 0) code |= clSetKernelArg(gpu->kernel, n++, sizeof plane, &plane);
  code |= clSetKernelArg(gpu->kernel, n++, sizeof gpu->best, &gpu->best);
  code |= clSetKernelArg(gpu->kernel, n++, sizeof gpu->query, &gpu->query);
  code |= clSetKernelArg(gpu->kernel, n++, sizeof gpu->target, &gpu->target);
  code |= clSetKernelArg(gpu->kernel, n++, sizeof rows, &rows);
  code |= clSetKernelArg(gpu->kernel, n++, sizeof columns, &columns);
  *next = n;
  return device_check(gpu->task->device, code, "clSetKernelArg", error);
}

/* A launch for each diagonal of cells. */
static cla_status sweep_cells(const swat_gpu *gpu, cl_uint next, cla_error *error) {
  const pair_problem *pair = &gpu->task->problem->pair;
  const int64_t items = gpu->task->setting.items;
  cla_status status = CLA_OK;
  for (cl_int d = 2; d <= pair->rows + pair->columns && status == CLA_OK; d++) {
    cl_int code = clSetKernelArg(gpu->kernel, next, sizeof d, &d);
    for (cl_uint k = 0; k < 3; k++) {
      const cl_long origin = swat_origin(pair, gpu->align, d - (int64_t)k);
      code |= clSetKernelArg(gpu->kernel, next + 1 + k, sizeof origin, &origin);
    }
    status = device_check(gpu->task->device, code, "clSetKernelArg", error);
    const int64_t cells = swat_last_row(pair, d) - swat_first_row(pair, d) + 1;
    if (status == CLA_OK) status = study_launch(gpu->task, gpu->kernel, parts(cells, items), items, error);
  }
  return status;
}

/* A launch for each diagonal of tiles. */
static cla_status sweep_tiles(const swat_gpu *gpu, cl_uint next, cla_error *error) {
  const pair_problem *pair = &gpu->task->problem->pair;
  const int64_t down = parts(pair->rows, gpu->tile), across = parts(pair->columns, gpu->tile);
  cla_status status = CLA_OK;
  for (cl_int d = 0; d < down + across - 1 && status == CLA_OK; d++) {
    const int64_t first = d < across ? 0 : d - across + 1, last = d < down ? d : down - 1;
    status = device_check(gpu->task->device, clSetKernelArg(gpu->kernel, next, sizeof d, &d),
                          "clSetKernelArg", error);
    if (status == CLA_OK)
      status = study_launch(gpu->task, gpu->kernel, last - first + 1, gpu->task->setting.items, error);
  }
  return status;
}

static cla_status compute(const swat_gpu *gpu, cla_error *error) {
  cl_uint next = 0;
  cla_status status = set_arguments(gpu, &next, error);
  if (status == CLA_OK)
    status = gpu->tile > 0 ? sweep_tiles(gpu, next, error) : sweep_cells(gpu, next, error);
  return status == CLA_OK ? study_wait(gpu->task, error) : status;
}

/* Everything to the host; the best of what the work-items have seen. */
static cla_status download(study_result *out, swat_best *best, const swat_gpu *gpu, cla_error *error) {
  swat_best *all = NULL;
  cla_status status = study_read(gpu->task, gpu->cells, out->cells[0].values, out->stored_bytes, error);
  if (status == CLA_OK)
    status = allocate_array((void **)&all, gpu->bests, (int64_t)sizeof *all, "the best cells", error);
  if (status == CLA_OK)
    status = study_read(gpu->task, gpu->best, all, gpu->bests * (int64_t)sizeof *all, error);
  for (int64_t k = 0; k < gpu->bests && status == CLA_OK; k++) swat_take(best, &all[k]);
  free(all);
  return status;
}

static cla_status run(study_result *out, swat_gpu gpu, cla_error *error) {
  swat_best best = {0};
  double last = machine_seconds();
  cla_status status = swat_make(out, gpu.numbers, error);
  if (status == CLA_OK) status = make_kernel(&gpu, error);
  if (status == CLA_OK) status = make_memory(&gpu, error);
  out->prepare = study_lap(&last);
  if (status == CLA_OK) status = compute(&gpu, error);
  out->compute = study_lap(&last);
  if (status == CLA_OK) status = download(out, &best, &gpu, error);
  out->transfer = study_lap(&last);
  end(&gpu);
  if (status == CLA_OK) status = swat_trace(out, gpu.task, gpu.plane, &best, error);
  out->trace = study_lap(&last);
  return status;
}

static int64_t offload_place(const study_task *task, int64_t i, int64_t j) {
  return swat_origin(&task->problem->pair, 1, i + j) + i;
}

static int64_t coalesced_place(const study_task *task, int64_t i, int64_t j) {
  return swat_origin(&task->problem->pair, ALIGN_NUMBERS, i + j) + i;
}

/* A cell is in the tile that computes it; one of the matrix' border in the first. */
static int64_t tiled_place(const study_task *task, int64_t i, int64_t j) {
  const int64_t tile = task->setting.rows, across = parts(task->problem->pair.columns, tile);
  const int64_t row = i > 0 ? (i - 1) / tile : 0, column = j > 0 ? (j - 1) / tile : 0;
  return (row * across + column) * tile_numbers(tile) + (i - row * tile) * (tile + 1) + j - column * tile;
}

cla_status swat_offload(study_result *out, const study_task *task, cla_error *error) {
  out->place = offload_place;
  return run(out, size_up(task, 1), error);
}

cla_status swat_coalesced(study_result *out, const study_task *task, cla_error *error) {
  out->place = coalesced_place;
  return run(out, size_up(task, ALIGN_NUMBERS), error);
}

cla_status swat_tiled(study_result *out, const study_task *task, cla_error *error) {
  out->place = tiled_place;
  return run(out, size_up(task, 0), error);
}
