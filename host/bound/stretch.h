#ifndef HOST_BOUND_STRETCH_H
#define HOST_BOUND_STRETCH_H

#include <stdint.h>

#include "bound/chain.h"

/* What it costs exactly to pass rows in which nothing is cheap: where sequences are not alike, regions and
 * seeds know a sixth of it (docs/internals/bounds.md, "Unlike stretches"). What paths cost from a row of
 * nodes to their end is passed up row by row, by a cost_scheme. */

/* Rows that are passed at once. */
typedef struct stretch_strip {
  int64_t row, rows; /* the border that is come from, and how many */
} stretch_strip;

typedef struct stretch {
  const uint8_t *query, *target;
  int64_t columns; /* of the target */
  const cost_scheme *costs;
  int threads;
  int64_t bucket;          /* diagonals */
  int64_t diagonal, count; /* of the nodes that are passed: the first (column less row), and how many: whole
                            * buckets */
  int32_t *h, *f; /* of these nodes on the border that is come from, then on the last one: costs, and those of
                   * a gap down the rows that is open, h at least, and opening one there at most. From one
                   * diagonal to the next h rises and falls by no more than a gap's further letter */
  int32_t beside[2];   /* cost of a node on the first and on the last diagonal, if the path goes on beyond: h
                        * there at least */
  const int32_t *ends; /* by bucket: of paths that end on the way */
  int32_t *least;      /* by bucket of the last border: becomes the least cost, in whatever state */
} stretch;

/* Rows of a strip; 0: the costs are too large for it. */
int64_t stretch_rows_most(const cost_scheme *costs);

/* Passes strips, each from where the one before has ended. CLA_ERROR_MEMORY. */
cla_status stretch_pass(stretch *s, const stretch_strip *strips, int64_t count, cla_error *error);

#endif
