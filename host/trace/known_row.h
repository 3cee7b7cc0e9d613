#ifndef HOST_TRACE_KNOWN_ROW_H
#define HOST_TRACE_KNOWN_ROW_H

#include "scoring/pair_problem.h"
#include "store/special_rows.h"

/* A row of the matrix whose values are known: a kept row or, where `rows` is NULL, row 0. A row that no
 * optimal path crosses, whose nodes may as well be fresh starts, has the values of row 0. */
typedef struct known_row {
  const special_rows *rows;
  int64_t row;
  const path_scheme *scheme;
} known_row;

/* Reads `count` nodes from `column` on, the left border's F included. into.f and into.f2 may be NULL. */
void known_row_read(const known_row *from, int64_t column, int64_t count, row_values into);

/* No H from column `from` up to `to` of a kept row is larger, as far as the H of `from` tells: from one node
 * on, H rises by no more in a row than (2) of scoring/lane_width.h says. */
int64_t known_row_most(const known_row *of, int64_t from, int64_t to);

/* The column of a kept row with the largest H of those around `column`, brought into the computed part. */
int64_t known_row_largest_near(const known_row *in, int64_t column);

#endif
