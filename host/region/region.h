#ifndef HOST_REGION_REGION_H
#define HOST_REGION_REGION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"
#include "dp/borders.h"
#include "scoring/pair_problem.h"

/* Minimum number of launches of a region that hands its last row down (`below`). The region below starts
 * later by the duration of a launch. */
#define REGION_BATCHES_BELOW 48

/* A rectangle of the DP matrix that wavefront_solve computes.
 *
 * Matrix coordinates: node (i,j) lies after i query letters and j target letters of the two ranges, 0 <= i
 * <= m, 0 <= j <= n; cell (i,j) uses letters i and j. A region has a corner node. From the corner, `rows` x
 * `columns` cells lie down and to the right or, if `reverse`, up and to the left. The region's borders are
 * the nodes of the corner's row and column. */

/* A part of a kept row: consecutive nodes. Each node has H and, for each piece of gap costs, the F that
 * enters the row below. Values are as the lanes wrote them, modulo 2^lane_bits. H of a node differs by less
 * than 2^(lane_bits - 1) from H of the left neighbour and from F of the same node. */
typedef struct region_row_part {
  int64_t row;    /* row of the region, 1 <= row <= rows */
  int64_t column; /* column of the first node in the region; 0: the left border */
  int64_t count;  /* number of nodes; 0: the part ends the row */
  /* H, not reduced modulo 2^lane_bits, of the node left of the first node, or another value as close to the
   * first H. Not set if the part continues the previous part. */
  int64_t before;
  /* Lines of `count` unsigned values, each lane_bits wide. f[k] is NULL if the gap costs have no piece k. */
  const void *h, *f[CLA_GAP_PIECES];
  int lane_bits; /* 8, 16 or 32 */
  /* Best cell, set in the part that ends a row, if the region has `best`. It is the region's best cell, as
   * in region_result, if that cell lies in this row or above. Otherwise, it is a cell above this row with a
   * lower score, or none. */
  int64_t best_score, best_row, best_column;
} region_row_part;

/* Sets the part's lines. The first line is at `lines`; each further line is `apart` bytes after the one
 * before it. */
static inline void region_row_part_set(region_row_part *part, const void *lines, int64_t apart, int count) {
  part->h = lines;
  for (int k = 0; k < count - 1; k++) part->f[k] = (const char *)lines + (k + 1) * apart;
}

/* Returns the number of the part's lines. */
static inline int region_row_part_lines(const region_row_part *part) {
  int lines = 1;
  while (lines < GAP_LINES && part->f[lines - 1]) lines++;
  return lines;
}

/* Returns the bytes of the part's values. */
static inline int64_t region_row_part_bytes(const region_row_part *part) {
  return part->count * region_row_part_lines(part) * (part->lane_bits / 8);
}

/* Receives the parts of kept rows. A row's parts come from left to right without overlap. A part without
 * nodes ends the row. Columns that no part covers were not computed. Rows come in order from top to bottom;
 * with several threads, only the rows of each thread do. */
typedef cla_status (*region_row_sink)(void *user, const region_row_part *part, cla_error *error);

/* How much of an arriving upper border has arrived: the first `nodes` nodes. Nodes beyond `computed` are
 * substitutes; -1: all nodes are. */
typedef struct region_arrival {
  int64_t nodes, computed;
} region_arrival;

/* Reads `count` nodes of the upper border, starting at `node`: H, and F entering the first row. Arrays that
 * are NULL are not filled. */
typedef void (*region_top)(void *user, int64_t node, int64_t count, row_values into);

/* Waits until the first `wanted` nodes of the upper border have arrived. */
typedef cla_status (*region_await)(void *user, region_arrival *there, int64_t wanted, cla_error *error);

/* Called between launches. `cells`: number of the region's cells that are done, including skipped cells. A
 * status other than CLA_OK ends the region. */
typedef cla_status (*region_tick)(void *user, int64_t cells, cla_error *error);

/* A rectangle of cells of a region. */
typedef struct region_strip {
  int64_t row, rows, column, columns;
} region_strip;

/* Receives the computed cells at the end of the region: strip by strip from top to bottom or, without
 * pruning, in a single call. */
typedef void (*region_strip_sink)(void *user, const region_strip *strip);

/* Functions that the engine calls with `user` while it computes a region. Each field may be NULL or 0.
 *
 * - top: reads an upper border that is stored elsewhere, before the first launch; not allowed with `prune` or
 *   `await`
 * - await: waits for an upper border that arrives from left to right; NULL: the border is complete
 * - sink: receives kept rows
 * - below: receives the parts of the last row as soon as they are complete, on the calling thread, before
 *   `sink` receives the row; `rows` must then be a multiple of row_interval
 *
 * A row without computed nodes consists only of the part that ends it, in column 0. */
typedef struct region_calls {
  region_top top;
  region_await await;
  region_row_sink sink, below;
  /* Number of threads that may call `sink` simultaneously, each for another row; 0 means 1. */
  int sink_threads;
  region_strip_sink strips;
  region_tick tick;
  /* Output before each tick: number of cells that are done without being computed; may be NULL. */
  int64_t *passed_over;
  void *user;
} region_calls;

/* Least costs of paths that matter, from a node to the path's end (docs/internals/bounds.md, "Costs"), by
 * step of rows and bucket of diagonals (column minus row). A bucket's cost applies to its own nodes and to
 * those of both neighbouring buckets. Nodes of any other bucket lie on no path that matters. */
typedef struct row_costs {
  int64_t bucket;    /* diagonals of a bucket, at least ROW_COSTS_BUCKET; 0: no costs are known */
  int64_t diagonals; /* diagonal d lies in bucket (d + diagonals) / bucket */
  int64_t letters;   /* number of letters of both sequences together */
  int64_t score;     /* minimum score of a path that matters */
  int64_t *at;       /* by step, plus one entry: index of the step's first bucket in `least` */
  int64_t *first;    /* by step: number of its first bucket */
  int32_t *least;    /* least cost, by bucket */
  /* By step, if H is never below zero: diagonals on which paths may start; none if first > last. */
  int64_t *start_first, *start_last;
} row_costs;
/* Minimum number of diagonals of a bucket. It exceeds the number of nodes that a kernel checks together. */
#define ROW_COSTS_BUCKET 64

/* Windows: the columns of a matrix in which paths that matter may lie. Step `s` has the rows s x rows + 1
 * to (s + 1) x rows. first[s] and last[s] are the first and last column of their nodes. Neither decreases
 * from step to step, and each step starts no further right than the step above ends. */
typedef struct row_windows {
  int64_t rows, count;
  int64_t *first, *last;
  row_costs costs;
} row_windows;

/* Returns the columns of the widest window over `rows` adjacent rows. */
int64_t row_windows_widest(const row_windows *windows, int64_t rows);

typedef struct region {
  int64_t row, column;   /* the corner node */
  int64_t rows, columns; /* >= 1 */
  bool reverse;
  bool floor;     /* no H is below zero, not even on borders that follow a rule */
  int64_t corner; /* H of the corner node */
  border_rule left, top;
  /* The upper border, not owned: columns + 1 nodes; node 0 is the corner, whose F is not read. If `h` is
   * NULL, the border follows the rule `top`, or calls.top reads it. */
  row_values above;
  /* Skip tiles that no path of score `bound` uses (docs/internals/pruning.md). The values on each border must
   * either decrease by gap costs or all be 0. */
  bool prune;
  /* A score that some path reaches at a node where paths may end. With BEST_ANYWHERE, best cells below
   * `bound`, or below some H of the upper border, are not sought, even without `prune`. */
  int64_t bound;
  /* With BEST_ANYWHERE: best score found so far, shared with other regions; or NULL. */
  _Atomic int64_t *reached;
  /* With `prune`: minimum cost of a row (down) or a column (across) that a path passes in a gap on its way
   * to an end; 0 is always correct. */
  int64_t down_ext, across_ext;
  int64_t rows_beyond; /* with `prune`: rows of the matrix below the region in which paths may continue */
  const row_windows *windows; /* with `prune`, not `reverse`: the matrix' windows for `bound`, or NULL */
  best_kind best;             /* kind of best cell that is wanted */
  int64_t *bottom;            /* output: H of the last row, columns + 1 nodes; NULL: not wanted */
  int depths; /* without `prune`, the nesting is less than this number (scoring/lane_width.h); 0: not known */
  int64_t row_interval; /* rows from one kept row to the next, in whole strips; 0: no rows are kept */
  /* Rows of a panel, in whole strips; 0: one panel. Each panel is computed completely before the next one
   * starts, so that its kept rows are complete early. Not allowed with `prune`, `await` or `below`. */
  int64_t panel_rows;
  region_calls calls;
} region;

/* Best score in the result if there is no best cell. With BEST_ANYWHERE, only scores above 0 count. */
#define REGION_NO_BEST(kind) ((kind) == BEST_LAST_COLUMN ? INT64_MIN : 0)

typedef struct region_result {
  int64_t best_score;                /* REGION_NO_BEST(kind) if there is no best cell */
  int64_t best_row, best_column;     /* the canonical best node, in the region's coordinates, >= 1 */
  int64_t cells;                     /* number of computed cells, without padding */
  int64_t bottom_first, bottom_last; /* nodes of `bottom` that have values; none if first > last */
} region_result;

#endif
