#ifndef HOST_REGION_PRUNING_H
#define HOST_REGION_PRUNING_H

#include "region/wavefront_internal.h"

/* The host's part of prune.clh: follows, by the device's notes about strips, which strips may have tiles to
 * compute. Private to this room. */

/* The strips that a batch of launches may have to compute. */
typedef struct pruning {
  int64_t first;      /* the first strip that has not ended */
  int64_t started;    /* the last strip that has started, or -1 */
  int64_t first_tile; /* first tile of strip `started`; no lower strip starts further left */
  /* End (exclusive) of the computed tiles of strip `started`, as last read from the device. */
  int64_t end_tile;
  int64_t ended_cells; /* cells computed in the strips that have ended */
  int64_t cells;       /* cells computed in all strips */
} pruning;

/* Sets the parameters that prune.clh reads. */
void pruning_params(region_params *params, const region_work *w);

/* Returns the bytes of the windows' costs, which follow the strips' runs in the buffer. */
int64_t pruning_cost_bytes(const region_work *w);

/* Fills the buffers `runs` and `notes` before the first launch. No strip has started then. The upper border
 * is that of the region, or has yet to arrive. */
cla_status pruning_load(const region_work *w, cla_error *error);

/* Writes the notes for the tiles [first, end), above which the upper border has arrived. */
cla_status pruning_note_arrived(const region_work *w, int64_t first, int64_t end, int64_t computed,
                                cla_error *error);

/* Returns the last tile of the strip's window; INT32_MAX if there are no windows. */
int64_t pruning_last_tile(const region_work *w, int64_t strip);

/* Narrows [*first, *last] to the strips that can have tiles to compute before diagonal `end`. */
void pruning_clip(const pruning *p, int64_t end, int64_t *first, int64_t *last);

/* Reads how far the strips have computed the tile diagonals before `end`. *done is set if no tile remains
 * to be computed. */
cla_status pruning_update(pruning *p, bool *done, const region_work *w, int64_t end, cla_error *error);

/* Returns the number of cells that a strip has computed. */
int64_t pruning_strip_cells(const region *what, const kernel_config *config, int64_t strip,
                            const strip_run *run);

/* Reads the runs of the strips [first, first + count). The launches of these strips must have ended; other
 * launches may still be running. */
cla_status pruning_read(strip_run *runs, wavefront *engine, int64_t first, int64_t count, cla_error *error);

/* The columns of those nodes of a row that have values; none if first > last. */
typedef struct row_nodes {
  int64_t first, last;
  int64_t left_h; /* H of the first node, which lies on the left border of the computed tiles */
} row_nodes;

/* Returns the nodes that have values in row `row` >= 1 of the region. The row belongs to the strip. `run`:
 * the strip's run, which is not read without pruning. */
row_nodes pruning_row_nodes(const region_work *w, int64_t strip, int64_t row, const strip_run *run);

/* Sums the region's cells in computed tiles, and reports the computed part of each strip to
 * what->calls.strips. */
cla_status pruning_cells(int64_t *cells, const region_work *w, cla_error *error);

#endif
