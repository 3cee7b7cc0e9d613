#ifndef HOST_BOUNDS_POTENTIAL_H
#define HOST_BOUNDS_POTENTIAL_H

#include "path/bound_path.h"
#include "path/lower_bound.h"

/* A potential is a lower limit on the cost of a path from a node to the path's end. So it gives an upper
 * bound on the path's score (proof: docs/internals/bounds.md).
 *
 * Costs are twice as large as scores. Each of the m + n letters is worth match / 2. So a path of cost c
 * that leaves out u letters at its ends scores (match (m + n) - c - match u) / 2. A match costs nothing,
 * every other step costs something, and the best alignment is the cheapest path.
 *
 * The rows are cut into chunks, the diagonals (column minus row) into buckets. A potential has a limit for
 * each bucket of each chunk. Limits are relative to the bound's path, so an optimal path may cost less than
 * its limit ("Beside the bound's path"). Still, no node of an optimal path is excluded. */
typedef struct potential potential;

typedef struct potential_shape {
  int64_t chunk_rows;        /* rows of a chunk; 0: potential_make chooses all fields */
  int64_t bucket;            /* diagonals of a bucket */
  int word_least, word_most; /* least and largest number of letters of a seed */
  int turns;                 /* number of levels after the coarse one */
  double chance;  /* accepted probability that a place has a region by chance; 0: potential_make chooses */
  bool edits;     /* regions are found by edits; false: by seeds */
  bool plain;     /* the bound's path does not raise costs */
  int64_t period; /* chunks from one group of barriers to the next; 0: potential_make chooses */
} potential_shape;

/* All levels that were started or skipped. The level in progress is the last entry, and its `seconds` are
 * negative. */
typedef struct potential_levels {
  int64_t cells; /* cells that all levels together computed */
  int count;
  cla_bound_level at[CLA_LEVELS_MOST];
} potential_levels;

/* A part of the area that remains after a level. */
typedef struct potential_part {
  const cla_bound_level *level;
  int number; /* index of the level in potential_levels */
  int64_t row, rows;
  int64_t first, last; /* first and last diagonal (column minus row) of the cells in these rows */
} potential_part;

typedef struct potential_input {
  const bound_pair *pair;
  const lower_bound *bound; /* must include a path */
  int threads;
  int64_t work_most;  /* limit on the work; unit: the time in which one thread computes a cell of a fit */
  int64_t bytes_most; /* approximate limit on the memory */
  double spread_most; /* limit on the result of potential_spread */
  bool edits; /* regions may be found by edits, which is slow; false: if seeds do not suffice, there is no
                 potential */
  /* Paths that score up to this much less than the bound's path matter, too. Above 0 only if the bound's path
   * is optimal (docs/internals/bounds.md, "Near-optimal paths"). */
  int64_t margin;
  /* Returns the work after the levels, in work_most's unit. The levels leave `area` cells, of which about
   * `expected` remain once values are exact. A finer level may take as much work as it is likely to save
   * later. NULL: every level is made. */
  double (*left_work)(const void *user, const potential *p, double area, double expected);
  void (*left)(void *user,
               const potential_part *part); /* receives each level's parts, from top to bottom; or NULL */
  void *user;
  potential_shape shape; /* for tests, whose pairs are small */
} potential_input;

/* True if scheme and letters allow a potential. All matches of unambiguous letters must have the same score.
 * All other pairs that occur must score less. Every letter in a gap must cost something. */
bool potential_possible(const pair_problem *problem);

/* Makes a potential; the caller calls potential_free. *out is NULL if the bound is too weak, if the
 * potential would take too much work, or if the pair's `stop` ended the work. The number of threads may
 * change how narrow the potential is, but it stays correct. *levels receives the levels that were made,
 * used or not. Fails with CLA_ERROR_MEMORY. */
cla_status potential_make(potential **out, potential_levels *levels, const potential_input *input,
                          cla_error *error);
void potential_free(potential *p);

/* Returns the number of cells in all buckets that are not excluded. */
int64_t potential_area(const potential *p);

/* Returns the estimated number of cells that will remain once values are exact. */
int64_t potential_expected(const potential *p);

/* Returns the estimated number of diagonals that no level excludes because of unlike stretches of the
 * bound's path, summed over all rows. The more a stretch costs, the farther gaps may lead away from the
 * path. Returns 0 if the caller gave the shape. */
double potential_spread(const potential *p);

int64_t potential_chunk_rows(const potential *p);

/* Sets *first and *last to the first and last column of the row that is not excluded; none if *first >
 * *last. */
void potential_row(const potential *p, int64_t row, int64_t *first, int64_t *last);

/* Returns a lower limit on the cost of paths that matter, from the diagonals `first` to `last` in the row's
 * chunk to the paths' ends. Without such paths, the result exceeds the cost of any path. */
int32_t potential_cost(const potential *p, int64_t row, int64_t first, int64_t last);

/* Sets *first and *last to the diagonals on which a path that matters may start, in the row's chunk or on
 * its upper border; none if *first > *last. */
void potential_starts(const potential *p, int64_t row, int64_t *first, int64_t *last);

/* Returns how much a path through the node with value `h` may still lose beyond the potential's cost, and
 * yet reach the bound; in half points of score. Negative: no optimal path has value `h` in the node. */
int64_t potential_slack(const potential *p, int64_t row, int64_t column, int64_t h);

/* True if no optimal path has a value of at most `h` in the node. */
static inline bool potential_excludes(const potential *p, int64_t row, int64_t column, int64_t h) {
  return potential_slack(p, row, column, h) < 0;
}

/* Returns a lower limit on H - match * row over all nodes of the rows `first_row` to `last_row` that are not
 * excluded. */
int64_t potential_least_x(const potential *p, int64_t first_row, int64_t last_row);

/* Sets *row and *column to the last row and the last column of any node on the anti-diagonals (row plus
 * column) up to `line` that is not excluded. */
void potential_box(const potential *p, int64_t line, int64_t *row, int64_t *column);

/* Returns the last anti-diagonal on which a path that matters may start; -1: no path that matters starts
 * below row 0. */
int64_t potential_last_start(const potential *p);

#endif
