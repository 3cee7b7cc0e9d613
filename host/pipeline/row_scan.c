#include "pipeline/row_scan.h"

#include <stddef.h>

#include "scoring/lane_width.h"

#define PART KEPT_ROW_ANCHOR /* nodes looked at together; a part begins where a full row has an anchor */

/* The part that begins at *from or holds it: nodes *from to the result. */
static int64_t part_end(const row_scan *scan, int64_t from, int64_t last) {
  const int64_t node = from - special_rows_column(scan->rows);
  const int64_t end = from + PART - node % PART - 1;
  return end < last ? end : last;
}

/* No H from column `from` up to `to` is larger. */
static int64_t most(const row_scan *scan, int64_t from, int64_t to) {
  const cla_scoring *scoring = scan->scoring;
  int64_t h = 0;
  special_rows_read(scan->rows, scan->row, from, 1, &h, NULL);
  return h + (to - from) * (band_match(scan->table) + scoring->gap_ext) +
         (LANE_WIDTH_NESTING + 1) * (int64_t)(scoring->gap_first - scoring->gap_ext);
}

/* The least X that makes any node of the part alive: `least` falls towards the goals' diagonals. */
static int64_t least_of_part(const row_scan *scan, const band_goals *goals, int64_t from, int64_t to) {
  const int64_t first = goals->first_column - goals->row, last = goals->last_column - goals->row;
  if (to - scan->row <= first) return band_goals_least(goals, to - scan->row);
  if (from - scan->row >= last) return band_goals_least(goals, from - scan->row);
  return band_goals_lowest(goals);
}

bool row_scan_live(int64_t *first, int64_t *last, const row_scan *scan, const band_goals *goals, int64_t limit) {
  const int64_t drop = goals->match * scan->row;
  int64_t h[PART], from, end;
  special_rows_hull(scan->rows, scan->row, &from, &end);
  if (end > limit) end = limit;
  *first = *last = -1;
  for (int64_t to; from <= end; from = to + 1) {
    to = part_end(scan, from, end);
    if (most(scan, from, to) - drop < least_of_part(scan, goals, from, to)) continue;
    special_rows_read(scan->rows, scan->row, from, to - from + 1, h, NULL);
    for (int64_t c = from; c <= to; c++)
      if (h[c - from] - drop >= band_goals_least(goals, c - scan->row)) {
        if (*first < 0) *first = c;
        *last = c;
      }
  }
  return *first >= 0;
}

/* The column of the part's largest H, if it is larger than *largest. */
static void look_for_larger(const row_scan *scan, int64_t from, int64_t to, int64_t *largest, int64_t *column) {
  int64_t h[PART];
  special_rows_read(scan->rows, scan->row, from, to - from + 1, h, NULL);
  for (int64_t c = from; c <= to; c++)
    if (h[c - from] > *largest) {
      *largest = h[c - from];
      *column = c;
    }
}

int64_t row_scan_largest(const row_scan *scan) {
  int64_t first, last, column = 0, largest = INT64_MIN, promising = INT64_MIN, best = 0;
  special_rows_hull(scan->rows, scan->row, &first, &last);
  for (int64_t from = first; from <= last; from = part_end(scan, from, last) + 1) {
    const int64_t value = most(scan, from, part_end(scan, from, last));
    if (value > promising) {
      promising = value;
      best = from;
    }
  }
  /* The most promising part first, so that nearly all others can be passed over. */
  look_for_larger(scan, best, part_end(scan, best, last), &largest, &column);
  for (int64_t from = first, to; from <= last; from = to + 1) {
    to = part_end(scan, from, last);
    if (most(scan, from, to) >= largest) look_for_larger(scan, from, to, &largest, &column);
  }
  return column;
}
