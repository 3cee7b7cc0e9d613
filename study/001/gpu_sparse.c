/* Gpu7 to Gpu9 on the host: headers on the device, a launch for each diagonal, the headers' way back, Trace2.
 */

#include "gpu_sparse.h"

#include <stdlib.h>

static int64_t row_cells(const nw_gpu *gpu, const nw_lines *lines) {
  return (gpu->rows / lines->row_step + 1) * ((int64_t)gpu->columns + 1);
}

static int64_t column_cells(const nw_gpu *gpu, const nw_lines *lines) {
  return (gpu->columns / lines->column_step + 1) * ((int64_t)gpu->rows + 1);
}

#define CELL_BYTES ((int64_t)sizeof(int32_t))
#define CORNER_ITEMS 64

static cla_status set_corners(const nw_gpu *gpu, const nw_lines *lines, cla_error *error) {
  const int down = gpu->rows / lines->row_step, across = gpu->columns / lines->column_step;
  const int most = (down > across ? down : across) + 1;
  cl_kernel kernel = NULL;
  cl_uint next = 0;
  cla_status status = nw_gpu_kernel(&kernel, &next, gpu, "corners", error);
  if (status != CLA_OK) return status;
  cl_int code = clSetKernelArg(kernel, next, sizeof lines->row_step, &lines->row_step);
  code |= clSetKernelArg(kernel, next + 1, sizeof lines->column_step, &lines->column_step);
  status = device_check(gpu->task->device, code, "clSetKernelArg", error);
  if (status == CLA_OK)
    status = study_launch(gpu->task, kernel, (most + CORNER_ITEMS - 1) / CORNER_ITEMS, CORNER_ITEMS, error);
  clReleaseKernel(kernel);
  return status;
}

cla_status nw_lines_make(nw_gpu *gpu, nw_lines *lines, const int32_t *top, const int32_t *left,
                         cla_error *error) {
  const cla_device *device = gpu->task->device;
  cla_status status = device_buffer(&gpu->cells[0], device, row_cells(gpu, lines) * CELL_BYTES, POISON_INTS,
                                    "the row lines", error);
  if (status == CLA_OK)
    status = device_buffer(&gpu->cells[1], device, column_cells(gpu, lines) * CELL_BYTES, POISON_INTS,
                           "the column lines", error);
  if (status == CLA_OK)
    status = study_write(gpu->task, gpu->cells[0], top, (gpu->columns + 1) * CELL_BYTES, error);
  if (status == CLA_OK)
    status = study_write(gpu->task, gpu->cells[1], left, (gpu->rows + 1) * CELL_BYTES, error);
  return status == CLA_OK ? set_corners(gpu, lines, error) : status;
}

cla_status nw_lines_make_first(nw_gpu *gpu, nw_lines *lines, int gap, cla_error *error) {
  const int most = gpu->rows > gpu->columns ? gpu->rows : gpu->columns;
  int32_t *border = NULL;
  cla_status status = allocate_array((void **)&border, most + 1, sizeof *border, "a border", error);
  if (status != CLA_OK) return status;
  for (int k = 0; k <= most; k++) border[k] = -k * gap;
  status = nw_lines_make(gpu, lines, border, border, error);
  free(border);
  return status;
}

cla_status nw_lines_fill(const nw_gpu *gpu, cla_error *error) {
  const study_setting *tile = &gpu->task->setting;
  nw_wave wave = {
      .down = gpu->rows / tile->rows, .across = gpu->columns / tile->columns, .items = tile->items};
  cla_status status = nw_gpu_kernel(&wave.kernel, &wave.argument, gpu, "sweep", error);
  if (status == CLA_OK) status = nw_gpu_wave(gpu, &wave, error);
  if (wave.kernel) clReleaseKernel(wave.kernel);
  return status;
}

static cla_status read_lines(int32_t **out, const nw_gpu *gpu, cl_mem from, int64_t cells, cla_error *error) {
  const cla_status status = allocate_array((void **)out, cells, CELL_BYTES, "the headers", error);
  return status == CLA_OK ? study_read(gpu->task, from, *out, cells * CELL_BYTES, error) : status;
}

cla_status nw_lines_read(const nw_gpu *gpu, nw_lines *lines, cla_error *error) {
  const cla_status status = read_lines(&lines->rows, gpu, gpu->cells[0], row_cells(gpu, lines), error);
  if (status != CLA_OK) return status;
  return read_lines(&lines->columns, gpu, gpu->cells[1], column_cells(gpu, lines), error);
}

nw_headers nw_lines_headers(const nw_gpu *gpu, const nw_lines *lines) {
  return (nw_headers){lines->rows,     lines->columns,    (int64_t)gpu->columns + 1, (int64_t)gpu->rows + 1,
                      lines->row_step, lines->column_step};
}

void nw_lines_give(study_result *out, const nw_gpu *gpu, nw_lines *lines) {
  out->cells[0] = (study_cells){lines->rows, lines->row_step, 1, (int64_t)gpu->columns + 1, 1};
  out->cells[1] = (study_cells){lines->columns, 1, lines->column_step, 1, (int64_t)gpu->rows + 1};
  out->stored_bytes = (row_cells(gpu, lines) + column_cells(gpu, lines)) * CELL_BYTES;
}

static cla_status trace(study_result *out, const nw_block *whole, const nw_headers *headers,
                        cla_error *error) {
  nw_path path = {.row = whole->rows, .column = whole->columns};
  const cla_status status = nw_trace_sparse(&path, whole, headers, error);
  const cla_status ended = nw_path_end(&path, out, error);
  out->score = path.score;
  return status != CLA_OK ? status : ended;
}

/* Gpu7, Gpu8 and Gpu9: their kernels differ. */
cla_status nw_gpu_sparse(study_result *out, const study_task *task, cla_error *error) {
  double last = machine_seconds();
  const nw_block whole = nw_block_of(task->problem);
  nw_lines lines = {.row_step = task->setting.rows, .column_step = task->setting.columns};
  nw_gpu gpu;
  cla_status status = nw_gpu_begin(&gpu, task, &whole, 1, error);
  if (status == CLA_OK) status = nw_lines_make_first(&gpu, &lines, whole.gap, error);
  out->prepare = study_lap(&last);
  if (status == CLA_OK) status = nw_lines_fill(&gpu, error);
  if (status == CLA_OK) status = study_wait(task, error);
  out->compute = study_lap(&last);
  if (status == CLA_OK) status = nw_lines_read(&gpu, &lines, error);
  nw_lines_give(out, &gpu, &lines);
  out->transfer = study_lap(&last);
  nw_gpu_end(&gpu);
  const nw_headers headers = nw_lines_headers(&gpu, &lines);
  if (status == CLA_OK) status = trace(out, &whole, &headers, error);
  out->trace = study_lap(&last);
  return status;
}
