#ifndef HOST_TRACE_ROW_SCAN_H
#define HOST_TRACE_ROW_SCAN_H

#include "store/special_rows.h"
#include "trace/band_goals.h"

/* What is looked for in a kept row. Long parts in which it cannot be are passed over: from one node on, H
 * rises by no more in a row than (2) of scoring/lane_width.h says. */
typedef struct row_scan {
  const special_rows *rows;
  int64_t row;
  const cla_scoring *scoring;
  const score_table *table;
  const row_worth *worth;
} row_scan;

/* No H from column `from` up to `to` is larger, as far as the H of `from` tells. */
int64_t row_scan_most(const row_scan *scan, int64_t from, int64_t to);

/* The matrix columns of the first and the last live node up to `limit`. False if there is none. */
bool row_scan_live(int64_t *first, int64_t *last, const row_scan *scan, const band_goals *goals,
                   int64_t limit);

/* The column up to `limit` at which the path to `column` of row `below` is likeliest: H is large there, less
 * most of what the gaps cost that lead to the other diagonal. With all of the costs, every way to spread the
 * same gaps over the rows would look alike; with none, the path would not be found below a long gap that it
 * has just made. */
int64_t row_scan_likeliest(const row_scan *scan, int64_t below, int64_t column);

#endif
