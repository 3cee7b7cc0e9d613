#ifndef HOST_PACKS_CHAIN_RUN_H
#define HOST_PACKS_CHAIN_RUN_H

#include "packs/chain_buffers.h"
#include "packs/lane_run.h"

/* A variant's configs of which it is known that they are right: a bit for each of its rows a lane, with each
 * launch. */
typedef uint64_t chain_configs;

chain_configs chain_config_bit(const kernel_config *config);

/* Of a config of chain_choose, the rows a lane, its own or less, with which the pairs take the least time;
 * and its launch is persistent only if some should be shared out among chains, so that none is in work for
 * long after all others. One of `tested` is taken where it is nearly as good: another one is built and
 * tested. */
kernel_config chain_choose_rows(const kernel_config *config, kernel_gaps gaps, const packed_pair *pairs,
                                int64_t count, chain_configs tested);

/* Solves the pairs, a pair a chain, or, where the launch is persistent, a strip of a long one, the longest
 * first; the engine was made of `input`. `rows` of the pairs stays empty. `question` may be NULL.
 * CLA_ERROR_DEVICE, CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status chain_run(chains *engine, const chains_input *input, const kernel_config *config,
                     packed_pair *pairs, int64_t count, const packed_question *question, cla_error *error);

#endif
