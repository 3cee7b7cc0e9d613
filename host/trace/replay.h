#ifndef HOST_TRACE_REPLAY_H
#define HOST_TRACE_REPLAY_H

#include "trace/banded.h"
#include "trace/whole_band.h"

/* The matrix' values once more, line by line, from the last line to the first. Line `d` consists of the
 * nodes (i,j) with i + j = d.
 *
 * A first pass computes all lines and keeps some of them: within a potential by parts (trace/whole_band.h),
 * or without a potential in the whole matrix (trace/banded.h). A block consists of the lines behind one kept
 * line, up to the next kept line. The caller receives the blocks from the last to the first. */
typedef struct replay replay;

/* A value of no path. */
#define REPLAY_DEAD (INT64_MIN / 4)

typedef struct replay_input {
  const pair_problem *problem;
  const potential *potential; /* NULL: the whole matrix */
  const lower_bound *bound;   /* an optimal path */
  int64_t margin; /* >= 0; values are exact in all nodes whose best path scores at most this much less */
  int threads;
  int64_t parts, line_interval; /* passed on to whole_band_input; 0: chosen automatically */
  int64_t bytes_limit;
  region_tick tick; /* NULL: none */
  void *tick_user;
} replay_input;

/* A line of a block. */
typedef struct replay_line {
  int64_t first, last; /* matrix rows of the line's nodes; none if first > last */
  int64_t base;        /* added to stored values, beside the worth of the rows */
  int64_t at;          /* index of the first value in the block's memory */
} replay_line;

/* Consecutive lines. */
typedef struct replay_block {
  int64_t first, last; /* numbers of the lines */
  bool has_ends;       /* a path that matters may end in the block */
  const replay_line *lines;
  const void *values; /* per line: H, then E and F of each piece, each for all rows of the line */
  int value_bytes, pieces;
  int64_t lowest; /* stored values up to this one are of no path */
  int64_t row_step;
  const pair_problem *problem;
} replay_block;

/* Computes all lines once. *outcome is LIVE_BAND_READY, or LIVE_BAND_TOO_LARGE if the memory does not
 * suffice; then *out is NULL. Errors: CLA_ERROR_MEMORY, CLA_ERROR_VERIFICATION if the bound's path is not
 * found again, and errors of the tick. */
cla_status replay_make(replay **out, live_band_outcome *outcome, const replay_input *input, cla_error *error);
void replay_free(replay *r);

/* Returns the number of cells computed so far. */
int64_t replay_cells(const replay *r);

/* The nodes of the last line of a block, and of the line behind it, from which the caller needs values. */
typedef struct replay_reach {
  int64_t row, column;                 /* largest row and column of the nodes; -1: there are none */
  int64_t low_diagonal, high_diagonal; /* range of column - row of the nodes */
} replay_reach;

/* Computes the block before the last one, which is valid until the next call. Values are exact in all nodes
 * that lead to nodes in `reach`. If a path that matters may end in the block, all values are exact. *more is
 * false after the first block. Errors: CLA_ERROR_MEMORY, and errors of the tick. */
cla_status replay_next(replay_block *out, bool *more, replay *r, const replay_reach *reach, cla_error *error);

/* The numbers of values of a node, as replay_value counts them. */
#define REPLAY_H 0
#define REPLAY_E(piece) (1 + 2 * (piece))
#define REPLAY_F(piece) (2 + 2 * (piece))

/* Returns value `which` of node (row, line - row), or REPLAY_DEAD if no path leads there. */
int64_t replay_value(const replay_block *block, int64_t line, int64_t row, int which);

/* True if an end that scores at least `score` lies in a line before the last block. */
bool replay_ends_before(const replay *r, int64_t score);

#endif
