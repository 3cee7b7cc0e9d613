#ifndef HOST_WAVEFRONT_REGION_H
#define HOST_WAVEFRONT_REGION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"
#include "scoring/pair_problem.h"

/* Launches that a region has at least whose last row another one waits for (`below`): each holds that one up
 * by its time. */
#define REGION_BATCHES_BELOW 48

/* A rectangle of the DP matrix, to be solved by wavefront_solve.
 *
 * Matrix coordinates: node (i,j) stands after i query and j target letters of the two ranges, 0 <= i <= m,
 * 0 <= j <= n; cell (i,j) uses letters i and j. A region has a corner node and runs from there down and to
 * the right over `rows` x `columns` cells, or, if `reverse`, up and to the left. Its borders are the nodes
 * of the corner's row and column. */

/* Values on a border, by rule: k nodes from the corner H(corner) less first + (k-1) further or, with two
 * pieces, the less of that and first2 + (k-1) further2. */
typedef struct border_rule {
  int64_t first, further;
  bool two_pieces;
  int64_t first2, further2;
} border_rule;

/* A border along which a gap goes on that has `open` >= 0 letters in the corner. */
static inline border_rule border_of_gap(const cla_scoring *scoring, int64_t open) {
  const int64_t paid = gap_cost(scoring, open);
  return (border_rule){.first = gap_line(scoring->gap_first, scoring->gap_ext, open + 1) - paid,
                       .further = scoring->gap_ext,
                       .two_pieces = gap_two_pieces(scoring),
                       .first2 = gap_line(scoring->gap_first2, scoring->gap_ext2, open + 1) - paid,
                       .further2 = scoring->gap_ext2};
}

/* By how much the border has fallen `nodes` >= 0 nodes from the corner. */
static inline int64_t border_fall(const border_rule *rule, int64_t nodes) {
  if (nodes == 0) return 0;
  const int64_t fall = gap_line(rule->first, rule->further, nodes);
  const int64_t other = gap_line(rule->first2, rule->further2, nodes);
  return rule->two_pieces && other < fall ? other : fall;
}

/* A part of a kept row: consecutive nodes, with H and with F entering the row below, of the second piece of
 * gap costs too if there is one, as the lanes left them: modulo 2^lane_bits. Each H is less than
 * 2^(lane_bits - 1) from that of its left neighbour, each F from the H of its node. */
typedef struct region_row_part {
  int64_t row;    /* of the region, 1 <= row <= rows */
  int64_t column; /* the first node's, of the region; 0 = the left border */
  int64_t count;  /* nodes; 0 ends the row */
  int64_t before; /* H of the node left of the first, or another as close to it, in full; not of a part that
                   * begins where the one before it ended */
  const void *h, *f, *f2; /* `count` unsigned values of lane_bits each; f2 NULL with one piece */
  int lane_bits;          /* 8, 16 or 32 */
  /* In the part that ends a row, of a region with `best`: the region's best cell, as in region_result, if it
   * lies no further down than this row; else some cell down to it, or none, with a lower score. */
  int64_t best_score, best_row, best_column;
} region_row_part;

/* Takes the parts of kept rows: parts from left to right without overlap. Columns that no part covers were
 * not computed. After the last part of a row comes one of no nodes. Rows ascend, each whole before the next,
 * but for a sink that takes several threads: then each thread hands over one row after the other. */
typedef cla_status (*region_row_sink)(void *user, const region_row_part *part, cla_error *error);

/* What is there of an upper border that arrives while the region below it is computed: its first `nodes`, of
 * which those beyond `computed` are substitutes; -1 if no node was computed so far. */
typedef struct region_arrival {
  int64_t nodes, computed;
} region_arrival;

/* Reads `count` nodes of the upper border from `node` on: H, and F entering the first row and F2 unless NULL.
 */
typedef void (*region_top)(void *user, int64_t node, int64_t count, int64_t *h, int64_t *f, int64_t *f2);

/* Waits until the first `wanted` nodes of the upper border are there. */
typedef cla_status (*region_await)(void *user, region_arrival *there, int64_t wanted, cla_error *error);

/* Called between launches with the cells of this region that are done, with those passed over; any status but
 * CLA_OK ends it. */
typedef cla_status (*region_tick)(void *user, int64_t cells, cla_error *error);

/* Rows and columns of cells of a region. */
typedef struct region_strip {
  int64_t row, rows, column, columns;
} region_strip;

/* Takes what was computed, when all is: strip by strip from above, or, without pruning, all at once. */
typedef void (*region_strip_sink)(void *user, const region_strip *strip);

/* What the engine calls, each with `user`, while it computes a region. All of it may be NULL or 0.
 *
 * `top` reads an upper border that lies elsewhere, before the first launch; without `prune` and `await` only.
 * `await`: the upper border arrives from left to right meanwhile; NULL: all of it is there. `sink` takes kept
 * rows; without it none but the last is wanted. `below` takes the parts of the last row as they are complete,
 * on the calling thread, before `sink` gets that row; the region's `rows` is a multiple of the interval then.
 * A row of which nothing was computed has its end only, in column 0. */
typedef struct region_calls {
  region_top top;
  region_await await;
  region_row_sink sink, below;
  int sink_threads; /* that may call `sink` at once, each with another row; 0 as 1 */
  region_strip_sink strips;
  region_tick tick;
  int64_t *passed_over; /* unless NULL: set before each tick, cells that are done and were not computed */
  void *user;
} region_calls;

/* What paths that matter must still cost, twice as large as scores (docs/internals/bounds.md, "Costs"): by
 * step of rows and bucket of diagonals (column less row), the least from a node of it, or of the buckets
 * beside it, to the end of a path. Nodes of other buckets are on none. */
typedef struct row_costs {
  int64_t bucket;    /* diagonals, at least ROW_COSTS_BUCKET; 0: nothing is known */
  int64_t diagonals; /* diagonal d is in bucket (d + diagonals) / bucket */
  int64_t letters;   /* of both sequences */
  int64_t score;     /* that these paths have at least */
  int64_t *at;       /* by step, and one more: the place of its first bucket in `least` */
  int64_t *first;    /* by step: that bucket */
  int32_t *least;
  int64_t *start_first, *start_last; /* by step: the diagonals of nodes in which such paths may begin with the
                                      * floor; none if first > last */
} row_costs;

#define ROW_COSTS_BUCKET 64 /* more than the nodes that a kernel looks at together */

/* Columns of a matrix in which paths that matter are, as far as that is known beforehand: `count` steps of so
 * many rows, and of each the first and the last column of a node in rows step x rows + 1 to (step + 1) rows.
 * Neither falls from step to step, and a step begins no further right than the one above ends. */
typedef struct row_windows {
  int64_t rows, count;
  int64_t *first, *last;
  row_costs costs;
} row_windows;

/* Columns of the windows that so many rows lie in, at most. */
int64_t row_windows_widest(const row_windows *windows, int64_t rows);

typedef struct region {
  int64_t row, column;   /* the corner node */
  int64_t rows, columns; /* >= 1 */
  bool reverse;
  bool floor;     /* no H below zero, borders by rule included */
  int64_t corner; /* H of the corner node */
  border_rule left, top;
  const int64_t *top_h;  /* columns + 1 nodes, [0] the corner; NULL: by rule, or calls.top reads them */
  const int64_t *top_f;  /* F entering the first row, at the same nodes ([0] unused) */
  const int64_t *top_f2; /* F of the second piece of gap costs; not looked at with one */
  bool prune; /* pass over what no path uses that reaches `bound` (docs/internals/pruning.md). Needs borders
               * that fall by gap costs or are 0 */
  int64_t bound; /* reached by some path that ends where paths may end; with BEST_ANYWHERE, also without
                  * `prune`, no best cell below it is looked for, nor below an H of the upper border */
  _Atomic int64_t *reached;     /* with BEST_ANYWHERE: raised to what a cell of this region reaches,
                                 * and read now and then, as others raise it; NULL: none to share with */
  int64_t down_ext, across_ext; /* with `prune`: what each row, or column, that a path passes without a pair
                                 * on its way to an end costs it at least; 0 is always right */
  int64_t rows_beyond; /* with `prune`: of the matrix below the region, through which paths may go on to their
                          ends */
  const row_windows *windows; /* with `prune`: of the matrix, for paths that reach `bound`; NULL: none are
                                 known. Not of a reverse region */
  best_kind best;             /* yield the best cell */
  int64_t *bottom;            /* where to put H of the last row, columns + 1 nodes; NULL: not wanted */
  int64_t row_interval;       /* keep every such row (a multiple of the strip's rows); 0: none */
  int64_t panel_rows; /* so many rows (a multiple of the strip's rows) are computed to their ends before those
                       * below, for kept rows to be whole soon; 0: all at once. Needs no `prune`, and neither
                       * `await` nor `below` */
  region_calls calls;
} region;

/* The best score where no cell has been seen that counts: with BEST_ANYWHERE only scores above 0 do. */
#define REGION_NO_BEST(kind) ((kind) == BEST_LAST_COLUMN ? INT64_MIN : 0)

typedef struct region_result {
  int64_t best_score;                /* if there is none: REGION_NO_BEST(kind) */
  int64_t best_row, best_column;     /* node, in region coordinates (>= 1); the canonical one */
  int64_t cells;                     /* computed, padding not counted */
  int64_t bottom_first, bottom_last; /* the nodes of `bottom` that have values, none if first > last */
} region_result;

#endif
