#ifndef HOST_SCHEDULE_PACKED_RUN_H
#define HOST_SCHEDULE_PACKED_RUN_H

#include "schedule/packed.h"
#include "wavefront/packs.h"

/* What the pairs' `rows` point to, a block for each launch. Begins as zero. */
typedef struct packed_tops_list {
  int32_t **blocks;
  int64_t count, capacity;
} packed_tops_list;

void packed_tops_free(packed_tops_list *tops); /* it is empty afterwards */

/* Solves the pairs, put together by size, with an engine that was made of `input`; `tops` gets blocks.
 * CLA_ERROR_DEVICE, CLA_ERROR_MEMORY. */
cla_status packed_run(packs *engine, const packs_input *input, packed_pair *pairs, int64_t count,
                      packed_tops_list *tops, cla_error *error);

#endif
