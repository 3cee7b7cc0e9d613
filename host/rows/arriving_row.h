#ifndef HOST_ROWS_ARRIVING_ROW_H
#define HOST_ROWS_ARRIVING_ROW_H

#include "rows/kept_row.h"

/* The last row of one region as the upper border of the next. One thread puts its parts once they are
 * complete, another one waits for them. Nodes that were not computed get substitutes as in a kept row. So the
 * region below computes the same as below that kept row. */
typedef struct arriving_row arriving_row;

/* Makes a row of that shape, whose scoring must outlive it. CLA_ERROR_MEMORY. */
cla_status arriving_row_create(arriving_row **out, const row_shape *shape, cla_error *error);

/* Empties a row that nobody waits for, for another one of its shape. */
void arriving_row_reset(arriving_row *row);

/* NULL is allowed. */
void arriving_row_free(arriving_row *row);

/* The bytes of a row of `nodes` nodes. */
int64_t arriving_row_bytes(int64_t nodes, const cla_scoring *scoring);

/* Takes a part of the row as a region hands it out, from left to right, with columns of the matrix; one of no
 * nodes ends it. */
cla_status arriving_row_put(arriving_row *row, const region_row_part *part, cla_error *error);

/* There will be no more parts: whoever waits gets CLA_ERROR_INTERRUPTED. */
void arriving_row_stop(arriving_row *row);

/* Waits until it is known whether any node of the row was computed. CLA_ERROR_INTERRUPTED after a stop. */
cla_status arriving_row_begun(bool *any, arriving_row *row, cla_error *error);

/* Waits for the first `wanted` nodes (region_await). CLA_ERROR_INTERRUPTED after a stop. */
cla_status arriving_row_await(arriving_row *row, region_arrival *there, int64_t wanted, cla_error *error);

/* The values. Those of nodes that have arrived are valid, until the row is freed or they are taken. */
row_values arriving_row_values(const arriving_row *row);

/* Gives the values, to be freed with free(), to the caller. */
row_values arriving_row_take(arriving_row *row);

#endif
