#ifndef HOST_TRACE_SMALL_BLOCK_H
#define HOST_TRACE_SMALL_BLOCK_H

#include "trace/known_row.h"
#include "trace/path.h"
#include "wavefront/region.h"

/* A block of few rows: from the point up to node row `row` and left to node column `column`. */
typedef struct small_block {
  const pair_problem *problem;
  int64_t row, column;    /* the corner node */
  row_values top;         /* of row `row` at nodes column .. point.column; the caller's; */
  const known_row *upper; /* or, unless NULL, where they are read */
  region_tick tick;       /* called for every panel, with the cells so far; NULL: none */
  void *tick_user;
  border_rule left; /* from the corner down; not below 0 in local mode */
  bool part;        /* of a larger local matrix, with borders of fresh starts: a value below the point's is no
                     * contradiction then, and the point stays where it is */
} small_block;

/* Follows the canonical path (docs/internals/exactness.md) from the point until it reaches the block's upper
 * border, its own start, or the matrix' left border, where it goes on to the corner unless it may start
 * there, and adds its steps.
 *
 * Direction bits are kept for a panel of columns at a time; a block wider than a panel is computed twice,
 * first for its values at the panels' left borders. Memory: about 1 MiB and 16 bytes per row and panel, for
 * very wide blocks 8 bytes per row and root of a column.
 * CLA_ERROR_DEVICE if the values contradict the point's, which only a device that computes wrongly can
 * cause; CLA_ERROR_MEMORY; and what tick returns. */
cla_status small_block_trace(trace_point *point, path *into, const small_block *block, int64_t *cells,
                             cla_error *error);

/* The most bytes that small_block_trace takes for a block of so many rows and columns; `two`: pieces of gap
 * costs. */
int64_t small_block_bytes(int64_t rows, int64_t columns, bool two);

#endif
