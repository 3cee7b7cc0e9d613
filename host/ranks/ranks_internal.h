#ifndef HOST_RANKS_RANKS_INTERNAL_H
#define HOST_RANKS_RANKS_INTERNAL_H

#include "ranks/cluster.h"
#include "ranks/ranks.h"
#include "sweep/blocks_internal.h"

/* A sweep on the devices of several ranks. Rank 0 cuts all blocks beforehand, and sends the other ranks their
 * blocks. Borders are sent from rank to rank, kept rows and results to rank 0. */

/* The message with the sweep's facts. After this head come the kernel's name, its settings, the windows and
 * the used pairs. */
typedef struct rank_pair {
  int32_t number; /* number of the round */
  bool prune, keeps, strips;
  int64_t bound;
  int64_t matrix_block_rows;            /* rows of a kept matrix' block; 0: no matrix is kept */
  cla_align_options options;            /* without valid pointers */
  plan_input input;                     /* without valid pointers */
  score_table table;                    /* without valid pointers */
  int64_t kernel_bytes, settings_bytes; /* bytes of the texts, including their final zeros; 0: no text */
  int64_t window_rows, window_count;
} rank_pair;

/* A device of a rank. */
typedef struct rank_device {
  block_device facts;
  bool gpu;
  char name[256];
} rank_device;

/* Describes this rank's devices, as rank 0 needs them. The caller frees *out. CLA_ERROR_MEMORY. */
cla_status rank_team_own(rank_device **out, const device_team *team, cla_error *error);

/* The message that says how the rows are cut. After this head come `count` blocks (rank_block). */
typedef struct rank_cut {
  int32_t number;
  int64_t count;
  int64_t row, best_score; /* row below which the sweep begins; best score of the rows above */
  int64_t reached;
  bool bottom; /* the last row is wanted */
} rank_cut;

typedef struct rank_block {
  row_block where; /* `device` is the device's index on rank `rank` */
  int32_t rank;
} rank_block;

/* A rank's part of a round. */
typedef struct rank_round {
  block_round base; /* the first field, because the functions for blocks know only this part */
  const cla_ranks *ranks;
  int32_t number;                /* number of the round among all rounds of the ranks */
  int left;                      /* on rank 0: number of living ranks when the round began */
  const sweep_parts *parts;      /* on rank 0: receives each block's best cell, if wanted; or NULL */
  int64_t taken;                 /* number of blocks that `parts` has taken */
  int64_t kept_bytes;            /* bytes of kept rows on their way to rank 0; base.lock protects it */
  struct kept_queue *kept_queue; /* on rank 0: kept rows that have arrived and are not stored yet */
  double told;                   /* time of the last report of progress */
  int64_t told_reached;          /* best known score at that report */
  bool failed;                   /* this rank has failed, and rank 0 knows why */
  bool over;                     /* rank 0 has ended the round */
} rank_round;

/* Sets the round's blocks as cut by rank 0, and the round's links to other ranks. CLA_ERROR_MEMORY. */
cla_status rank_round_open(rank_round *round, const rank_block *blocks, int64_t count, cla_error *error);

/* Runs the round until it is over on this rank and all others. Errors of the sweep are in round->base.status.
 */
cla_status rank_round_run(rank_round *round, cla_error *error);

/* Handles the message if it belongs to this round. */
cla_status rank_round_handle(rank_round *round, cla_rank_message *message, cla_error *error);

/* The start of a message about a block of round `number`. */
typedef struct block_word {
  int32_t number;
  int64_t block;
} block_word;

/* The queue of kept rows that other ranks have sent, which threads of rank 0 store. Closing waits until all
 * rows are stored. CLA_ERROR_MEMORY. */
cla_status kept_queue_open(rank_round *round, cla_error *error);
void kept_queue_add(rank_round *round, cla_rank_message *message);
void kept_queue_close(rank_round *round);

/* The head of a message with a part of a row. */
typedef struct rank_part {
  int32_t number;
  int32_t lane_bits;
  int64_t block;
  int64_t row, column, count, before;
  int64_t best_score, best_row, best_column;
  int32_t lines; /* number of lines of values after the head */
} rank_part;

/* Reads the block and the part from a message. The part's values stay in the message. */
cla_status rank_part_read(sweep_block **b, region_row_part *out, const rank_round *round,
                          const cla_rank_message *message, cla_error *error);

/* Write a set of used pairs for another rank, and read it there; NULL is an empty set. CLA_ERROR_MEMORY;
 * CLA_ERROR_DEVICE for a damaged message. The caller frees the set read with used_pairs_free. */
cla_status used_pairs_write(rank_writer *into, const used_pairs *used, cla_error *error);
cla_status used_pairs_read(used_pairs **out, rank_reader *from, cla_error *error);

/* Takes part in the sweep that the RANK_PAIR message `pair` starts, until the sweep ends. */
cla_status sweep_for_rank0(const cla_ranks *ranks, const cluster_devices *means, const cla_rank_message *pair,
                           cla_error *error);

#endif
