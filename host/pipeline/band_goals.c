#include "pipeline/band_goals.h"

#include "pipeline/band_letters.h"

#define NO_GOAL (INT64_MAX / 4)

/* Gaps of so many letters may lie between the largest H of the row and a goal's. */
#define GOAL_GAPS 2

void band_goals_set_node(band_goals *goals, const band_node *goal, const score_table *table,
                         const cla_scoring *scoring) {
  *goals = (band_goals){.row = goal->row,
                        .first_column = goal->column,
                        .last_column = goal->column,
                        .lowest_value = goal->value,
                        .match = band_match(table),
                        .ext = gap_least_ext(scoring),
                        .together = 1};
  goals->least[0] = goal->value - goals->match * goal->row;
}

static void lower(int64_t *least, int64_t value) {
  if (value < *least) *least = value;
}

/* The values of a row's nodes. */
typedef struct goal_row {
  const int64_t *h, *f, *f2;
  int64_t ext, ext2;
} goal_row;

/* X of node i, which may be a goal: that of state F, which is at most H's. */
static int64_t goal_least(const band_goals *goals, const goal_row *row, int64_t i) {
  int64_t value = row->f[i] + row->ext;
  if (row->h[i] < goals->lowest_value) return NO_GOAL;
  if (row->f2) lower(&value, row->f2[i] + row->ext2);
  return value - goals->match * goals->row;
}

void band_goals_set_row(band_goals *goals, int64_t row, int64_t first_column, int64_t count, const int64_t *h,
                        const int64_t *f, const int64_t *f2, const score_table *table,
                        const cla_scoring *scoring) {
  const goal_row values = {.h = h, .f = f, .f2 = f2, .ext = scoring->gap_ext, .ext2 = scoring->gap_ext2};
  *goals = (band_goals){.row = row,
                        .first_column = first_column,
                        .last_column = first_column + count - 1,
                        .match = band_match(table),
                        .ext = gap_least_ext(scoring),
                        .together = (count + BAND_GOALS_LIMIT - 1) / BAND_GOALS_LIMIT};
  const int64_t reach = count / 2 > BAND_GOALS_REACH ? count / 2 : BAND_GOALS_REACH;
  int64_t largest = h[0];
  for (int64_t i = 1; i < count; i++)
    if (h[i] > largest) largest = h[i];
  goals->lowest_value = largest - GOAL_GAPS * gap_cost(scoring, reach) - gap_most_first(scoring);
  for (int i = 0; i < BAND_GOALS_LIMIT; i++) goals->least[i] = NO_GOAL;
  /* From either side, with the costs between the goals' diagonals. */
  int64_t least = NO_GOAL;
  for (int64_t i = 0; i < count; i++) {
    least += goals->match + goals->ext;
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
