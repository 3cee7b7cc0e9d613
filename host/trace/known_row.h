#ifndef HOST_TRACE_KNOWN_ROW_H
#define HOST_TRACE_KNOWN_ROW_H

#include "rows/special_rows.h"
#include "scoring/pair_problem.h"

/* A row of the matrix with known values: a kept row, or row 0 if `rows` is NULL. A row that no optimal path
 * crosses may also have row 0's values: all paths can then be treated as if they started in that row. */
typedef struct known_row {
  const special_rows *rows;
  int64_t row;
  const path_scheme *scheme;
} known_row;

/* Reads `count` nodes from `column` on, including F of the left border. Elements of into.f may be NULL. */
void known_row_read(const known_row *from, int64_t column, int64_t count, row_values into);

/* Returns an upper limit of H in the columns `from` to `to` of a kept row. It follows from H at `from`, by
 * (2) of scoring/lane_width.h. */
int64_t known_row_most(const known_row *of, int64_t from, int64_t to);

/* Returns the column near `column` with the largest H of a kept row. If `column` was not computed, the
 * search is around the closest computed column. */
int64_t known_row_largest_near(const known_row *in, int64_t column);

#endif
