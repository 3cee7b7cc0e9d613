/* Reads the canonical path (docs/internals/exactness.md) from full matrices. */

#include "support/reference_path.h"

#include <stdlib.h>

#include "base/allocate.h"

/* The node that the traceback has reached, and the runs found so far, the path's last run first. */
typedef struct path_state {
  const reference_matrix *matrix;
  const pair_problem *of;
  int64_t i, j;
  cla_run *runs;
  int64_t run_count, run_capacity;
} path_state;

static int64_t h_at(const path_state *path, int64_t i, int64_t j) {
  return reference_at(path->matrix, path->matrix->h, i, j);
}

static cla_status add_step(path_state *path, cla_run_kind kind, cla_error *error) {
  if (path->run_count > 0 && path->runs[path->run_count - 1].kind == kind) {
    path->runs[path->run_count - 1].length++;
    return CLA_OK;
  }
  void *runs = path->runs;
  cla_status status = allocate_grow(&runs, &path->run_capacity, path->run_count + 1, sizeof(cla_run),
                                    "an alignment's runs", error);
  path->runs = runs;
  if (!status) path->runs[path->run_count++] = (cla_run){.length = 1, .kind = kind};
  return status;
}

/* Follows a gap back from state E(i,j) of the piece with the values `e`: adds target letters until state H is
 * reached. */
static cla_status follow_target_gap(path_state *path, const int64_t *e, int64_t first, cla_error *error) {
  for (;;) {
    const int64_t value = reference_at(path->matrix, e, path->i, path->j);
    cla_status status = add_step(path, CLA_RUN_TARGET, error);
    path->j--;
    if (status || h_at(path, path->i, path->j) - first == value) return status;
  }
}

/* Follows a gap back from state F(i,j) of the piece with the values `f`: adds query letters until state H is
 * reached. */
static cla_status follow_query_gap(path_state *path, const int64_t *f, int64_t first, cla_error *error) {
  for (;;) {
    const int64_t value = reference_at(path->matrix, f, path->i, path->j);
    cla_status status = add_step(path, CLA_RUN_QUERY, error);
    path->i--;
    if (status || h_at(path, path->i, path->j) - first == value) return status;
  }
}

/* Goes back from state H(i,j) if the path neither starts there nor comes by a pair. Tries E of each piece,
 * then F of each piece, and follows the first one whose value equals H. */
static cla_status follow_gap(path_state *path, int64_t h, cla_error *error) {
  const reference_matrix *m = path->matrix;
  const cla_scoring *scoring = path->of->scheme.scoring;
  const int64_t i = path->i, j = path->j;
  const int pieces = gap_pieces(scoring);
  int k = 0;
  while (k < pieces && reference_at(m, m->e[k], i, j) != h) k++;
  if (k < pieces) return follow_target_gap(path, m->e[k], scoring->gap[k].first, error);
  for (k = 0; k < pieces - 1 && reference_at(m, m->f[k], i, j) != h;) k++;
  return follow_query_gap(path, m->f[k], scoring->gap[k].first, error);
}

static bool is_pair(const path_state *path) {
  const score_table *table = path->of->scheme.table;
  if (path->i == 0 || path->j == 0 || used_pairs_has(table->used, path->i, path->j)) return false;
  const int letters = path->of->query[path->i - 1] * CLA_MATRIX_STRIDE + path->of->target[path->j - 1];
  return h_at(path, path->i - 1, path->j - 1) + table->score[letters] == h_at(path, path->i, path->j);
}

/* True if the path may start in the node that it has reached in state H. */
static bool is_start(const path_state *path, int64_t h) {
  const path_ends ends = path->of->scheme.ends;
  if (ends.floor) return h == 0;
  return (path->i == 0 && path->j == 0) || (ends.target_start && path->i == 0) ||
         (ends.query_start && path->j == 0);
}

static cla_status follow_path(path_state *path, cla_error *error) {
  cla_status status = CLA_OK;
  while (!status) {
    const int64_t h = h_at(path, path->i, path->j);
    if (is_start(path, h)) break;
    if (is_pair(path)) {
      status = add_step(path, CLA_RUN_PAIR, error);
      path->i--;
      path->j--;
    } else {
      status = follow_gap(path, h, error);
    }
  }
  return status;
}

cla_status reference_align(reference_alignment *out, const pair_problem *problem, cla_error *error) {
  const path_scheme *scheme = &problem->scheme;
  reference_borders borders = {0};
  reference_matrix matrix = {0};
  path_state path = {.matrix = &matrix, .of = problem};
  *out = (reference_alignment){0};
  cla_status status =
      reference_borders_make(&borders, problem->rows, problem->columns, scheme->scoring, scheme->ends, error);
  if (!status) status = reference_fill(&matrix, problem, &borders, error);
  if (status) goto done;
  const reference_cell end = reference_end(&matrix, scheme->ends);
  out->score = end.score;
  path.i = out->query_end = end.row;
  path.j = out->target_end = end.column;
  status = follow_path(&path, error);
  if (status) goto done;
  out->query_start = path.i;
  out->target_start = path.j;
  for (int64_t low = 0, high = path.run_count - 1; low < high; low++, high--) {
    const cla_run swapped = path.runs[low];
    path.runs[low] = path.runs[high];
    path.runs[high] = swapped;
  }
  out->runs = path.runs;
  out->run_count = (size_t)path.run_count;
  path.runs = NULL;
done:
  free(path.runs);
  reference_matrix_free(&matrix);
  reference_borders_free(&borders);
  return status;
}
