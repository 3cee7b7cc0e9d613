#ifndef HOST_TRACE_BAND_GOALS_H
#define HOST_TRACE_BAND_GOALS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/row_worth.h"

typedef enum band_state { BAND_H, BAND_E, BAND_F, BAND_E2, BAND_F2 } band_state; /* 2: of the second piece */

/* A node of the matrix in one of the states, with the state's exact value. */
typedef struct band_node {
  int64_t row, column;
  int64_t value;
  band_state state;
} band_node;

/* Where an optimal path goes on: one node, or several in a row because it is not known which.
 *
 * Let X of a node be H less what all rows down to it are worth (trace/row_worth.h). A pair adds at most
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
 * least, so paths through dead nodes reach dead nodes only, and never a goal's value: docs/internals/exactness.md.
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
} band_goals;

/* The one node `goal`. `worth` must outlive the goals. */
void band_goals_set_node(band_goals *goals, const band_node *goal, const row_worth *worth,
                         const cla_scoring *scoring);

/* `count` nodes of `row` from `first_column` on, with H and with F entering the row below (f2: of the second
 * piece of gap costs, NULL with one), in state H or F; those whose H is too far below the largest are left
 * out. */
void band_goals_set_row(band_goals *goals, int64_t row, int64_t first_column, int64_t count, const int64_t *h,
                        const int64_t *f, const int64_t *f2, const row_worth *worth,
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

#endif
