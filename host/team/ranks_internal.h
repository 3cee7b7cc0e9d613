#ifndef HOST_TEAM_RANKS_INTERNAL_H
#define HOST_TEAM_RANKS_INTERNAL_H

#include "base/ranks.h"
#include "team/blocks_internal.h"

/* A sweep on the devices of several ranks. Rank 0 cuts all blocks beforehand and tells the others their
 * blocks. Borders go from rank to rank, kept rows and results to rank 0. */

/* The message with the sweep's facts. The kernel's name, its settings, the windows and the pairs that may not
 * be made follow it. */
typedef struct rank_pair {
  int32_t number; /* number of the round */
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

/* Describes this rank's devices for rank 0. The caller frees *out. CLA_ERROR_MEMORY. */
cla_status rank_team_own(rank_device **out, const device_team *team, cla_error *error);

/* The message with the cut of the rows. `count` blocks (rank_block) follow it. */
typedef struct rank_cut {
  int32_t number;
  int64_t count;
  int64_t row, best_score; /* row below which the sweep begins, and best known score above */
  int64_t reached;
  bool bottom; /* the last row is wanted */
} rank_cut;

typedef struct rank_block {
  row_block where; /* with the device's index at rank `rank` */
  int32_t rank;
} rank_block;

/* State of a rank in a round. */
typedef struct rank_state {
  const cla_ranks *ranks;
  block_round *round;
  double told;     /* time of the last report of progress */
  int64_t reached; /* best known score at that report */
  bool failed;     /* rank 0 knows why */
  bool over;       /* rank 0 has ended the round */
} rank_state;

/* Sets the round's blocks as they were cut. CLA_ERROR_MEMORY. */
cla_status rank_round_open(block_round *round, const rank_block *blocks, int64_t count, cla_error *error);

/* The member's next block; the lock is held. */
sweep_block *rank_round_take(block_round *round, int member);

/* Runs the round until it is over, here and at all others; an error is in round->status. */
cla_status rank_round_run(rank_state *state, cla_error *error);

/* Threads of blocks send with these: a part of the row below, a part of a kept row, a computed part of a
 * strip, the result. */
cla_status rank_round_send_down(sweep_block *b, const region_row_part *part, cla_error *error);
cla_status rank_round_keep(sweep_block *b, const region_row_part *part, cla_error *error);
void rank_round_send_strip(sweep_block *b, const region_strip *strip);
cla_status rank_round_send_done(sweep_block *b, const region_result *result, cla_error *error);

/* Carries out the message if it belongs to this round. */
cla_status rank_round_handle(rank_state *state, cla_rank_message *message, cla_error *error);

/* Begin of a message about a block of round `number`. */
typedef struct block_word {
  int32_t number;
  int64_t block;
} block_word;

/* The queue of kept rows of other ranks, which threads of rank 0 store. Closing waits until all are kept.
 * CLA_ERROR_MEMORY. */
cla_status kept_queue_open(block_round *round, cla_error *error);
void kept_queue_add(block_round *round, cla_rank_message *message);
void kept_queue_close(block_round *round);

/* A part of a row as it was sent. */
typedef struct rank_part {
  int32_t number;
  int32_t lane_bits;
  int64_t block;
  int64_t row, column, count, before;
  int64_t best_score, best_row, best_column;
  int32_t lines; /* lines of values that follow */
} rank_part;

/* The block and the part, whose values stay in the message. */
cla_status rank_part_read(sweep_block **b, region_row_part *out, block_round *round,
                          const cla_rank_message *message, cla_error *error);

#endif
