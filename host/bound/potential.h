#ifndef HOST_BOUND_POTENTIAL_H
#define HOST_BOUND_POTENTIAL_H

#include "bound/bound_path.h"
#include "bound/lower_bound.h"

/* What a path must still lose from a node on: an upper bound of the score, by fits and a chain of them
 * (docs/internals/bounds.md has the proof).
 *
 * Costs: every letter of both sequences brings match / 2, so a path of cost c that leaves out u letters at
 * its ends scores (match (m + n) - c') / 2 with c' = c + match u, all costs being twice as large as scores. A
 * match costs nothing, everything else something, and the best alignment is the cheapest.
 *
 * The rows are cut into chunks, the diagonals (column less row) into buckets. A potential says for each chunk
 * and bucket what a path costs at least from there to its end, in comparison with the bound's path: an
 * optimal path that was cheaper above may cost less ("Beside the bound's path"). No node of an optimal path
 * is excluded. */
typedef struct potential potential;

typedef struct potential_shape {
  int64_t chunk_rows; /* 0: all chosen */
  int64_t bucket;
  int word_least, word_most; /* letters of a seed */
  int turns;                 /* levels after the coarse one */
  double chance;             /* of a false region at a place; 0: chosen */
  bool edits;                /* regions are found by edits, not by seeds */
  bool plain;                /* costs are not raised to what those of the bound's path say */
  int64_t period;            /* of chunks, in the last of which edits are counted first; 0: chosen */
} potential_shape;

/* The levels that were begun or left out, and cells of optimal alignments that all took. While the last one
 * is made, its `seconds` are negative. */
typedef struct potential_levels {
  int64_t cells;
  int count;
  cla_bound_level at[CLA_LEVELS_MOST];
} potential_levels;

/* A part of what a level has left: rows, and the first and last diagonal (column less row) of their cells. */
typedef struct potential_part {
  const cla_bound_level *level;
  int number; /* of the level */
  int64_t row, rows, first, last;
} potential_part;

typedef struct potential_input {
  const bound_pair *pair;
  const lower_bound *bound; /* with a path */
  int threads;
  int64_t work_most;  /* none is made that takes more, in cells of a thread's fits, */
  int64_t bytes_most; /* nor that takes more memory, about, */
  double spread_most; /* nor whose spread is more */
  bool edits;         /* regions may be found by edits, which takes long; else none is made that needs them */
  /* What the best way takes where so many cells are left, of which exact values leave about `expected`, as
   * work_most. A finer level takes no more than it is likely to spare. NULL: each level is made. */
  double (*left_work)(const void *user, const potential *p, double area, double expected);
  void (*left)(void *user, const potential_part *part); /* told each level's parts, from the top; or NULL */
  void *user;
  potential_shape shape; /* for tests, whose pairs are small */
} potential_input;

/* Whether the scheme and the letters allow it: equal unambiguous letters score the same, all other pairs that
 * can occur less, and a gap's letter loses. */
bool potential_possible(const pair_problem *problem);

/* *out is NULL where the bound is of no use for it, or where it takes too much work, of which the threads
 * share it. It is right whatever the threads, but how narrow may depend on them. Once the pair's stop says
 * so, it is of no use, either. *levels: of what was made, in use or not. CLA_ERROR_MEMORY. potential_free
 * ends it.
 */
cla_status potential_make(potential **out, potential_levels *levels, const potential_input *input,
                          cla_error *error);
void potential_free(potential *p);

/* Cells of the chunks and buckets that are left, and of those that exact values leave, about. */
int64_t potential_area(const potential *p);
int64_t potential_expected(const potential *p);

/* Diagonals that unlike stretches of the bound's path leave, added up over all rows, about: gaps lead as far
 * beside a stretch as it costs more than paths elsewhere. 0 where the shape is given. */
double potential_spread(const potential *p);

int64_t potential_chunk_rows(const potential *p);

/* The columns of a row that are left: none if *first > *last. */
void potential_row(const potential *p, int64_t row, int64_t *first, int64_t *last);

/* The least cost from a node of the row's chunk on one of the diagonals to the end of a path that matters;
 * more than any path costs where none comes through. */
int32_t potential_cost(const potential *p, int64_t row, int64_t first, int64_t last);

/* The diagonals of nodes of the row's chunk, and its upper border, in which a path that matters may begin;
 * none if *first > *last. */
void potential_starts(const potential *p, int64_t row, int64_t *first, int64_t *last);

/* Twice what a path through the node with the value h may lose beyond what the potential knows and still have
 * the bound's score; negative: no optimal path comes through. */
int64_t potential_slack(const potential *p, int64_t row, int64_t column, int64_t h);

/* Whether no optimal path comes through the node with a value of at most h. */
static inline bool potential_excludes(const potential *p, int64_t row, int64_t column, int64_t h) {
  return potential_slack(p, row, column, h) < 0;
}

/* Below every value with which some node of the rows is not excluded, after H - match row. */
int64_t potential_least_x(const potential *p, int64_t first_row, int64_t last_row);

/* The last row and column of nodes that are left on anti-diagonals (row plus column) up to `line`. */
void potential_box(const potential *p, int64_t line, int64_t *row, int64_t *column);

/* The last anti-diagonal on which a path that matters may start; -1: none may below row 0. */
int64_t potential_last_start(const potential *p);

#endif
