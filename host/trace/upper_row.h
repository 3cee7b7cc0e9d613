#ifndef HOST_TRACE_UPPER_ROW_H
#define HOST_TRACE_UPPER_ROW_H

#include "trace/traceback.h"

/* Where a block of the traceback ends above and on the left: at a row whose values are known (known_row), and
 * at a column left of which no optimal path to the point comes. */

/* A region's tick that reports to the traceback's: `user` is the traceback. */
static inline cla_status traceback_tick(void *user, int64_t cells, cla_error *error) {
  const traceback *t = user;
  cla_status status = t->traces ? rank_traces_move(t->traces, error) : CLA_OK;
  if (status != CLA_OK) return status;
  return t->tick ? t->tick(t->tick_user, t->cells + cells, error) : CLA_OK;
}

/* The corner column of the block between `upper` and the point: no optimal path that ends in the point
 * touches this column or one left of it, unless it is the matrix' own border 0. CLA_ERROR_DEVICE if no path
 * can reach the point's value from this row. */
cla_status upper_row_window(int64_t *column, const traceback *t, const known_row *upper, cla_error *error);

/* The error of a point that no path from `row` reaches with its value. */
cla_status upper_row_contradiction(const traceback *t, int64_t row, cla_error *error);

/* Looks, in local mode, for a row that no optimal path to the point crosses, by a reverse sweep from the
 * point. *row is that row, or -1 if the path may well reach up to row `upper`. */
cla_status start_search(int64_t *row, traceback *t, int64_t upper, cla_error *error);

#endif
