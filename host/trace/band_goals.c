#include "trace/band_goals.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "dp/band_line.h"

/* Letters in less than 1 / RARE of the rows may get a worth above their largest score. This raises the
 * least worth of all rows, which makes bands narrow. */
#define RARE 50

static void find_worths(row_worth *worth, int64_t rows, const score_table *table) {
  int64_t counts[CLA_MATRIX_STRIDE] = {0};
  for (int64_t i = 0; i < rows; i++) counts[worth->query[i]]++;
  for (int a = 0; a < CLA_MATRIX_STRIDE; a++)
    for (int b = 0; b < CLA_MATRIX_STRIDE; b++) {
      const int32_t score = table->score[a * CLA_MATRIX_STRIDE + b];
      if (score > worth->of[a]) worth->of[a] = score;
    }
  worth->least = INT32_MAX;
  for (int a = 0; a < CLA_MATRIX_STRIDE; a++)
    if (counts[a] > rows / RARE && worth->of[a] < worth->least) worth->least = worth->of[a];
  for (int a = 0; a < CLA_MATRIX_STRIDE; a++)
    if (worth->of[a] < worth->least) worth->of[a] = worth->least;
}

cla_status row_worth_make(row_worth *out, const uint8_t *query, int64_t rows, const score_table *table,
                          cla_error *error) {
  int64_t sum = 0;
  *out = (row_worth){.query = query};
  out->least = out->mean = (int32_t)band_match(table);
  if (!table->needs_lookup || rows == 0) return CLA_OK;
  find_worths(out, rows, table);
  cla_status status = ALLOCATE_ARRAY(&out->sums, rows / ROW_WORTH_PART + 1, "what rows are worth", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i <= rows; i++) {
    if (i % ROW_WORTH_PART == 0) out->sums[i / ROW_WORTH_PART] = sum;
    if (i < rows) sum += out->of[query[i]];
  }
  out->mean = (int32_t)(sum / rows);
  return CLA_OK;
}

void row_worth_free(row_worth *worth) {
  free(worth->sums);
  worth->sums = NULL;
}

int64_t row_worth_to(const row_worth *worth, int64_t rows) {
  if (!worth->sums) return rows * worth->least;
  int64_t i = rows / ROW_WORTH_PART * ROW_WORTH_PART, sum = worth->sums[i / ROW_WORTH_PART];
  for (; i < rows; i++) sum += worth->of[worth->query[i]];
  return sum;
}

#define NO_GOAL (INT64_MAX / 4)

/* Largest number of gaps between the node with the row's largest H and a goal. */
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

void band_goals_set_potential(band_goals *goals, const row_worth *worth, const potential *by,
                              int64_t first_row, int64_t last_row) {
  *goals = (band_goals){.row = last_row, .worth = worth, .together = 1, .potential = by};
  goals->least[0] = goals->lowest_value = potential_least_x(by, first_row, last_row);
}

static void lower(int64_t *least, int64_t value) {
  if (value < *least) *least = value;
}

/* Returns the lowest value that node `i` of the part has as a goal: its F, which is at most its H. Returns
 * NO_GOAL if H is too low. */
static int64_t goal_least(const band_goals *goals, const row_values *of, const cla_scoring *scoring,
                          int64_t i) {
  int64_t value = INT64_MAX;
  if (of->h[i] < goals->lowest_value) return NO_GOAL;
  for (int k = 0; k < CLA_GAP_PIECES && of->f[k]; k++) lower(&value, of->f[k][i] + scoring->gap[k].ext);
  return value;
}

void band_goals_set_row(band_goals *goals, const row_part *part, const row_worth *worth,
                        const cla_scoring *scoring) {
  const row_values *values = &part->values;
  const int64_t count = part->count, drop = row_worth_to(worth, part->row);
  *goals = begin_goals(part->row, part->column, count, worth, scoring);
  const int64_t reach = larger(count / 2, BAND_GOALS_REACH);
  int64_t largest = values->h[0];
  for (int64_t i = 1; i < count; i++) largest = larger(largest, values->h[i]);
  goals->lowest_value = largest - GOAL_GAPS * gap_cost(scoring, reach) - gap_most_first(scoring);
  for (int i = 0; i < BAND_GOALS_LIMIT; i++) goals->least[i] = NO_GOAL;
  /* a pass from each side adds the costs of gaps between the goals' diagonals */
  int64_t least = NO_GOAL;
  for (int64_t i = 0; i < count; i++) {
    least += goals->down;
    lower(&least, goal_least(goals, values, scoring, i) - drop);
    lower(goals->least + i / goals->together, least);
  }
  least = NO_GOAL;
  for (int64_t i = count - 1; i >= 0; i--) {
    least += goals->ext;
    lower(&least, goal_least(goals, values, scoring, i) - drop);
    lower(goals->least + i / goals->together, least);
  }
}

bool band_goals_have(const band_goals *goals, const band_node *node) {
  return node->row == goals->row && node->column >= goals->first_column &&
         node->column <= goals->last_column && !trace_across(node->state) &&
         node->value >= goals->lowest_value;
}

int64_t band_goals_lowest(const band_goals *goals) {
  const int64_t last = (goals->last_column - goals->first_column) / goals->together;
  int64_t lowest = goals->least[0];
  for (int64_t i = 1; i <= last; i++)
    if (goals->least[i] < lowest) lowest = goals->least[i];
  return lowest;
}

#define PART KEPT_ROW_ANCHOR /* nodes examined together; a part begins where a full row has an anchor */

/* Returns the last node of the part with node `from`, at most `last`. */
static int64_t part_end(const known_row *in, int64_t from, int64_t last) {
  const int64_t node = from - special_rows_column(in->rows);
  const int64_t end = from + PART - node % PART - 1;
  return end < last ? end : last;
}

/* Returns the least X with which any node of the part is alive. A diagonal's least X is lower the closer
 * the diagonal is to the goals. */
static int64_t least_of_part(const known_row *in, const band_goals *goals, int64_t from, int64_t to) {
  const int64_t first = goals->first_column - goals->row, last = goals->last_column - goals->row;
  if (to - in->row <= first) return band_goals_least(goals, to - in->row);
  if (from - in->row >= last) return band_goals_least(goals, from - in->row);
  return band_goals_lowest(goals);
}

bool band_goals_find_live(int64_t *first, int64_t *last, const band_goals *goals, const known_row *in,
                          int64_t limit) {
  const int64_t drop = row_worth_to(goals->worth, in->row);
  int64_t h[PART], from, end;
  special_rows_hull(in->rows, in->row, &from, &end);
  if (end > limit) end = limit;
  *first = *last = -1;
  for (int64_t to; from <= end; from = to + 1) {
    to = part_end(in, from, end);
    if (known_row_most(in, from, to) - drop < least_of_part(in, goals, from, to)) continue;
    special_rows_read(in->rows, in->row, from, to - from + 1, (row_values){.h = h});
    for (int64_t c = from; c <= to; c++)
      if (h[c - from] - drop >= band_goals_least(goals, c - in->row)) {
        if (*first < 0) *first = c;
        *last = c;
      }
  }
  return *first >= 0;
}

/* A node's likelihood counts GAPS_COUNTED / GAPS_OF of the gaps' cost. */
#define GAPS_COUNTED 6
#define GAPS_OF 8

/* Returns an upper limit of the likelihood of the part's nodes. */
static int64_t most_likely(const known_row *in, const band_goals *goals, int64_t from, int64_t to) {
  return GAPS_OF * known_row_most(in, from, to) - GAPS_COUNTED * least_of_part(in, goals, from, to);
}

/* Searches the part for a node that is likelier than the best node so far. */
static void look(const known_row *in, const band_goals *goals, int64_t from, int64_t to, int64_t *likely,
                 int64_t *column) {
  int64_t h[PART];
  special_rows_read(in->rows, in->row, from, to - from + 1, (row_values){.h = h});
  for (int64_t c = from; c <= to; c++) {
    const int64_t here = GAPS_OF * h[c - from] - GAPS_COUNTED * band_goals_least(goals, c - in->row);
    if (here <= *likely) continue;
    *likely = here;
    *column = c;
  }
}

int64_t known_row_likeliest(const known_row *in, const row_worth *worth, int64_t below, int64_t column) {
  int64_t first, last, found = 0, likely = INT64_MIN, promising = INT64_MIN, best = 0;
  const int64_t ext = gap_least_ext(in->scheme->scoring);
  const band_goals costs = {.row = below,
                            .first_column = column,
                            .last_column = column,
                            .ext = ext,
                            .down = ext + worth->mean,
                            .together = 1};
  special_rows_hull(in->rows, in->row, &first, &last);
  if (last > column) last = column > first ? column : first;
  for (int64_t from = first; from <= last; from = part_end(in, from, last) + 1) {
    const int64_t value = most_likely(in, &costs, from, part_end(in, from, last));
    if (value > promising) {
      promising = value;
      best = from;
    }
  }
  /* The most promising part is searched first, so that nearly all other parts can be skipped. */
  look(in, &costs, best, part_end(in, best, last), &likely, &found);
  for (int64_t from = first, to; from <= last; from = to + 1) {
    to = part_end(in, from, last);
    if (from != best && most_likely(in, &costs, from, to) > likely)
      look(in, &costs, from, to, &likely, &found);
  }
  return known_row_largest_near(in, found);
}
