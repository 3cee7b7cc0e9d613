#ifndef HOST_PACKS_LANE_RUN_H
#define HOST_PACKS_LANE_RUN_H

#include "packs/lane_buffers.h"
#include "packs/packs.h"

/* What the pairs' `rows` point to, a block for each launch. Begins as zero. */
typedef struct packed_tops_list {
  int32_t **blocks;
  int64_t count, capacity;
} packed_tops_list;

/* Whether to go on, asked before each launch; zero: nobody is asked. */
typedef struct packed_question {
  packed_go_on go_on;
  void *user;
} packed_question;

void packed_tops_free(packed_tops_list *tops); /* it is empty afterwards */

/* CLA_ERROR_INTERRUPTED if the answer is no. */
cla_status packed_ask_question(const packed_question *question, cla_error *error);

/* What a device finds of a pair's matrix: nodes, those that were not looked for undefined. */
typedef struct packed_ends {
  int64_t score, row, column;       /* the best one of all; of paths that end anywhere */
  int64_t row_score, row_column;    /* the best one of the last row, but for its first node */
  int64_t column_score, column_row; /* and of the last column */
} packed_ends;

/* Sets a pair's score and end: of these nodes and the borders' the canonical best one. */
void packed_take_ends(packed_pair *pair, const path_ends *kind, const cla_scoring *scoring,
                      const packed_ends *ends);

/* Solves the pairs, put together by size, with an engine that was made of `input`; `tops` gets blocks.
 * `question` may be NULL. CLA_ERROR_DEVICE, CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status packed_run(packs *engine, const packs_input *input, packed_pair *pairs, int64_t count,
                      packed_tops_list *tops, const packed_question *question, cla_error *error);

#endif
