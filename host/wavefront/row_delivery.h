#ifndef HOST_WAVEFRONT_ROW_DELIVERY_H
#define HOST_WAVEFRONT_ROW_DELIVERY_H

#include "wavefront/pruning.h"

/* Kept rows on their way from the device to the region's sink, piece by piece, while the device goes on;
 * private to this room. */

typedef struct row_delivery {
  const region_work *w;
  kernel_row_pieces pieces;
  int64_t next;       /* the first strip whose kept row was not handed over, */
  int64_t unfinished; /* and the first whose kept row is not complete */
  strip_best *bests;  /* of all strips, where the best cell is wanted with each kept row; else NULL */
  strip_best best;    /* of the strips that were looked at: */
  int64_t bests_seen, bests_read;
} row_delivery;

void row_delivery_begin(row_delivery *d, const region_work *w);
void row_delivery_free(row_delivery *d);

/* The last diagonal that may be computed before complete rows are handed over, or INT64_MAX: a row's place on
 * the device is taken by a later one. */
int64_t row_delivery_last_diagonal(const row_delivery *d);

/* And the last strip, where launches take whole ones. */
int64_t row_delivery_last_strip(const row_delivery *d);

/* Tells that all diagonals before `end` of the strips down to `last` have been computed; or, with pruning,
 * all strips down to `strip`. */
void row_delivery_diagonals(row_delivery *d, int64_t end, int64_t last);
void row_delivery_strips(row_delivery *d, int64_t strip);

/* Hands the complete rows to the sink, on several threads if it takes that. */
cla_status row_delivery_hand_over(row_delivery *d, cla_error *error);

/* The left border's node of a row, which follows a rule, as a part of it; `values` are the part's. */
region_row_part row_part_on_border(uint32_t values[3], int64_t row, const row_nodes *nodes,
                                   const cla_scoring *scoring);

/* Takes the best of the next strips' best cells, as a node of the region, if it is better: strips ascend by
 * rows, so the first of equal ones is canonical. */
void take_best(strip_best *best, const strip_best *next, int64_t count);

#endif
