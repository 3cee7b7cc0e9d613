#include "reference/reference.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"

static int64_t pair_score(const score_table *table, uint8_t query_code, uint8_t target_code) {
  return table->score[query_code * CLA_MATRIX_STRIDE + target_code];
}

static cla_status allocate_values(int64_t **out, int64_t count, cla_error *error) {
  void *memory = NULL;
  cla_status status = allocate_array(&memory, count, sizeof(int64_t), "the reference's values", error);
  *out = memory;
  return status;
}

cla_status reference_borders_make(reference_borders *out, int64_t rows, int64_t columns,
                                  const cla_scoring *scoring, path_ends ends, cla_error *error) {
  int64_t *top_h = NULL, *top_e = NULL, *top_f = NULL, *left_h = NULL, *left_e = NULL, *left_f = NULL;
  cla_status status = allocate_values(&top_h, columns + 1, error);
  if (!status) status = allocate_values(&top_e, columns + 1, error);
  if (!status) status = allocate_values(&top_f, columns + 1, error);
  if (!status) status = allocate_values(&left_h, rows + 1, error);
  if (!status) status = allocate_values(&left_e, rows + 1, error);
  if (!status) status = allocate_values(&left_f, rows + 1, error);
  *out = (reference_borders){top_h, top_f, left_h, left_e, top_e, left_f};
  if (status) {
    reference_borders_free(out);
    return status;
  }
  for (int64_t j = 0; j <= columns; j++) {
    top_h[j] = ends.target_start ? 0 : -gap_cost(scoring, j);
    top_e[j] = !ends.target_start && j > 0 ? top_h[j] : REFERENCE_MINUS_INFINITY;
    top_f[j] = REFERENCE_MINUS_INFINITY;
  }
  for (int64_t i = 0; i <= rows; i++) {
    left_h[i] = ends.query_start ? 0 : -gap_cost(scoring, i);
    left_f[i] = !ends.query_start && i > 0 ? left_h[i] : REFERENCE_MINUS_INFINITY;
    left_e[i] = REFERENCE_MINUS_INFINITY;
  }
  return CLA_OK;
}

void reference_borders_free(reference_borders *borders) {
  const int64_t *arrays[] = {borders->top_h,  borders->top_f, borders->left_h,
                             borders->left_e, borders->top_e, borders->left_f};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free((void *)(uintptr_t)arrays[i]);
  *borders = (reference_borders){0};
}

static void copy_borders(reference_matrix *matrix, const reference_borders *borders) {
  const int64_t width = matrix->columns + 1;
  for (int64_t i = 0; i <= matrix->rows; i++) {
    matrix->h[i * width] = borders->left_h[i];
    matrix->e[i * width] = borders->left_e[i];
    matrix->f[i * width] = borders->left_f ? borders->left_f[i] : REFERENCE_MINUS_INFINITY;
  }
  for (int64_t j = 0; j <= matrix->columns; j++) {
    matrix->h[j] = borders->top_h[j];
    matrix->f[j] = borders->top_f[j];
    /* The corner's E keeps the left border's value. */
    if (j > 0) matrix->e[j] = borders->top_e ? borders->top_e[j] : REFERENCE_MINUS_INFINITY;
  }
}

cla_status reference_fill(reference_matrix *out, const uint8_t *query_codes, int64_t rows,
                          const uint8_t *target_codes, int64_t columns, const score_table *table,
                          const cla_scoring *scoring, const reference_borders *borders, bool floor_at_zero,
                          cla_error *error) {
  *out = (reference_matrix){.rows = rows, .columns = columns};
  if (rows + 1 > REFERENCE_CELL_LIMIT / (columns + 1))
    return error_set(error, CLA_ERROR_MEMORY,
                     "a full matrix of %lld x %lld cells exceeds the limit of %lld; use shorter sequences",
                     (long long)rows, (long long)columns, (long long)REFERENCE_CELL_LIMIT);
  const int64_t width = columns + 1, first = scoring->gap_first, ext = scoring->gap_ext;
  cla_status status = allocate_values(&out->h, (rows + 1) * width, error);
  if (!status) status = allocate_values(&out->e, (rows + 1) * width, error);
  if (!status) status = allocate_values(&out->f, (rows + 1) * width, error);
  if (status) {
    reference_matrix_free(out);
    return status;
  }
  int64_t *h = out->h, *e = out->e, *f = out->f;
  copy_borders(out, borders);
  for (int64_t i = 1; i <= rows; i++)
    for (int64_t j = 1; j <= columns; j++) {
      const int64_t here = i * width + j, left = here - 1, up = here - width, diagonal = up - 1;
      e[here] = larger(h[left] - first, e[left] - ext);
      f[here] = larger(h[up] - first, f[up] - ext);
      h[here] = larger(e[here], f[here]);
      if (!used_pairs_has(table->used, i, j))
        h[here] = larger(h[here], h[diagonal] + pair_score(table, query_codes[i - 1], target_codes[j - 1]));
      if (floor_at_zero) h[here] = larger(h[here], 0);
    }
  return CLA_OK;
}

void reference_matrix_free(reference_matrix *matrix) {
  free(matrix->h);
  free(matrix->e);
  free(matrix->f);
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
static void offer_end(reference_alignment *out, path_ends ends, int64_t i, int64_t j, int64_t rows,
                      int64_t columns, int64_t score) {
  if (score <= out->score || !is_end(ends, i, j, rows, columns)) return;
  out->score = score;
  out->query_end = i;
  out->target_end = j;
}

cla_status reference_score(reference_alignment *out, const uint8_t *query_codes, int64_t rows,
                           const uint8_t *target_codes, int64_t columns, const score_table *table,
                           const cla_scoring *scoring, path_ends ends, cla_error *error) {
  const int64_t first = scoring->gap_first, ext = scoring->gap_ext;
  int64_t *h = NULL, *f = NULL; /* of row i from column 1 to j, of row i - 1 beyond */
  *out = (reference_alignment){.score = INT64_MIN};
  cla_status status = allocate_values(&h, columns + 1, error);
  if (!status) status = allocate_values(&f, columns + 1, error);
  if (status) goto done;
  for (int64_t j = 0; j <= columns; j++) {
    h[j] = path_ends_top_h(&ends, scoring, j);
    f[j] = REFERENCE_MINUS_INFINITY;
    offer_end(out, ends, 0, j, rows, columns, h[j]);
  }
  for (int64_t i = 1; i <= rows; i++) {
    int64_t diagonal = h[0], e = REFERENCE_MINUS_INFINITY;
    h[0] = path_ends_left_h(&ends, scoring, i);
    offer_end(out, ends, i, 0, rows, columns, h[0]);
    for (int64_t j = 1; j <= columns; j++) {
      e = larger(h[j - 1] - first, e - ext);
      f[j] = larger(h[j] - first, f[j] - ext);
      int64_t value = diagonal + pair_score(table, query_codes[i - 1], target_codes[j - 1]);
      value = larger(value, larger(e, f[j]));
      if (ends.floor) value = larger(value, 0);
      diagonal = h[j];
      h[j] = value;
      offer_end(out, ends, i, j, rows, columns, value);
    }
  }
done:
  free(h);
  free(f);
  return status;
}
