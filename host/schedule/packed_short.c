#include "schedule/packed_short.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"

#define DIRECTIONS_AT_FIRST 16384

/* Values are kept 8 times as large, so that where H came from can stand in their lowest bits: the largest of
 * all that H may be then says both, and of equal ones it is the one that is preferred. */
#define SCALE 8
#define DEAD (-(INT32_C(1) << 30))
#define VALUE_MOST \
  (INT64_C(1) << 26) /* DEAD less a few costs is still 32 bits, and below all that is alive */

/* What is kept of a cell: where H came from, and whether E and F opened there; 2: of the second piece of gap
 * costs. */
enum {
  FROM_F2 = 2,
  FROM_F = 3,
  FROM_E2 = 4,
  FROM_E = 5,
  FROM_PAIR = 6,
  FROM_START = 7,
  FROM_MASK = 7,
  E_OPENED = 8,
  F_OPENED = 16,
  E2_OPENED = 32,
  F2_OPENED = 64
};

/* A row's cells: their columns, and where their directions are. */
typedef struct short_row {
  int32_t first, last;
  int64_t offset;
} short_row;

/* Node (i,j) stands i rows and j columns from the corner. Of a row only the nodes from `first` to `last` have
 * values; the arrays hold those of the row before until they are replaced. */
typedef struct short_band {
  const live_band_input *in;
  const band_goals *goals;
  int32_t rows, columns;
  int32_t *h, *f, *f2;
  uint8_t *opened; /* F_OPENED, F2_OPENED of the F that enters the next row */
  short_row *lines;
  uint8_t *directions;
  int64_t capacity, count;
  int32_t first, last;
  int64_t worth; /* of all rows down to the one that is computed */
} short_band;

static bool is_alive(const short_band *b, int32_t i, int32_t j) {
  const int64_t diagonal = b->in->column + j - (b->in->row + i);
  return b->h[j] / SCALE - b->worth >= band_goals_least(b->goals, diagonal);
}

/* Leaves dead nodes out at either end; false if none is left. */
static bool leave_dead_out(short_band *b, int32_t i, bool keep_first) {
  while (b->last >= b->first && !is_alive(b, i, b->last) && !(keep_first && b->last == b->first)) b->last--;
  while (!keep_first && b->first <= b->last && !is_alive(b, i, b->first)) b->first++;
  return b->first <= b->last;
}

/* The costs as the cells take them. */
typedef struct row_costs {
  int32_t first, ext, first2, ext2;
  bool floor;
} row_costs;

/* The arrays of a row; bytes that are stored may be any of them, so that a loop needs copies of its own. */
typedef struct row_arrays {
  int32_t *h, *f, *f2;
  uint8_t *opened;
} row_arrays;

/* A cell's neighbours' values: on the diagonal, and gaps from the left. */
typedef struct cell_state {
  int32_t diagonal, e, e2;
  int opened;
} cell_state;

static inline int32_t most(int32_t a, int32_t b) {
  return a > b ? a : b;
}

/* One cell; `score` is its pair's, up, f and f2 are from above. Returns its directions. A gap that opens
 * where one of the same kind ends is dearer than that one made longer, but for linear costs, where it is the
 * same: so E is opened from g. */
static inline __attribute__((always_inline)) int cell(const row_arrays *b, cell_state *s, const row_costs *c,
                                                      int32_t j, int32_t score, int32_t up, int32_t f,
                                                      int32_t f2, int f_opened, bool two, bool linear) {
  int32_t g = most(s->diagonal + score * SCALE + FROM_PAIR, f + FROM_F);
  if (two) g = most(g, f2 + FROM_F2);
  if (c->floor) g = most(g, FROM_START);
  int32_t h = most(g, s->e + FROM_E);
  if (two) h = most(h, s->e2 + FROM_E2);
  const int direction = (h & FROM_MASK) | s->opened | f_opened;
  h &= ~FROM_MASK;
  g = linear ? h : g & ~FROM_MASK;
  const int32_t begun = g - c->first, e = s->e - c->ext, begun_below = h - c->first, lower = f - c->ext;
  int opened = begun >= e ? E_OPENED : 0, opened_below = begun_below >= lower ? F_OPENED : 0;
  s->e = most(begun, e);
  b->f[j] = most(begun_below, lower);
  if (two) {
    const int32_t begun2 = g - c->first2, e2 = s->e2 - c->ext2;
    const int32_t begun_below2 = h - c->first2, lower2 = f2 - c->ext2;
    opened |= begun2 >= e2 ? E2_OPENED : 0;
    opened_below |= begun_below2 >= lower2 ? F2_OPENED : 0;
    s->e2 = most(begun2, e2);
    b->f2[j] = most(begun_below2, lower2);
  }
  s->opened = opened;
  b->opened[j] = (uint8_t)opened_below;
  s->diagonal = up;
  b->h[j] = h;
  return direction;
}

/* H on the matrix' left border. */
static int32_t border_h(const short_band *b, int32_t i) {
  return SCALE * (int32_t)path_ends_left_h(&b->in->ends, b->in->scoring, b->in->row + i);
}

/* Row i's cells, in the columns of the row before and as many more as are alive. False beyond the limit. */
static inline __attribute__((always_inline)) bool fill_row(short_band *b, const row_costs *costs, int32_t i,
                                                           bool two, bool linear) {
  const live_band_input *in = b->in;
  const int32_t *scores = in->table->score + in->query[in->row + i - 1] * CLA_MATRIX_STRIDE;
  const uint8_t *target = in->target + in->column - 1;
  const int32_t before_first = b->first, before_last = b->last;
  const row_costs c = *costs;
  const row_arrays a = {.h = b->h, .f = b->f, .f2 = b->f2, .opened = b->opened};
  cell_state s = {.diagonal = DEAD, .e = DEAD, .e2 = DEAD};
  int32_t j = before_first;
  if (j == 0 && in->column == 0) {
    s.diagonal = b->h[0];
    b->h[0] = border_h(b, i);
    s.e = b->h[0] - c.first;
    s.e2 = b->h[0] - c.first2;
    s.opened = E_OPENED | E2_OPENED;
  } else if (j == 0) { /* nothing is alive to the left of the corner */
    s.diagonal = b->h[0];
    b->h[0] = b->f[0] = DEAD;
    if (two) b->f2[0] = DEAD;
  }
  if (j == 0) j = 1;
  b->lines[i] = (short_row){.first = j, .last = j - 1, .offset = b->count};
  uint8_t *directions = b->directions + b->count - j;
  for (; j <= before_last; j++)
    directions[j] = (uint8_t)cell(&a, &s, &c, j, scores[target[j]], a.h[j], a.f[j], two ? a.f2[j] : DEAD,
                                  a.opened[j], two, linear);
  for (; j <= b->columns && (j <= before_last + 1 || is_alive(b, i, j - 1)); j++)
    directions[j] = (uint8_t)cell(&a, &s, &c, j, scores[target[j]], DEAD, DEAD, DEAD, 0, two, linear);
  b->lines[i].last = j - 1;
  b->count += j - b->lines[i].first;
  b->last = j - 1;
  return b->count <= in->cells_limit;
}

static void begin(short_band *b, int64_t first, int64_t last) {
  const live_band_input *in = b->in;
  b->first = (int32_t)first;
  b->last = (int32_t)last;
  b->worth = row_worth_to(in->worth, in->row);
  for (int64_t j = first; j <= last; j++) {
    b->h[j] = SCALE * (int32_t)in->top_h[j];
    b->f[j] = SCALE * (int32_t)in->top_f[j];
    if (b->f2) b->f2[j] = SCALE * (int32_t)in->top_f2[j];
    b->opened[j] = F_OPENED | F2_OPENED; /* paths begin on the upper row */
  }
}

/* All rows; the outcome is SHORT_TRACED if the goal's value is met. */
static cla_status fill(short_band *b, short_outcome *outcome, const band_node *goal, cla_error *error) {
  const live_band_input *in = b->in;
  const cla_scoring *scoring = in->scoring;
  const row_costs c = {.first = SCALE * scoring->gap_first,
                       .ext = SCALE * scoring->gap_ext,
                       .first2 = SCALE * scoring->gap_first2,
                       .ext2 = SCALE * scoring->gap_ext2,
                       .floor = in->ends.floor};
  const bool linear = scoring->gap_first == scoring->gap_ext;
  const int64_t border_last = in->column == 0 ? live_band_border(b->goals, in->row, &in->ends) - in->row : -1;
  *outcome = SHORT_EMPTY;
  for (int32_t i = 1; i <= b->rows; i++) {
    cla_status status = allocate_grow((void **)&b->directions, &b->capacity, b->count + b->columns + 1, 1,
                                      "a pair's directions", error);
    if (status != CLA_OK) return status;
    b->worth += row_worth_at(in->worth, in->row + i);
    const bool fits = b->f2    ? fill_row(b, &c, i, true, true)
                      : linear ? fill_row(b, &c, i, false, true)
                               : fill_row(b, &c, i, false, false);
    if (!fits) *outcome = SHORT_TOO_LARGE;
    if (!fits || !leave_dead_out(b, i, i <= border_last)) return CLA_OK;
  }
  if (b->last == b->columns && b->h[b->columns] == SCALE * goal->value) *outcome = SHORT_TRACED;
  return CLA_OK;
}

/* Back from the goal. The last row's cell is alive, and a predecessor of a cell of an optimal path is, too.
 */
static cla_status follow(int32_t *row, int32_t *column, path *into, const short_band *b, cla_error *error) {
  int32_t i = b->rows, j = b->columns, state = FROM_PAIR; /* FROM_PAIR: in state H */
  cla_status status = CLA_OK;
  while (status == CLA_OK && i > 0 && j >= b->lines[i].first && j <= b->lines[i].last) {
    const uint8_t direction = b->directions[b->lines[i].offset + j - b->lines[i].first];
    if (state == FROM_PAIR) state = direction & FROM_MASK;
    if (state == FROM_START) break;
    if (state == FROM_PAIR) {
      status = path_add(into, CLA_RUN_PAIR, 1, error);
      i--;
      j--;
      continue;
    }
    const bool across = state == FROM_E || state == FROM_E2;
    const int opened = state == FROM_E    ? E_OPENED
                       : state == FROM_E2 ? E2_OPENED
                       : state == FROM_F  ? F_OPENED
                                          : F2_OPENED;
    status = path_add(into, across ? CLA_RUN_TARGET : CLA_RUN_QUERY, 1, error);
    if (direction & opened) state = FROM_PAIR;
    if (across)
      j--;
    else
      i--;
  }
  *row = i;
  *column = j;
  return status;
}

bool packed_short_takes(const cla_scoring *scoring, int32_t largest_score, int64_t rows, int64_t columns) {
  const int64_t gaps = gap_cost(scoring, rows) + gap_cost(scoring, columns) + 4 * gap_most_first(scoring);
  return rows < INT32_MAX && columns < INT32_MAX && gaps < VALUE_MOST &&
         smaller(rows, columns) * largest_score < VALUE_MOST;
}

cla_status packed_short_trace(int64_t *row, int64_t *column, path *into, short_outcome *outcome,
                              int64_t *cells, const live_band_input *input, const band_goals *goals,
                              const band_node *goal, cla_error *error) {
  short_band b = {.in = input,
                  .goals = goals,
                  .rows = (int32_t)(goal->row - input->row),
                  .columns = (int32_t)(goal->column - input->column)};
  const int64_t nodes = b.columns + 1, lines = gap_two_pieces(input->scoring) ? 3 : 2;
  int32_t at_row = 0, at_column = 0;
  int64_t first, last;
  *outcome = SHORT_EMPTY;
  if (!live_band_top(&first, &last, input, goals)) return CLA_OK;
  cla_status status = allocate_array((void **)&b.h, nodes * lines, sizeof *b.h, "a pair's rows", error);
  if (status == CLA_OK) status = allocate_array((void **)&b.opened, nodes, 1, "a pair's rows", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&b.lines, b.rows + 1, sizeof *b.lines, "a pair's rows", error);
  if (status == CLA_OK)
    status = allocate_grow((void **)&b.directions, &b.capacity, DIRECTIONS_AT_FIRST, 1, "a pair's directions",
                           error);
  if (status != CLA_OK) goto done;
  b.f = b.h + nodes;
  if (lines == 3) b.f2 = b.f + nodes;
  begin(&b, first, last);
  status = fill(&b, outcome, goal, error);
  *cells += b.count;
  if (status == CLA_OK && *outcome == SHORT_TRACED) status = follow(&at_row, &at_column, into, &b, error);
  *row = input->row + at_row;
  *column = input->column + at_column;

done:
  free(b.h);
  free(b.opened);
  free(b.lines);
  free(b.directions);
  return status;
}
