#ifndef HOST_TRACE_RANKS_TRACE_H
#define HOST_TRACE_RANKS_TRACE_H

#include "base/ranks.h"
#include "trace/band_block.h"

/* Bands of the traceback on other ranks (docs/internals/several-devices.md). Each rank has the letters. Rank
 * 0 reads the kept rows, sends a band's values, and later asks for its path. */
typedef struct rank_traces rank_traces;

/* Sends the pair, whose path ends in row `rows`, to the other ranks, and calls the tick while they prepare. A
 * failure at a rank ends this and every later call, with a message that names the rank. If a rank dies, rank
 * 0 goes on without the others. */
cla_status rank_traces_begin(rank_traces **out, const cla_ranks *ranks, const pair_problem *problem,
                             int64_t rows, const rank_tick *asked, cla_error *error);
bool rank_traces_ended(const rank_traces *traces);

/* The number of ranks, the number of all other ranks' threads, and the rank of one of these threads. */
int rank_traces_rank_count(const rank_traces *traces);
int rank_traces_threads(const rank_traces *traces);
int rank_traces_rank(const rank_traces *traces, int thread);

/* Lets the rank compute the block's band, and waits for it, or until `cancel`. Any thread may call it.
 * block->rank stays 0 if no path leads through the band. */
cla_status rank_traces_compute(rank_traces *traces, int rank, band_block *block, const band_work *work,
                               cla_error *error);

/* Makes waiting threads check their `cancel` again. */
void rank_traces_wake(rank_traces *traces);

/* Handles messages that have arrived. For the thread that called rank_traces_begin only. */
cla_status rank_traces_move(rank_traces *traces, cla_error *error);

/* Waits for a moment. To be called when no message has arrived. */
void rank_traces_rest(rank_traces *traces);

/* band_block_take for a block of another rank, which drops it then. For the thread that called
 * rank_traces_begin only. */
cla_status rank_traces_take(bool *done, band_node *node, path *into, rank_traces *traces,
                            const band_block *block, cla_error *error);

/* Lets the rank drop a block. */
void rank_traces_drop(rank_traces *traces, const band_block *block);

/* Ends the other ranks' part. NULL is allowed. */
void rank_traces_end(rank_traces *traces);

/* Another rank's part, from the message RANK_TRACE to its end. */
cla_status trace_for_rank0(const cla_ranks *ranks, const cla_rank_message *begins, cla_error *error);

/* The messages, which all begin with the traceback's `id`. The used pairs follow a trace_head. */
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

/* The values of the upper row follow it: H, and F of each piece of gap costs. */
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
  bool ready; /* false: the block is dropped */
  int64_t number, cells;
} trace_done;

typedef struct trace_take {
  int32_t id;
  bool drop; /* no answer is wanted */
  int64_t number;
  band_node node;
} trace_take;

/* The message that a band was taken; the path's runs follow it. */
typedef struct trace_taken {
  int32_t id;
  bool led;
  int64_t number, cells;
  band_node node;
  int64_t runs;
} trace_taken;

#endif
