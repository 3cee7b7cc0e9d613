#ifndef HOST_CLI_BATCH_FILE_BLOCKS_H
#define HOST_CLI_BATCH_FILE_BLOCKS_H

#include <pthread.h>
#include <stdatomic.h>

#include "cli/batch/pair_block.h"

/* Pairs of two files, or of a list, in blocks: blocks_open.c, blocks_cut.c and batch_blocks.c. */

/* A block has so many pairs at the most, of queries of so many bytes. */
#define BLOCK_PAIRS 2048
#define BLOCK_BYTES (INT64_C(1) << 20)
/* Of --memory blocks take this part, and pairs that are aligned by themselves as much. */
#define BLOCKS_SHARE 4

struct batch_blocks {
  batch_run *run;
  block_means means;
  batch_pair *first; /* a list's first pair, if it was read already; NULL: it was not, or is in a block */
  cla_record_blocks *files[2];
  int threads;
  pthread_mutex_t cutting[2];  /* held while a block is cut off each file */
  pthread_cond_t turn_changed; /* `turn` has changed; waited for with cutting[1] */
  pthread_mutex_t lock;        /* guards all fields below, but the counts of cuts */
  pthread_cond_t changed;
  cla_arrays_ranks *ranks; /* take blocks, too; NULL: there are none */
  pair_block *held;        /* the first block, if it was cut already */
  pair_block *free;        /* blocks for further pairs */
  pair_block *away;        /* blocks that are with another rank */
  pair_block *back;        /* blocks that were, to be finished */
  pair_block **ready;      /* blocks to be written, each at its number modulo `blocks` */
  int blocks, at_work;
  int64_t block_bytes;      /* bytes of a block's queries, at the most */
  int64_t block_pairs;      /* the most of the next block */
  int64_t cut;              /* blocks with queries */
  int64_t index;            /* index of the next block's first pair */
  int64_t turn;             /* number of the next block that gets targets */
  int64_t pairs;            /* pairs that were cut off both files */
  int64_t written;          /* blocks that were written */
  double bytes;             /* of all queries, or of the list, as in the file; 0: not known */
  _Atomic double bytes_cut; /* of the queries or lines that were cut */
  atomic_bool ended;        /* one of the files has ended */
  bool writing, stopped;
};

/* How long the rest of the queries takes, by what those until now have taken: if the file does not say how
 * many there are, as long again. */
double blocks_seconds_left(const batch_blocks *b);

/* Cuts the next queries. A block has none at the end of the file. */
cla_status blocks_cut_queries(pair_block *block, batch_blocks *b, cla_error *error);

/* Cuts as many targets as queries. Behind the last query it tries one target more, to see whether the files
 * end together. */
cla_status blocks_cut_targets(pair_block *block, batch_blocks *b, cla_error *error);

/* A block with the next pairs, or one that another rank has given back; NULL at the end, or when the run has
 * stopped. */
pair_block *blocks_next(batch_blocks *b);

/* A first block that was cut before the run directory was there need not be one that it keeps. */
cla_status blocks_cut_again(batch_blocks *b, cla_error *error);

/* Ends the run with an error. The lock is held. */
void blocks_stop(batch_blocks *b, cla_status status, const cla_error *error);

#endif
