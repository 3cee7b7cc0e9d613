#ifndef HOST_TEAM_BLOCKS_INTERNAL_H
#define HOST_TEAM_BLOCKS_INTERNAL_H

#include <pthread.h>

#include "team/sweep.h"

/* The sweep in blocks on several devices: a block runs on its device's thread. */

struct block_round;

typedef struct sweep_block {
  struct block_round *round;
  int64_t index;
  row_block where;
  int64_t interval; /* of the rows that are handed out */
  bool *whole;      /* of the kept rows within it, those that are; owned */
  int64_t skipped;  /* what its region says it has passed over */
  double waited;    /* seconds for the block above */
  double seconds;   /* besides, once it is done */
  /* Under the round's lock: */
  arriving_row *below;        /* its last row; NULL: not begun, or the last block; owned */
  int64_t cells, passed_over; /* that are done, of them not computed */
  bool done;
  region_result result; /* once it is done */
} sweep_block;

/* Blocks that run at the same time. */
typedef struct block_round {
  sweep_work *sweep;
  int64_t *bottom; /* for the last block, or NULL */
  block_device *devices;
  sweep_block *blocks;     /* room for as many as there can be */
  _Atomic int64_t reached; /* what some cell is known to score */
  pthread_mutex_t rows;    /* held while a row goes to disk, or a strip to the notes */
  pthread_mutex_t lock;    /* of what follows */
  pthread_cond_t news;
  bool has_locks; /* these three exist */
  block_cutter cutter;
  int64_t count;     /* blocks that were taken */
  int64_t end;       /* the first block that is not computed in this round */
  int working;       /* threads */
  cla_status status; /* of what ends the run: not a device's */
  cla_error error;
} block_round;

/* Whether it is the last one. */
bool sweep_block_last(const sweep_block *b);

/* What a block has found below a row of which nothing was computed. */
region_result sweep_block_none(const sweep_work *s);

/* Computes the block; an error is the member's, or CLA_ERROR_INTERRUPTED where the round ended. */
cla_status sweep_block_solve(sweep_block *b, team_member *member, cla_error *error);

/* No block from `end` on is computed any more; with an error that ends the run, none at all. */
void block_round_end(block_round *round, int64_t end, const cla_error *error);

/* Builds and tests the kernels of blocks that have other rows a lane than the sweep. *again: one failed, and
 * its device has none of these blocks any more. */
cla_status block_kernels_make(bool *again, const block_round *round, cla_error *error);

/* What is the best down to block `end`, from what was known above the first: as in a sweep_start. */
void block_round_best(sweep_start *best, const block_round *round, int64_t end);

#endif
