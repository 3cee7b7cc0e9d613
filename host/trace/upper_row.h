#ifndef HOST_TRACE_UPPER_ROW_H
#define HOST_TRACE_UPPER_ROW_H

#include "trace/traceback.h"

/* Finds the borders of a traceback's block. The upper border is a row with known values (known_row). The left
 * border is a column that no optimal path to the point crosses. */

/* Finds the column of the left border of the block between `upper` and the point. No optimal path to the
 * point touches this column or a column to its left, unless *column is 0, the matrix' border.
 * CLA_ERROR_DEVICE if no path from `upper` can have the point's value. */
cla_status upper_row_window(int64_t *column, const traceback *t, const known_row *upper, cla_error *error);

/* Sets the error "no path from row `row` can have the point's value", and returns its status. */
cla_status upper_row_contradiction(const traceback *t, int64_t row, cla_error *error);

/* In local mode, searches for a row that no optimal path to the point crosses, by a reverse sweep from the
 * point. Sets *row to that row, or to -1 if no such row was found below row `upper`. */
cla_status start_search(int64_t *row, traceback *t, int64_t upper, cla_error *error);

#endif
