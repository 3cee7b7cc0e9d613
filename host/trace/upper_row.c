#include "trace/upper_row.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"

#define PART 4096 /* number of nodes of a row that are examined together */

/* True if a path may start in column `column`, in the block's upper row or below. */
static bool may_start(const traceback *t, int64_t column) {
  return t->problem.scheme.ends.floor || (t->problem.scheme.ends.query_start && column == 0);
}

/* Returns an upper limit of the value at the point, for paths through one column of the block's upper row.
 * Such a path leaves the upper row at a node with H = `h`, or (`fresh`) starts in that column, in the upper
 * row or below. The point is `across` columns to the right and `down` rows below. A path with d pairs,
 * which score at most M each, also has across - d target letters in gaps, which must be opened. Its other
 * down - d rows are in a gap, which may be open already, or lie above the path's start. Because M + 2 ext
 * >= 0, the limit is highest for the largest possible d. */
static int64_t reachable(const traceback *t, int64_t h, bool fresh, int64_t across, int64_t down) {
  const cla_scoring *scoring = t->problem.scheme.scoring;
  const int64_t match = t->problem.scheme.table->maximum > 0 ? t->problem.scheme.table->maximum : 0;
  const int64_t diagonal = across < down ? across : down;
  int64_t from_row = h - (down - diagonal) * gap_least_ext(scoring);
  if (fresh && from_row < 0) from_row = 0;
  return from_row + match * diagonal - gap_cost(scoring, across - diagonal);
}

/* Returns the number of nodes of the upper row to examine next, from *from on: at most PART, and none to
 * the right of the point's column. Moves *from past nodes that were not computed, because no optimal path
 * uses them. Returns 0 if no node remains. */
static int64_t next_part(int64_t *from, const traceback *t, const known_row *upper) {
  int64_t last = t->point.column;
  if (*from > last) return 0;
  if (upper->rows && !special_rows_computed(upper->rows, upper->row, *from, from, &last)) return 0;
  if (last > t->point.column) last = t->point.column;
  return last - *from + 1 < PART ? last - *from + 1 : PART;
}

/* True if a quick test shows that no path through the `count` columns from `from` on can have the point's
 * value. If paths may start in the first of these columns, the test assumes that they may start in all. */
static bool leads_nowhere(const traceback *t, const known_row *upper, int64_t from, int64_t count) {
  if (!upper->rows) return false;
  const int64_t down = t->point.row - upper->row;
  const int64_t farthest = t->point.column - from, nearest = farthest - count + 1;
  const int64_t across = down < nearest ? nearest : down > farthest ? farthest : down;
  const int64_t most = known_row_most(upper, from, from + count - 1);
  return reachable(t, most, may_start(t, from), across, down) < t->point.value;
}

cla_status upper_row_contradiction(const traceback *t, int64_t row, cla_error *error) {
  const trace_point *point = &t->point;
  return error_set(error, CLA_ERROR_DEVICE,
                   "wrong value: no cell of the kept row %lld leads to the value %lld at (%lld, "
                   "%lld); " WRONG_VALUE_REMEDY,
                   (long long)row, (long long)point->value, (long long)point->row, (long long)point->column);
}

cla_status upper_row_window(int64_t *column, const traceback *t, const known_row *upper, cla_error *error) {
  int64_t h[PART];
  const trace_point *point = &t->point;
  const int64_t down = point->row - upper->row;
  const int64_t first = upper->rows ? special_rows_column(upper->rows) : 0;
  int64_t count = 0;
  for (int64_t from = first; (count = next_part(&from, t, upper)) > 0; from += count) {
    if (leads_nowhere(t, upper, from, count)) continue;
    known_row_read(upper, from, count, (row_values){.h = h});
    for (int64_t i = 0; i < count; i++)
      if (reachable(t, h[i], may_start(t, from + i), point->column - from - i, down) >= point->value) {
        const int64_t leftmost = from + i;
        *column = leftmost > first ? leftmost - 1 : first;
        return CLA_OK;
      }
  }
  return upper_row_contradiction(t, upper->row, error);
}

/* Returns the largest number of columns that a reverse path of `rows` rows can span if its value is at least
 * zero. */
static int64_t search_columns(const traceback *t, int64_t rows) {
  const int64_t match = t->problem.scheme.table->maximum > 0 ? t->problem.scheme.table->maximum : 0;
  const int64_t ext = gap_least_ext(t->problem.scheme.scoring);
  if (ext == 0) return t->point.column;
  const int64_t columns = rows + match * rows / ext + 2;
  return columns < t->point.column ? columns : t->point.column;
}

/* Sweeps `rows` rows upwards from the point. *beyond is true if an optimal path may continue above these
 * rows. From a node x to the end, an optimal path gains best - H(x), which is never negative, because no H
 * exceeds the best score. So if the reverse values H of all nodes of a row are negative, no optimal path
 * crosses that row. F need not be tested, because F is at most H. */
static cla_status sweep_up(bool *beyond, traceback *t, int64_t rows, cla_error *error) {
  const cla_scoring *scoring = t->problem.scheme.scoring;
  const border_rule gap = border_of_gap(scoring, 0);
  const int64_t columns = search_columns(t, rows);
  int64_t *bottom = NULL;
  region_result result;
  cla_status status = ALLOCATE_ARRAY(&bottom, columns + 1, "the start search", error);
  if (status != CLA_OK) return status;
  const region up = {.row = t->point.row,
                     .column = t->point.column,
                     .rows = rows,
                     .columns = columns,
                     .reverse = true,
                     .left = gap,
                     .top = gap,
                     .bottom = bottom,
                     .calls = {.tick = traceback_tick, .user = t}};
  status = traceback_solve(&result, t, &up, error);
  *beyond = false;
  for (int64_t i = 0; status == CLA_OK && i <= columns; i++)
    if (bottom[i] >= 0) *beyond = true;
  if (status == CLA_OK) t->cells += result.cells;
  free(bottom);
  return status;
}

cla_status start_search(int64_t *row, traceback *t, int64_t upper, cla_error *error) {
  const int64_t block = larger(t->point.row - upper, smaller(t->plan->row_interval, t->point.row));
  const int64_t most = block / SEARCH_SHARE;
  const int64_t match = t->problem.scheme.table->maximum > 0 ? t->problem.scheme.table->maximum : 1;
  const int64_t fewest =
      t->point.value / match; /* minimum number of pairs in a path with the point's value */
  *row = -1;
  if (!start_search_applies(t->plan, t->input, block)) return CLA_OK;
  int64_t rows = t->plan->search_rows;
  while (rows < fewest + fewest / 4) rows *= 2;
  for (; rows <= most; rows *= 2) {
    bool beyond = true;
    cla_status status = sweep_up(&beyond, t, rows, error);
    if (status != CLA_OK) return status;
    if (!beyond) {
      *row = t->point.row - rows;
      return CLA_OK;
    }
  }
  return CLA_OK;
}
