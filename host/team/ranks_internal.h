#ifndef HOST_TEAM_RANKS_INTERNAL_H
#define HOST_TEAM_RANKS_INTERNAL_H

#include "base/ranks.h"
#include "team/blocks_internal.h"

/* A sweep on the devices of several ranks. Rank 0 cuts all blocks beforehand and tells who has which; borders
 * go from rank to rank, kept rows and results to rank 0. */

/* What a rank must know of the sweep; behind it come the kernel's name, its settings, the windows, and the
 * pairs that may not be made. */
typedef struct rank_pair {
  int32_t number; /* of the round */
  bool prune, keeps, strips;
  int64_t bound;
  int64_t matrix_block_rows;            /* rows of a kept matrix' block; 0: no matrix is kept */
  cla_align_options options;            /* without valid pointers */
  plan_input input;                     /* without valid pointers */
  score_table table;                    /* without valid pointers */
  int64_t kernel_bytes, settings_bytes; /* bytes of the texts with their zeros; 0: none */
  int64_t window_rows, window_count;
} rank_pair;

/* A device of a rank. */
typedef struct rank_device {
  block_device facts;
  bool gpu;
  char name[256];
} rank_device;

/* This rank's devices, for rank 0; the caller frees them. CLA_ERROR_MEMORY. */
cla_status rank_team_own(rank_device **out, const device_team *team, cla_error *error);

/* How the rows are cut; behind it come so many blocks. */
typedef struct rank_cut {
  int32_t number;
  int64_t count;
  int64_t row, best_score; /* where the sweep begins, and what is known above */
  int64_t reached;
  bool bottom; /* the last row is wanted */
} rank_cut;

typedef struct rank_block {
  row_block where; /* a device of that rank */
  int32_t rank;
} rank_block;

/* How a rank is on the way. */
typedef struct rank_state {
  const cla_ranks *ranks;
  block_round *round;
  double told;     /* time of the last report of progress */
  int64_t reached; /* best known score at that report */
  bool failed;     /* rank 0 knows why */
  bool over;       /* rank 0 has said so */
} rank_state;

/* Takes the blocks as they were cut. CLA_ERROR_MEMORY. */
cla_status rank_round_open(block_round *round, const rank_block *blocks, int64_t count, cla_error *error);

/* The member's next block; the lock is held. */
sweep_block *rank_round_take(block_round *round, int member);

/* Runs the round until it is over, here and at all others; an error is in round->status. */
cla_status rank_round_run(rank_state *state, cla_error *error);

/* What threads of blocks send: a part of the row below, a part of a kept row, what was computed, the result.
 */
cla_status rank_round_send_down(sweep_block *b, const region_row_part *part, cla_error *error);
cla_status rank_round_keep(sweep_block *b, const region_row_part *part, cla_error *error);
void rank_round_send_strip(sweep_block *b, const region_strip *strip);
cla_status rank_round_send_done(sweep_block *b, const region_result *result, cla_error *error);

/* Does what the message says, if it is of this round. */
cla_status rank_round_handle(rank_state *state, cla_rank_message *message, cla_error *error);

/* What is said of a block, and to which round it belongs. */
typedef struct block_word {
  int32_t number;
  int64_t block;
} block_word;

/* Kept rows of other ranks, which a thread of rank 0 puts where they belong. CLA_ERROR_MEMORY. */
cla_status kept_queue_open(block_round *round, cla_error *error);
void kept_queue_add(block_round *round, cla_rank_message *message);
void kept_queue_close(block_round *round); /* once all is kept */

/* A part of a row as it was sent. */
typedef struct rank_part {
  int32_t number;
  int32_t lane_bits;
  int64_t block;
  int64_t row, column, count, before;
  int64_t best_score, best_row, best_column;
  bool second; /* values of a second piece of gap costs follow */
} rank_part;

/* The block and the part, whose values stay in the message. */
cla_status rank_part_read(sweep_block **b, region_row_part *out, block_round *round,
                          const cla_rank_message *message, cla_error *error);

#endif
