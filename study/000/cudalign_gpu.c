/* CUDAlign 1.0 on the host. */

#include "cudalign_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUERY_PADDING 254 /* letters that equal no other */
#define TARGET_PADDING 255
#define BUS_WORDS (2 * CUDALIGN_ALPHA + 2) /* WORDS of neighbourhood.clh */

/* Letters of a sequence and, up to `padded`, others. */
typedef struct padded_letters {
  const uint8_t *codes;
  int64_t length, padded;
  int padding;
} padded_letters;

static cla_status upload_letters(cl_mem *out, const cla_device *device, padded_letters letters,
                                 cla_error *error) {
  uint8_t *copy = NULL;
  cla_status status = allocate_array((void **)&copy, letters.padded, 1, "letters", error);
  if (status != CLA_OK) return status;
  memset(copy, letters.padding, (size_t)letters.padded);
  memcpy(copy, letters.codes, (size_t)letters.length);
  status = device_buffer_with(out, device, letters.padded, copy, "the letters", error);
  free(copy);
  return status;
}

/* The horizontal bus: (H, F) of row 0. */
static cla_status make_horizontal(cudalign_gpu *gpu, cla_error *error) {
  int32_t *first = NULL;
  const int64_t bytes = (int64_t)gpu->columns * 2 * (int64_t)sizeof *first;
  cla_status status = allocate_array((void **)&first, bytes, 1, "the horizontal bus", error);
  if (status != CLA_OK) return status;
  for (int j = 0; j < gpu->columns; j++) {
    first[2 * j] = 0;
    first[2 * j + 1] = GOTOH_MINUS_INFINITY;
  }
  status = device_buffer_with(&gpu->horizontal, gpu->task->device, bytes, first, "the horizontal bus", error);
  free(first);
  return status;
}

static cla_status make_vertical(cudalign_gpu *gpu, cla_error *error) {
  const int64_t bytes = (int64_t)gpu->blocks * gpu->items * BUS_WORDS * (int64_t)sizeof(int32_t);
  cla_status status = CLA_OK;
  for (int k = 0; k < 2 && status == CLA_OK; k++)
    status =
        device_buffer(&gpu->vertical[k], gpu->task->device, bytes, POISON_INTS, "the vertical bus", error);
  return status;
}

static cla_status make_bests(cudalign_gpu *gpu, cla_error *error) {
  int32_t *zeros = NULL;
  const int64_t bytes = (int64_t)gpu->blocks * gpu->items * 4 * (int64_t)sizeof *zeros;
  cla_status status = allocate_zeros((void **)&zeros, bytes, 1, "the best cells", error);
  if (status != CLA_OK) return status;
  status = device_buffer_with(&gpu->bests, gpu->task->device, bytes, zeros, "the best cells", error);
  free(zeros);
  return status;
}

cla_status cudalign_gpu_begin(cudalign_gpu *gpu, const study_task *task, cla_error *error) {
  const pair_problem *pair = &task->problem->pair;
  const study_setting *setting = &task->setting;
  const gotoh_costs costs = gotoh_costs_of(task->problem);
  const int least = setting->columns > 2 * setting->items ? setting->columns : 2 * setting->items;
  *gpu = (cudalign_gpu){.task = task, .items = setting->items};
  gpu->row_blocks = (int)((pair->rows + setting->rows - 1) / setting->rows);
  gpu->columns = pair->columns > least ? (int)pair->columns : least;
  gpu->blocks = gpu->columns / least;
  snprintf(gpu->options, sizeof gpu->options,
           "-D ITEMS=%d -D ALPHA=%d -D MATCH=%d -D MISMATCH=%d -D FIRST=%d -D EXT=%d", setting->items,
           setting->rows / setting->items, costs.match, costs.mismatch, costs.first, costs.ext);
  const padded_letters query = {pair->query, pair->rows, (int64_t)gpu->row_blocks * setting->rows,
                                QUERY_PADDING};
  const padded_letters target = {pair->target, pair->columns, gpu->columns, TARGET_PADDING};
  cla_status status = upload_letters(&gpu->query, task->device, query, error);
  if (status == CLA_OK) status = upload_letters(&gpu->target, task->device, target, error);
  if (status == CLA_OK) status = make_horizontal(gpu, error);
  if (status == CLA_OK) status = make_vertical(gpu, error);
  return status == CLA_OK ? make_bests(gpu, error) : status;
}

void cudalign_gpu_end(cudalign_gpu *gpu) {
  const cl_mem all[] = {gpu->query,       gpu->target,      gpu->horizontal,
                        gpu->vertical[0], gpu->vertical[1], gpu->bests};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (all[k]) clReleaseMemObject(all[k]);
}

cla_status cudalign_gpu_kernel(cl_kernel *out, cl_uint *next, const cudalign_gpu *gpu, const char *name,
                               int from, cla_error *error) {
  const cla_status status = study_kernel(out, gpu->task, name, gpu->options, error);
  if (status != CLA_OK) return status;
  const cl_mem buffers[] = {
      gpu->query, gpu->target, gpu->horizontal, gpu->vertical[from], gpu->vertical[1 - from], gpu->bests};
  const int numbers[] = {gpu->row_blocks, gpu->columns, gpu->blocks};
  cl_int code = CL_SUCCESS;
  *next = 0;
  for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
    code |= clSetKernelArg(*out, (*next)++, sizeof buffers[k], &buffers[k]);
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    code |= clSetKernelArg(*out, (*next)++, sizeof numbers[k], &numbers[k]);
  return device_check(gpu->task->device, code, "clSetKernelArg", error);
}

cla_status cudalign_gpu_launch(const cudalign_gpu *gpu, cl_kernel kernel, cl_uint argument, int diagonal,
                               cla_error *error) {
  const cl_int code = clSetKernelArg(kernel, argument, sizeof diagonal, &diagonal);
  const cla_status status = device_check(gpu->task->device, code, "clSetKernelArg", error);
  return status == CLA_OK ? study_launch(gpu->task, kernel, gpu->blocks, gpu->items, error) : status;
}

int cudalign_gpu_diagonals(const cudalign_gpu *gpu) {
  return gpu->row_blocks + gpu->blocks;
}

cla_status cudalign_gpu_best(gotoh_end *out, const cudalign_gpu *gpu, cla_error *error) {
  const int64_t count = (int64_t)gpu->blocks * gpu->items;
  int32_t(*found)[4] = NULL;
  *out = (gotoh_end){0, 0, 0};
  cla_status status = allocate_array((void **)&found, count, sizeof *found, "the best cells", error);
  if (status != CLA_OK) return status;
  status = study_read(gpu->task, gpu->bests, found, count * (int64_t)sizeof *found, error);
  for (int64_t k = 0; k < count && status == CLA_OK; k++)
    if (found[k][0] > out->score) *out = (gotoh_end){found[k][0], found[k][1] + 1, found[k][2] + 1};
  free(found);
  return status;
}

/* Kernels `names`, one after the other for each diagonal: two phases, or the same kernel with the two
 * vertical buses in turns. */
static cla_status sweep(const cudalign_gpu *gpu, const char *const names[2], cla_error *error) {
  cl_kernel kernels[2] = {NULL, NULL};
  cl_uint argument = 0;
  const bool phases = strcmp(names[0], names[1]) != 0;
  cla_status status = CLA_OK;
  for (int k = 0; k < 2 && status == CLA_OK; k++)
    status = cudalign_gpu_kernel(&kernels[k], &argument, gpu, names[k], k, error);
  for (int d = 0; d < cudalign_gpu_diagonals(gpu) && status == CLA_OK; d++) {
    if (phases || d % 2 == 0) status = cudalign_gpu_launch(gpu, kernels[0], argument, d, error);
    if (status == CLA_OK && (phases || d % 2 == 1))
      status = cudalign_gpu_launch(gpu, kernels[1], argument, d, error);
  }
  for (int k = 0; k < 2; k++)
    if (kernels[k]) clReleaseKernel(kernels[k]);
  return status == CLA_OK ? study_wait(gpu->task, error) : status;
}

static cla_status run(study_result *out, const study_task *task, const char *const names[2],
                      cla_error *error) {
  double last = machine_seconds();
  gotoh_end best = {0, 0, 0};
  cudalign_gpu gpu;
  cla_status status = cudalign_gpu_begin(&gpu, task, error);
  out->prepare = study_lap(&last);
  if (status == CLA_OK) status = sweep(&gpu, names, error);
  out->compute = study_lap(&last);
  if (status == CLA_OK) status = cudalign_gpu_best(&best, &gpu, error);
  out->score = best.score;
  out->query_end = best.i;
  out->target_end = best.j;
  out->transfer = study_lap(&last);
  cudalign_gpu_end(&gpu);
  return status;
}

cla_status cudalign_blocks(study_result *out, const study_task *task, cla_error *error) {
  return run(out, task, (const char *const[2]){"sweep", "sweep"}, error);
}

cla_status cudalign_phases(study_result *out, const study_task *task, cla_error *error) {
  return run(out, task, (const char *const[2]){"short_phase", "long_phase"}, error);
}
