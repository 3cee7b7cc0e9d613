#ifndef HOST_SCHEDULE_PACKED_RUN_H
#define HOST_SCHEDULE_PACKED_RUN_H

#include "schedule/packed.h"
#include "wavefront/packs.h"

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

/* Solves the pairs, put together by size, with an engine that was made of `input`; `tops` gets blocks.
 * `question` may be NULL. CLA_ERROR_DEVICE, CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status packed_run(packs *engine, const packs_input *input, packed_pair *pairs, int64_t count,
                      packed_tops_list *tops, const packed_question *question, cla_error *error);

#endif
