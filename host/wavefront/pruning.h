#ifndef HOST_WAVEFRONT_PRUNING_H
#define HOST_WAVEFRONT_PRUNING_H

#include "wavefront/wavefront_internal.h"

/* The host's part of prune.clh: which strips may have something to compute, and what is known of them;
 * private to this room. */

/* Which strips a batch of launches can concern. */
typedef struct pruning {
  int64_t first;              /* the strips above have ended */
  int64_t started;            /* the last strip that has begun, or -1 */
  int64_t first_tile;         /* of that strip: none below begins further left */
  int64_t end_tile;           /* of that strip, before which it has computed, as last seen */
  int64_t ended_cells, cells; /* computed in the strips that have ended; in all */
} pruning;

/* Sets what prune.clh takes of the region and its scheme. */
void pruning_params(region_params *params, const region_work *w);

/* Of what is known of costs, behind the runs. */
int64_t pruning_cost_bytes(const region_work *w);

/* Fills the buffers `runs` and `notes`: no strip has begun, and the upper border is as the region says, or
 * yet to arrive. */
cla_status pruning_load(const region_work *w, cla_error *error);

/* Notes what has arrived of the upper border above the tiles [first, end). */
cla_status pruning_note_arrived(const region_work *w, int64_t first, int64_t end, int64_t computed,
                                cla_error *error);

/* The last tile of a strip that the windows leave: of all, where there are none. */
int64_t pruning_last_tile(const region_work *w, int64_t strip);

/* Narrows [*first, *last] to strips that can have tiles to compute before diagonal `end`. */
void pruning_clip(const pruning *p, int64_t end, int64_t *first, int64_t *last);

/* Takes over what the strips have done in the diagonals before `end`. *done: nothing is left to compute. */
cla_status pruning_update(pruning *p, bool *done, const region_work *w, int64_t end, cla_error *error);

/* Cells that a strip has computed. */
int64_t pruning_strip_cells(const region *what, const kernel_config *config, int64_t strip,
                            const strip_run *run);

/* The strips [first, first + count), of launches that have ended; others may go on. */
cla_status pruning_read(strip_run *runs, wavefront *engine, int64_t first, int64_t count, cla_error *error);

/* The nodes of a row that have values: none if first > last. */
typedef struct row_nodes {
  int64_t first, last;
  int64_t left_h; /* H at the first, which is on the left border of what was computed */
} row_nodes;

/* Those of the region's row `row`, >= 1, which is one of the strip's. `run` is the strip's with pruning, and
 * not looked at without. */
row_nodes pruning_row_nodes(const region_work *w, int64_t strip, int64_t row, const strip_run *run);

/* Cells of the region in the tiles that were computed, which are also told to what->strips. */
cla_status pruning_cells(int64_t *cells, const region_work *w, cla_error *error);

#endif
