#ifndef HOST_RANKS_RANKS_TRACE_H
#define HOST_RANKS_RANKS_TRACE_H

#include "ranks/ranks.h"
#include "trace/traceback.h"

/* Bands of the traceback are computed on other ranks (trace/far_bands.h). Each rank has the letters. Rank 0
 * sends a band's values, and later asks for the path through the band. */

/* Sends the traceback's pair to the other ranks, and calls t->tick while they prepare. Serves as the
 * begin_far function of a traceback; its user is rank 0's cla_ranks. *out is set even after an error. Once
 * a rank has failed, this call and every later one fail. If a rank has died, rank 0 continues without the
 * other ranks. */
cla_status rank_traces_begin(far_bands **out, const traceback *t, cla_error *error);

/* Does the part of another rank in a traceback, from the message RANK_TRACE until the traceback ends. */
cla_status trace_for_rank0(const cla_ranks *ranks, const cla_rank_message *begins, cla_error *error);

/* All messages begin with the traceback's `id`. The used pairs come after a trace_head. */
typedef struct trace_head {
  int32_t id;
  cla_scoring scoring;
  score_table table; /* without a valid pointer */
  path_ends ends;
  int64_t rows, columns; /* size of the pair */
  int64_t end_row;       /* last row of the path */
} trace_head;

typedef struct trace_ready {
  int32_t id, threads;
} trace_ready;

/* The head of a band's values. After it come the values of the upper row: H, F and, with two pieces of gap
 * costs, F2. */
typedef struct trace_block {
  int32_t id;
  bool wide;
  int64_t number, upper, lower;
  band_node node;
  live_band_input input; /* without valid pointers */
  band_goals goals;      /* without valid pointers */
} trace_block;

typedef struct trace_done {
  int32_t id;
  bool ready; /* false: the rank has dropped the block */
  int64_t number, cells;
} trace_done;

typedef struct trace_take {
  int32_t id;
  bool drop; /* no answer is wanted */
  int64_t number;
  band_node node;
} trace_take;

/* The answer to a trace_take. After it come the path's runs. */
typedef struct trace_taken {
  int32_t id;
  bool led;
  int64_t number, cells;
  band_node node;
  int64_t runs;
} trace_taken;

#endif
