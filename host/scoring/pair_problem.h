#ifndef HOST_SCORING_PAIR_PROBLEM_H
#define HOST_SCORING_PAIR_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/mode.h"
#include "scoring/score_table.h"

/* Where a path through the matrix may begin and end: the modes as the recurrence sees them. Node (i,j) stands
 * after i query and j target letters. */
typedef struct path_ends {
  bool query_start;  /* begins in any (i,0): H is 0 on the left border */
  bool query_end;    /* ends in any (i,n) */
  bool target_start; /* begins in any (0,j): H is 0 on the upper border */
  bool target_end;   /* ends in any (m,j) */
  bool floor;        /* begins anywhere: no H below 0; both starts are free then */
  bool anywhere;     /* ends anywhere; what is said of the two ends does not matter then */
} path_ends;

/* Which cells the best one is looked for among while a region is computed. */
typedef enum best_kind {
  BEST_NONE = 0,
  BEST_ANYWHERE = 1,   /* all; a score of 0 or less is not looked for */
  BEST_LAST_COLUMN = 2 /* those of the region's last column, whatever they score */
} best_kind;

/* `free_ends` counts for CLA_MODE_FREE_ENDS only. */
path_ends path_ends_make(cla_mode mode, int free_ends);

/* What a sweep of the whole matrix must look for. */
best_kind path_ends_best(const path_ends *ends);

/* Whether paths may end in the last row: its values are needed, unless they end anywhere. */
static inline bool path_ends_in_last_row(const path_ends *ends) {
  return !ends->anywhere && (ends->target_end || !ends->query_end);
}

/* H in the node of the left border so many rows below the corner, and of the upper one so many columns from
 * it. */
static inline int64_t path_ends_left_h(const path_ends *ends, const cla_scoring *scoring, int64_t rows) {
  return ends->query_start ? 0 : -gap_cost(scoring, rows);
}

static inline int64_t path_ends_top_h(const path_ends *ends, const cla_scoring *scoring, int64_t columns) {
  return ends->target_start ? 0 : -gap_cost(scoring, columns);
}

/* What each row, or column, that a path passes without a pair on its way to an end costs it at least; where
 * paths begin anywhere on the left border, no row costs anything, so that what matters there is a run from
 * the top down (docs/internals/pruning.md). */
static inline int64_t path_ends_down_ext(const path_ends *ends, const cla_scoring *scoring) {
  return ends->anywhere || ends->query_end || ends->query_start ? 0 : gap_least_ext(scoring);
}

static inline int64_t path_ends_across_ext(const path_ends *ends, const cla_scoring *scoring) {
  return ends->anywhere || ends->target_end ? 0 : gap_least_ext(scoring);
}

/* A node where a path may end, with its H. */
typedef struct path_end {
  int64_t score, row, column;
} path_end;

/* Whether the path that is reported ends in `node` rather than in `than`: its H is larger, or the same
 * further up, or in the same row further left (docs/internals/exactness.md). */
static inline bool path_end_is_better(path_end node, path_end than) {
  if (node.score != than.score) return node.score > than.score;
  return node.row < than.row || (node.row == than.row && node.column < than.column);
}

/* What a path scores, and where it may begin and end. Nothing is owned. */
typedef struct path_scheme {
  const cla_scoring *scoring; /* costs of gaps; scores of letters are in the table */
  const score_table *table;
  path_ends ends;
} path_scheme;

/* A pair of sequences to align: the matrix has a row for each query letter, a column for each target letter.
 * Letter codes are those of seq/sequence.h: of row i it is query[i - 1]. Nothing is owned. */
typedef struct pair_problem {
  const uint8_t *query, *target;
  int64_t rows, columns; /* letters of the query and of the target, >= 0 */
  path_scheme scheme;
} pair_problem;

#endif
