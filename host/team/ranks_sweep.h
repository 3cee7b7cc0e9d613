#ifndef HOST_TEAM_RANKS_SWEEP_H
#define HOST_TEAM_RANKS_SWEEP_H

#include "clalign/ranks.h"
#include "team/sweep.h"

/* sweep_blocks on the devices of all ranks, at rank 0. What fails at another rank ends it with a message that
 * names the rank. */
cla_status sweep_on_ranks(region_result *result, int64_t *cells, sweep_work *s, int64_t *bottom,
                          cla_error *error);

/* What the other ranks have for it. */
typedef struct rank_means {
  cla_device *const *devices;
  cla_tuning *const *tunings;
  size_t count;
} rank_means;

/* Takes part in the sweep that the message RANK_PAIR is about, to its end. */
cla_status sweep_for_rank0(const cla_ranks *ranks, const rank_means *means, const cla_rank_message *pair,
                           cla_error *error);

#endif
