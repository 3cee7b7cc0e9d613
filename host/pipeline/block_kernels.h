#ifndef HOST_PIPELINE_BLOCK_KERNELS_H
#define HOST_PIPELINE_BLOCK_KERNELS_H

#include "pipeline/sweep_block_run.h"

/* Builds and tests the kernels of the round's blocks that have other rows a lane than their device's sweep:
 * which ones there are is known only when the sweep begins. As the building of all kernels it is no part of
 * the run's seconds. A device that fails is left out of the team, and the round is to be planned anew, *lost.
 */
cla_status block_kernels_make(bool *lost, const block_round *round, cla_error *error);

#endif
