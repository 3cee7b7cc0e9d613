#ifndef HOST_TRACE_BAND_GOALS_H
#define HOST_TRACE_BAND_GOALS_H

#include "bound/potential.h"
#include "trace/directions.h"
#include "trace/known_row.h"

/* What each row of the matrix adds to a path at most: the largest score of its letter of the query with any
 * letter of the target, or 0. H less the worth of all rows down to a node never rises along a path; by that,
 * bands know what cannot matter any more. One number for all rows would be the score
 * of the rarest pair: BLOSUM62 has 11 for W with W, and 4 to 6 for most other letters. */
typedef struct row_worth {
  const uint8_t *query; /* codes: row i has letter [i - 1]; not owned */
  int32_t of[CLA_MATRIX_STRIDE];
  int32_t least; /* of any row */
  int32_t mean;  /* about */
  int64_t *sums; /* of the rows before every ROW_WORTH_PART-th; NULL: all are worth `least` */
} row_worth;

#define ROW_WORTH_PART 128

/* For rows 1 to `rows`. The query must outlive it. CLA_ERROR_MEMORY. */
cla_status row_worth_make(row_worth *out, const uint8_t *query, int64_t rows, const score_table *table,
                          cla_error *error);
void row_worth_free(row_worth *worth);

/* Of row i >= 1. */
static inline int32_t row_worth_at(const row_worth *worth, int64_t i) {
  return worth->sums ? worth->of[worth->query[i - 1]] : worth->least;
}

/* Of the first `rows` rows together. */
int64_t row_worth_to(const row_worth *worth, int64_t rows);

/* A node of the matrix in one of the states, with the state's exact value. */
typedef struct band_node {
  int64_t row, column;
  int64_t value;
  trace_state state;
} band_node;

/* Where an optimal path goes on: one node, or several in a row because it is not known which.
 *
 * Let X of a node be H less what all rows down to it are worth. A pair adds at most
 * nothing to X, a gap's letter takes away ext, the least that a gap's further letter costs, whatever gap is
 * open at either end of a path, and one of the query its row's worth as well. A path from a node to a goal on
 * a diagonal further right has that many letters of the target in gaps, one to a goal further left letters of
 * the query. So the node can matter only if its X is at least
 *
 *      least(diagonal) = min over goals of  X(goal) + ext (goal's diagonal - diagonal)      if positive,
 *                                           X(goal) + down (diagonal - goal's diagonal)     if not
 *
 * with a diagonal being column - row, and down = ext + the least that a row is worth.
 *
 * A node below that is dead. Along any path of one step, X of the next node is as far below `least` there at
 * least, so paths through dead nodes reach dead nodes only, and never a goal's value:
 * docs/internals/exactness.md.
 *
 * Where there are many goals, one number stands for several diagonals, the least of theirs. */
#define BAND_GOALS_REACH 32
#define BAND_GOALS_LIMIT (2 * BAND_GOALS_REACH + 1)

typedef struct band_goals {
  int64_t row;                       /* of all goals */
  int64_t first_column, last_column; /* of those that may be goals */
  int64_t lowest_value;              /* none has a smaller value */
  const row_worth *worth;
  int64_t ext, down;
  int64_t together;                /* diagonals for which one of `least` stands */
  int64_t least[BAND_GOALS_LIMIT]; /* at the diagonals of first_column .. last_column */
  const potential *potential;      /* which excludes nodes, too; NULL: none */
} band_goals;

/* The one node `goal`. `worth` must outlive the goals. */
void band_goals_set_node(band_goals *goals, const band_node *goal, const row_worth *worth,
                         const cla_scoring *scoring);

/* No node: of these rows what is excluded is dead. */
void band_goals_set_potential(band_goals *goals, const row_worth *worth, const potential *by,
                              int64_t first_row, int64_t last_row);

/* Some neighbouring nodes of a row. */
typedef struct row_part {
  int64_t row, column, count; /* the first one's column */
  row_values values;
} row_part;

/* These nodes in state H or F; those whose H is too far below the largest are left out. */
void band_goals_set_row(band_goals *goals, const row_part *part, const row_worth *worth,
                        const cla_scoring *scoring);

/* Whether `node` is among the goals. */
bool band_goals_have(const band_goals *goals, const band_node *node);

/* The least X with which a node on `diagonal` is alive. */
static inline int64_t band_goals_least(const band_goals *goals, int64_t diagonal) {
  const int64_t first = goals->first_column - goals->row, last = goals->last_column - goals->row;
  if (diagonal < first) return goals->least[0] + goals->ext * (first - diagonal);
  if (diagonal > last)
    return goals->least[(last - first) / goals->together] + goals->down * (diagonal - last);
  return goals->least[(diagonal - first) / goals->together];
}

/* Likewise the least of all diagonals. */
int64_t band_goals_lowest(const band_goals *goals);

/* The matrix columns of the first and the last live node up to `limit` of a kept row. False if there is none.
 */
bool band_goals_find_live(int64_t *first, int64_t *last, const band_goals *goals, const known_row *in,
                          int64_t limit);

/* The column of a kept row at which the path to `column` of row `below` is likeliest: H is large there, less
 * most of what the gaps cost that lead to the other diagonal. With all of the costs, every way to spread the
 * same gaps over the rows would look alike; with none, the path would not be found below a long gap that it
 * has just made. */
int64_t known_row_likeliest(const known_row *in, const row_worth *worth, int64_t below, int64_t column);

#endif
