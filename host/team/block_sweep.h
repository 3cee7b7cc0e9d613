#ifndef HOST_TEAM_BLOCK_SWEEP_H
#define HOST_TEAM_BLOCK_SWEEP_H

#include "pipeline/strand_run.h"

/* The forward sweep from where it has come to, r->start, to the last row, on all devices of the team: in
 * blocks of rows (plan/plan_blocks.h), each a region whose upper border arrives from the one above. A device
 * that fails is left out, and the sweep goes on below the last row that is whole. As after sweep_start_below,
 * r->start and *result then are of the last block; `bottom`, unless NULL, gets the last row. *cells: that
 * were computed. */
cla_status block_sweep(region_result *result, int64_t *cells, strand_run *r, int64_t *bottom,
                       cla_error *error);

#endif
