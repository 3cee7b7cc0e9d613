#ifndef HOST_SCHEDULE_PACKED_RUN_H
#define HOST_SCHEDULE_PACKED_RUN_H

#include "schedule/packed.h"
#include "wavefront/packs.h"

/* Solves the pairs, put together by size, with an engine that was made of `input`. CLA_ERROR_DEVICE,
 * CLA_ERROR_MEMORY. */
cla_status packed_run(packs *engine, const packs_input *input, packed_pair *pairs, int64_t count,
                      cla_error *error);

#endif
