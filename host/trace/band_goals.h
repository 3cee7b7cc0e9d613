#ifndef HOST_TRACE_BAND_GOALS_H
#define HOST_TRACE_BAND_GOALS_H

#include "bounds/potential.h"
#include "dp/directions.h"
#include "trace/known_row.h"

/* The worth of each row: the most that it adds to a path. That is the largest score of its query letter with
 * any target letter, or 0. H less the worth of all rows down to the node never rises along a path, which
 * tells bands what cannot matter any more. A single number for all rows would be the rarest pair's: BLOSUM62
 * has 11 for W with W, and 4 to 6 for most other letters. */
typedef struct row_worth {
  const uint8_t *query; /* codes: row i has letter [i - 1]; not owned */
  int32_t of[CLA_MATRIX_STRIDE];
  int32_t least; /* least worth of a row */
  int32_t mean;  /* approximate mean worth */
  int64_t *sums; /* worth of the rows before every ROW_WORTH_PART-th one; NULL: each row is worth `least` */
} row_worth;

#define ROW_WORTH_PART 128

/* Makes the worth of rows 1 to `rows`. The query must outlive it. CLA_ERROR_MEMORY. */
cla_status row_worth_make(row_worth *out, const uint8_t *query, int64_t rows, const score_table *table,
                          cla_error *error);
void row_worth_free(row_worth *worth);

/* The worth of row i >= 1. */
static inline int32_t row_worth_at(const row_worth *worth, int64_t i) {
  return worth->sums ? worth->of[worth->query[i - 1]] : worth->least;
}

/* The worth of the first `rows` rows together. */
int64_t row_worth_to(const row_worth *worth, int64_t rows);

/* A node of the matrix in one of the states, with the state's exact value. */
typedef struct band_node {
  int64_t row, column;
  int64_t value;
  trace_state state;
} band_node;

/* Goals: the node through which an optimal path leaves, or several nodes of a row if that one is not known.
 *
 * X of a node is H less the worth of all rows down to it. A pair adds nothing to X, or less. A gap's letter
 * takes away at least ext, the least cost of a gap's further letter; a letter of the query also takes away
 * its row's worth. A path to a goal on a diagonal further right has as many target letters in gaps as
 * diagonals; a path further left has query letters. So the node can matter only if its X is at least
 *
 *      least(diagonal) = min over goals of  X(goal) + ext (goal's diagonal - diagonal)      if positive,
 *                                           X(goal) + down (diagonal - goal's diagonal)     if not
 *
 * with a diagonal being column - row, and down = ext + the least that a row is worth.
 *
 * A node with a smaller X is dead. With each step of a path, X stays at least as far below `least`. So paths
 * through dead nodes reach dead nodes only, and never a goal's value (docs/internals/exactness.md).
 *
 * With many goals, one number is the least of several diagonals. */
#define BAND_GOALS_REACH 32
#define BAND_GOALS_LIMIT (2 * BAND_GOALS_REACH + 1)

typedef struct band_goals {
  int64_t row;                       /* row of all goals */
  int64_t first_column, last_column; /* columns of the nodes that may be goals */
  int64_t lowest_value;              /* least value of a goal */
  const row_worth *worth;
  int64_t ext, down;
  int64_t together;                /* diagonals that share an element of `least` */
  int64_t least[BAND_GOALS_LIMIT]; /* for the diagonals of first_column to last_column */
  const potential *potential;      /* excludes further nodes; or NULL */
} band_goals;

/* Sets a single goal. `worth` must outlive the goals. */
void band_goals_set_node(band_goals *goals, const band_node *goal, const row_worth *worth,
                         const cla_scoring *scoring);

/* Sets no goal: in rows first_row to last_row, the nodes that the potential excludes are dead. */
void band_goals_set_potential(band_goals *goals, const row_worth *worth, const potential *by,
                              int64_t first_row, int64_t last_row);

/* Adjacent nodes of a row. */
typedef struct row_part {
  int64_t row, column, count; /* column: that of the first node */
  row_values values;
} row_part;

/* Sets the nodes of a row part, in states H and F, as goals. Nodes whose H is too far below the largest are
 * left out. */
void band_goals_set_row(band_goals *goals, const row_part *part, const row_worth *worth,
                        const cla_scoring *scoring);

/* True if `node` is among the goals. */
bool band_goals_have(const band_goals *goals, const band_node *node);

/* The least X with which a node on `diagonal` is alive. */
static inline int64_t band_goals_least(const band_goals *goals, int64_t diagonal) {
  const int64_t first = goals->first_column - goals->row, last = goals->last_column - goals->row;
  if (diagonal < first) return goals->least[0] + goals->ext * (first - diagonal);
  if (diagonal > last)
    return goals->least[(last - first) / goals->together] + goals->down * (diagonal - last);
  return goals->least[(diagonal - first) / goals->together];
}

/* The least X with which a node on any diagonal is alive. */
int64_t band_goals_lowest(const band_goals *goals);

/* Sets the matrix columns of the first and last live node of a kept row, up to column `limit`. False if there
 * is none. */
bool band_goals_find_live(int64_t *first, int64_t *last, const band_goals *goals, const known_row *in,
                          int64_t limit);

/* The likeliest column, in a kept row, of the path to `column` of row `below`. It maximises H less most of
 * the cost of the gaps to the other diagonal. With the full cost, every way to spread the same gaps over the
 * rows would look alike. Without it, a path would be lost below a long gap that it has just made. */
int64_t known_row_likeliest(const known_row *in, const row_worth *worth, int64_t below, int64_t column);

#endif
