#include "pipeline/band_goals.h"

#define NO_GOAL (INT64_MAX / 4)

/* Gaps of so many letters may lie between the largest H of the row and a goal's. */
#define GOAL_GAPS 2

int64_t band_match(const score_table *table) {
  return table->maximum > 0 ? table->maximum : 0;
}

/* Takes the costs between the goals' diagonals into account. */
static void spread(band_goals *goals) {
  const int64_t count = goals->last_column - goals->first_column + 1;
  for (int64_t i = 1; i < count; i++) {
    const int64_t from_left = goals->least[i - 1] + goals->match + goals->ext;
    if (from_left < goals->least[i]) goals->least[i] = from_left;
  }
  for (int64_t i = count - 1; i-- > 0;) {
    const int64_t from_right = goals->least[i + 1] + goals->ext;
    if (from_right < goals->least[i]) goals->least[i] = from_right;
  }
}

void band_goals_set_node(band_goals *goals, const band_node *goal, const score_table *table,
                         const cla_scoring *scoring) {
  *goals = (band_goals){.row = goal->row,
                        .first_column = goal->column,
                        .last_column = goal->column,
                        .lowest_value = goal->value,
                        .match = band_match(table),
                        .ext = scoring->gap_ext};
  goals->least[0] = goal->value - goals->match * goal->row;
}

void band_goals_set_row(band_goals *goals, int64_t row, int64_t first_column, int64_t count, const int64_t *h,
                        const int64_t *f, const score_table *table, const cla_scoring *scoring) {
  *goals = (band_goals){.row = row,
                        .first_column = first_column,
                        .last_column = first_column + count - 1,
                        .match = band_match(table),
                        .ext = scoring->gap_ext};
  int64_t largest = h[0];
  for (int64_t i = 1; i < count; i++)
    if (h[i] > largest) largest = h[i];
  goals->lowest_value = largest - GOAL_GAPS * gap_cost(scoring, BAND_GOALS_REACH) - scoring->gap_first;
  for (int64_t i = 0; i < count; i++) {
    const int64_t in_gap = f[i] + scoring->gap_ext; /* the value of state F, at most H */
    goals->least[i] = h[i] < goals->lowest_value ? NO_GOAL : in_gap - goals->match * row;
  }
  spread(goals);
}

bool band_goals_have(const band_goals *goals, const band_node *node) {
  return node->row == goals->row && node->column >= goals->first_column &&
         node->column <= goals->last_column && node->state != BAND_E && node->value >= goals->lowest_value;
}

int64_t band_goals_lowest(const band_goals *goals) {
  const int64_t count = goals->last_column - goals->first_column + 1;
  int64_t lowest = goals->least[0];
  for (int64_t i = 1; i < count; i++)
    if (goals->least[i] < lowest) lowest = goals->least[i];
  return lowest;
}
