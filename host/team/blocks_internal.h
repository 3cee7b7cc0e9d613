#ifndef HOST_TEAM_BLOCKS_INTERNAL_H
#define HOST_TEAM_BLOCKS_INTERNAL_H

#include <pthread.h>

#include "base/ranks.h"
#include "team/sweep.h"

/* The sweep in blocks on several devices: a block runs on its device's thread. */

struct block_round;
struct kept_queue;

typedef struct sweep_block {
  struct block_round *round;
  int64_t index;
  row_block where;
  int rank;         /* the rank that has the block */
  bool taken;       /* a member has the block, which was cut beforehand */
  bool keeps;       /* rows within the block are kept */
  int64_t interval; /* interval of the rows that are handed out */
  int64_t skipped;  /* cells that the block's region has passed over */
  double waited;    /* seconds of waiting for the block above */
  double seconds;   /* other seconds of the finished block */
  /* The round's lock protects the fields below. */
  arriving_row *below; /* last row of the block; NULL: not begun, or the last block; owned */
  bool kept;           /* the block is done, and rank 0 has all its rows */
  int64_t least;       /* least score that was sought in the finished block */
  int64_t cells;       /* cells that are done */
  int64_t passed_over; /* cells that are done without being computed */
  bool done;
  region_result result; /* result of the finished block */
} sweep_block;

/* A round: blocks that run at the same time. */
typedef struct block_round {
  sweep_work *sweep;
  int64_t *bottom; /* gets the matrix' last row, or NULL */
  block_device *devices;
  sweep_block *blocks;     /* array with room for all possible blocks */
  _Atomic int64_t reached; /* best known score of a cell */
  atomic_int waiting;      /* number of threads that wait for other ranks' messages */
  pthread_mutex_t rows;    /* held while a row goes to disk, or a strip to the notes */
  pthread_mutex_t lock;    /* protects all fields from `cutter` on that change during the round */
  pthread_cond_t news;
  bool has_locks; /* locks and condition exist */
  block_cutter cutter;
  const cla_ranks *ranks;        /* ranks whose blocks are all cut beforehand; NULL: this process does all */
  int32_t number;                /* number of the round among the ranks' rounds */
  int left;                      /* at rank 0: number of ranks when the round began */
  bool keeps;                    /* rank 0 keeps rows */
  bool apart;                    /* each block's best cell is wanted, whatever others reach */
  const sweep_parts *parts;      /* at rank 0: takes the blocks' best cells, with `apart` */
  int64_t taken;                 /* number of blocks that `parts` has taken */
  bool strips;                   /* rank 0 notes the computed parts of strips */
  int64_t kept_bytes;            /* bytes of kept rows on their way to rank 0 */
  struct kept_queue *kept_queue; /* at rank 0: kept rows that have arrived */
  int64_t count;                 /* number of blocks that were taken */
  int64_t end;                   /* the first block that is not computed in this round */
  int working;                   /* number of threads at work */
  cla_status status;             /* error that ends the run, unless it is a device's */
  cla_error error;
} block_round;

/* Tells that a thread of the round begins or ends to wait for other ranks' messages. */
void block_round_waits(block_round *round, bool waits);

/* Whether the block is the matrix' last one. */
static inline bool sweep_block_last(const sweep_block *b) {
  return b->where.row + b->where.rows == b->round->sweep->input.rows;
}

/* Tells the options' `explain` which device swept which part. CLA_ERROR_MEMORY. */
cla_status sweep_tell_shares(const sweep_work *s, cla_error *error);

/* The result of a block below a row of which nothing was computed. */
region_result sweep_block_none(const sweep_work *s);

/* Takes a part of a kept row, which may be of another rank's block. */
cla_status sweep_block_keep(sweep_block *b, const region_row_part *part, cla_error *error);

/* Sets the result of a block that has ended, under the lock. */
void sweep_block_ended(sweep_block *b, const region_result *result);

/* Notes that all rows of the block are kept, too. */
void sweep_block_rows_kept(sweep_block *b);

/* Frees the row between blocks `index` and `index + 1` if both are done: nobody goes on from it any more. */
void sweep_block_release(block_round *round, int64_t index);

/* Sets *out to the row below a block that arrives from another rank. It is made at the first call. */
cla_status sweep_block_arriving(arriving_row **out, sweep_block *b, cla_error *error);

/* Makes the locks and the condition of a round. CLA_ERROR_MEMORY. */
cla_status block_round_locks(block_round *round, cla_error *error);

/* Lets the team's members compute the round's blocks, and calls `watch` until all have ended. A worker's
 * error is its device's. */
cla_status block_round_run(block_round *round, void (*watch)(block_round *round, void *user), void *user,
                           cla_error *error);
void block_round_close(block_round *round);

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
