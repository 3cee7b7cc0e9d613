/* Stage 1 of CUDAlign 2.1 on the host: CUDAlign 1.0's launches, special rows after each diagonal, flags for
 * block pruning. */

#include <stdlib.h>

#include "000/cudalign_gpu.h"
#include "base/error.h"
#include "stages.h"

/* What the kernels of stage 1 need beside CUDAlign 1.0's. */
typedef struct special_gpu {
  cudalign_gpu base;
  bool prune;
  int kept_count, every;              /* special rows, and rows of blocks from one to the next */
  cl_mem kept, prunable, known, over; /* owned; the last three for pruning */
  cl_kernel phases[2], flush;         /* owned */
  cl_uint diagonal, flush_diagonal;   /* the number of that argument */
} special_gpu;

static cla_status zeros(cl_mem *out, const special_gpu *gpu, int64_t bytes, const char *what,
                        cla_error *error) {
  void *memory = NULL;
  cla_status status = allocate_zeros(&memory, bytes, 1, what, error);
  if (status == CLA_OK) status = device_buffer_with(out, gpu->base.task->device, bytes, memory, what, error);
  free(memory);
  return status;
}

static cla_status make_phase(special_gpu *gpu, int phase, cla_error *error) {
  const int rows = (int)gpu->base.task->problem->pair.rows;
  const cl_mem further[] = {gpu->prunable, gpu->known, gpu->over};
  cl_int code = CL_SUCCESS;
  cla_status status = cudalign_gpu_kernel(&gpu->phases[phase], &gpu->diagonal, &gpu->base,
                                          phase == 0 ? "short_phase" : "long_phase", phase, error);
  if (status != CLA_OK || !gpu->prune) return status;
  for (cl_uint k = 0; k < 3; k++)
    code |= clSetKernelArg(gpu->phases[phase], gpu->diagonal + 1 + k, sizeof further[k], &further[k]);
  code |= clSetKernelArg(gpu->phases[phase], gpu->diagonal + 4, sizeof rows, &rows);
  return device_check(gpu->base.task->device, code, "clSetKernelArg", error);
}

static cla_status make_flush(special_gpu *gpu, cla_error *error) {
  const int numbers[] = {gpu->kept_count, gpu->every, gpu->base.columns, gpu->base.blocks};
  cl_int code = CL_SUCCESS;
  cl_uint next = 0;
  const cla_status status = study_kernel(&gpu->flush, gpu->base.task, "flush", gpu->base.options, error);
  if (status != CLA_OK) return status;
  code |= clSetKernelArg(gpu->flush, next++, sizeof gpu->base.horizontal, &gpu->base.horizontal);
  code |= clSetKernelArg(gpu->flush, next++, sizeof gpu->kept, &gpu->kept);
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    code |= clSetKernelArg(gpu->flush, next++, sizeof numbers[k], &numbers[k]);
  gpu->flush_diagonal = next;
  return device_check(gpu->base.task->device, code, "clSetKernelArg", error);
}

static int64_t kept_bytes(const special_gpu *gpu) {
  return (int64_t)gpu->kept_count * gpu->base.columns * 2 * (int64_t)sizeof(int32_t);
}

static cla_status make(special_gpu *gpu, cla_error *error) {
  const int64_t blocks = gpu->base.blocks;
  cla_status status = device_buffer(&gpu->kept, gpu->base.task->device, kept_bytes(gpu), POISON_INTS,
                                    "the special rows", error);
  if (status == CLA_OK && gpu->prune) {
    status = zeros(&gpu->prunable, gpu, 2 * blocks * (int64_t)sizeof(cl_int), "the flags", error);
    if (status == CLA_OK)
      status = zeros(&gpu->known, gpu, 2 * (int64_t)sizeof(cl_int), "the best scores", error);
    if (status == CLA_OK) status = zeros(&gpu->over, gpu, blocks * (int64_t)sizeof(cl_long), "counts", error);
  }
  for (int k = 0; k < 2 && status == CLA_OK; k++) status = make_phase(gpu, k, error);
  return status == CLA_OK ? make_flush(gpu, error) : status;
}

static void end(special_gpu *gpu) {
  const cl_mem all[] = {gpu->kept, gpu->prunable, gpu->known, gpu->over};
  const cl_kernel kernels[] = {gpu->phases[0], gpu->phases[1], gpu->flush};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (all[k]) clReleaseMemObject(all[k]);
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    if (kernels[k]) clReleaseKernel(kernels[k]);
  cudalign_gpu_end(&gpu->base);
}

static cla_status sweep(const special_gpu *gpu, cla_error *error) {
  cla_status status = CLA_OK;
  for (int d = 0; d < cudalign_gpu_diagonals(&gpu->base) && status == CLA_OK; d++) {
    status = cudalign_gpu_launch(&gpu->base, gpu->phases[0], gpu->diagonal, d, error);
    if (status == CLA_OK) status = cudalign_gpu_launch(&gpu->base, gpu->phases[1], gpu->diagonal, d, error);
    if (status == CLA_OK && gpu->kept_count > 0)
      status = cudalign_gpu_launch(&gpu->base, gpu->flush, gpu->flush_diagonal, d, error);
  }
  return status == CLA_OK ? study_wait(gpu->base.task, error) : status;
}

/* The special rows as H and F of nodes, with row 0 and column 0. */
static cla_status read_rows(special_rows *rows, const special_gpu *gpu, cla_error *error) {
  const int64_t lines = rows->count + 1, padded = gpu->base.columns;
  int32_t *read = NULL;
  cla_status status = allocate_array((void **)&read, kept_bytes(gpu) + 1, 1, "the special rows", error);
  if (status == CLA_OK)
    status =
        allocate_zeros((void **)&rows->h, lines * rows->stride, sizeof *rows->h, "the special rows", error);
  if (status == CLA_OK)
    status =
        allocate_array((void **)&rows->f, lines * rows->stride, sizeof *rows->f, "the special rows", error);
  if (status == CLA_OK && rows->count > 0)
    status = study_read(gpu->base.task, gpu->kept, read, kept_bytes(gpu), error);
  for (int64_t k = 0; k < lines * rows->stride && status == CLA_OK; k++) {
    const int64_t line = k / rows->stride, j = k % rows->stride;
    const bool border = line == 0 || j == 0;
    const int32_t *value = border ? NULL : read + 2 * ((line - 1) * padded + j - 1);
    rows->h[k] = border ? 0 : value[0];
    rows->f[k] = border ? GOTOH_MINUS_INFINITY : value[1];
  }
  free(read);
  return status;
}

/* Cells of blocks that were not computed. */
static cla_status count_over(int64_t *cells, const special_gpu *gpu, cla_error *error) {
  cl_long *over = NULL;
  *cells = 0;
  if (!gpu->prune) return CLA_OK;
  cla_status status = allocate_array((void **)&over, gpu->base.blocks, sizeof *over, "counts", error);
  if (status == CLA_OK)
    status = study_read(gpu->base.task, gpu->over, over, gpu->base.blocks * (int64_t)sizeof *over, error);
  for (int k = 0; k < gpu->base.blocks && status == CLA_OK; k++) *cells += over[k];
  free(over);
  return status;
}

cla_status stage1_sweep(crosspoint *end_point, special_rows *rows, study_result *out, const study_task *task,
                        bool prune, cla_error *error) {
  const pair_problem *pair = &task->problem->pair;
  const int items = task->setting.items, height = CUDALIGN_ALPHA * items;
  study_system system = *task->system;
  study_task stage = *task;
  special_gpu gpu = {.prune = prune, .every = task->setting.rows / height};
  gotoh_end best = {0, 0, 0};
  int64_t over = 0;
  double last = machine_seconds();
  system.source = prune ? "block_pruning.cl" : "special_rows.cl";
  stage.system = &system;
  stage.setting = (study_setting){height, 2 * items, items};
  *rows = (special_rows){.step = (int64_t)gpu.every * height, .stride = pair->columns + 1};
  rows->count = pair->rows / rows->step;
  gpu.kept_count = (int)rows->count;
  cla_status status = cudalign_gpu_begin(&gpu.base, &stage, error);
  if (status == CLA_OK) status = make(&gpu, error);
  out->prepare = study_lap(&last);
  if (status == CLA_OK) status = sweep(&gpu, error);
  if (status == CLA_OK) status = cudalign_gpu_best(&best, &gpu.base, error);
  out->compute = study_lap(&last);
  if (status == CLA_OK) status = read_rows(rows, &gpu, error);
  out->transfer = study_lap(&last);
  if (status == CLA_OK) status = count_over(&over, &gpu, error);
  out->stored_bytes = kept_bytes(&gpu);
  out->cells_computed = pair->rows * pair->columns - over;
  *end_point = (crosspoint){best.i, best.j, best.score, CROSS_PLAIN};
  end(&gpu);
  return status;
}
