#ifndef HOST_TRACE_UPPER_ROW_H
#define HOST_TRACE_UPPER_ROW_H

#include "trace/traceback.h"

/* The upper and left border of a traceback's block: a row with known values (known_row), and a column left of
 * which no optimal path to the point runs. */

/* A region's tick that reports to the traceback's: `user` is the traceback. */
static inline cla_status traceback_tick(void *user, int64_t cells, cla_error *error) {
  const traceback *t = user;
  cla_status status = t->far ? t->far->calls->move(t->far, error) : CLA_OK;
  if (status != CLA_OK) return status;
  return t->tick ? t->tick(t->tick_user, t->cells + cells, error) : CLA_OK;
}

/* Sets the corner column of the block between `upper` and the point. No optimal path to the point touches
 * that column or one left of it, unless it is the matrix' border 0. CLA_ERROR_DEVICE if no path from `upper`
 * can have the point's value. */
cla_status upper_row_window(int64_t *column, const traceback *t, const known_row *upper, cla_error *error);

/* Sets and returns the error for a point whose value no path from `row` can have. */
cla_status upper_row_contradiction(const traceback *t, int64_t row, cla_error *error);

/* Seeks a row that no optimal path to the point crosses, in local mode, by a reverse sweep from the point.
 * *row: that row, or -1 if paths may reach row `upper`. */
cla_status start_search(int64_t *row, traceback *t, int64_t upper, cla_error *error);

#endif
