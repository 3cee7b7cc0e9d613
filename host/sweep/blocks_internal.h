#ifndef HOST_SWEEP_BLOCKS_INTERNAL_H
#define HOST_SWEEP_BLOCKS_INTERNAL_H

#include <pthread.h>

#include "sweep/sweep.h"

/* The sweep in blocks on several devices. Each device has its own thread, which computes the device's
 * blocks. */

struct block_round;

typedef struct sweep_block {
  struct block_round *round;
  int64_t index;
  row_block where;
  int owner;        /* number of the process that computes the block */
  bool taken;       /* a member has taken the block, which was cut in advance */
  bool keeps;       /* some rows within the block are kept */
  int64_t interval; /* interval of the rows that the region hands out */
  int64_t skipped;  /* number of cells that the block's region has skipped */
  double waited;    /* seconds spent waiting for the block above */
  double seconds;   /* seconds of the finished block, excluding waiting */
  /* The round's lock protects the fields below. */
  arriving_row *below; /* owned; last row of the block; NULL: the block has not started, or is the last one */
  bool kept;           /* the block is done, and all its rows are kept */
  int64_t least;       /* lowest score for which the finished block was searched */
  int64_t cells;       /* number of cells done */
  int64_t passed_over; /* number of cells that are done without being computed */
  bool done;
  region_result result; /* result of the finished block */
} sweep_block;

/* Functions that receive a block's rows, strips and result. A process that computes all blocks uses the
 * table block_links_here. All functions except `wake` are called on the block's thread. */
typedef struct block_links {
  /* Receives a part of a kept row, with rows counted within the block. Errors end the run. */
  cla_status (*keep)(sweep_block *b, const region_row_part *part, cla_error *error);
  /* Sends a part of the block's last row to the process that computes the block below. NULL: this process
   * computes all blocks. */
  cla_status (*send_down)(sweep_block *b, const region_row_part *part, cla_error *error);
  void (*strip)(sweep_block *b, const region_strip *strip); /* records the computed part of a strip */
  /* Receives the block's result; NULL: the result is not needed. */
  cla_status (*done)(sweep_block *b, const region_result *result, cla_error *error);
  /* Called when a thread of the round ends, and when it starts or stops waiting for another process; may be
   * NULL. */
  void (*wake)(struct block_round *round);
} block_links;

extern const block_links block_links_here;

/* A round is a part of a sweep in which devices work on blocks simultaneously. */
typedef struct block_round {
  sweep_work *sweep;
  const block_links *links;
  int self;        /* number of this process among the blocks' owners */
  bool dealt;      /* all blocks were cut in advance, and a failed device ends the run */
  bool keeps;      /* rows are kept */
  bool apart;      /* the best cell of each block is wanted, even if other blocks have better ones */
  bool strips;     /* the computed parts of strips are recorded */
  int64_t *bottom; /* output: the last row of the matrix; NULL: not wanted */
  block_device *devices;
  sweep_block *blocks;     /* array with room for all blocks */
  _Atomic int64_t reached; /* best known score of a cell */
  atomic_int waiting;      /* number of threads that wait for rows of another process */
  pthread_mutex_t rows;    /* held while a row is written to disk or a strip is recorded */
  pthread_mutex_t lock;    /* protects the fields from `cutter` on that change during the round */
  pthread_cond_t news;
  bool has_locks; /* locks and condition are initialised */
  block_cutter cutter;
  int64_t count;     /* number of blocks that members have taken */
  int64_t end;       /* index of the first block that is not computed in this round */
  int working;       /* number of threads that have not ended */
  cla_status status; /* error that ends the run; failures of devices are not included */
  cla_error error;
} block_round;

/* Records that a thread of the round starts or stops waiting for a row of another process. */
void block_round_waits(block_round *round, bool waits);

/* True if the block is the last one of the matrix. */
static inline bool sweep_block_last(const sweep_block *b) {
  return b->where.row + b->where.rows == b->round->sweep->input.rows;
}

/* Reports to the options' `explain` which device computed which part of the sweep. Fails with
 * CLA_ERROR_MEMORY. */
cla_status sweep_tell_shares(const sweep_work *s, cla_error *error);

/* Returns the result of a block below a row in which nothing was computed. */
region_result sweep_block_none(const sweep_work *s);

/* The functions of block_links_here. They also work for blocks of other processes. */
void sweep_block_strip(sweep_block *b, const region_strip *strip);
cla_status sweep_block_keep(sweep_block *b, const region_row_part *part, cla_error *error);

/* Sets the result of a block that has ended. The caller must hold the round's lock. */
void sweep_block_ended(sweep_block *b, const region_result *result);

/* Records that all rows of the block have been kept. */
void sweep_block_rows_kept(sweep_block *b);

/* Frees the row between the blocks `index` and `index + 1` if both are done: the sweep never starts again
 * below that row. */
void sweep_block_release(block_round *round, int64_t index);

/* Sets *out to the row below a block. The row arrives from another process. The first call creates it. */
cla_status sweep_block_arriving(arriving_row **out, sweep_block *b, cla_error *error);

/* Initialises the locks and the condition of a round, and collects the properties of the sweep's devices.
 * Fails with CLA_ERROR_MEMORY. */
cla_status block_round_open(block_round *round, cla_error *error);

/* Makes room for `count` blocks, all cut in advance. The caller fills them in. Fails with
 * CLA_ERROR_MEMORY. */
cla_status block_round_deal(block_round *round, int64_t count, cla_error *error);

/* Lets the team's members compute the round's blocks, each on its own thread, and calls `watch`, which
 * returns when all threads have ended. A failure of a device is not an error here. */
cla_status block_round_run(block_round *round, void (*watch)(block_round *round, void *user), void *user,
                           cla_error *error);
void block_round_close(block_round *round);

/* Ends a sweep whose blocks are all done. Sets *result and the sweep's start to those of the last block. */
void block_round_finish(region_result *result, const block_round *round);

/* Makes the sweep start below the round's last complete row: a kept row, or the last row of a block before
 * round->end. *goes_on is false if no node of that row was computed. Then nothing below it matters, and the
 * sweep is done. Fails with CLA_ERROR_OUTPUT if the row cannot be read again. */
cla_status block_round_go_back(block_round *round, bool *goes_on, cla_error *error);

/* Returns the number of cells that the round has computed. */
int64_t block_round_computed(const block_round *round);

/* Adds the blocks that this process has computed to the shares of the team's members. */
void block_round_add_shares(const block_round *round);

/* Returns the number of the round's cells that are done. Sets the progress' passed_over to those of them
 * that were skipped. The caller must hold the lock. */
int64_t block_round_cells(block_round *round);

/* Computes the block. Fails if the member's device fails, or with CLA_ERROR_INTERRUPTED if the round
 * ended. */
cla_status sweep_block_solve(sweep_block *b, team_member *member, cla_error *error);

/* Ends the round at block `end`: neither this block nor later ones are computed. If `error` is not NULL, it
 * ends the run. */
void block_round_end(block_round *round, int64_t end, const cla_error *error);

/* Builds and tests the kernels of blocks whose rows per lane differ from the sweep's. *again is set if a
 * kernel failed. That kernel's device then computes no such blocks, and the rows must be cut again. */
cla_status block_kernels_make(bool *again, const block_round *round, cla_error *error);

/* Sets best_score, best_row and best_column of *best to the best cell of the blocks before `end`, if that
 * cell is better. */
void block_round_best(sweep_start *best, const block_round *round, int64_t end);

#endif
