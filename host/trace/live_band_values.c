#include "trace/live_band_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/loops.h"

#define VALUE_ARRAYS(pieces) (3 + 3 * (pieces))   /* values: 3 h; per piece 2 f and 1 e */
#define ARRAYS(pieces) (VALUE_ARRAYS(pieces) + 2) /* by row: values, floor, query */
#define VECTOR_BYTES 64

typedef struct span {
  int64_t least, most;
} span;

static void widen(span *s, int64_t value) {
  if (value < s->least) s->least = value;
  if (value > s->most) s->most = value;
}

/* Returns the range of the sum of (worth - row_step), from the corner to a row, over the first `rows` rows.
 */
static span find_excess(const live_band_input *in, int64_t rows) {
  span of = {0};
  int64_t sum = 0;
  for (int64_t i = 1; i <= rows; i++) {
    sum += row_worth_at(in->worth, in->row + i) - in->worth->mean;
    widen(&of, sum);
  }
  return of;
}

/* Returns the range of X of live nodes. Its minimum is the goals' lowest X minus one. Its maximum is the
 * largest X in the upper row, or that of a path that starts in that row. */
static span live_x(const live_band_input *in, const band_goals *goals) {
  const int64_t least = band_goals_lowest(goals) - 1, drop = row_worth_to(in->worth, in->row);
  span of = {.least = least, .most = in->problem->scheme.ends.query_start ? larger(least, -drop) : least};
  for (int64_t c = in->extent.first; c <= in->extent.last; c++)
    of.most = larger(of.most, in->top.h[c] - drop);
  return of;
}

/* Returns an upper limit of how far E, F and the values of pairs can be below the lowest stored H. */
static int64_t room_below(const live_band_input *in) {
  return 3 * gap_most_first(in->problem->scheme.scoring) + 2 * in->worth->mean + 2;
}

/* Returns the least pair score that matters. In a band with fixed edges, all scores matter: two gaps cannot
 * replace a pair, because a node between them may lie outside the band. */
static int64_t least_score(const live_band *band) {
  return band->edges.fixed ? -CLA_SCORE_LIMIT : band_least_score(band->in.problem->scheme.scoring);
}

static band_pairs choose_pairs(const live_band_input *in) {
  if (!in->problem->scheme.table->needs_lookup) return BAND_PAIRS_EQUAL;
  const bool bytes = score_lines_fit(in->problem->scheme.table, band_least_score(in->problem->scheme.scoring),
                                     in->worth->mean);
  return bytes ? BAND_PAIRS_LINE : BAND_PAIRS_TABLE;
}

static int value_bytes_for(const live_band_input *in, const span *x, const span *excess) {
  const int64_t below = room_below(in);
  const int64_t range = x->most - x->least + excess->most - excess->least + 2 * below;
  if (range <= UINT16_MAX && choose_pairs(in) != BAND_PAIRS_TABLE) return 2;
  return range + BAND_LINE_ROOM * below < INT32_MAX / 2 ? 4 : 0;
}

void band_values_look(live_band_input *input, const band_goals *goals) {
  const span x = live_x(input, goals), excess = find_excess(input, goals->row - input->row);
  input->extent.value_bytes = value_bytes_for(input, &x, &excess);
  input->extent.least_x = x.least + excess.least;
}

/* Chooses the base and the lowest value. In every row, a node with the lowest value has a smaller X than
 * every live node. */
static void choose_range(live_band *band) {
  const live_band_input *in = &band->in;
  band->scale.value_bytes = in->extent.value_bytes;
  band->scale.lowest = (band->scale.value_bytes == 2 ? INT16_MIN : INT32_MIN / 2) + room_below(in);
  band->scale.base_x = band->edges.fixed ? 0 : in->extent.least_x - band->scale.lowest;
  band->scale.base = band->scale.base_x + row_worth_to(in->worth, in->row) - band->scale.row_step * in->row;
}

static int64_t row_arrays(const cla_scoring *scoring) {
  return ARRAYS(gap_pieces(scoring));
}

/* Returns the number of values in an array for `count` rows or columns, a multiple of BAND_LINE_ROOM. */
static int64_t array_values(int64_t count) {
  return (count + 1 + 3 * BAND_LINE_ROOM - 1) / BAND_LINE_ROOM * BAND_LINE_ROOM;
}

int64_t live_band_bytes(int64_t rows, int64_t columns, const path_scheme *scheme) {
  const int64_t in_rows = array_values(rows), in_columns = array_values(columns);
  return (row_arrays(scheme->scoring) + 1) * in_rows * 4 + in_columns * 4 +
         (scheme->table->needs_lookup ? score_lines_bytes(rows, columns) : 0);
}

static cla_status make_scores(live_band *band, cla_error *error) {
  const live_band_input *in = &band->in;
  const int64_t least = least_score(band);
  const score_lines_input lines = {.query = in->problem->query + in->row,
                                   .target = in->problem->target + in->column,
                                   .rows = band->rows,
                                   .columns = band->columns,
                                   .table = in->problem->scheme.table,
                                   .least = least,
                                   .subtract = band->scale.row_step};
  band->scores.costs =
      band_costs_of(in->problem->scheme.table, in->problem->scheme.scoring, least, band->scale.row_step);
  band->scores.costs.pairs =
      band->edges.fixed && in->problem->scheme.table->needs_lookup ? BAND_PAIRS_TABLE : choose_pairs(in);
  band->scores.costs.value_bytes = band->scale.value_bytes;
  switch (band->scores.costs.pairs) {
    case BAND_PAIRS_LINE: return score_lines_make(&band->scores.lines, &lines, error);
    case BAND_PAIRS_TABLE:
      return band_scores_make(&band->scores.table, in->problem->scheme.table, least, band->scale.row_step,
                              error);
    default: return CLA_OK; /* BAND_PAIRS_EQUAL needs no scores */
  }
}

/* Sets all letters to 0. Outside of the sequence, any letter of the table is valid. */
static void clear_letters(live_band *band, void *letters, int64_t from, int64_t count) {
  memset(value_at(band, letters, from - BAND_LINE_ROOM), 0,
         (size_t)((count + 1 + 2 * BAND_LINE_ROOM) * band->scale.value_bytes));
}

/* Fills the arrays of letters and the floor. The query's array starts at row `row`; the target's array ends
 * at column `column`. */
static void fill_arrays(live_band *band, int64_t row, int64_t column) {
  const live_band_input *in = &band->in;
  const bool by_table = band->scores.costs.pairs == BAND_PAIRS_TABLE,
             letters = band->scores.costs.pairs != BAND_PAIRS_LINE;
  /* Only in the first part of a whole_band may a start of the path matter. */
  const bool starts = in->problem->scheme.ends.floor && (!band->part || in->row == 0);
  const int64_t last = smaller(row + band->arrays.rows, band->rows);
  clear_letters(band, band->arrays.query, row, band->arrays.rows);
  clear_letters(band, band->arrays.target, band->columns - column, band->arrays.columns);
  for (int64_t i = larger(row, 1); letters && i <= last; i++)
    value_put(band, band->arrays.query, i, band_letter(in->problem->query[in->row + i - 1], true, by_table));
  for (int64_t j = larger(column - band->arrays.columns, 1); letters && j <= smaller(column, band->columns);
       j++)
    value_put(band, band->arrays.target, band->columns - j,
              band_letter(in->problem->target[in->column + j - 1], false, by_table));
  for (int64_t i = larger(row, 0); i <= last; i++)
    value_put(band, band->arrays.floor, i, starts ? value_stored(band, i, 0) : band->scale.lowest);
}

/* Lists where the band stores its pointers to arrays of values. Returns their number. */
static int value_arrays(live_band *band, void **arrays[VALUE_ARRAYS(CLA_GAP_PIECES)]) {
  band_arrays *of = &band->arrays;
  int count = 0;
  for (int i = 0; i < 3; i++) arrays[count++] = &of->h[i];
  for (int k = 0; k < band_pieces(band); k++) {
    for (int i = 0; i < 2; i++) arrays[count++] = &of->f[k][i];
    arrays[count++] = &of->e[k];
  }
  return count;
}

/* Makes row `row` the first row of the arrays, and fills all arrays except those of values. */
static void place_arrays(live_band *band, int64_t row) {
  band_arrays *of = &band->arrays;
  const int64_t in_rows = array_values(of->rows), count = row_arrays(band->in.problem->scheme.scoring);
  const int64_t column =
      band->edges.fixed ? band->front.line - row + band->edges.between + BAND_LINE_ROOM : band->columns;
  void **arrays[ARRAYS(CLA_GAP_PIECES)];
  const int values = value_arrays(band, arrays);
  arrays[values] = &of->floor;
  arrays[values + 1] = &of->query;
  void *first = (char *)of->memory + VECTOR_BYTES - (uintptr_t)of->memory % VECTOR_BYTES;
  for (int64_t i = 0; i < count; i++) *arrays[i] = value_at(band, first, i * in_rows + BAND_LINE_ROOM - row);
  of->target = value_at(band, first, count * in_rows + BAND_LINE_ROOM + column - band->columns);
  of->moved = band->front.line;
  fill_arrays(band, row, column);
}

void band_values_move(live_band *band) {
  const band_front *at = &band->front;
  const int64_t from = at->before_first - 1, count = larger(at->last, at->first) + 2 - from;
  const int32_t *h = band->arrays.h[at->line % 3], dead = (int32_t)band->scale.lowest;
  void **arrays[VALUE_ARRAYS(CLA_GAP_PIECES)], *before[VALUE_ARRAYS(CLA_GAP_PIECES)];
  int32_t most = dead;
  for (int64_t row = at->first; row <= at->last; row++) most = LARGEST(most, h[row]);
  if (most <= dead / 2) most = 0; /* the line has no node */
  const int values = value_arrays(band, arrays);
  for (int i = 0; i < values; i++) before[i] = *arrays[i];
  band->scale.base += most;
  place_arrays(band, from);
  for (int i = 0; i < values; i++) {
    int32_t *to = (int32_t *)*arrays[i] + from;
    memmove(to, (int32_t *)before[i] + from, (size_t)count * sizeof *to);
    for (int64_t x = 0; x < count; x++) to[x] = to[x] > dead / 2 ? to[x] - most : dead;
  }
}

/* Fills scale.row_excess. */
static cla_status make_row_excess(live_band *band, cla_error *error) {
  int64_t sum = 0;
  cla_status status = ALLOCATE_ARRAY(&band->scale.row_excess, band->rows + 1, "a band's rows", error);
  if (status != CLA_OK) return status;
  band->scale.row_excess[0] = 0;
  for (int64_t i = 1; i <= band->rows; i++) {
    sum += row_worth_at(band->in.worth, band->in.row + i) - band->scale.row_step;
    band->scale.row_excess[i] = (int32_t)sum;
  }
  return CLA_OK;
}

/* Returns the number of values in all arrays. */
static int64_t arrays_values(const live_band *band) {
  return row_arrays(band->in.problem->scheme.scoring) * array_values(band->arrays.rows) +
         array_values(band->arrays.columns) + BAND_LINE_ROOM;
}

static cla_status make_arrays(live_band *band, cla_error *error) {
  cla_status status = allocate_array(&band->arrays.memory, arrays_values(band), band->scale.value_bytes,
                                     "a band's lines", error);
  if (status == CLA_OK) place_arrays(band, 0);
  return status;
}

int64_t band_values_bytes(const live_band *band) {
  return arrays_values(band) * band->scale.value_bytes;
}

cla_status band_values_copy(live_band *out, const live_band *band, cla_error *error) {
  *out = *band;
  out->cells = 0;
  out->arrays.memory = NULL;
  const bool lines = band->scores.costs.pairs == BAND_PAIRS_LINE;
  cla_status status = lines ? score_lines_share(&out->scores.lines, &band->scores.lines, error) : CLA_OK;
  return status == CLA_OK ? make_arrays(out, error) : status;
}

void band_values_free_copy(live_band *copy) {
  score_lines_free_shared(&copy->scores.lines);
  free(copy->arrays.memory);
}

cla_status band_values_make(bool *fits, live_band *band, cla_error *error) {
  const bool fixed = band->edges.fixed;
  if (!fixed) band->arrays.rows = band->rows;
  if (!fixed) band->arrays.columns = band->columns;
  *fits = band->in.extent.value_bytes > 0;
  if (!*fits) return CLA_OK;
  choose_range(band);
  cla_status status = fixed ? CLA_OK : make_row_excess(band, error);
  if (status == CLA_OK) status = make_scores(band, error);
  return status == CLA_OK ? make_arrays(band, error) : status;
}

void band_values_free(live_band *band) {
  for (int64_t i = 0; i < band->kept.count; i++) free(band->kept.lines[i].values);
  free(band->kept.lines);
  free(band->scores.table);
  score_lines_free(&band->scores.lines);
  free(band->scale.row_excess);
  free(band->arrays.memory);
  free(band->directions.codes);
  free(band->directions.places);
}

void band_values_begin(live_band *band) {
  const int64_t d = band->in.extent.first;
  band->front.line = d;
  if (band->edges.fixed) {
    band->scale.base = 0;
    place_arrays(band, -1);
  }
  band->front.first = band->front.last = 0;
  band->front.before_first = 0;
  band->front.before_last = -1;
  void **arrays[VALUE_ARRAYS(CLA_GAP_PIECES)];
  const int values = value_arrays(band, arrays);
  for (int i = 0; i < values; i++)
    for (int64_t row = -1; row <= 1; row++) value_put(band, *arrays[i], row, band->scale.lowest);
  value_put(band, band->arrays.h[d % 3], 0, value_stored(band, 0, band->in.top.h[d]));
  band_values_put_top_f(band, d);
}

void band_values_put_top_f(live_band *band, int64_t line) {
  const cla_gap_piece *gap = band->in.problem->scheme.scoring->gap;
  for (int k = 0; k < band_pieces(band); k++)
    value_put(band, band->arrays.f[k][line % 2], 0,
              value_stored(band, 0, band->in.top.f[k][line] + gap[k].ext));
}

int band_values_arrays(const live_band *band, void *arrays[BAND_KEPT_ARRAYS_MOST]) {
  const int64_t line = band->front.line;
  arrays[0] = band->arrays.h[line % 3];
  arrays[1] = band->arrays.h[(line + 2) % 3];
  for (int k = 0; k < band_pieces(band); k++) {
    arrays[2 + 2 * k] = band->arrays.e[k];
    arrays[3 + 2 * k] = band->arrays.f[k][line % 2];
  }
  return band_kept_arrays(band);
}

void band_values_go_back(live_band *band, const kept_line *kept, int64_t row, int64_t column) {
  const int64_t stored = kept->last - kept->first + 3;
  const int64_t highest = row - (row + column - kept->line) - 1;
  void *arrays[BAND_KEPT_ARRAYS_MOST] = {NULL};
  band->front.line = kept->line;
  band->front.first = kept->first > highest ? kept->first : highest;
  band->front.last = kept->last < row ? kept->last : row;
  if (band->front.first >
      band->front.last) { /* no cell of the line is alive, but perhaps a diagonal step across it */
    band->front.first = kept->first;
    band->front.last = kept->last;
  }
  if (band->edges.fixed) {
    band->scale.base = kept->base;
    place_arrays(band, kept->before_first - 1);
  }
  const int kept_arrays = band_values_arrays(band, arrays);
  for (int i = 0; i < kept_arrays; i++)
    memcpy(value_at(band, arrays[i], band->front.first - 1),
           value_at(band, kept->values, i * stored + band->front.first - kept->first),
           (size_t)((band->front.last - band->front.first + 3) * band->scale.value_bytes));
  band->front.before_first = kept->before_first;
  band->front.before_last = kept->before_last;
}

cla_status band_values_keep(live_band *band, cla_error *error) {
  const int64_t count = band->front.last - band->front.first + 3;
  void *arrays[BAND_KEPT_ARRAYS_MOST] = {NULL};
  const int kept_arrays = band_values_arrays(band, arrays);
  cla_status status =
      ALLOCATE_GROW(&band->kept.lines, &band->kept.capacity, band->kept.count + 1, "a band's lines", error);
  if (status != CLA_OK) return status;
  kept_line *kept = band->kept.lines + band->kept.count;
  *kept = (kept_line){.line = band->front.line,
                      .first = band->front.first,
                      .last = band->front.last,
                      .before_first = band->front.before_first,
                      .before_last = band->front.before_last,
                      .base = band->scale.base};
  if (band->part) {
    kept->end = band->part->end;
    band->part->end.score = INT64_MIN;
  }
  status =
      allocate_array(&kept->values, kept_arrays * count, band->scale.value_bytes, "a band's line", error);
  if (status != CLA_OK) return status;
  band->kept.count++;
  band->bytes += kept_arrays * count * band->scale.value_bytes;
  for (int i = 0; i < kept_arrays; i++)
    memcpy(value_at(band, kept->values, i * count), value_at(band, arrays[i], band->front.first - 1),
           (size_t)(count * band->scale.value_bytes));
  return CLA_OK;
}
