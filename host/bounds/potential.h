#ifndef HOST_BOUNDS_POTENTIAL_H
#define HOST_BOUNDS_POTENTIAL_H

#include "path/bound_path.h"
#include "path/lower_bound.h"

/* The least cost of a path from a node to its end, which gives an upper bound of the score
 * (docs/internals/bounds.md has the proof).
 *
 * Costs are twice as large as scores. Every letter of both sequences brings match / 2. So a path of cost c
 * that leaves out u letters at its ends scores (match (m + n) - c - match u) / 2. A match costs nothing,
 * every other step something, and the best alignment is the cheapest.
 *
 * The rows are cut into chunks, the diagonals (column less row) into buckets. A potential has the least cost
 * from each chunk and bucket to the end. These costs are relative to the bound's path, so an optimal path may
 * cost less
 * ("Beside the bound's path"). No node of an optimal path is excluded. */
typedef struct potential potential;

typedef struct potential_shape {
  int64_t chunk_rows;        /* rows of a chunk; 0: the whole shape is chosen */
  int64_t bucket;            /* diagonals of a bucket */
  int word_least, word_most; /* least and most letters of a seed */
  int turns;                 /* number of levels after the coarse one */
  double chance;             /* probability of a false region at a place; 0: chosen */
  bool edits;                /* regions are found by edits; false: by seeds */
  bool plain;                /* costs are not raised by the bound's path */
  int64_t period;            /* chunks of a period, of which the last ones are barriers; 0: chosen */
} potential_shape;

/* The levels that were begun or left out. While the last one is made, its `seconds` are negative. */
typedef struct potential_levels {
  int64_t cells; /* cells that all levels computed */
  int count;
  cla_bound_level at[CLA_LEVELS_MOST];
} potential_levels;

/* A part of what a level has left. */
typedef struct potential_part {
  const cla_bound_level *level;
  int number; /* index of the level in potential_levels */
  int64_t row, rows;
  int64_t first, last; /* first and last diagonal (column less row) of the rows' cells */
} potential_part;

typedef struct potential_input {
  const bound_pair *pair;
  const lower_bound *bound; /* must have a path */
  int threads;
  int64_t work_most;  /* limit of the work, in cells of one thread's fits */
  int64_t bytes_most; /* approximate limit of the memory */
  double spread_most; /* limit of potential_spread */
  bool edits; /* regions may be found by edits, which is slow; false: no potential where edits are needed */
  /* The work after the levels, in work_most's unit, if `area` cells are left and exact values leave about
   * `expected` of them. A finer level may take what it is likely to spare of that. NULL: every level is made.
   */
  double (*left_work)(const void *user, const potential *p, double area, double expected);
  void (*left)(void *user,
               const potential_part *part); /* receives each level's parts, from the top; or NULL */
  void *user;
  potential_shape shape; /* for tests, whose pairs are small */
} potential_input;

/* True if scheme and letters allow a potential. All equal unambiguous letters must score the same, all other
 * pairs that occur less, and a gap's letter must cost something. */
bool potential_possible(const pair_problem *problem);

/* Makes a potential, which potential_free ends. *out is NULL if the bound is too weak, if it takes too much
 * work, or if the pair's stop ended the work. How narrow a potential is may depend on the number of threads;
 * that it is right does not. *levels: the levels that were made, used or not. CLA_ERROR_MEMORY. */
cla_status potential_make(potential **out, potential_levels *levels, const potential_input *input,
                          cla_error *error);
void potential_free(potential *p);

/* Cells of all buckets that are left. */
int64_t potential_area(const potential *p);

/* Estimated cells that exact values will leave. */
int64_t potential_expected(const potential *p);

/* Estimated diagonals that unlike stretches of the bound's path leave, summed over all rows. Gaps lead as far
 * beside a stretch as it costs more than paths elsewhere. 0 if the shape was given. */
double potential_spread(const potential *p);

int64_t potential_chunk_rows(const potential *p);

/* Sets the columns of a row that are left: none if *first > *last. */
void potential_row(const potential *p, int64_t row, int64_t *first, int64_t *last);

/* At most the cost of a path that matters from the row's chunk, on diagonals `first` to `last`, to its end.
 * If no such path exists, it is more than any path costs. */
int32_t potential_cost(const potential *p, int64_t row, int64_t first, int64_t last);

/* Sets the diagonals on which a path that matters may begin, in the row's chunk or on its upper border: none
 * if *first > *last. */
void potential_starts(const potential *p, int64_t row, int64_t *first, int64_t *last);

/* Twice the score that a path through the node with value h may still lose, beyond the potential's cost, and
 * reach the bound. Negative: no optimal path has value h there. */
int64_t potential_slack(const potential *p, int64_t row, int64_t column, int64_t h);

/* True if no optimal path has a value of at most h in the node. */
static inline bool potential_excludes(const potential *p, int64_t row, int64_t column, int64_t h) {
  return potential_slack(p, row, column, h) < 0;
}

/* A lower limit of H - match row over all nodes of the rows that are not excluded. */
int64_t potential_least_x(const potential *p, int64_t first_row, int64_t last_row);

/* Sets the last row and the last column of nodes that are left on anti-diagonals (row plus column) up to
 * `line`. */
void potential_box(const potential *p, int64_t line, int64_t *row, int64_t *column);

/* The last anti-diagonal on which a path that matters may start; -1: none may below row 0. */
int64_t potential_last_start(const potential *p);

#endif
