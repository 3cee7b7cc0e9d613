#ifndef HOST_REGION_REGION_H
#define HOST_REGION_REGION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"
#include "dp/borders.h"
#include "scoring/pair_problem.h"

/* Least number of launches of a region that hands its last row down (`below`). Each delays the region below
 * by its time.
 */
#define REGION_BATCHES_BELOW 48

/* A rectangle of the DP matrix, to be solved by wavefront_solve.
 *
 * Matrix coordinates: node (i,j) stands after i query and j target letters of the two ranges, 0 <= i <= m,
 * 0 <= j <= n; cell (i,j) uses letters i and j. A region has a corner node and runs from there down and to
 * the right over `rows` x `columns` cells, or, if `reverse`, up and to the left. Its borders are the nodes
 * of the corner's row and column. */

/* A part of a kept row: consecutive nodes with H, and F entering the row below by piece of gap costs.
 * Values are as the lanes left them, modulo 2^lane_bits. H differs by less than 2^(lane_bits -
 * 1) from H of the left neighbour, and F from H of its node. */
typedef struct region_row_part {
  int64_t row;    /* row of the region, 1 <= row <= rows */
  int64_t column; /* column of the first node in the region; 0: the left border */
  int64_t count;  /* number of nodes; 0 ends the row */
  int64_t before; /* full H of the node left of the first one, or of another node as close; unset in a part
                   * that goes on where the one before it ended */
  /* `count` unsigned values of lane_bits each; lines of f are NULL beyond the pieces of gap costs. */
  const void *h, *f[CLA_GAP_PIECES];
  int lane_bits; /* 8, 16 or 32 */
  /* Set in the part that ends a row of a region with `best`. The region's best cell, as in region_result, if
   * it lies in this row or above; else some cell above with a lower score, or none. */
  int64_t best_score, best_row, best_column;
} region_row_part;

/* Sets the part's lines, of which the first begins at `lines`, and each further one `apart` bytes on. */
static inline void region_row_part_set(region_row_part *part, const void *lines, int64_t apart, int count) {
  part->h = lines;
  for (int k = 0; k < count - 1; k++) part->f[k] = (const char *)lines + (k + 1) * apart;
}

/* The number of the part's lines. */
static inline int region_row_part_lines(const region_row_part *part) {
  int lines = 1;
  while (lines < GAP_LINES && part->f[lines - 1]) lines++;
  return lines;
}

/* Bytes of the part's values. */
static inline int64_t region_row_part_bytes(const region_row_part *part) {
  return part->count * region_row_part_lines(part) * (part->lane_bits / 8);
}

/* Takes the parts of kept rows. A row's parts come from left to right without overlap; a part without nodes
 * ends the row. Columns that no part covers were not computed. Rows come from above, one after the other.
 * With several threads, that holds for each thread's rows. */
typedef cla_status (*region_row_sink)(void *user, const region_row_part *part, cla_error *error);

/* The part of an arriving upper border that is there: its first `nodes` nodes. Those beyond `computed` are
 * substitutes; computed is -1 if all are. */
typedef struct region_arrival {
  int64_t nodes, computed;
} region_arrival;

/* Reads `count` nodes of the upper border from `node` on: H, and F entering the first row, unless NULL. */
typedef void (*region_top)(void *user, int64_t node, int64_t count, row_values into);

/* Waits until the first `wanted` nodes of the upper border are there. */
typedef cla_status (*region_await)(void *user, region_arrival *there, int64_t wanted, cla_error *error);

/* Called between launches. cells: the region's cells that are done, with those passed over. Any status but
 * CLA_OK ends the region. */
typedef cla_status (*region_tick)(void *user, int64_t cells, cla_error *error);

/* A rectangle of cells of a region. */
typedef struct region_strip {
  int64_t row, rows, column, columns;
} region_strip;

/* Takes the computed cells at the end: strip by strip from above, or, without pruning, all at once. */
typedef void (*region_strip_sink)(void *user, const region_strip *strip);

/* The calls of the engine while it computes a region, each with `user`. Any may be NULL or 0.
 *
 * - top: reads an upper border that lies elsewhere, before the first launch. Not with `prune` or `await`
 * - await: waits for an upper border that arrives from left to right. NULL: the border is complete
 * - sink: takes kept rows
 * - below: takes the parts of the last row as they are complete, on the calling thread, before `sink` gets
 * the row. Then `rows` must be a multiple of row_interval
 *
 * A row without computed nodes has only its end, in column 0. */
typedef struct region_calls {
  region_top top;
  region_await await;
  region_row_sink sink, below;
  int sink_threads; /* threads that may call `sink` at once, each with another row; 0 means 1 */
  region_strip_sink strips;
  region_tick tick;
  int64_t *passed_over; /* set before each tick to the cells that are done without being computed; or NULL */
  void *user;
} region_calls;

/* Least costs to the end for paths that matter (docs/internals/bounds.md, "Costs"), by step of rows and
 * bucket of diagonals (column less row). The cost of a bucket holds for its nodes and those of both neighbour
 * buckets. Nodes of other buckets lie on no such path. */
typedef struct row_costs {
  int64_t bucket;    /* diagonals of a bucket, at least ROW_COSTS_BUCKET; 0: no costs are known */
  int64_t diagonals; /* diagonal d lies in bucket (d + diagonals) / bucket */
  int64_t letters;   /* letters of both sequences together */
  int64_t score;     /* least score of a path that matters */
  int64_t *at;       /* by step, and one more; index of the step's first bucket in `least` */
  int64_t *first;    /* by step; number of its first bucket */
  int32_t *least;    /* least cost of a bucket */
  int64_t *start_first, *start_last; /* by step; diagonals on which such paths may begin, with the floor; none
                                      * if start_first > start_last */
} row_costs;
/* Least diagonals of a bucket: more than the nodes that a kernel checks together. */
#define ROW_COSTS_BUCKET 64

/* Windows: the columns of a matrix in which paths that matter may lie. Step s has the rows s x rows + 1 to
 * (s + 1) x rows, and the first and last column of their nodes. Neither falls from step to step, and a step
 * begins no further right than the one above ends. */
typedef struct row_windows {
  int64_t rows, count;
  int64_t *first, *last;
  row_costs costs;
} row_windows;

/* Columns of the widest window over `rows` adjacent rows. */
int64_t row_windows_widest(const row_windows *windows, int64_t rows);

typedef struct region {
  int64_t row, column;   /* the corner node */
  int64_t rows, columns; /* >= 1 */
  bool reverse;
  bool floor;     /* no H below zero, borders by rule included */
  int64_t corner; /* H of the corner node */
  border_rule left, top;
  /* The upper border, not owned: columns + 1 nodes, [0] the corner, whose F is not read. h is NULL: by rule,
   * or calls.top reads them. */
  row_values above;
  /* Pass over tiles that no path of score `bound` uses (docs/internals/pruning.md). Both borders must fall by
   * gap costs or be 0. */
  bool prune;
  /* A score that some path reaches, where paths may end. With BEST_ANYWHERE, also without `prune`, no best
   * cell below it or below an H of the upper border is sought. */
  int64_t bound;
  _Atomic int64_t *reached; /* with BEST_ANYWHERE: best score so far, shared with other regions; or NULL */
  /* With `prune`: least cost of each row (down) or column (across) that a path passes without a pair on its
   * way to an end; 0 is always right. */
  int64_t down_ext, across_ext;
  int64_t rows_beyond;        /* with `prune`: rows of the matrix below the region, where paths may go on */
  const row_windows *windows; /* with `prune`, not `reverse`: the matrix' windows for `bound`, or NULL */
  best_kind best;             /* the best cell that is wanted */
  int64_t *bottom;            /* output: H of the last row, columns + 1 nodes; NULL: not wanted */
  int64_t row_interval;       /* rows from one kept row to the next, a multiple of the strip's; 0: none */
  /* Rows of a panel, a multiple of the strip's: computed to their ends before those below, so that kept rows
   * are whole soon. 0: one panel. Not with `prune`, `await` or `below`. */
  int64_t panel_rows;
  region_calls calls;
} region;

/* The best score if there is no best cell. With BEST_ANYWHERE only scores above 0 count. */
#define REGION_NO_BEST(kind) ((kind) == BEST_LAST_COLUMN ? INT64_MIN : 0)

typedef struct region_result {
  int64_t best_score;                /* REGION_NO_BEST(kind) if there is no best cell */
  int64_t best_row, best_column;     /* the canonical best node, in the region's coordinates, >= 1 */
  int64_t cells;                     /* computed cells without padding */
  int64_t bottom_first, bottom_last; /* nodes of `bottom` with values; none if first > last */
} region_result;

#endif
