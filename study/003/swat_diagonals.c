/* DiagHost (Aji 2008, section 4.2.2, figure 4.6): still on the host, but anti-diagonals lie one behind the
 * other in memory.
 *
 *   row by row      0 1 2     by diagonals     0 1 3     Cells of a diagonal do not need each other, and now
 * they are 3 4 5                      2 4 6     neighbours in memory: the compiler can compute four or eight
 * at 6 7 8                      5 7 8     once, with vector instructions. */

#include <stdlib.h>

#include "base/loops.h"
#include "swat.h"

#define ALIGN 1 /* nothing between diagonals */

cla_status swat_diag_host(study_result *out, const study_task *task, cla_error *error);

/* Numbers of diagonals of 1, 2, ... length cells, each rounded up to `align`. */
static int64_t growing(int64_t length, int64_t align) {
  const int64_t whole = length / align, rest = length % align;
  return align * (align * (whole * (whole + 1) / 2) + rest * (whole + 1));
}

int64_t swat_origin(const pair_problem *pair, int align, int64_t diagonal) {
  const int64_t rows = pair->rows + 1, columns = pair->columns + 1;
  const int64_t longest = rows < columns ? rows : columns;
  const int64_t count = rows + columns - 1, full = (longest + align - 1) / align * align;
  int64_t start = growing(diagonal, align);
  if (diagonal > longest) start = growing(longest, align) + (diagonal - longest) * full;
  if (diagonal > count - longest + 1) {
    const int64_t middle = (count - 2 * longest + 1) * full;
    const int64_t all = growing(longest, align) + middle + growing(longest - 1, align);
    start = all - growing(count - diagonal, align);
  }
  return start - swat_first_row(pair, diagonal);
}

int64_t swat_diagonals_size(const pair_problem *pair, int align) {
  const int64_t count =
      pair->rows + pair->columns + 1; /* of diagonals: the size is where one more would begin */
  return swat_origin(pair, align, count) + swat_first_row(pair, count);
}

static int64_t place(const study_task *task, int64_t i, int64_t j) {
  return swat_origin(&task->problem->pair, ALIGN, i + j) + i;
}

/* The lines of one diagonal and of the two before: [i] is row i. */
typedef struct diagonal_lines {
  int32_t *h, *e, *f;
  const int32_t *h1, *e1, *f1, *h2;
  const uint8_t *query, *target; /* the target's letters are reversed, so that [i] is that of column d - i */
} diagonal_lines;

/* Rows `from` to `to` of a diagonal; the largest H. */
static int32_t fill_diagonal(const study_problem *problem, const diagonal_lines *at, int64_t from,
                             int64_t to) {
  const int32_t first = problem->scoring.gap_first, ext = problem->scoring.gap_ext;
  const int32_t match = problem->scoring.match, mismatch = problem->scoring.mismatch;
  const diagonal_lines line = *at;
  int32_t most = 0;
  INDEPENDENT
  for (int64_t i = from; i <= to; i++) {
    const int32_t row_letter = line.query[i], column_letter = line.target[i];
    const int32_t score = row_letter == column_letter ? match : mismatch;
    const int32_t left = swat_larger(line.e1[i] - ext, line.h1[i] - first);
    const int32_t up = swat_larger(line.f1[i - 1] - ext, line.h1[i - 1] - first);
    const int32_t paired = swat_larger(0, line.h2[i - 1] + score);
    const int32_t value = swat_larger(paired, swat_larger(left, up));
    line.e[i] = left;
    line.f[i] = up;
    line.h[i] = value;
    most = swat_larger(most, value);
  }
  return most;
}

static void fill(int32_t *cells, int64_t plane, const uint8_t *reversed, const study_problem *problem,
                 swat_best *best) {
  const pair_problem *pair = &problem->pair;
  for (int64_t d = 2; d <= pair->rows + pair->columns; d++) {
    int32_t *now = cells + swat_origin(pair, ALIGN, d);
    const int32_t *before = cells + swat_origin(pair, ALIGN, d - 1);
    const diagonal_lines lines = {.h = now,
                                  .e = now + plane,
                                  .f = now + 2 * plane,
                                  .h1 = before,
                                  .e1 = before + plane,
                                  .f1 = before + 2 * plane,
                                  .h2 = cells + swat_origin(pair, ALIGN, d - 2),
                                  .query = pair->query - 1,
                                  .target = reversed + pair->columns - d};
    const int64_t from = swat_larger((int32_t)swat_first_row(pair, d), 1);
    const int64_t to = d - 1 < pair->rows ? d - 1 : pair->rows;
    const int32_t most = fill_diagonal(problem, &lines, from, to);
    if (most <= best->score) continue;
    for (int64_t i = from; best->score < most; i++)
      if (now[i] == most) *best = (swat_best){most, (int32_t)i, (int32_t)(d - i)};
  }
}

/* The caller frees. */
static cla_status reverse_target(uint8_t **out, const pair_problem *pair, cla_error *error) {
  const cla_status status = allocate_array((void **)out, pair->columns, 1, "the target's letters", error);
  for (int64_t j = 0; j < pair->columns && status == CLA_OK; j++)
    (*out)[j] = pair->target[pair->columns - 1 - j];
  return status;
}

cla_status swat_diag_host(study_result *out, const study_task *task, cla_error *error) {
  const int64_t plane = swat_diagonals_size(&task->problem->pair, ALIGN);
  double last = machine_seconds();
  uint8_t *reversed = NULL;
  swat_best best = {0};
  cla_status status = swat_make(out, 3 * plane, error);
  if (status == CLA_OK) status = reverse_target(&reversed, &task->problem->pair, error);
  if (status != CLA_OK) return status;
  out->place = place;
  out->prepare = study_lap(&last);
  fill(out->cells[0].values, plane, reversed, task->problem, &best);
  free(reversed);
  out->compute = study_lap(&last);
  status = swat_trace(out, task, plane, &best, error);
  out->trace = study_lap(&last);
  return status;
}
