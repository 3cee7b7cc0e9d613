#ifndef HOST_DP_SMALL_BLOCK_H
#define HOST_DP_SMALL_BLOCK_H

#include "dp/borders.h"
#include "dp/path.h"
#include "scoring/pair_problem.h"

/* A block of few rows: the nodes from the traceback's point up to row `row` and left to column `column`. */
typedef struct small_block {
  const pair_problem *problem;
  int64_t row, column; /* node of the block's upper left corner */
  row_values top;      /* values of row `row` from `column` to the point's column, if `read_top` is NULL */
  row_reader read_top; /* reads the values of row `row`, if not NULL */
  const void *top_row; /* argument of read_top */
  cla_status (*tick)(
      void *user, int64_t cells,
      cla_error *error); /* called after each panel with the number of cells so far, if not NULL */
  void *tick_user;
  border_rule left; /* left border, from the corner down; in local mode its H is never negative */
  bool part; /* the block is a part of a local matrix, and paths may start on its borders. If the computed
                value is below the point's value, the point stays unchanged, without an error */
  bool any_value;      /* the point's value is not known */
  int64_t panel_cells; /* largest number of cells with directions at a time; 0: the default */
} small_block;

/* Follows the canonical path (docs/internals/exactness.md) back from *point, and adds the path's steps. The
 * walk ends at the block's upper border, at the path's start, or at the matrix' left border. From the left
 * border the path continues to the corner, unless paths may start on that border.
 *
 * Direction bits are kept for one panel of columns at a time. A block wider than a panel is computed twice:
 * first to find the values on the panels' left borders, then for the directions. Memory: about 1 MiB, plus 16
 * bytes per row and panel. For very wide blocks: 8 bytes x rows x the square root of the number of columns.
 *
 * Errors: CLA_ERROR_DEVICE if the computed values contradict the point's value, which only a faulty device
 * can cause; CLA_ERROR_MEMORY; and errors of `tick`. */
cla_status small_block_trace(trace_point *point, path *into, const small_block *block, int64_t *cells,
                             cla_error *error);

#endif
