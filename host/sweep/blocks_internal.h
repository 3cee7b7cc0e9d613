#ifndef HOST_SWEEP_BLOCKS_INTERNAL_H
#define HOST_SWEEP_BLOCKS_INTERNAL_H

#include <pthread.h>

#include "sweep/sweep.h"

/* The sweep in blocks on several devices: a block runs on its device's thread. */

struct block_round;

typedef struct sweep_block {
  struct block_round *round;
  int64_t index;
  row_block where;
  int owner;        /* number of the process that has the block */
  bool taken;       /* a member has the block, which was cut beforehand */
  bool keeps;       /* rows within the block are kept */
  int64_t interval; /* interval of the rows that are handed out */
  int64_t skipped;  /* cells that the block's region has passed over */
  double waited;    /* seconds of waiting for the block above */
  double seconds;   /* other seconds of the finished block */
  /* The round's lock protects the fields below. */
  arriving_row *below; /* last row of the block; NULL: not begun, or the last block; owned */
  bool kept;           /* the block is done, and all its rows are kept */
  int64_t least;       /* least score that was sought in the finished block */
  int64_t cells;       /* cells that are done */
  int64_t passed_over; /* cells that are done without being computed */
  bool done;
  region_result result; /* result of the finished block */
} sweep_block;

/* What is done with a block's rows, strips and result. block_links_here is the table of a process that has
 * all blocks. All but `wake` are called on the block's thread. */
typedef struct block_links {
  /* Takes a part of a kept row, in the block's rows. Errors end the run. */
  cla_status (*keep)(sweep_block *b, const region_row_part *part, cla_error *error);
  /* Hands a part of the block's last row to the process that has the block below. NULL: there is none. */
  cla_status (*send_down)(sweep_block *b, const region_row_part *part, cla_error *error);
  void (*strip)(sweep_block *b, const region_strip *strip); /* notes a computed part of a strip */
  /* Tells of the block's result; NULL: nobody asks. */
  cla_status (*done)(sweep_block *b, const region_result *result, cla_error *error);
  /* A thread of the round has ended, or begins or ends to wait for another process. NULL: nobody asks. */
  void (*wake)(struct block_round *round);
} block_links;

extern const block_links block_links_here;

/* A round: blocks that run at the same time. */
typedef struct block_round {
  sweep_work *sweep;
  const block_links *links;
  int self;        /* number of this process among the blocks' owners */
  bool dealt;      /* all blocks are there from the begin, and a device that fails ends the run */
  bool keeps;      /* rows are kept */
  bool apart;      /* each block's best cell is wanted, whatever others reach */
  bool strips;     /* computed parts of strips are noted */
  int64_t *bottom; /* gets the matrix' last row, or NULL */
  block_device *devices;
  sweep_block *blocks;     /* array with room for all possible blocks */
  _Atomic int64_t reached; /* best known score of a cell */
  atomic_int waiting;      /* number of threads that wait for a row of another process */
  pthread_mutex_t rows;    /* held while a row goes to disk, or a strip to the notes */
  pthread_mutex_t lock;    /* protects all fields from `cutter` on that change during the round */
  pthread_cond_t news;
  bool has_locks; /* locks and condition exist */
  block_cutter cutter;
  int64_t count;     /* number of blocks that were taken */
  int64_t end;       /* the first block that is not computed in this round */
  int working;       /* number of threads at work */
  cla_status status; /* error that ends the run, unless it is a device's */
  cla_error error;
} block_round;

/* Tells that a thread of the round begins or ends to wait for a row of another process. */
void block_round_waits(block_round *round, bool waits);

/* Whether the block is the matrix' last one. */
static inline bool sweep_block_last(const sweep_block *b) {
  return b->where.row + b->where.rows == b->round->sweep->input.rows;
}

/* Tells the options' `explain` which device swept which part. CLA_ERROR_MEMORY. */
cla_status sweep_tell_shares(const sweep_work *s, cla_error *error);

/* The result of a block below a row of which nothing was computed. */
region_result sweep_block_none(const sweep_work *s);

/* The links of block_links_here, for blocks of other processes, too. */
void sweep_block_strip(sweep_block *b, const region_strip *strip);
cla_status sweep_block_keep(sweep_block *b, const region_row_part *part, cla_error *error);

/* Sets the result of a block that has ended, under the lock. */
void sweep_block_ended(sweep_block *b, const region_result *result);

/* Notes that all rows of the block are kept, too. */
void sweep_block_rows_kept(sweep_block *b);

/* Frees the row between blocks `index` and `index + 1` if both are done: nobody goes on from it any more. */
void sweep_block_release(block_round *round, int64_t index);

/* Sets *out to the row below a block that arrives from another process. It is made at the first call. */
cla_status sweep_block_arriving(arriving_row **out, sweep_block *b, cla_error *error);

/* Makes the locks and the condition of a round, and the facts of the sweep's devices. CLA_ERROR_MEMORY. */
cla_status block_round_open(block_round *round, cla_error *error);

/* Makes room for `count` blocks, which are all dealt once they have owners. CLA_ERROR_MEMORY. */
cla_status block_round_deal(block_round *round, int64_t count, cla_error *error);

/* Lets the team's members compute the round's blocks, and calls `watch` until all have ended. A worker's
 * error is its device's. */
cla_status block_round_run(block_round *round, void (*watch)(block_round *round, void *user), void *user,
                           cla_error *error);
void block_round_close(block_round *round);

/* Ends a sweep of which all blocks are done, with *result and the sweep's begin those of the last one. */
void block_round_finish(region_result *result, const block_round *round);

/* Makes the sweep begin below the round's last finished row: a kept row, or the last row of a block before
 * round->end. *goes_on is false if nothing of that row was computed. Then nothing below it matters, and the
 * sweep is done. CLA_ERROR_OUTPUT if the row cannot be read again. */
cla_status block_round_go_back(block_round *round, bool *goes_on, cla_error *error);

/* The cells that the round has computed. */
int64_t block_round_computed(const block_round *round);

/* Adds the blocks that this process has computed to the shares of its devices. */
void block_round_add_shares(const block_round *round);

/* The cells of the round that are done. Those of them that were passed over are added to the run's. The lock
 * is held. */
int64_t block_round_cells(block_round *round);

/* Computes the block. An error is the member's, or CLA_ERROR_INTERRUPTED if the round ended. */
cla_status sweep_block_solve(sweep_block *b, team_member *member, cla_error *error);

/* Ends the round at block `end`: that block and later ones are not computed. An error ends the run. */
void block_round_end(block_round *round, int64_t end, const cla_error *error);

/* Builds and tests the kernels of blocks that have other rows a lane than the sweep. *again: a kernel failed,
 * and its device gives these blocks up. */
cla_status block_kernels_make(bool *again, const block_round *round, cla_error *error);

/* Raises best->best_score, best_row and best_column to those of the blocks before `end`. */
void block_round_best(sweep_start *best, const block_round *round, int64_t end);

#endif
