#ifndef HOST_TRACE_LIVE_BAND_H
#define HOST_TRACE_LIVE_BAND_H

#include <stdatomic.h>

#include "trace/band_goals.h"

/* The part of the matrix between a row with exact values and the goals below it through which an optimal path
 * to them can go, computed on one host thread and traced back.
 *
 * Anti-diagonal by anti-diagonal, cells are computed from the first live one to the last; what is dead
 * (trace/band_goals.h) at either end is left out. Between similar sequences that is a narrow band, the
 * narrower the nearer to the goals. Some of the lines are kept; between two of them the band to the path's
 * known node is narrower still, and is computed again with direction bytes.
 *
 * Memory: 8 values of 2 or 4 bytes a row (11 with two pieces of gap costs), 4 bytes more a row, 1 value
 * a column, the kept lines, directions between two of them; where scores are looked up a byte for each column
 * and letter of the query, and 16 for each row (trace/score_lines.h). */
typedef struct live_band live_band;

/* What is known of a band before it is computed. */
typedef struct live_band_extent {
  int64_t first, last; /* columns, counted from the corner, of the first and the last node of the upper row
                        * from which a path can reach a goal, or start on the matrix' left border */
  int value_bytes;     /* of each of its values: 2 or 4; 0 if they have more than 32 bits */
  int64_t least_x;     /* below X of what is alive, in whatever row (trace/live_band_internal.h) */
} live_band_extent;

typedef struct live_band_input {
  const pair_problem *problem;
  const row_worth *worth;
  int64_t row, column; /* the corner node: no live node lies to its left */
  row_values top;      /* at nodes column .. goals->last_column of row `row`; they must outlive the band */
  int64_t cells_limit, bytes_limit;
  const atomic_bool *cancel; /* NULL: none */
  int64_t line_interval;     /* between kept lines; 0: chosen here */
  live_band_extent extent;   /* of live_band_look */
} live_band_input;

typedef enum live_band_outcome {
  LIVE_BAND_READY,
  LIVE_BAND_TOO_LARGE, /* beyond a limit, or values beyond 32 bits */
  LIVE_BAND_EMPTY,     /* no path from the row reaches a goal's value */
  LIVE_BAND_CANCELLED
} live_band_outcome;

/* The last matrix row below `row` in which a path to a goal may start on the matrix' left border; -1 if
 * there is none. Then the corner must be in column 0. */
int64_t live_band_border(const band_goals *goals, int64_t row, const path_ends *ends);

/* Sets the input's extent by the rest of it. False if no path can reach a goal. */
bool live_band_look(live_band_input *input, const band_goals *goals);

/* The bytes that a band of so many rows and columns takes at least. */
int64_t live_band_bytes(int64_t rows, int64_t columns, const path_scheme *scheme);

/* Computes the band, whose extent is known. *out is NULL unless *outcome is LIVE_BAND_READY.
 * CLA_ERROR_MEMORY. */
cla_status live_band_create(live_band **out, live_band_outcome *outcome, const live_band_input *input,
                            const band_goals *goals, cla_error *error);
void live_band_free(live_band *band);

/* Cells computed so far. */
int64_t live_band_cells(const live_band *band);

/* Follows the canonical path from `node`, which is one of the goals or was left by an earlier call, back to
 * the next kept line, the upper row, or, except in local mode, matrix column 0, and adds its steps. *ended
 * tells that it has reached its start (local mode) or one of the latter two. *outcome is LIVE_BAND_READY or
 * LIVE_BAND_TOO_LARGE; then nothing is added. CLA_ERROR_DEVICE if the values contradict the node's;
 * CLA_ERROR_MEMORY. */
cla_status live_band_trace(band_node *node, bool *ended, path *into, live_band_outcome *outcome,
                           live_band *band, cla_error *error);

#endif
