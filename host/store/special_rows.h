#ifndef HOST_STORE_SPECIAL_ROWS_H
#define HOST_STORE_SPECIAL_ROWS_H

#include <stdint.h>

#include "clalign/scoring.h"
#include "clalign/status.h"

/* Special rows of one region (paper 002, section 4.2): H, and F entering the row below, at every node of a
 * row, in RAM.
 *
 * A row is kept as differences: H(j) - H(j-1), and H(j) - F(j), which lies in [ext, first]. Both are bounded
 * by the scheme (scoring/lane_width.h), which gives 1, 2 or 4 bytes for each; every SPECIAL_ROW_ANCHOR nodes
 * the full H is kept, so that a part can be read without the rest. */
typedef struct special_rows special_rows;

#define SPECIAL_ROW_ANCHOR 4096

/* For rows of `nodes` nodes from matrix column `column` on. */
cla_status special_rows_create(special_rows **out, int64_t column, int64_t nodes, int64_t largest_score,
                               const cla_scoring *scoring, cla_error *error);
void special_rows_free(special_rows *rows);

/* Puts a part of matrix row `row`: `count` nodes from matrix column `column` on. Parts come from left to
 * right and rows in ascending order, each begun at the first column. */
cla_status special_rows_put(special_rows *rows, int64_t row, int64_t column, int64_t count, const int64_t *h,
                            const int64_t *f, cla_error *error);

/* The last kept matrix row above `row`, or -1. */
int64_t special_rows_above(const special_rows *rows, int64_t row);

/* The matrix column of the first node of every row. */
int64_t special_rows_column(const special_rows *rows);

/* Reads `count` nodes of kept row `row` from matrix column `column` on; `f` may be NULL. */
void special_rows_read(const special_rows *rows, int64_t row, int64_t column, int64_t count, int64_t *h,
                       int64_t *f);

/* Frees the kept rows from `row` on. */
void special_rows_drop_from(special_rows *rows, int64_t row);

#endif
