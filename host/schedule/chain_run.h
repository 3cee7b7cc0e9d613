#ifndef HOST_SCHEDULE_CHAIN_RUN_H
#define HOST_SCHEDULE_CHAIN_RUN_H

#include "schedule/packed_run.h"
#include "wavefront/chains.h"

/* Sets the rows a lane, `most` or less, with which the pairs take the least time. */
void chain_choose_rows(kernel_config *config, int most, kernel_gaps gaps, const packed_pair *pairs,
                       int64_t count);

/* Solves the pairs, a pair a chain, the longest first; the engine was made of `input`. `rows` of the pairs
 * stays empty. `question` may be NULL. CLA_ERROR_DEVICE, CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status chain_run(chains *engine, const chains_input *input, const kernel_config *config,
                     packed_pair *pairs, int64_t count, const packed_question *question, cla_error *error);

#endif
