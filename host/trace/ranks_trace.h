#ifndef HOST_TRACE_RANKS_TRACE_H
#define HOST_TRACE_RANKS_TRACE_H

#include "base/ranks.h"
#include "trace/band_block.h"

/* Bands of the traceback that other ranks compute (docs/internals/several-devices.md). Each has the letters;
 * rank 0 reads the kept rows, sends what a band needs of them, and later asks where its path leads. */
typedef struct rank_traces rank_traces;

/* Tells the other ranks the pair, whose path ends in row `rows`; the tick is called while they get ready.
 * What fails at one of them ends this, and every later call, with a message that names it. Where one dies,
 * the others' part is over, and all goes on without them. */
cla_status rank_traces_begin(rank_traces **out, const cla_ranks *ranks, const pair_problem *problem,
                             int64_t rows, const rank_tick *asked, cla_error *error);
bool rank_traces_ended(const rank_traces *traces);

/* All ranks; the threads of the others together, and the rank of one of these. */
int rank_traces_rank_count(const rank_traces *traces);
int rank_traces_threads(const rank_traces *traces);
int rank_traces_rank(const rank_traces *traces, int thread);

/* Of any thread: has the rank compute the block's band, and waits for it, or until `cancel`. block->rank
 * stays 0 where the band leads nowhere. */
cla_status rank_traces_compute(rank_traces *traces, int rank, band_block *block, const band_work *work,
                               cla_error *error);

/* Threads that wait look at their `cancel` again. */
void rank_traces_wake(rank_traces *traces);

/* Of the thread that began alone: takes what has arrived. */
cla_status rank_traces_move(rank_traces *traces, cla_error *error);

/* Rests for a moment, when nothing has. */
void rank_traces_rest(rank_traces *traces);

/* Likewise: as band_block_take, for a block that is another rank's, which forgets it. */
cla_status rank_traces_take(bool *done, band_node *node, path *into, rank_traces *traces,
                            const band_block *block, cla_error *error);

/* Has the rank forget a block. */
void rank_traces_drop(rank_traces *traces, const band_block *block);

/* The others' part is over. NULL is allowed. */
void rank_traces_end(rank_traces *traces);

/* Another rank's part, which the message RANK_TRACE begins, to its end. */
cla_status trace_for_rank0(const cla_ranks *ranks, const cla_rank_message *begins, cla_error *error);

/* What is said, both ways; the `id` of the traceback comes first in each. Behind the first come the pairs
 * that may not be made. */
typedef struct trace_head {
  int32_t id;
  cla_scoring scoring;
  score_table table; /* its pointer means nothing */
  path_ends ends;
  int64_t rows, columns; /* of the pair */
  int64_t end_row;       /* of the path */
} trace_head;

typedef struct trace_ready {
  int32_t id, threads;
} trace_ready;

/* Behind it come the values of the upper row: H, F and, with two pieces of gap costs, F2. */
typedef struct trace_block {
  int32_t id;
  bool wide;
  int64_t number, upper, lower;
  band_node node;
  live_band_input input; /* pointers mean nothing */
  band_goals goals;      /* likewise */
} trace_block;

typedef struct trace_done {
  int32_t id;
  bool ready; /* else it is forgotten */
  int64_t number, cells;
} trace_done;

typedef struct trace_take {
  int32_t id;
  bool drop; /* no answer is wanted */
  int64_t number;
  band_node node;
} trace_take;

/* Behind it come the path's runs. */
typedef struct trace_taken {
  int32_t id;
  bool led;
  int64_t number, cells;
  band_node node;
  int64_t runs;
} trace_taken;

#endif
