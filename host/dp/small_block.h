#ifndef HOST_DP_SMALL_BLOCK_H
#define HOST_DP_SMALL_BLOCK_H

#include "dp/borders.h"
#include "dp/path.h"
#include "scoring/pair_problem.h"

/* A block of few rows: from the traceback's point up to row `row` and left to column `column` of nodes. */
typedef struct small_block {
  const pair_problem *problem;
  int64_t row, column; /* the corner node */
  row_values top;      /* values of row `row` from `column` to the point's column, unless `read_top` is set */
  row_reader read_top; /* reads these values; or NULL */
  const void *top_row; /* argument of read_top */
  cla_status (*tick)(void *user, int64_t cells,
                     cla_error *error); /* called for every panel, with the cells so far; or NULL */
  void *tick_user;
  border_rule left; /* left border from the corner down; not below 0 in local mode */
  bool part;        /* the block is a part of a local matrix, with fresh starts as borders; a value below the
                     * point's is no contradiction then, and the point stays */
  bool any_value;   /* the point's value is not known */
  int64_t panel_cells; /* most cells with directions at a time; 0: chosen here */
} small_block;

/* Follows the canonical path (docs/internals/exactness.md) from the point, and adds its steps. The path ends
 * at the block's upper border, at its own start, or at the matrix' left border. There it goes on to the
 * corner, unless it may start on that border.
 *
 * Direction bits are kept for one panel of columns at a time. A block wider than a panel is computed twice,
 * first for the values at the panels' left borders. Memory: about 1 MiB, and 16 bytes per row and panel; for
 * very wide blocks 8 bytes per row and root of the columns.
 *
 * Errors: CLA_ERROR_DEVICE if the values contradict the point's, which only a wrong device can cause;
 * CLA_ERROR_MEMORY; and the tick's. */
cla_status small_block_trace(trace_point *point, path *into, const small_block *block, int64_t *cells,
                             cla_error *error);

#endif
