#ifndef HOST_TEAM_BLOCK_SHARES_H
#define HOST_TEAM_BLOCK_SHARES_H

#include "team/block_run.h"

/* Notes what each device has done of a round that has ended. */
void block_shares_add(const block_round *round);

/* Tells those who asked for the plan what each device has done of the sweep. CLA_ERROR_MEMORY. */
cla_status block_shares_tell(const strand_run *r, cla_error *error);

#endif
