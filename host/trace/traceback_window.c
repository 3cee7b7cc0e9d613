#include "base/error.h"
#include "trace/band_block.h"
#include "trace/traceback.h"

#define PART 4096 /* nodes of a row looked at together */

void upper_row_read(const traceback *t, const upper_row *upper, int64_t column, int64_t count, int64_t *h,
                    int64_t *f, int64_t *f2) {
  band_block_read(upper->rows, t->input->scoring, &t->input->ends, upper->row, column, count, h, f, f2);
}

/* Whether a path may start in this column of the block below its upper row. */
static bool may_start(const traceback *t, int64_t column) {
  return t->input->ends.floor || (t->input->ends.query_start && column == 0);
}

/* The largest value that a path can have at the point if it comes through some column of the block, and
 * there either leaves the upper row, where H is `h`, or, if `fresh`, starts at or below it. `across` and
 * `down` are the distances to the point. With d diagonal moves of at most M each it needs across - d
 * horizontal gap letters, freshly opened, and down - d vertical ones, whose gap may have been open at the
 * upper row and which a start further down saves; as M + 2 ext >= 0, the most diagonal moves are best. */
static int64_t reachable(const traceback *t, int64_t h, bool fresh, int64_t across, int64_t down) {
  const cla_scoring *scoring = t->input->scoring;
  const int64_t match = t->input->table->maximum > 0 ? t->input->table->maximum : 0;
  const int64_t diagonal = across < down ? across : down;
  int64_t from_row = h - (down - diagonal) * gap_least_ext(scoring);
  if (fresh && from_row < 0) from_row = 0;
  return from_row + match * diagonal - gap_cost(scoring, across - diagonal);
}

/* The next nodes of the upper row to look at, from *from on and at most PART up to the point's column; nodes
 * that were not computed are on no optimal path. 0: there are none. */
static int64_t next_part(int64_t *from, const traceback *t, const upper_row *upper) {
  int64_t last = t->point.column;
  if (*from > last) return 0;
  if (upper->rows && !special_rows_computed(upper->rows, upper->row, *from, from, &last)) return 0;
  if (last > t->point.column) last = t->point.column;
  return last - *from + 1 < PART ? last - *from + 1 : PART;
}

/* Whether no path through these columns of the upper row can have the point's value, as far as the first one
 * tells. */
static bool leads_nowhere(const traceback *t, const upper_row *upper, int64_t from, int64_t count) {
  if (!upper->rows) return false;
  const row_scan scan = {.rows = upper->rows,
                         .row = upper->row,
                         .scoring = t->input->scoring,
                         .table = t->input->table,
                         .worth = &t->worth};
  const int64_t down = t->point.row - upper->row;
  const int64_t farthest = t->point.column - from, nearest = farthest - count + 1;
  const int64_t across = down < nearest ? nearest : down > farthest ? farthest : down;
  const int64_t most = row_scan_most(&scan, from, from + count - 1);
  return reachable(t, most, may_start(t, from), across, down) < t->point.value;
}

cla_status upper_row_contradiction(const traceback *t, int64_t row, cla_error *error) {
  const trace_point *point = &t->point;
  return error_set(error, CLA_ERROR_DEVICE,
                   "wrong value: no cell of the kept row %lld leads to the value %lld at (%lld, "
                   "%lld); " WRONG_VALUE_REMEDY,
                   (long long)row, (long long)point->value, (long long)point->row, (long long)point->column);
}

cla_status upper_row_window(int64_t *column, const traceback *t, const upper_row *upper, cla_error *error) {
  int64_t h[PART];
  const trace_point *point = &t->point;
  const int64_t down = point->row - upper->row;
  const int64_t first = upper->rows ? special_rows_column(upper->rows) : 0;
  int64_t count = 0;
  for (int64_t from = first; (count = next_part(&from, t, upper)) > 0; from += count) {
    if (leads_nowhere(t, upper, from, count)) continue;
    upper_row_read(t, upper, from, count, h, NULL, NULL);
    for (int64_t i = 0; i < count; i++)
      if (reachable(t, h[i], may_start(t, from + i), point->column - from - i, down) >= point->value) {
        const int64_t leftmost = from + i;
        *column = leftmost > first ? leftmost - 1 : first;
        return CLA_OK;
      }
  }
  return upper_row_contradiction(t, upper->row, error);
}
