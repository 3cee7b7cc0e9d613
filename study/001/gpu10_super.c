/* Gpu10 on the host: super-tiles' headers stay; for the path, super-tile after super-tile is computed again.
 */

#include <stdlib.h>

#include "gpu_sparse.h"

#define RING_LINES 3 /* LINES of gpu10.cl */

/* The tiles' own headers while they are needed; line 0 of each kind is the matrix' border. */
typedef struct rings {
  cl_mem rows, columns;
} rings;

static cla_status make_ring(cl_mem *out, const nw_gpu *gpu, cl_mem first_line, int64_t cells,
                            cla_error *error) {
  const size_t line_bytes = (size_t)cells * sizeof(int32_t);
  const cla_status status = device_buffer(out, gpu->task->device, RING_LINES * (int64_t)line_bytes,
                                          POISON_INTS, "a ring of lines", error);
  if (status != CLA_OK) return status;
  const cl_int code =
      clEnqueueCopyBuffer(gpu->task->device->on->queue, first_line, *out, 0, 0, line_bytes, 0, NULL, NULL);
  return device_check(gpu->task->device, code, "clEnqueueCopyBuffer", error);
}

static cla_status sweep(const nw_gpu *gpu, const rings *ring, cla_error *error) {
  const study_setting *tile = &gpu->task->setting;
  nw_wave wave = {
      .down = gpu->rows / tile->rows, .across = gpu->columns / tile->columns, .items = tile->items};
  cla_status status = nw_gpu_kernel(&wave.kernel, &wave.argument, gpu, "sweep_super", error);
  if (status != CLA_OK) return status;
  cl_int code = clSetKernelArg(wave.kernel, wave.argument++, sizeof ring->rows, &ring->rows);
  code |= clSetKernelArg(wave.kernel, wave.argument++, sizeof ring->columns, &ring->columns);
  status = device_check(gpu->task->device, code, "clSetKernelArg", error);
  if (status == CLA_OK) status = nw_gpu_wave(gpu, &wave, error);
  clReleaseKernel(wave.kernel);
  return status;
}

static cla_status compute(const nw_gpu *gpu, cla_error *error) {
  rings ring = {NULL, NULL};
  cla_status status = make_ring(&ring.rows, gpu, gpu->cells[0], (int64_t)gpu->columns + 1, error);
  if (status == CLA_OK) status = make_ring(&ring.columns, gpu, gpu->cells[1], (int64_t)gpu->rows + 1, error);
  if (status == CLA_OK) status = sweep(gpu, &ring, error);
  if (status == CLA_OK) status = study_wait(gpu->task, error);
  if (ring.rows) clReleaseMemObject(ring.rows);
  if (ring.columns) clReleaseMemObject(ring.columns);
  return status;
}

/* Computes the super-tile `part`, whose borders begin at `top` and `left`, again, and follows the path
 * through it. */
static cla_status follow(nw_path *path, const study_task *task, const nw_block *part, const int32_t *top,
                         const int32_t *left, cla_error *error) {
  nw_lines lines = {.row_step = task->setting.rows, .column_step = task->setting.columns};
  nw_gpu gpu;
  cla_status status = nw_gpu_begin(&gpu, task, part, NW_SUPER, error);
  if (status == CLA_OK) status = nw_lines_make(&gpu, &lines, top, left, error);
  if (status == CLA_OK) status = nw_lines_fill(&gpu, error);
  if (status == CLA_OK) status = nw_lines_read(&gpu, &lines, error);
  nw_gpu_end(&gpu);
  const nw_headers headers = nw_lines_headers(&gpu, &lines);
  if (status == CLA_OK) status = nw_trace_sparse(path, part, &headers, error);
  free(lines.rows);
  free(lines.columns);
  return status;
}

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static cla_status trace(nw_path *path, const study_task *task, const nw_block *whole, const nw_headers *super,
                        cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && path->row > 0 && path->column > 0) {
    const int64_t down = (path->row - 1) / super->tile_rows,
                  across = (path->column - 1) / super->tile_columns;
    const int64_t top = down * super->tile_rows, left = across * super->tile_columns;
    const nw_block part = nw_part(whole, top, left, smaller(super->tile_rows, whole->rows - top),
                                  smaller(super->tile_columns, whole->columns - left));
    path->row -= top;
    path->column -= left;
    status = follow(path, task, &part, super->row_lines + down * super->row_stride + left,
                    super->column_lines + across * super->column_stride + top, error);
    path->row += top;
    path->column += left;
  }
  return status;
}

cla_status nw_gpu10(study_result *out, const study_task *task, cla_error *error) {
  double last = machine_seconds();
  const nw_block whole = nw_block_of(task->problem);
  nw_lines lines = {.row_step = NW_SUPER * task->setting.rows,
                    .column_step = NW_SUPER * task->setting.columns};
  nw_path path = {.row = whole.rows, .column = whole.columns};
  nw_gpu gpu;
  cla_status status = nw_gpu_begin(&gpu, task, &whole, NW_SUPER, error);
  if (status == CLA_OK) status = nw_lines_make_first(&gpu, &lines, whole.gap, error);
  out->prepare = study_lap(&last);
  if (status == CLA_OK) status = compute(&gpu, error);
  out->compute = study_lap(&last);
  if (status == CLA_OK) status = nw_lines_read(&gpu, &lines, error);
  nw_lines_give(out, &gpu, &lines);
  out->transfer = study_lap(&last);
  nw_gpu_end(&gpu);
  const nw_headers headers = nw_lines_headers(&gpu, &lines);
  if (status == CLA_OK) status = trace(&path, task, &whole, &headers, error);
  const cla_status ended = nw_path_end(&path, out, error);
  out->score = path.score;
  out->trace = study_lap(&last);
  return status != CLA_OK ? status : ended;
}
