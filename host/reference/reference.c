#include "reference/reference.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"

/* Of cell (i,j); minus infinity where the pair may not be made. */
static int64_t pair_score(const pair_problem *of, int64_t i, int64_t j) {
  const score_table *table = of->scheme.table;
  if (used_pairs_has(table->used, i, j)) return REFERENCE_MINUS_INFINITY;
  return table->score[of->query[i - 1] * CLA_MATRIX_STRIDE + of->target[j - 1]];
}

static cla_status allocate_values(int64_t **out, int64_t count, cla_error *error) {
  void *memory = NULL;
  cla_status status = allocate_array(&memory, count, sizeof(int64_t), "the reference's values", error);
  *out = memory;
  return status;
}

/* H on a border of length + 1 nodes. `costs`: paths begin in the corner, else at any node of the border. */
static cla_status make_h(const int64_t **h, int64_t length, const cla_scoring *scoring, bool costs,
                         cla_error *error) {
  int64_t *values = NULL;
  cla_status status = allocate_values(&values, length + 1, error);
  for (int64_t i = 0; !status && i <= length; i++) values[i] = costs ? -gap_cost(scoring, i) : 0;
  *h = values;
  return status;
}

/* One of the pieces of a gap's cost, of gaps along a border that begin in the corner if `costs`. */
typedef struct border_gaps {
  int64_t first, ext;
  bool costs;
} border_gaps;

/* Gaps along a border, and those across it. */
static cla_status make_gaps(const int64_t **along, const int64_t **across, int64_t length, border_gaps of,
                            cla_error *error) {
  int64_t *new_along = NULL, *new_across = NULL;
  cla_status status = allocate_values(&new_along, length + 1, error);
  if (!status) status = allocate_values(&new_across, length + 1, error);
  for (int64_t i = 0; !status && i <= length; i++) {
    new_along[i] = of.costs && i > 0 ? -(of.first + (i - 1) * of.ext) : REFERENCE_MINUS_INFINITY;
    new_across[i] = REFERENCE_MINUS_INFINITY;
  }
  *along = new_along;
  *across = new_across;
  return status;
}

cla_status reference_borders_make(reference_borders *out, int64_t rows, int64_t columns,
                                  const cla_scoring *scoring, path_ends ends, cla_error *error) {
  const bool across = !ends.target_start, down = !ends.query_start, two = gap_two_pieces(scoring);
  const int64_t first = scoring->gap_first, ext = scoring->gap_ext;
  const int64_t first2 = scoring->gap_first2, ext2 = scoring->gap_ext2;
  *out = (reference_borders){0};
  cla_status status = make_h(&out->top_h, columns, scoring, across, error);
  if (!status) status = make_h(&out->left_h, rows, scoring, down, error);
  if (!status)
    status = make_gaps(&out->top_e, &out->top_f, columns, (border_gaps){first, ext, across}, error);
  if (!status) status = make_gaps(&out->left_f, &out->left_e, rows, (border_gaps){first, ext, down}, error);
  if (!status && two)
    status = make_gaps(&out->top_e2, &out->top_f2, columns, (border_gaps){first2, ext2, across}, error);
  if (!status && two)
    status = make_gaps(&out->left_f2, &out->left_e2, rows, (border_gaps){first2, ext2, down}, error);
  if (status) reference_borders_free(out);
  return status;
}

void reference_borders_free(reference_borders *borders) {
  const int64_t *arrays[] = {borders->top_h,  borders->top_f,  borders->left_h, borders->left_e,
                             borders->top_e,  borders->left_f, borders->top_f2, borders->left_e2,
                             borders->top_e2, borders->left_f2};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free((void *)(uintptr_t)arrays[i]);
  *borders = (reference_borders){0};
}

/* The upper border of a matrix; without values minus infinity. */
static void copy_top(const reference_matrix *matrix, int64_t *into, const int64_t *values, int64_t from) {
  for (int64_t j = from; j <= matrix->columns; j++) into[j] = values ? values[j] : REFERENCE_MINUS_INFINITY;
}

/* The left one; likewise. */
static void copy_left(const reference_matrix *matrix, int64_t *into, const int64_t *values) {
  for (int64_t i = 0; i <= matrix->rows; i++)
    into[i * (matrix->columns + 1)] = values ? values[i] : REFERENCE_MINUS_INFINITY;
}

static void copy_borders(const reference_matrix *matrix, const reference_borders *b) {
  copy_left(matrix, matrix->h, b->left_h);
  copy_top(matrix, matrix->h, b->top_h, 0);
  copy_left(matrix, matrix->f, b->left_f);
  copy_top(matrix, matrix->f, b->top_f, 0);
  copy_left(matrix, matrix->e, b->left_e);
  copy_top(matrix, matrix->e, b->top_e, 1); /* the corner's E keeps the left border's value */
  if (!matrix->e2) return;
  copy_left(matrix, matrix->f2, b->left_f2);
  copy_top(matrix, matrix->f2, b->top_f2, 0);
  copy_left(matrix, matrix->e2, b->left_e2);
  copy_top(matrix, matrix->e2, b->top_e2, 1);
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
  const int64_t width = columns + 1, first = scoring->gap_first, ext = scoring->gap_ext;
  const int64_t first2 = scoring->gap_first2, ext2 = scoring->gap_ext2;
  const bool two = gap_two_pieces(scoring);
  cla_status status = allocate_values(&out->h, (rows + 1) * width, error);
  if (!status) status = allocate_values(&out->e, (rows + 1) * width, error);
  if (!status) status = allocate_values(&out->f, (rows + 1) * width, error);
  if (!status && two) status = allocate_values(&out->e2, (rows + 1) * width, error);
  if (!status && two) status = allocate_values(&out->f2, (rows + 1) * width, error);
  if (status) {
    reference_matrix_free(out);
    return status;
  }
  int64_t *h = out->h, *e = out->e, *f = out->f, *e2 = out->e2, *f2 = out->f2;
  copy_borders(out, borders);
  for (int64_t i = 1; i <= rows; i++)
    for (int64_t j = 1; j <= columns; j++) {
      const int64_t here = i * width + j, left = here - 1, up = here - width, diagonal = up - 1;
      e[here] = larger(h[left] - first, e[left] - ext);
      f[here] = larger(h[up] - first, f[up] - ext);
      h[here] = larger(larger(e[here], f[here]), h[diagonal] + pair_score(problem, i, j));
      if (two) {
        e2[here] = larger(h[left] - first2, e2[left] - ext2);
        f2[here] = larger(h[up] - first2, f2[up] - ext2);
        h[here] = larger(h[here], larger(e2[here], f2[here]));
      }
      if (problem->scheme.ends.floor) h[here] = larger(h[here], 0);
    }
  return CLA_OK;
}

void reference_matrix_free(reference_matrix *matrix) {
  free(matrix->h);
  free(matrix->e);
  free(matrix->f);
  free(matrix->e2);
  free(matrix->f2);
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

/* Whether a path may end in the node. */
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

/* Takes node (i,j) as the end if it is one, and better than those before. */
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
  const int64_t first = scoring->gap_first, ext = scoring->gap_ext;
  /* One piece is as good as two that are alike. */
  const bool two = gap_two_pieces(scoring);
  const int64_t first2 = two ? scoring->gap_first2 : first, ext2 = two ? scoring->gap_ext2 : ext;
  int64_t *h = NULL, *f = NULL, *f2 = NULL; /* of row i from column 1 to j, of row i - 1 beyond */
  *out = (reference_alignment){.score = INT64_MIN};
  cla_status status = allocate_values(&h, columns + 1, error);
  if (!status) status = allocate_values(&f, columns + 1, error);
  if (!status) status = allocate_values(&f2, columns + 1, error);
  if (status) goto done;
  for (int64_t j = 0; j <= columns; j++) {
    h[j] = path_ends_top_h(&ends, scoring, j);
    f[j] = f2[j] = REFERENCE_MINUS_INFINITY;
    offer_end(out, problem, 0, j, h[j]);
  }
  for (int64_t i = 1; i <= rows; i++) {
    int64_t diagonal = h[0], e = REFERENCE_MINUS_INFINITY, e2 = REFERENCE_MINUS_INFINITY;
    h[0] = path_ends_left_h(&ends, scoring, i);
    offer_end(out, problem, i, 0, h[0]);
    for (int64_t j = 1; j <= columns; j++) {
      e = larger(h[j - 1] - first, e - ext);
      f[j] = larger(h[j] - first, f[j] - ext);
      e2 = larger(h[j - 1] - first2, e2 - ext2);
      f2[j] = larger(h[j] - first2, f2[j] - ext2);
      int64_t value = larger(larger(e, f[j]), larger(e2, f2[j]));
      value = larger(value, diagonal + pair_score(problem, i, j));
      if (ends.floor) value = larger(value, 0);
      diagonal = h[j];
      h[j] = value;
      offer_end(out, problem, i, j, value);
    }
  }
done:
  free(h);
  free(f);
  free(f2);
  return status;
}
