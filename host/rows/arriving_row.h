#ifndef HOST_ROWS_ARRIVING_ROW_H
#define HOST_ROWS_ARRIVING_ROW_H

#include "rows/kept_row.h"

/* The last row of one region, which is the upper border of the region below. One thread adds parts of the
 * row as soon as they are complete, another thread waits for them. Nodes that were not computed get
 * substitutes, as in a kept row. So the region below computes the same values as below a kept row. */
typedef struct arriving_row arriving_row;

/* Makes a row of that shape. shape->scoring must outlive the row. CLA_ERROR_MEMORY. */
cla_status arriving_row_create(arriving_row **out, const row_shape *shape, cla_error *error);

/* Empties a row for which no thread waits, so that it can serve as another row of the same shape. */
void arriving_row_reset(arriving_row *row);

/* NULL is allowed. */
void arriving_row_free(arriving_row *row);

/* Returns the bytes of a row of `nodes` nodes. */
int64_t arriving_row_bytes(int64_t nodes, const cla_scoring *scoring);

/* Adds a part of the row, as a region hands it out, but with columns of the matrix. Parts come from left to
 * right; a part without nodes ends the row. */
cla_status arriving_row_put(arriving_row *row, const region_row_part *part, cla_error *error);

/* Ends the waits of all threads with CLA_ERROR_INTERRUPTED, because no more parts will come. */
void arriving_row_stop(arriving_row *row);

/* Waits until it is known whether any node of the row was computed. CLA_ERROR_INTERRUPTED after a stop. */
cla_status arriving_row_begun(bool *any, arriving_row *row, cla_error *error);

/* Waits for the first `wanted` nodes (region_await). CLA_ERROR_INTERRUPTED after a stop. */
cla_status arriving_row_await(arriving_row *row, region_arrival *there, int64_t wanted, cla_error *error);

/* Returns the values. Those of nodes that have arrived are valid until the row is freed or the values are
 * taken. */
row_values arriving_row_values(const arriving_row *row);

/* Returns the values and passes their ownership to the caller, who frees them (row_values_free). */
row_values arriving_row_take(arriving_row *row);

#endif
