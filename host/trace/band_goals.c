#include "trace/band_goals.h"

#define NO_GOAL (INT64_MAX / 4)

/* Gaps of so many letters may lie between the largest H of the row and a goal's. */
#define GOAL_GAPS 2

static band_goals begin_goals(int64_t row, int64_t first_column, int64_t count, const row_worth *worth,
                              const cla_scoring *scoring) {
  const int64_t ext = gap_least_ext(scoring);
  return (band_goals){.row = row,
                      .first_column = first_column,
                      .last_column = first_column + count - 1,
                      .worth = worth,
                      .ext = ext,
                      .down = ext + worth->least,
                      .together = (count + BAND_GOALS_LIMIT - 1) / BAND_GOALS_LIMIT};
}

void band_goals_set_node(band_goals *goals, const band_node *goal, const row_worth *worth,
                         const cla_scoring *scoring) {
  *goals = begin_goals(goal->row, goal->column, 1, worth, scoring);
  goals->lowest_value = goal->value;
  goals->least[0] = goal->value - row_worth_to(worth, goal->row);
}

static void lower(int64_t *least, int64_t value) {
  if (value < *least) *least = value;
}

/* The values of a row's nodes. */
typedef struct goal_row {
  const int64_t *h, *f, *f2;
  int64_t ext, ext2;
  int64_t drop; /* what the rows are worth */
} goal_row;

/* X of node i, which may be a goal: that of state F, which is at most H's. */
static int64_t goal_least(const band_goals *goals, const goal_row *row, int64_t i) {
  int64_t value = row->f[i] + row->ext;
  if (row->h[i] < goals->lowest_value) return NO_GOAL;
  if (row->f2) lower(&value, row->f2[i] + row->ext2);
  return value - row->drop;
}

void band_goals_set_row(band_goals *goals, int64_t row, int64_t first_column, int64_t count, const int64_t *h,
                        const int64_t *f, const int64_t *f2, const row_worth *worth,
                        const cla_scoring *scoring) {
  const goal_row values = {.h = h,
                           .f = f,
                           .f2 = f2,
                           .ext = scoring->gap_ext,
                           .ext2 = scoring->gap_ext2,
                           .drop = row_worth_to(worth, row)};
  *goals = begin_goals(row, first_column, count, worth, scoring);
  const int64_t reach = count / 2 > BAND_GOALS_REACH ? count / 2 : BAND_GOALS_REACH;
  int64_t largest = h[0];
  for (int64_t i = 1; i < count; i++)
    if (h[i] > largest) largest = h[i];
  goals->lowest_value = largest - GOAL_GAPS * gap_cost(scoring, reach) - gap_most_first(scoring);
  for (int i = 0; i < BAND_GOALS_LIMIT; i++) goals->least[i] = NO_GOAL;
  /* From either side, with the costs between the goals' diagonals. */
  int64_t least = NO_GOAL;
  for (int64_t i = 0; i < count; i++) {
    least += goals->down;
    lower(&least, goal_least(goals, &values, i));
    lower(goals->least + i / goals->together, least);
  }
  least = NO_GOAL;
  for (int64_t i = count - 1; i >= 0; i--) {
    least += goals->ext;
    lower(&least, goal_least(goals, &values, i));
    lower(goals->least + i / goals->together, least);
  }
}

bool band_goals_have(const band_goals *goals, const band_node *node) {
  return node->row == goals->row && node->column >= goals->first_column &&
         node->column <= goals->last_column && node->state != BAND_E && node->state != BAND_E2 &&
         node->value >= goals->lowest_value;
}

int64_t band_goals_lowest(const band_goals *goals) {
  const int64_t last = (goals->last_column - goals->first_column) / goals->together;
  int64_t lowest = goals->least[0];
  for (int64_t i = 1; i <= last; i++)
    if (goals->least[i] < lowest) lowest = goals->least[i];
  return lowest;
}
