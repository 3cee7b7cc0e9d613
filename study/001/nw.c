/* What all systems of the thesis share on the host. */

#include "nw.h"

#include <stdlib.h>

nw_block nw_block_of(const study_problem *problem) {
  return (nw_block){.rows = problem->pair.rows,
                    .columns = problem->pair.columns,
                    .query = problem->pair.query,
                    .target = problem->pair.target,
                    .scores = problem->table.score,
                    .gap = problem->scoring.gap_first};
}

static void fill_borders(const nw_block *whole) {
  for (int64_t i = 0; i <= whole->rows; i++) whole->cells[i * whole->stride] = -(int32_t)i * whole->gap;
  for (int64_t j = 0; j <= whole->columns; j++) whole->cells[j] = -(int32_t)j * whole->gap;
}

cla_status nw_on_cpu(study_result *out, const study_task *task, nw_filler fill, cla_error *error) {
  double last = machine_seconds();
  nw_block whole = nw_block_of(task->problem);
  whole.stride = whole.columns + 1;
  const int64_t count = (whole.rows + 1) * whole.stride;
  cla_status status = allocate_array((void **)&whole.cells, count, sizeof *whole.cells, "the matrix", error);
  if (status != CLA_OK) return status;
  out->cells[0] = (study_cells){whole.cells, 1, 1, whole.stride, 1};
  out->stored_bytes = count * (int64_t)sizeof *whole.cells;
  fill_borders(&whole);
  out->prepare = study_lap(&last);
  fill(&whole, task->setting);
  out->score = whole.cells[count - 1];
  out->compute = study_lap(&last);
  status = nw_trace_plain(out, &whole, error);
  out->trace = study_lap(&last);
  return status;
}

cla_status nw_path_add(nw_path *path, cla_run_kind kind, int64_t steps, cla_error *error) {
  if (steps == 0) return CLA_OK;
  if (kind != CLA_RUN_TARGET) path->row -= steps;
  if (kind != CLA_RUN_QUERY) path->column -= steps;
  if (path->count > 0 && path->runs[path->count - 1].kind == kind) {
    path->runs[path->count - 1].length += steps;
    return CLA_OK;
  }
  const cla_status status = allocate_grow((void **)&path->runs, &path->capacity, path->count + 1,
                                          sizeof *path->runs, "the path", error);
  if (status == CLA_OK) path->runs[path->count++] = (cla_run){.length = steps, .kind = kind};
  return status;
}

cla_status nw_path_end(nw_path *path, study_result *out, cla_error *error) {
  cla_status status = nw_path_add(path, CLA_RUN_QUERY, path->row, error);
  if (status == CLA_OK) status = nw_path_add(path, CLA_RUN_TARGET, path->column, error);
  for (int64_t a = 0, b = path->count - 1; a < b; a++, b--) {
    const cla_run run = path->runs[a];
    path->runs[a] = path->runs[b];
    path->runs[b] = run;
  }
  out->runs = path->runs;
  out->run_count = (size_t)path->count;
  return status;
}
