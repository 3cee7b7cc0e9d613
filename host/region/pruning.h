#ifndef HOST_REGION_PRUNING_H
#define HOST_REGION_PRUNING_H

#include "region/wavefront_internal.h"

/* The host's part of prune.clh: the strips that may have tiles to compute, and the device's notes about them.
 * Private to this room. */

/* The strips that a batch of launches can concern. */
typedef struct pruning {
  int64_t first;       /* the first strip that has not ended */
  int64_t started;     /* the last strip that has begun, or -1 */
  int64_t first_tile;  /* first tile of strip `started`; no strip below begins further left */
  int64_t end_tile;    /* last seen end (exclusive) of the computed tiles of strip `started` */
  int64_t ended_cells; /* cells computed in the strips that have ended */
  int64_t cells;       /* cells computed in all strips */
} pruning;

/* Sets the parameters that prune.clh reads. */
void pruning_params(region_params *params, const region_work *w);

/* Bytes of the windows' costs, which follow the strips' runs in their buffer. */
int64_t pruning_cost_bytes(const region_work *w);

/* Fills the buffers `runs` and `notes` for the start. No strip has begun; the upper border is the region's,
 * or yet to arrive. */
cla_status pruning_load(const region_work *w, cla_error *error);

/* Notes the part of the upper border above the tiles [first, end) that has arrived. */
cla_status pruning_note_arrived(const region_work *w, int64_t first, int64_t end, int64_t computed,
                                cla_error *error);

/* The last tile of the strip's window. Without windows: the strip's last tile. */
int64_t pruning_last_tile(const region_work *w, int64_t strip);

/* Narrows [*first, *last] to strips that can have tiles to compute before diagonal `end`. */
void pruning_clip(const pruning *p, int64_t end, int64_t *first, int64_t *last);

/* Reads what the strips have computed in the tile diagonals before `end`. *done: nothing is left to compute.
 */
cla_status pruning_update(pruning *p, bool *done, const region_work *w, int64_t end, cla_error *error);

/* Cells that a strip has computed. */
int64_t pruning_strip_cells(const region *what, const kernel_config *config, int64_t strip,
                            const strip_run *run);

/* Reads the runs of the strips [first, first + count), whose launches have ended. Other launches may go on.
 */
cla_status pruning_read(strip_run *runs, wavefront *engine, int64_t first, int64_t count, cla_error *error);

/* The columns of a row's nodes that have values: none if first > last. */
typedef struct row_nodes {
  int64_t first, last;
  int64_t left_h; /* H of the first node, which lies on the left border of the computed tiles */
} row_nodes;

/* The nodes with values in row `row` >= 1 of the region, a row of the strip. `run` is the strip's; without
 * pruning it is not read. */
row_nodes pruning_row_nodes(const region_work *w, int64_t strip, int64_t row, const strip_run *run);

/* Counts the region's cells in computed tiles, and reports these tiles to what->strips. */
cla_status pruning_cells(int64_t *cells, const region_work *w, cla_error *error);

#endif
