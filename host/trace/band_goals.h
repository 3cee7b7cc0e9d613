#ifndef HOST_TRACE_BAND_GOALS_H
#define HOST_TRACE_BAND_GOALS_H

#include "bounds/potential.h"
#include "dp/directions.h"
#include "trace/known_row.h"

/* The worth of each row: the largest score of the row's query letter with any target letter, or 0. A row
 * can add at most its worth to a path. So H minus the worth of all rows down to the node never rises along
 * a path, and bands use this to exclude nodes that cannot matter. A single worth for all rows would have to
 * be the largest score: BLOSUM62 has 11 for W with W, but 4 to 6 for most other letters. */
typedef struct row_worth {
  const uint8_t *query; /* codes: row `i` has letter [i - 1]; not owned */
  int32_t of[CLA_MATRIX_STRIDE];
  int32_t least; /* least worth of a row */
  int32_t mean;  /* approximate mean worth */
  int64_t *sums; /* [k]: total worth of the first k * ROW_WORTH_PART rows; NULL: each row is worth `least` */
} row_worth;

#define ROW_WORTH_PART 128

/* Computes the worth of rows 1 to `rows`. The query must outlive *out. CLA_ERROR_MEMORY. */
cla_status row_worth_make(row_worth *out, const uint8_t *query, int64_t rows, const score_table *table,
                          cla_error *error);
void row_worth_free(row_worth *worth);

/* Returns the worth of row `i`, which is at least 1. */
static inline int32_t row_worth_at(const row_worth *worth, int64_t i) {
  return worth->sums ? worth->of[worth->query[i - 1]] : worth->least;
}

/* Returns the total worth of the first `rows` rows. */
int64_t row_worth_to(const row_worth *worth, int64_t rows);

/* A node of the matrix in one of its states, with the exact value of that state. */
typedef struct band_node {
  int64_t row, column;
  int64_t value;
  trace_state state;
} band_node;

/* Goals: the node of the band's last row that an optimal path uses or, if that node is not known, several
 * nodes of that row.
 *
 * X of a node is its H minus the worth of all rows down to the node. A pair never raises X. Each letter of
 * a gap lowers X by at least `ext`, the least cost of a gap's further letter. A query letter in a gap also
 * lowers X by its row's worth. A path to a goal `d` diagonals to the right has at least `d` target letters
 * in gaps. A path to a goal to the left has query letters in gaps instead. So a node can matter only if its
 * X is at least least(diagonal), the limit of its diagonal:
 *
 *     least(diagonal) = min over goals of  X(goal) + ext (goal's diagonal - diagonal)      if positive,
 *                                          X(goal) + down (diagonal - goal's diagonal)     if not
 *
 * A diagonal is column - row, and down = ext + the least worth of a row.
 *
 * A node with a smaller X is dead. Along a path, the difference least - X never falls. So paths from dead
 * nodes reach only dead nodes, and never a goal's value (docs/internals/exactness.md).
 *
 * If there are many goals, several adjacent diagonals share an element of the array `least`. */
#define BAND_GOALS_REACH 32
#define BAND_GOALS_LIMIT (2 * BAND_GOALS_REACH + 1)

typedef struct band_goals {
  int64_t row;                       /* row of all goals */
  int64_t first_column, last_column; /* first and last column of the goals */
  int64_t lowest_value;              /* least value of a goal */
  const row_worth *worth;
  int64_t ext, down;
  int64_t together;                /* number of diagonals that share an element of `least` */
  int64_t least[BAND_GOALS_LIMIT]; /* limits by diagonal, from the diagonal of first_column to the diagonal of
                                      last_column */
  const potential *potential;      /* a potential that excludes further nodes; or NULL */
} band_goals;

/* Sets a single goal. `worth` must outlive the goals. */
void band_goals_set_node(band_goals *goals, const band_node *goal, const row_worth *worth,
                         const cla_scoring *scoring);

/* Sets up goals without a node: in the rows `first_row` to `last_row`, a node is dead only if the potential
 * excludes it. */
void band_goals_set_potential(band_goals *goals, const row_worth *worth, const potential *by,
                              int64_t first_row, int64_t last_row);

/* Adjacent nodes of a row. */
typedef struct row_part {
  int64_t row, column, count; /* column: column of the first node */
  row_values values;
} row_part;

/* Sets the nodes of a row part, in states H and F, as goals. Nodes whose H is too far below the part's
 * largest H are left out. */
void band_goals_set_row(band_goals *goals, const row_part *part, const row_worth *worth,
                        const cla_scoring *scoring);

/* True if `node` is one of the goals. */
bool band_goals_have(const band_goals *goals, const band_node *node);

/* Returns the least X with which a node on `diagonal` is alive. */
static inline int64_t band_goals_least(const band_goals *goals, int64_t diagonal) {
  const int64_t first = goals->first_column - goals->row, last = goals->last_column - goals->row;
  if (diagonal < first) return goals->least[0] + goals->ext * (first - diagonal);
  if (diagonal > last)
    return goals->least[(last - first) / goals->together] + goals->down * (diagonal - last);
  return goals->least[(diagonal - first) / goals->together];
}

/* Returns the least X with which a node on any diagonal is alive. */
int64_t band_goals_lowest(const band_goals *goals);

/* Finds the matrix columns of the first and last live node of a kept row, up to column `limit`. Returns false
 * if the row has no live node. */
bool band_goals_find_live(int64_t *first, int64_t *last, const band_goals *goals, const known_row *in,
                          int64_t limit);

/* Guesses in which column of a kept row a path crosses that row, if it reaches `column` of row `below`. The
 * guess maximises H minus most of the cost of the gaps between the two diagonals. With the full cost, all
 * ways to distribute the same gaps over the rows would be equally good. Without the cost, the guess would
 * miss a path that has just passed a long gap. */
int64_t known_row_likeliest(const known_row *in, const row_worth *worth, int64_t below, int64_t column);

#endif
