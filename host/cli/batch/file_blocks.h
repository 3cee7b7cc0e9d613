#ifndef HOST_CLI_BATCH_FILE_BLOCKS_H
#define HOST_CLI_BATCH_FILE_BLOCKS_H

#include <pthread.h>
#include <stdatomic.h>

#include "cli/batch/pair_block.h"

/* Aligning the pairs of two files, or of a list, in blocks: blocks_open.c, blocks_cut.c and
 * batch_blocks.c. */

/* Maximum number of pairs of a block, and maximum number of bytes of its queries. */
#define BLOCK_PAIRS 2048
#define BLOCK_BYTES (INT64_C(1) << 20)
/* Blocks take 1 / BLOCKS_SHARE of --memory. Pairs that are aligned on their own take another 1 /
 * BLOCKS_SHARE. */
#define BLOCKS_SHARE 4

struct batch_blocks {
  batch_run *run;
  block_means means;
  batch_pair *first; /* a list's first pair if it was already read; NULL: not read, or already in a block */
  cla_record_blocks *files[2];
  int threads;
  pthread_mutex_t cutting[2];  /* locked while a block's queries [0] or targets [1] are read */
  pthread_cond_t turn_changed; /* signals that `turn` has changed; used with cutting[1] */
  pthread_mutex_t lock;        /* guards the fields below, except those that `cutting` guards */
  pthread_cond_t changed;
  cla_arrays_ranks *ranks; /* other ranks, which also align blocks; NULL: none */
  pair_block *held;        /* the first block if it was already cut; NULL: none */
  pair_block *free;        /* blocks that can be used for further pairs */
  pair_block *away;        /* blocks that other ranks have */
  pair_block *back;        /* blocks that came back from other ranks, to be finished */
  pair_block **ready;      /* blocks to be written, each at its number modulo `blocks`; NULL: not ready */
  int blocks, at_work;
  int64_t block_bytes;      /* maximum number of bytes of a block's queries */
  int64_t block_pairs;      /* maximum number of pairs of the next block */
  int64_t cut;              /* number of blocks that have their queries */
  int64_t index;            /* index of the next block's first pair */
  int64_t turn;             /* number of the block that gets its targets next */
  int64_t pairs;            /* number of pairs that were read from both files */
  int64_t written;          /* number of blocks that were written */
  double bytes;             /* size of the queries' file or of the list; 0: unknown */
  _Atomic double bytes_cut; /* bytes of the queries or lines that were read */
  atomic_bool ended;        /* one of the inputs has ended */
  bool writing, stopped;
};

/* Estimates the seconds for the remaining queries from the time taken so far. If the size of the file is
 * unknown, assumes as much time again. Returns 0 if too little is done. */
double blocks_seconds_left(const batch_blocks *b);

/* Reads the queries of a block. At the end of the file, the block has none. */
cla_status blocks_cut_queries(pair_block *block, batch_blocks *b, cla_error *error);

/* Reads as many targets as the block has queries. After the last query, tries to read one more target, to see
 * whether both files end together. */
cla_status blocks_cut_targets(pair_block *block, batch_blocks *b, cla_error *error);

/* Returns a block with the next pairs, or a block that came back from another rank. NULL: the input has ended
 * or the run has stopped. */
pair_block *blocks_next(batch_blocks *b);

/* Drops the first block if the run directory has stored blocks, and opens the files anew, because the block
 * may differ from the stored one. */
cla_status blocks_cut_again(batch_blocks *b, cla_error *error);

/* Stops the run with an error. The caller holds the lock. */
void blocks_stop(batch_blocks *b, cla_status status, const cla_error *error);

#endif
