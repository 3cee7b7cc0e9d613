#include "reference/reference.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"

/* Returns the pair score of cell (i,j); minus infinity if the pair is used. */
static int64_t pair_score(const pair_problem *of, int64_t i, int64_t j) {
  const score_table *table = of->scheme.table;
  if (used_pairs_has(table->used, i, j)) return REFERENCE_MINUS_INFINITY;
  return table->score[of->query[i - 1] * CLA_MATRIX_STRIDE + of->target[j - 1]];
}

static cla_status allocate_values(int64_t **out, int64_t count, cla_error *error) {
  int64_t *memory = NULL;
  cla_status status = ALLOCATE_ARRAY(&memory, count, "the reference's values", error);
  *out = memory;
  return status;
}

/* Makes H on a border of length + 1 nodes. If `costs`, paths begin in the corner, else at any node of the
 * border. */
static cla_status make_h(const int64_t **h, int64_t length, const cla_scoring *scoring, bool costs,
                         cla_error *error) {
  int64_t *values = NULL;
  cla_status status = allocate_values(&values, length + 1, error);
  for (int64_t i = 0; !status && i <= length; i++) values[i] = costs ? -gap_cost(scoring, i) : 0;
  *h = values;
  return status;
}

/* Makes the values of one piece's gaps on a border. If `costs`, gaps along the border begin in the corner;
 * else there are none. There are no gaps across the border. */
static cla_status make_gaps(const int64_t **along, const int64_t **across, int64_t length, cla_gap_piece of,
                            bool costs, cla_error *error) {
  int64_t *new_along = NULL, *new_across = NULL;
  cla_status status = allocate_values(&new_along, length + 1, error);
  if (!status) status = allocate_values(&new_across, length + 1, error);
  for (int64_t i = 0; !status && i <= length; i++) {
    new_along[i] = costs && i > 0 ? -(of.first + (i - 1) * of.ext) : REFERENCE_MINUS_INFINITY;
    new_across[i] = REFERENCE_MINUS_INFINITY;
  }
  *along = new_along;
  *across = new_across;
  return status;
}

cla_status reference_borders_make(reference_borders *out, int64_t rows, int64_t columns,
                                  const cla_scoring *scoring, path_ends ends, cla_error *error) {
  const bool across = !ends.target_start, down = !ends.query_start;
  *out = (reference_borders){0};
  cla_status status = make_h(&out->top_h, columns, scoring, across, error);
  if (!status) status = make_h(&out->left_h, rows, scoring, down, error);
  for (int k = 0; !status && k < gap_pieces(scoring); k++) {
    status = make_gaps(&out->top_e[k], &out->top_f[k], columns, scoring->gap[k], across, error);
    if (!status) status = make_gaps(&out->left_f[k], &out->left_e[k], rows, scoring->gap[k], down, error);
  }
  if (status) reference_borders_free(out);
  return status;
}

void reference_borders_free(reference_borders *borders) {
  free((void *)(uintptr_t)borders->top_h);
  free((void *)(uintptr_t)borders->left_h);
  for (int k = 0; k < CLA_GAP_PIECES; k++) {
    const int64_t *arrays[] = {borders->top_e[k], borders->top_f[k], borders->left_e[k], borders->left_f[k]};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free((void *)(uintptr_t)arrays[i]);
  }
  *borders = (reference_borders){0};
}

/* Copies `values` into the upper border of a matrix; minus infinity if `values` is NULL. */
static void copy_top(const reference_matrix *matrix, int64_t *into, const int64_t *values, int64_t from) {
  for (int64_t j = from; j <= matrix->columns; j++) into[j] = values ? values[j] : REFERENCE_MINUS_INFINITY;
}

/* Copies `values` into the left border of a matrix; minus infinity if `values` is NULL. */
static void copy_left(const reference_matrix *matrix, int64_t *into, const int64_t *values) {
  for (int64_t i = 0; i <= matrix->rows; i++)
    into[i * (matrix->columns + 1)] = values ? values[i] : REFERENCE_MINUS_INFINITY;
}

static void copy_borders(const reference_matrix *matrix, const reference_borders *b) {
  copy_left(matrix, matrix->h, b->left_h);
  copy_top(matrix, matrix->h, b->top_h, 0);
  for (int k = 0; k < CLA_GAP_PIECES && matrix->e[k]; k++) {
    copy_left(matrix, matrix->f[k], b->left_f[k]);
    copy_top(matrix, matrix->f[k], b->top_f[k], 0);
    copy_left(matrix, matrix->e[k], b->left_e[k]);
    copy_top(matrix, matrix->e[k], b->top_e[k], 1); /* from 1: the corner keeps the left border's E */
  }
}

cla_status reference_fill(reference_matrix *out, const pair_problem *problem,
                          const reference_borders *borders, cla_error *error) {
  const int64_t rows = problem->rows, columns = problem->columns;
  const cla_scoring *scoring = problem->scheme.scoring;
  *out = (reference_matrix){.rows = rows, .columns = columns};
  if (rows + 1 > REFERENCE_CELL_LIMIT / (columns + 1))
    return error_set(error, CLA_ERROR_MEMORY,
                     "a full matrix of %lld x %lld cells exceeds the limit of %lld; use shorter sequences",
                     (long long)rows, (long long)columns, (long long)REFERENCE_CELL_LIMIT);
  const int64_t width = columns + 1;
  const int pieces = gap_pieces(scoring);
  cla_status status = allocate_values(&out->h, (rows + 1) * width, error);
  for (int k = 0; k < pieces; k++) {
    if (!status) status = allocate_values(&out->e[k], (rows + 1) * width, error);
    if (!status) status = allocate_values(&out->f[k], (rows + 1) * width, error);
  }
  if (status) {
    reference_matrix_free(out);
    return status;
  }
  int64_t *h = out->h;
  copy_borders(out, borders);
  for (int64_t i = 1; i <= rows; i++)
    for (int64_t j = 1; j <= columns; j++) {
      const int64_t here = i * width + j, left = here - 1, up = here - width, diagonal = up - 1;
      h[here] = h[diagonal] + pair_score(problem, i, j);
      for (int k = 0; k < pieces; k++) {
        const cla_gap_piece gap = scoring->gap[k];
        int64_t *e = out->e[k], *f = out->f[k];
        e[here] = larger(h[left] - gap.first, e[left] - gap.ext);
        f[here] = larger(h[up] - gap.first, f[up] - gap.ext);
        h[here] = larger(h[here], larger(e[here], f[here]));
      }
      if (problem->scheme.ends.floor) h[here] = larger(h[here], 0);
    }
  return CLA_OK;
}

void reference_matrix_free(reference_matrix *matrix) {
  free(matrix->h);
  for (int k = 0; k < CLA_GAP_PIECES; k++) {
    free(matrix->e[k]);
    free(matrix->f[k]);
  }
  *matrix = (reference_matrix){0};
}

reference_cell reference_best(const reference_matrix *matrix) {
  reference_cell best = {0};
  for (int64_t i = 1; i <= matrix->rows; i++)
    for (int64_t j = 1; j <= matrix->columns; j++) {
      const int64_t score = reference_at(matrix, matrix->h, i, j);
      if (score > best.score) best = (reference_cell){.score = score, .row = i, .column = j};
    }
  return best;
}

reference_cell reference_last_column(const reference_matrix *matrix) {
  reference_cell best = {.score = INT64_MIN};
  for (int64_t i = 1; i <= matrix->rows; i++) {
    const int64_t score = reference_at(matrix, matrix->h, i, matrix->columns);
    if (score > best.score) best = (reference_cell){.score = score, .row = i, .column = matrix->columns};
  }
  return best;
}

/* True if a path may end in node (i,j). */
static bool is_end(path_ends ends, int64_t i, int64_t j, int64_t rows, int64_t columns) {
  if (ends.anywhere || (i == rows && j == columns)) return true;
  return (ends.query_end && j == columns) || (ends.target_end && i == rows);
}

reference_cell reference_end(const reference_matrix *matrix, path_ends ends) {
  reference_cell best = {.score = INT64_MIN};
  for (int64_t i = 0; i <= matrix->rows; i++)
    for (int64_t j = 0; j <= matrix->columns; j++) {
      const int64_t score = reference_at(matrix, matrix->h, i, j);
      if (score > best.score && is_end(ends, i, j, matrix->rows, matrix->columns))
        best = (reference_cell){.score = score, .row = i, .column = j};
    }
  return best;
}

/* Takes node (i,j) as the end if a path may end there and its score exceeds the best so far. */
static void offer_end(reference_alignment *out, const pair_problem *of, int64_t i, int64_t j, int64_t score) {
  if (score <= out->score || !is_end(of->scheme.ends, i, j, of->rows, of->columns)) return;
  out->score = score;
  out->query_end = i;
  out->target_end = j;
}

cla_status reference_score(reference_alignment *out, const pair_problem *problem, cla_error *error) {
  const int64_t rows = problem->rows, columns = problem->columns;
  const cla_scoring *scoring = problem->scheme.scoring;
  const path_ends ends = problem->scheme.ends;
  const int pieces = gap_pieces(scoring);
  int64_t *h = NULL, *f[CLA_GAP_PIECES] = {NULL}; /* values of row i up to column j, of row i - 1 beyond */
  *out = (reference_alignment){.score = INT64_MIN};
  cla_status status = allocate_values(&h, columns + 1, error);
  for (int k = 0; k < pieces && !status; k++) status = allocate_values(&f[k], columns + 1, error);
  if (status) goto done;
  for (int64_t j = 0; j <= columns; j++) {
    h[j] = path_ends_top_h(&ends, scoring, j);
    for (int k = 0; k < pieces; k++) f[k][j] = REFERENCE_MINUS_INFINITY;
    offer_end(out, problem, 0, j, h[j]);
  }
  for (int64_t i = 1; i <= rows; i++) {
    int64_t diagonal = h[0], e[CLA_GAP_PIECES];
    for (int k = 0; k < pieces; k++) e[k] = REFERENCE_MINUS_INFINITY;
    h[0] = path_ends_left_h(&ends, scoring, i);
    offer_end(out, problem, i, 0, h[0]);
    for (int64_t j = 1; j <= columns; j++) {
      int64_t value = diagonal + pair_score(problem, i, j);
      for (int k = 0; k < pieces; k++) {
        const cla_gap_piece gap = scoring->gap[k];
        e[k] = larger(h[j - 1] - gap.first, e[k] - gap.ext);
        f[k][j] = larger(h[j] - gap.first, f[k][j] - gap.ext);
        value = larger(value, larger(e[k], f[k][j]));
      }
      if (ends.floor) value = larger(value, 0);
      diagonal = h[j];
      h[j] = value;
      offer_end(out, problem, i, j, value);
    }
  }
done:
  free(h);
  for (int k = 0; k < CLA_GAP_PIECES; k++) free(f[k]);
  return status;
}

void reference_alignment_free(reference_alignment *alignment) {
  free(alignment->runs);
  *alignment = (reference_alignment){0};
}
