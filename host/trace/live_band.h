#ifndef HOST_TRACE_LIVE_BAND_H
#define HOST_TRACE_LIVE_BAND_H

#include <stdatomic.h>

#include "trace/band_goals.h"

/* A live band: the nodes between a row with exact values and goals below that row, without the nodes from
 * which no path can reach a goal. One host thread computes the band and traces the path back.
 *
 * Each anti-diagonal is computed from its first live cell to its last. Dead cells (trace/band_goals.h) at
 * both ends are left out. If the sequences are similar, the band is narrow, and it becomes narrower towards
 * the goals. Some lines are kept. For the traceback, the band from a kept line to the path's known node is
 * computed again, with directions. This second band is even narrower.
 *
 * Memory:
 * - for each row, 4 bytes and 5 values of 2 or 4 bytes each, and 3 more values for each piece of gap costs
 * - for each column, 1 value
 * - the kept lines, and directions between two kept lines
 * - if scores are looked up, 16 bytes for each row, and for each column a byte per distinct letter of the
 *   query (dp/score_lines.h) */
typedef struct live_band live_band;

/* Properties of a band that are known before it is computed. */
typedef struct live_band_extent {
  int64_t first, last; /* columns, counted from the corner, of the first and the last node of the upper row
                          from which a path reaches a goal */
  int value_bytes;     /* bytes of a value: 2 or 4; 0 if more than 32 bits are needed */
  int64_t least_x;     /* lower limit of X for live nodes in any row */
} live_band_extent;

typedef struct live_band_input {
  const pair_problem *problem;
  const row_worth *worth;
  int64_t row, column; /* the corner node; no live node is to the left of its column */
  row_values top;      /* values in row `row`, from `column` to goals->last_column; not owned */
  int64_t cells_limit, bytes_limit;
  const atomic_bool *cancel; /* NULL: none */
  int64_t line_interval;     /* lines from one kept line to the next; 0: chosen automatically */
  live_band_extent extent;   /* set by live_band_look */
} live_band_input;

typedef enum live_band_outcome {
  LIVE_BAND_READY,
  LIVE_BAND_TOO_LARGE, /* a limit is exceeded, or values need more than 32 bits */
  LIVE_BAND_EMPTY,     /* no path from the row reaches a goal's value */
  LIVE_BAND_CANCELLED
} live_band_outcome;

/* Returns the last matrix row below `row` in which a path to a goal may start on the matrix' left border;
 * -1: no such row. If paths may start on the left border, the band's corner must be in column 0. */
int64_t live_band_border(const band_goals *goals, int64_t row, const path_ends *ends);

/* Sets input->extent from the rest of the input. Returns false if no path can reach a goal. */
bool live_band_look(live_band_input *input, const band_goals *goals);

/* Returns the minimum number of bytes that a band of `rows` rows and `columns` columns needs. */
int64_t live_band_bytes(int64_t rows, int64_t columns, const path_scheme *scheme);

/* Computes the band; input->extent must be set. *out is NULL unless *outcome is LIVE_BAND_READY.
 * CLA_ERROR_MEMORY. */
cla_status live_band_create(live_band **out, live_band_outcome *outcome, const live_band_input *input,
                            const band_goals *goals, cla_error *error);
void live_band_free(live_band *band);

/* Returns the number of cells computed so far. */
int64_t live_band_cells(const live_band *band);

/* Follows the canonical path back from *node, which is a goal or the result of an earlier call. Adds the
 * path's steps, and sets *node to the last node. The walk stops at the next kept line, at the upper row
 * and, except in local mode, at matrix column 0. *ended is true if the path has reached its start (local
 * mode), the upper row or column 0. *outcome is LIVE_BAND_READY, or LIVE_BAND_TOO_LARGE if nothing was
 * added. CLA_ERROR_DEVICE if the band's values contradict the node's value; CLA_ERROR_MEMORY. */
cla_status live_band_trace(band_node *node, bool *ended, path *into, live_band_outcome *outcome,
                           live_band *band, cla_error *error);

/* Completes a path that has reached the matrix' border at *node. If paths may not start there, adds the steps
 * along the border to the corner. Sets *node to the path's start. */
cla_status live_band_finish(band_node *node, path *into, const path_ends *ends, cla_error *error);

#endif
