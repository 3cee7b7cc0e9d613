/* What the systems of CUDA-SWat share on the host: filling by rows, the way back. */

#include "swat.h"

#include <stdlib.h>

void swat_fill_rows(const swat_rows *matrix, const swat_part *part, swat_best *best) {
  const study_problem *problem = matrix->problem;
  const int32_t first = problem->scoring.gap_first, ext = problem->scoring.gap_ext;
  const int64_t stride = problem->pair.columns + 1;
  for (int64_t i = part->top + 1; i <= part->bottom; i++) {
    int32_t *h = matrix->h + i * stride, *e = h + matrix->plane, *f = e + matrix->plane;
    const int32_t *h_above = h - stride, *f_above = f - stride;
    for (int64_t j = part->left + 1; j <= part->right; j++) {
      e[j] = swat_larger(e[j - 1] - ext, h[j - 1] - first);
      f[j] = swat_larger(f_above[j] - ext, h_above[j] - first);
      const int32_t paired = swat_larger(0, h_above[j - 1] + swat_score(problem, i, j));
      h[j] = swat_larger(paired, swat_larger(e[j], f[j]));
      if (h[j] > best->score) *best = (swat_best){h[j], (int32_t)i, (int32_t)j};
    }
  }
}

cla_status swat_make(study_result *out, int64_t numbers, cla_error *error) {
  const cla_status status = allocate_zeros((void **)&out->cells[0].values, numbers, (int64_t)sizeof(int32_t),
                                           "the matrices", error);
  out->cells[0].row_step = out->cells[0].column_step = 1;
  out->stored_bytes = numbers * (int64_t)sizeof(int32_t);
  return status;
}

/* A path as it is found, from its end. */
typedef struct way_back {
  cla_run *runs;
  int64_t count, capacity;
} way_back;

static cla_status add_step(way_back *way, cla_run_kind kind, cla_error *error) {
  if (way->count > 0 && way->runs[way->count - 1].kind == kind) {
    way->runs[way->count - 1].length++;
    return CLA_OK;
  }
  const cla_status status = allocate_grow((void **)&way->runs, &way->capacity, way->count + 1,
                                          sizeof *way->runs, "the path", error);
  if (status == CLA_OK) way->runs[way->count++] = (cla_run){.length = 1, .kind = kind};
  return status;
}

/* Where H(i,j) lies. */
static int64_t place_of(const study_result *out, const study_task *task, int64_t i, int64_t j) {
  return out->place ? out->place(task, i, j) : i * (task->problem->pair.columns + 1) + j;
}

static void give_path(study_result *out, way_back *way) {
  for (int64_t a = 0, b = way->count - 1; a < b; a++, b--) {
    const cla_run run = way->runs[a];
    way->runs[a] = way->runs[b];
    way->runs[b] = run;
  }
  out->runs = way->runs;
  out->run_count = (size_t)way->count;
}

cla_status swat_trace(study_result *out, const study_task *task, int64_t plane, const swat_best *best,
                      cla_error *error) {
  const int32_t *h = out->cells[0].values, *e = h + plane, *f = e + plane;
  const int32_t first = task->problem->scoring.gap_first;
  cla_run_kind within = CLA_RUN_PAIR; /* H; within a gap E, whose letters are the target's, or F */
  way_back way = {0};
  int64_t i = best->row, j = best->column;
  cla_status status = CLA_OK;
  out->score = best->score;
  out->query_end = i;
  out->target_end = j;
  while (status == CLA_OK) {
    const int64_t here = place_of(out, task, i, j);
    if (within == CLA_RUN_PAIR && h[here] == 0) break;
    if (within == CLA_RUN_PAIR && h[here] == e[here]) within = CLA_RUN_TARGET;
    if (within == CLA_RUN_PAIR && h[here] == f[here]) within = CLA_RUN_QUERY;
    status = add_step(&way, within, error);
    if (within != CLA_RUN_TARGET) i--;
    if (within != CLA_RUN_QUERY) j--;
    const int64_t before = place_of(out, task, i, j);
    if (within == CLA_RUN_TARGET && e[here] == h[before] - first) within = CLA_RUN_PAIR;
    if (within == CLA_RUN_QUERY && f[here] == h[before] - first) within = CLA_RUN_PAIR;
  }
  out->query_start = i;
  out->target_start = j;
  give_path(out, &way);
  return status;
}

cla_status swat_on_host(study_result *out, const study_task *task, swat_fill *fill, cla_error *error) {
  const pair_problem *pair = &task->problem->pair;
  const int64_t plane = (pair->rows + 1) * (pair->columns + 1);
  double last = machine_seconds();
  swat_best best = {0};
  cla_status status = swat_make(out, 3 * plane, error);
  if (status != CLA_OK) return status;
  out->cells[0].row_stride = pair->columns + 1;
  out->cells[0].column_stride = 1;
  out->prepare = study_lap(&last);
  const swat_rows matrix = {task->problem, out->cells[0].values, plane};
  status = fill(&best, &matrix, task->setting, error);
  out->compute = study_lap(&last);
  if (status == CLA_OK) status = swat_trace(out, task, plane, &best, error);
  out->trace = study_lap(&last);
  return status;
}
