#ifndef HOST_REGION_ROW_DELIVERY_H
#define HOST_REGION_ROW_DELIVERY_H

#include "region/pruning.h"

/* Brings kept rows from the device to the region's sink, piece by piece, while the device continues. Private
 * to this room. */

typedef struct row_delivery {
  const region_work *w;
  kernel_row_pieces pieces;
  int64_t next;       /* first strip whose kept row has not been handed over */
  int64_t unfinished; /* first strip whose kept row is not complete */
  strip_best *bests;  /* by strip; NULL unless the best cell is wanted with each kept row */
  strip_best best;    /* best cell of the first `bests_seen` strips */
  int64_t bests_seen; /* number of strips included in `best` */
  int64_t bests_read; /* number of strips whose best cells were read from the device */
} row_delivery;

void row_delivery_begin(row_delivery *d, const region_work *w);
void row_delivery_free(row_delivery *d);

/* Returns the last diagonal that may be computed before complete rows are handed over; INT64_MAX: no limit.
 * Beyond this limit, later rows overwrite earlier ones on the device. */
int64_t row_delivery_last_diagonal(const row_delivery *d);

/* Like row_delivery_last_diagonal for launches of whole strips: returns the last strip. */
int64_t row_delivery_last_strip(const row_delivery *d);

/* Record the progress. row_delivery_diagonals: all diagonals before `end` of the strips down to `last` are
 * computed. row_delivery_strips: all strips down to `strip` have ended. */
void row_delivery_diagonals(row_delivery *d, int64_t end, int64_t last);
void row_delivery_strips(row_delivery *d, int64_t strip);

/* Passes the complete rows to the sink, on up to sink_threads threads. */
cla_status row_delivery_hand_over(row_delivery *d, cla_error *error);

/* Returns the part of a row that consists only of its first node, which lies on a left border that follows a
 * rule. `values` is the part's memory. */
region_row_part row_part_on_border(uint32_t values[GAP_LINES], int64_t row, const row_nodes *nodes,
                                   const cla_scoring *scoring);

/* Replaces *best by the best cell of the next `count` strips, if that is better. Strips come from top to
 * bottom, so the first of equally good cells is canonical. */
void take_best(strip_best *best, const strip_best *next, int64_t count);

#endif
