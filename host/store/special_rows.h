#ifndef HOST_STORE_SPECIAL_ROWS_H
#define HOST_STORE_SPECIAL_ROWS_H

#include "store/kept_row.h"

/* Special rows of one region (paper 002, section 4.2): H, and F entering the row below, at the nodes of a
 * row, in RAM (store/kept_row.h). */
typedef struct special_rows special_rows;

/* For rows of that shape, whose scoring must outlive them. */
cla_status special_rows_create(special_rows **out, const row_shape *shape, cla_error *error);
void special_rows_free(special_rows *rows);

/* Puts a part of a row as the engine hands it out, with rows and columns of the matrix instead of the
 * region's: rows ascend, parts go from left to right. */
cla_status special_rows_put(special_rows *rows, const region_row_part *part, cla_error *error);

/* The last kept matrix row above `row`, or -1. */
int64_t special_rows_above(const special_rows *rows, int64_t row);

/* The matrix column of the first node of every row. */
int64_t special_rows_column(const special_rows *rows);

/* Reads `count` nodes of kept row `row` from matrix column `column` on; `f` may be NULL. Nodes that were not
 * computed get substitutes (kept_row_substitute), which are never above the true values. */
void special_rows_read(const special_rows *rows, int64_t row, int64_t column, int64_t count, int64_t *h,
                       int64_t *f);

/* The first nodes of kept row `row` from matrix column `column` on that were computed: from *first to *last.
 * False if there are none. */
bool special_rows_computed(const special_rows *rows, int64_t row, int64_t column, int64_t *first,
                           int64_t *last);

/* The matrix columns from the first to the last computed node of kept row `row`, the left border's node left
 * out where it stands alone and others follow. */
void special_rows_hull(const special_rows *rows, int64_t row, int64_t *first, int64_t *last);

/* Frees the kept rows from `row` on. */
void special_rows_drop_from(special_rows *rows, int64_t row);

#endif
