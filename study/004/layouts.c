/* The layouts on the host: the device has a slice at a time, which is one launch and then comes to the host.
 * The paper's matrices did not fit in a GPU's memory. */

#include "layouts.h"

#include <stdio.h>
#include <stdlib.h>

/* Where cell (i,j) of a slice of `rows` rows and so many columns lies; row 0 is the one above. PLACE of the
 * kernels. */
typedef int64_t (*slice_place)(int64_t i, int64_t j, int64_t rows, int64_t columns);

static int64_t by_rows(int64_t i, int64_t j, int64_t rows, int64_t columns) {
  (void)rows;
  return i * (columns + 1) + j;
}

static int64_t by_columns(int64_t i, int64_t j, int64_t rows, int64_t columns) {
  (void)columns;
  return j * (rows + 1) + i;
}

static int64_t by_diagonals(int64_t i, int64_t j, int64_t rows, int64_t columns) {
  (void)columns;
  return (i + j) * (rows + 1) + i;
}

/* Numbers of a slice: one more than the last cell's place. */
static int64_t slice_size(const study_task *task, slice_place place) {
  const int64_t rows = task->setting.items, columns = task->problem->pair.columns;
  return place(rows, columns, rows, columns) + 1;
}

/* Where cell (i,j) of the matrix lies on the host, which has slice after slice. */
static int64_t matrix_place(const study_task *task, slice_place place, int64_t i, int64_t j) {
  const int64_t rows = task->setting.items, slice = i > 0 ? (i - 1) / rows : 0;
  return slice * slice_size(task, place) + place(i - slice * rows, j, rows, task->problem->pair.columns);
}

typedef struct sweep_memory {
  cl_kernel kernel;
  cl_mem cells, query, target;
} sweep_memory;

static cla_status set_arguments(const sweep_memory *memory, const study_task *task, cla_error *error) {
  const cl_int rows = (cl_int)task->problem->pair.rows, columns = (cl_int)task->problem->pair.columns;
  cl_int code = clSetKernelArg(memory->kernel, 0, sizeof memory->cells, &memory->cells);
  code |= clSetKernelArg(memory->kernel, 1, sizeof memory->query, &memory->query);
  code |= clSetKernelArg(memory->kernel, 2, sizeof memory->target, &memory->target);
  code |= clSetKernelArg(memory->kernel, 3, sizeof rows, &rows);
  code |= clSetKernelArg(memory->kernel, 4, sizeof columns, &columns);
  return device_check(task->device, code, "clSetKernelArg", error);
}

static cla_status begin(sweep_memory *memory, const study_task *task, int64_t slice_bytes, cla_error *error) {
  const pair_problem *pair = &task->problem->pair;
  const cla_scoring *scoring = &task->problem->scoring;
  char options[128];
  snprintf(options, sizeof options, "-D ROWS=%d -D GAP=%d -D MATCH=%d -D MISMATCH=%d", task->setting.items,
           scoring->gap_first, scoring->match, scoring->mismatch);
  cla_status status = study_kernel(&memory->kernel, task, "sweep", options, error);
  if (status == CLA_OK)
    status = device_buffer(&memory->cells, task->device, slice_bytes, POISON_INTS, "a slice", error);
  if (status == CLA_OK)
    status = device_buffer_with(&memory->query, task->device, pair->rows, pair->query, "the query", error);
  if (status == CLA_OK)
    status =
        device_buffer_with(&memory->target, task->device, pair->columns, pair->target, "the target", error);
  return status == CLA_OK ? set_arguments(memory, task, error) : status;
}

static void end(sweep_memory *memory) {
  if (memory->kernel) clReleaseKernel(memory->kernel);
  if (memory->cells) clReleaseMemObject(memory->cells);
  if (memory->query) clReleaseMemObject(memory->query);
  if (memory->target) clReleaseMemObject(memory->target);
}

/* One slice after the other: the cells, then their way to the host. */
static cla_status sweep(study_result *out, const sweep_memory *memory, const study_task *task,
                        int64_t slice_bytes, cla_error *error) {
  char *to = (char *)out->cells[0].values;
  double last = machine_seconds();
  cla_status status = CLA_OK;
  for (cl_int top = 0; top < task->problem->pair.rows && status == CLA_OK; top += task->setting.items) {
    status = device_check(task->device, clSetKernelArg(memory->kernel, 5, sizeof top, &top), "clSetKernelArg",
                          error);
    if (status == CLA_OK) status = study_launch(task, memory->kernel, 1, task->setting.items, error);
    if (status == CLA_OK) status = study_wait(task, error);
    out->compute += study_lap(&last);
    if (status == CLA_OK) status = study_read(task, memory->cells, to, slice_bytes, error);
    out->transfer += study_lap(&last);
    to += slice_bytes;
  }
  return status;
}

typedef int64_t (*cell_place)(const study_task *task, int64_t i, int64_t j);

static cla_status run(study_result *out, const study_task *task, slice_place place, cell_place at,
                      cla_error *error) {
  const pair_problem *pair = &task->problem->pair;
  const int64_t slices = (pair->rows + task->setting.items - 1) / task->setting.items;
  const int64_t slice_bytes = slice_size(task, place) * (int64_t)sizeof(int32_t);
  sweep_memory memory = {0};
  double last = machine_seconds();
  out->cells[0] = (study_cells){.row_step = 1, .column_step = 1};
  out->place = at;
  out->stored_bytes = slices * slice_bytes;
  cla_status status =
      allocate_array((void **)&out->cells[0].values, slices, slice_bytes, "the matrix", error);
  if (status == CLA_OK) status = begin(&memory, task, slice_bytes, error);
  out->prepare = study_lap(&last);
  if (status == CLA_OK) status = sweep(out, &memory, task, slice_bytes, error);
  if (status == CLA_OK) out->score = out->cells[0].values[at(task, pair->rows, pair->columns)];
  end(&memory);
  return status;
}

#define LAYOUT(NAME, PLACE)                                                               \
  static int64_t NAME##_at(const study_task *task, int64_t i, int64_t j) {                \
    return matrix_place(task, PLACE, i, j);                                               \
  }                                                                                       \
  cla_status layout_##NAME(study_result *out, const study_task *task, cla_error *error) { \
    return run(out, task, PLACE, NAME##_at, error);                                       \
  }
LAYOUT(rows, by_rows)
LAYOUT(columns, by_columns)
LAYOUT(diagonals, by_diagonals)
