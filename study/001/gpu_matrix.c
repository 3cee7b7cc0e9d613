/* Gpu1 to Gpu6 on the host: the whole matrix on the device, launches, its way back, Trace1. */

#include "gpu_matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ITEMS 256 /* work-items of a group in kernels that write borders and scores */

static int round_up(int64_t value, int unit) {
  const int step = unit > 0 ? unit : 1;
  return (int)((value + step - 1) / step * step);
}

static cla_status upload_letters(cl_mem *out, const nw_gpu *gpu, const uint8_t *codes, int64_t length,
                                 int64_t padded, cla_error *error) {
  uint8_t *copy = NULL;
  cla_status status = allocate_zeros((void **)&copy, padded, 1, "letters", error);
  if (status != CLA_OK) return status;
  memcpy(copy, codes, (size_t)length);
  status = device_buffer_with(out, gpu->task->device, padded, copy, "the letters", error);
  free(copy);
  return status;
}

/* The table of scores without room between its rows. */
static cla_status upload_scores(nw_gpu *gpu, const nw_block *block, cla_error *error) {
  const int letters = gpu->task->problem->letters;
  int32_t table[CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE];
  for (int a = 0; a < letters; a++)
    for (int b = 0; b < letters; b++) table[a * letters + b] = block->scores[a * CLA_MATRIX_STRIDE + b];
  return device_buffer_with(&gpu->scores, gpu->task->device, (int64_t)sizeof *table * letters * letters,
                            table, "the scores", error);
}

cla_status nw_gpu_begin(nw_gpu *gpu, const study_task *task, const nw_block *block, int tiles,
                        cla_error *error) {
  const study_setting *tile = &task->setting;
  *gpu = (nw_gpu){.task = task,
                  .rows = round_up(block->rows, tiles * tile->rows),
                  .columns = round_up(block->columns, tiles * tile->columns)};
  snprintf(gpu->options, sizeof gpu->options,
           "-D GAP=%d -D LETTERS=%d -D TILE_ROWS=%d -D TILE_COLUMNS=%d -D ITEMS=%d -D SUPER=%d", block->gap,
           task->problem->letters, tile->rows, tile->columns, tile->items, NW_SUPER);
  cla_status status = upload_letters(&gpu->query, gpu, block->query, block->rows, gpu->rows, error);
  if (status == CLA_OK)
    status = upload_letters(&gpu->target, gpu, block->target, block->columns, gpu->columns, error);
  if (status == CLA_OK) status = upload_scores(gpu, block, error);
  return status;
}

void nw_gpu_end(nw_gpu *gpu) {
  const cl_mem all[] = {gpu->query, gpu->target, gpu->scores, gpu->cells[0], gpu->cells[1]};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (all[k]) clReleaseMemObject(all[k]);
}

cla_status nw_gpu_kernel(cl_kernel *out, cl_uint *next, const nw_gpu *gpu, const char *name,
                         cla_error *error) {
  cl_int code = CL_SUCCESS;
  cl_uint n = 0;
  const cla_status status = study_kernel(out, gpu->task, name, gpu->options, error);
  if (status != CLA_OK) return status;
  code |= clSetKernelArg(*out, n++, sizeof gpu->cells[0], &gpu->cells[0]);
  if (gpu->cells[1]) code |= clSetKernelArg(*out, n++, sizeof gpu->cells[1], &gpu->cells[1]);
  code |= clSetKernelArg(*out, n++, sizeof gpu->query, &gpu->query);
  code |= clSetKernelArg(*out, n++, sizeof gpu->target, &gpu->target);
  code |= clSetKernelArg(*out, n++, sizeof gpu->scores, &gpu->scores);
  code |= clSetKernelArg(*out, n++, sizeof gpu->rows, &gpu->rows);
  code |= clSetKernelArg(*out, n++, sizeof gpu->columns, &gpu->columns);
  *next = n;
  return device_check(gpu->task->device, code, "clSetKernelArg", error);
}

cla_status nw_gpu_wave(const nw_gpu *gpu, const nw_wave *wave, cla_error *error) {
  cla_status status = CLA_OK;
  for (int d = 0; d < wave->down + wave->across - 1 && status == CLA_OK; d++) {
    const int64_t first = d < wave->across ? 0 : d - wave->across + 1;
    const int64_t count = (d < wave->down ? d : wave->down - 1) - first + 1;
    const int64_t groups = wave->item_each ? (count + wave->items - 1) / wave->items : count;
    const cl_int code = clSetKernelArg(wave->kernel, wave->argument, sizeof d, &d);
    status = device_check(gpu->task->device, code, "clSetKernelArg", error);
    if (status == CLA_OK) status = study_launch(gpu->task, wave->kernel, groups, wave->items, error);
  }
  return status;
}

static int64_t matrix_cells(const nw_gpu *gpu) {
  return ((int64_t)gpu->rows + 1) * (gpu->columns + 1);
}

static cla_status make_matrix(nw_gpu *gpu, cla_error *error) {
  return device_buffer(&gpu->cells[0], gpu->task->device, matrix_cells(gpu) * (int64_t)sizeof(int32_t),
                       POISON_INTS, "the matrix", error);
}

/* The kernel `first`: a work-item for each of `count` cells. */
static cla_status run_first(const nw_gpu *gpu, int64_t count, cla_error *error) {
  cl_kernel kernel = NULL;
  cl_uint next = 0;
  cla_status status = nw_gpu_kernel(&kernel, &next, gpu, "first", error);
  if (status == CLA_OK)
    status = study_launch(gpu->task, kernel, (count + FIRST_ITEMS - 1) / FIRST_ITEMS, FIRST_ITEMS, error);
  if (kernel) clReleaseKernel(kernel);
  return status;
}

static int64_t border_cells(const nw_gpu *gpu) {
  return 1 + (gpu->rows > gpu->columns ? gpu->rows : gpu->columns);
}

static cla_status run_wave(const nw_gpu *gpu, nw_wave wave, cla_error *error) {
  cla_status status = nw_gpu_kernel(&wave.kernel, &wave.argument, gpu, "sweep", error);
  if (status == CLA_OK) status = nw_gpu_wave(gpu, &wave, error);
  if (wave.kernel) clReleaseKernel(wave.kernel);
  return status;
}

static nw_wave tile_wave(const nw_gpu *gpu, bool item_each) {
  const study_setting *tile = &gpu->task->setting;
  return (nw_wave){.down = gpu->rows / tile->rows,
                   .across = gpu->columns / tile->columns,
                   .items = tile->items,
                   .item_each = item_each};
}

static cla_status compute_1(const nw_gpu *gpu, cla_error *error) {
  const nw_wave cells = {.down = gpu->rows + 1,
                         .across = gpu->columns + 1,
                         .items = gpu->task->setting.items,
                         .item_each = true};
  return run_wave(gpu, cells, error);
}

static cla_status compute_2(const nw_gpu *gpu, cla_error *error) {
  const cla_status status = run_first(gpu, border_cells(gpu), error);
  return status == CLA_OK ? run_wave(gpu, tile_wave(gpu, true), error) : status;
}

static cla_status compute_3(const nw_gpu *gpu, cla_error *error) {
  const cla_status status = run_first(gpu, border_cells(gpu), error);
  return status == CLA_OK ? run_wave(gpu, tile_wave(gpu, false), error) : status;
}

#define SCORE_GROUPS_MOST 4096 /* a work-group of the pass before goes over several rows */

static int64_t score_items(const nw_gpu *gpu) {
  return FIRST_ITEMS * (int64_t)(gpu->rows < SCORE_GROUPS_MOST ? gpu->rows + 1 : SCORE_GROUPS_MOST);
}

static cla_status compute_4(const nw_gpu *gpu, cla_error *error) {
  const cla_status status = run_first(gpu, score_items(gpu), error);
  return status == CLA_OK ? run_wave(gpu, tile_wave(gpu, false), error) : status;
}

#define GROUPS_A_UNIT 4 /* work-groups of the one launch for each compute unit */

/* One launch for all tiles; `counters` begin as 0. */
static cla_status run_whole_grid(const nw_gpu *gpu, cla_error *error) {
  const cla_device *device = gpu->task->device;
  const int32_t zeros[2] = {0, 0};
  cl_kernel kernel = NULL;
  cl_mem counters = NULL;
  cl_uint next = 0;
  cla_status status = device_buffer_with(&counters, device, sizeof zeros, zeros, "the counters", error);
  if (status == CLA_OK) status = nw_gpu_kernel(&kernel, &next, gpu, "whole", error);
  if (status == CLA_OK)
    status = device_check(device, clSetKernelArg(kernel, next, sizeof counters, &counters), "clSetKernelArg",
                          error);
  if (status == CLA_OK)
    status = study_launch(gpu->task, kernel, (int64_t)GROUPS_A_UNIT * device->info.compute_units,
                          gpu->task->setting.items, error);
  if (status == CLA_OK) status = study_wait(gpu->task, error);
  if (kernel) clReleaseKernel(kernel);
  if (counters) clReleaseMemObject(counters);
  return status;
}

static cla_status compute_5(const nw_gpu *gpu, cla_error *error) {
  const cla_status status = run_first(gpu, border_cells(gpu), error);
  return status == CLA_OK ? run_whole_grid(gpu, error) : status;
}

static cla_status compute_6(const nw_gpu *gpu, cla_error *error) {
  const cla_status status = run_first(gpu, score_items(gpu), error);
  return status == CLA_OK ? run_whole_grid(gpu, error) : status;
}

/* The matrix to the host, as cells of the result. */
static cla_status download(study_result *out, nw_block *whole, const nw_gpu *gpu, cla_error *error) {
  const int64_t bytes = matrix_cells(gpu) * (int64_t)sizeof(int32_t);
  cla_status status = allocate_array((void **)&whole->cells, bytes, 1, "the matrix", error);
  if (status != CLA_OK) return status;
  whole->stride = gpu->columns + 1;
  out->cells[0] = (study_cells){whole->cells, 1, 1, whole->stride, 1};
  out->stored_bytes = bytes;
  status = study_read(gpu->task, gpu->cells[0], whole->cells, bytes, error);
  out->score = whole->cells[whole->rows * whole->stride + whole->columns];
  return status;
}

typedef cla_status (*computer)(const nw_gpu *gpu, cla_error *error);

static cla_status run(study_result *out, const study_task *task, computer compute, cla_error *error) {
  double last = machine_seconds();
  nw_block whole = nw_block_of(task->problem);
  nw_gpu gpu;
  cla_status status = nw_gpu_begin(&gpu, task, &whole, 1, error);
  if (status == CLA_OK) status = make_matrix(&gpu, error);
  out->prepare = study_lap(&last);
  if (status == CLA_OK) status = compute(&gpu, error);
  if (status == CLA_OK) status = study_wait(task, error);
  out->compute = study_lap(&last);
  if (status == CLA_OK) status = download(out, &whole, &gpu, error);
  out->transfer = study_lap(&last);
  nw_gpu_end(&gpu);
  if (status == CLA_OK) status = nw_trace_plain(out, &whole, error);
  out->trace = study_lap(&last);
  return status;
}

#define RUN(number)                                                                        \
  cla_status nw_gpu##number(study_result *out, const study_task *task, cla_error *error) { \
    return run(out, task, compute_##number, error);                                        \
  }
RUN(1) RUN(2) RUN(3) RUN(4) RUN(5) RUN(6)
