#ifndef HOST_TEAM_BLOCK_KERNELS_H
#define HOST_TEAM_BLOCK_KERNELS_H

#include "team/block_run.h"

/* Builds and tests the kernels of the round's blocks that have other rows a lane than their device's sweep:
 * which ones there are is known only when the sweep begins. As the building of all kernels it is no part of
 * the run's seconds. Where one fails, its device does without those rows a lane, which the note tells, and
 * the round is to be planned anew, *again: the device goes on with its sweep's own kernel. */
cla_status block_kernels_make(bool *again, const block_round *round, cla_error *error);

#endif
