#include "trace/known_row.h"

#include "base/extremes.h"
#include "scoring/lane_width.h"

/* Number of columns on either side that are searched for the node with the largest H. */
#define NEAR 128

void known_row_read(const known_row *from, int64_t column, int64_t count, row_values into) {
  const cla_scoring *scoring = from->scheme->scoring;
  const path_ends *ends = &from->scheme->ends;
  if (from->rows) {
    special_rows_read(from->rows, from->row, column, count, into);
    if (column > 0 || ends->query_start) return;
    /* Kept rows do not store F of the left border, which is one long gap. */
    const int64_t gap = from->row + 1;
    for (int k = 0; k < CLA_GAP_PIECES; k++)
      if (into.f[k])
        into.f[k][0] = larger(into.h[0] - scoring->gap[k].first,
                              -gap_line(scoring->gap[k].first, scoring->gap[k].ext, gap));
    return;
  }
  border_read_top(from->scheme, column, count, into);
}

int64_t known_row_most(const known_row *of, int64_t from, int64_t to) {
  int64_t h = 0;
  special_rows_read(of->rows, of->row, from, 1, (row_values){.h = &h});
  return h + lane_width_rise(of->scheme->table->maximum, of->scheme->scoring, to - from, LANE_WIDTH_NESTING);
}

int64_t known_row_largest_near(const known_row *in, int64_t column) {
  int64_t first, last, h[2 * NEAR + 1];
  special_rows_hull(in->rows, in->row, &first, &last);
  column = smaller(larger(column, first), last);
  const int64_t from = larger(first, column - NEAR), to = smaller(last, column + NEAR);
  special_rows_read(in->rows, in->row, from, to - from + 1, (row_values){.h = h});
  for (int64_t c = from; c <= to; c++)
    if (h[c - from] > h[column - from]) column = c;
  return column;
}
