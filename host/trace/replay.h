#ifndef HOST_TRACE_REPLAY_H
#define HOST_TRACE_REPLAY_H

#include "trace/banded.h"
#include "trace/whole_band.h"

/* The matrix' values once more, line by line, from the last line to the first. Line `d` consists of the
 * nodes (i,j) with i + j = d.
 *
 * A first pass computes all lines and keeps some of them: within a potential by parts (trace/whole_band.h),
 * or without a potential in the whole matrix (trace/banded.h). A block consists of the lines behind one kept
 * line, up to the next kept line. Readers compute the blocks again. */
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
  int64_t best_end;    /* largest score of a path that ends in the block; INT64_MIN: none ends there */
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

/* Returns the number of cells of that pass. */
int64_t replay_cells(const replay *r);

/* Returns the number of blocks. */
int64_t replay_blocks(const replay *r);

/* Returns the last line of a block, counted from 0. */
int64_t replay_last_line(const replay *r, int64_t block);

/* Computes blocks. Each reader serves one thread; several readers may share a replay. */
typedef struct replay_reader replay_reader;

/* Makes a reader; the replay must outlive it. CLA_ERROR_MEMORY. */
cla_status replay_reader_make(replay_reader **out, const replay *r, cla_error *error);
void replay_reader_free(replay_reader *reader);

/* Makes `block` the next block. */
void replay_reader_begin(replay_reader *reader, int64_t block);

/* Returns about how many bytes a reader needs, without its blocks. */
int64_t replay_reader_bytes(const replay *r);

/* Returns the number of cells that the reader has computed so far. */
int64_t replay_reader_cells(const replay_reader *reader);

/* The nodes of the last line of a block, and of the line behind it, from which the caller needs values. */
typedef struct replay_reach {
  int64_t row, column;                 /* largest row and column of the nodes; -1: there are none */
  int64_t low_diagonal, high_diagonal; /* range of column - row of the nodes */
} replay_reach;

/* Computes the reader's next block, which is valid until the next call. The blocks come from the last to the
 * first. Values are exact in all nodes that lead to nodes in `reach`. If a path that matters may end in the
 * block, all values are exact. *more is false after the first block. CLA_ERROR_MEMORY. */
cla_status replay_next(replay_block *out, bool *more, replay_reader *reader, const replay_reach *reach,
                       cla_error *error);

/* The numbers of values of a node, as replay_value counts them. */
#define REPLAY_H 0
#define REPLAY_E(piece) (1 + 2 * (piece))
#define REPLAY_F(piece) (2 + 2 * (piece))

/* Returns a value of a node on the matrix' upper or left border. */
int64_t replay_border_value(const replay_block *block, int64_t row, int64_t column, int which);

/* Returns value `which` of node (row, line - row), or REPLAY_DEAD if no path leads there. */
static inline int64_t replay_value(const replay_block *block, int64_t line, int64_t row, int which) {
  const replay_line *l = &block->lines[line - block->first];
  if (line < block->first || line > block->last || row < l->first || row > l->last) return REPLAY_DEAD;
  if (row == 0 || row == line) return replay_border_value(block, row, line - row, which);
  const int64_t index = l->at + which * (l->last - l->first + 1) + row - l->first;
  const int64_t stored = block->value_bytes == 2 ? ((const int16_t *)block->values)[index]
                                                 : ((const int32_t *)block->values)[index];
  return stored <= block->lowest ? REPLAY_DEAD : stored + block->row_step * row + l->base;
}

/* Returns the first row of the line, from `row` on, whose H is at least `score`; INT64_MAX: there is none. */
int64_t replay_next_high(const replay_block *block, int64_t line, int64_t row, int64_t score);

/* True if an end that scores at least `score` lies in a line before the reader's last block. */
bool replay_ends_before(const replay_reader *reader, int64_t score);

#endif
