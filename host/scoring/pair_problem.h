#ifndef HOST_SCORING_PAIR_PROBLEM_H
#define HOST_SCORING_PAIR_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/mode.h"
#include "scoring/score_table.h"

/* The nodes where a path may start and end; they express the mode in the recurrence. Node (i,j) lies after i
 * query letters and j target letters. */
typedef struct path_ends {
  bool query_start;  /* paths may start in any (i,0): H is 0 on the left border */
  bool query_end;    /* paths may end in any (i,n) */
  bool target_start; /* paths may start in any (0,j): H is 0 on the upper border */
  bool target_end;   /* paths may end in any (m,j) */
  bool floor;        /* paths may start anywhere: no H is below 0; both starts are then free, too */
  bool anywhere;     /* paths may end anywhere; query_end and target_end are ignored */
} path_ends;

/* The cells of a region among which the best cell is searched. */
typedef enum best_kind {
  BEST_NONE = 0,
  BEST_ANYWHERE = 1,   /* all cells; only scores above 0 count */
  BEST_LAST_COLUMN = 2 /* cells of the last column; any score counts */
} best_kind;

/* Returns the ends for a mode. `free_ends` is used for CLA_MODE_FREE_ENDS only. */
path_ends path_ends_make(cla_mode mode, int free_ends);

/* Returns which best cell a sweep of the whole matrix must find. */
best_kind path_ends_best(const path_ends *ends);

/* True if paths may end in the last row, but not everywhere. The last row's values are then needed. */
static inline bool path_ends_in_last_row(const path_ends *ends) {
  return !ends->anywhere && (ends->target_end || !ends->query_end);
}

/* Returns H on the left border, `rows` rows below the corner. */
static inline int64_t path_ends_left_h(const path_ends *ends, const cla_scoring *scoring, int64_t rows) {
  return ends->query_start ? 0 : -gap_cost(scoring, rows);
}

static inline int64_t path_ends_top_h(const path_ends *ends, const cla_scoring *scoring, int64_t columns) {
  return ends->target_start ? 0 : -gap_cost(scoring, columns);
}

/* Returns the minimum cost of each row that a path passes without a pair on its way to an end. Returns 0 if
 * paths may start anywhere on the left border. On that border, the nodes that matter are then the uppermost
 * ones (docs/internals/pruning.md). */
static inline int64_t path_ends_down_ext(const path_ends *ends, const cla_scoring *scoring) {
  return ends->anywhere || ends->query_end || ends->query_start ? 0 : gap_least_ext(scoring);
}

static inline int64_t path_ends_across_ext(const path_ends *ends, const cla_scoring *scoring) {
  return ends->anywhere || ends->target_end ? 0 : gap_least_ext(scoring);
}

/* A node where a path may end, with H of the node. */
typedef struct path_end {
  int64_t score, row, column;
} path_end;

/* True if `node` is a better end than `than`: its H is larger or, at equal H, it lies further up or, in the
 * same row, further left (docs/internals/exactness.md). */
static inline bool path_end_is_better(path_end node, path_end than) {
  if (node.score != than.score) return node.score > than.score;
  return node.row < than.row || (node.row == than.row && node.column < than.column);
}

/* The scores of paths, and the nodes where they may start and end. Does not own what it points to. */
typedef struct path_scheme {
  const cla_scoring *scoring; /* gap costs; pair scores are in the table */
  const score_table *table;
  path_ends ends;
} path_scheme;

/* A pair of sequences to align. The matrix has a row for each query letter and a column for each target
 * letter. Letters are codes as in seq/sequence.h; row i has the letter query[i - 1]. Does not own what it
 * points to. */
typedef struct pair_problem {
  const uint8_t *query, *target;
  int64_t rows, columns; /* number of letters of the query and of the target, >= 0 */
  path_scheme scheme;
} pair_problem;

/* Returns the problem of aligning the ranges of two sequences. */
pair_problem pair_problem_of(const cla_sequence *query, const cla_sequence *target, path_scheme scheme);

#endif
