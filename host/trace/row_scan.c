#include "trace/row_scan.h"

#include <stddef.h>

#include "scoring/lane_width.h"

#define PART KEPT_ROW_ANCHOR /* nodes looked at together; a part begins where a full row has an anchor */

/* The part that begins at *from or holds it: nodes *from to the result. */
static int64_t part_end(const row_scan *scan, int64_t from, int64_t last) {
  const int64_t node = from - special_rows_column(scan->rows);
  const int64_t end = from + PART - node % PART - 1;
  return end < last ? end : last;
}

int64_t row_scan_most(const row_scan *scan, int64_t from, int64_t to) {
  int64_t h = 0;
  special_rows_read(scan->rows, scan->row, from, 1, (row_values){.h = &h});
  return h + lane_width_rise(scan->table->maximum, scan->scoring, to - from, LANE_WIDTH_NESTING);
}

/* The least X that makes any node of the part alive: `least` falls towards the goals' diagonals. */
static int64_t least_of_part(const row_scan *scan, const band_goals *goals, int64_t from, int64_t to) {
  const int64_t first = goals->first_column - goals->row, last = goals->last_column - goals->row;
  if (to - scan->row <= first) return band_goals_least(goals, to - scan->row);
  if (from - scan->row >= last) return band_goals_least(goals, from - scan->row);
  return band_goals_lowest(goals);
}

bool row_scan_live(int64_t *first, int64_t *last, const row_scan *scan, const band_goals *goals,
                   int64_t limit) {
  const int64_t drop = row_worth_to(scan->worth, scan->row);
  int64_t h[PART], from, end;
  special_rows_hull(scan->rows, scan->row, &from, &end);
  if (end > limit) end = limit;
  *first = *last = -1;
  for (int64_t to; from <= end; from = to + 1) {
    to = part_end(scan, from, end);
    if (row_scan_most(scan, from, to) - drop < least_of_part(scan, goals, from, to)) continue;
    special_rows_read(scan->rows, scan->row, from, to - from + 1, (row_values){.h = h});
    for (int64_t c = from; c <= to; c++)
      if (h[c - from] - drop >= band_goals_least(goals, c - scan->row)) {
        if (*first < 0) *first = c;
        *last = c;
      }
  }
  return *first >= 0;
}

/* Of the gaps' cost, this part counts. */
#define GAPS_COUNTED 6
#define GAPS_OF 8
/* Among nodes so near to each other the one with the largest H is likeliest. */
#define NEAR 128

/* How likely a part's nodes are at most. */
static int64_t most_likely(const row_scan *scan, const band_goals *goals, int64_t from, int64_t to) {
  return GAPS_OF * row_scan_most(scan, from, to) - GAPS_COUNTED * least_of_part(scan, goals, from, to);
}

/* The part's likeliest node, if it is likelier than what was found before. */
static void look(const row_scan *scan, const band_goals *goals, int64_t from, int64_t to, int64_t *likely,
                 int64_t *column) {
  int64_t h[PART];
  special_rows_read(scan->rows, scan->row, from, to - from + 1, (row_values){.h = h});
  for (int64_t c = from; c <= to; c++) {
    const int64_t here = GAPS_OF * h[c - from] - GAPS_COUNTED * band_goals_least(goals, c - scan->row);
    if (here <= *likely) continue;
    *likely = here;
    *column = c;
  }
}

/* The column with the largest H near `column`, from `first` to `last`. */
static int64_t largest_near(const row_scan *scan, int64_t column, int64_t first, int64_t last) {
  int64_t h[2 * NEAR + 1];
  if (first < column - NEAR) first = column - NEAR;
  if (last > column + NEAR) last = column + NEAR;
  special_rows_read(scan->rows, scan->row, first, last - first + 1, (row_values){.h = h});
  for (int64_t c = first; c <= last; c++)
    if (h[c - first] > h[column - first]) column = c;
  return column;
}

int64_t row_scan_likeliest(const row_scan *scan, int64_t below, int64_t column) {
  int64_t first, last, found = 0, likely = INT64_MIN, promising = INT64_MIN, best = 0;
  const band_goals costs = {.row = below,
                            .first_column = column,
                            .last_column = column,
                            .ext = gap_least_ext(scan->scoring),
                            .down = gap_least_ext(scan->scoring) + scan->worth->mean,
                            .together = 1};
  special_rows_hull(scan->rows, scan->row, &first, &last);
  if (last > column) last = column > first ? column : first;
  for (int64_t from = first; from <= last; from = part_end(scan, from, last) + 1) {
    const int64_t value = most_likely(scan, &costs, from, part_end(scan, from, last));
    if (value > promising) {
      promising = value;
      best = from;
    }
  }
  /* The most promising part first, so that nearly all others can be passed over. */
  look(scan, &costs, best, part_end(scan, best, last), &likely, &found);
  for (int64_t from = first, to; from <= last; from = to + 1) {
    to = part_end(scan, from, last);
    if (from != best && most_likely(scan, &costs, from, to) > likely)
      look(scan, &costs, from, to, &likely, &found);
  }
  return largest_near(scan, found, first, last);
}
