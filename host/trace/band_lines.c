#include "trace/band_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"

#define ROW_ARRAYS 8        /* 3 h, 2 f, e, floor, query */
#define VALUE_ARRAYS_MOST 9 /* h, f, e and, with two pieces of gap costs, 2 f2, e2 */
#define KEPT_ARRAYS_MOST 6
#define LINES_BETWEEN_MOVES 4096

/* Stored values: H, E and F less M for each row down, less a base. Values of paths lie within LIVE of the
 * base. DEAD stands for values that no path has. */
#define LIVE (1 << 28)
#define DEAD (-(1 << 30))

int64_t band_lines_first_row(const band_lines *b, int64_t line) {
  const int64_t in_band = line > b->high ? (line - b->high + 1) / 2 : 0;
  return larger(in_band, larger(line - b->in.problem.columns, 0));
}

int64_t band_lines_last_row(const band_lines *b, int64_t line) {
  return smaller((line - b->low) / 2, smaller(b->in.problem.rows, line));
}

static int32_t stored(const band_lines *b, int64_t row, int64_t value) {
  const int64_t x = value - b->match * row - b->base;
  return x > DEAD / 2 ? (int32_t)x : DEAD;
}

int64_t band_lines_h(const band_lines *b, int64_t row) {
  return b->arrays.h[b->line % 3][row - b->offset] + b->match * row + b->base;
}

void band_lines_free(band_lines *b) {
  for (int64_t i = 0; i < b->kept.count; i++) free(b->kept.lines[i].values);
  free(b->kept.lines);
  free(b->scores);
  free(b->arrays.memory);
}

/* The arrays whose values go on from line to line; returns how many there are. */
static int value_arrays(const band_lines *b, int32_t *arrays[VALUE_ARRAYS_MOST]) {
  for (int i = 0; i < 3; i++) arrays[i] = b->arrays.h[i];
  for (int i = 0; i < 2; i++) arrays[3 + i] = b->arrays.f[i];
  arrays[5] = b->arrays.e;
  for (int i = 0; i < 2; i++) arrays[6 + i] = b->arrays.f2[i];
  arrays[8] = b->arrays.e2;
  return b->two ? VALUE_ARRAYS_MOST : 6;
}

/* The arrays of the line that is kept; returns how many there are. */
static int kept_arrays(const band_lines *b, int32_t *arrays[KEPT_ARRAYS_MOST]) {
  arrays[0] = b->arrays.h[b->line % 3];
  arrays[1] = b->arrays.h[(b->line + 2) % 3];
  arrays[2] = b->arrays.e;
  arrays[3] = b->arrays.f[b->line % 2];
  arrays[4] = b->arrays.e2;
  arrays[5] = b->arrays.f2[b->line % 2];
  return b->two ? KEPT_ARRAYS_MOST : 4;
}

/* Fills the letters and the floor for the rows and columns up to the next move. */
static void fill_letters(band_lines *b) {
  const banded_input *in = &b->in;
  for (int64_t x = 0; x < b->span; x++) {
    const int64_t row = b->offset + x, column = b->target_end - x;
    b->arrays.floor[x] = in->problem.scheme.ends.floor ? stored(b, row, 0) : DEAD;
    b->arrays.query[x] = row >= 1 && row <= in->problem.rows
                             ? band_letter(in->problem.query[row - 1], true, b->scores != NULL)
                             : 0;
    b->arrays.target[x] = column >= 1 && column <= in->problem.columns
                              ? band_letter(in->problem.target[column - 1], false, b->scores != NULL)
                              : 0;
  }
}

/* Puts the arrays' begin to the line's first rows and the base to its largest value. */
static void move_arrays(band_lines *b) {
  const int64_t from = band_lines_first_row(b, larger(b->line - 1, 0)) - 1;
  const int64_t by = from - b->offset, count = larger(b->last, b->first) + 2 - from;
  int32_t *arrays[VALUE_ARRAYS_MOST], most = DEAD;
  const int values = value_arrays(b, arrays);
  for (int64_t row = b->first; row <= b->last; row++) {
    const int32_t h = b->arrays.h[b->line % 3][row - b->offset];
    if (h > most) most = h;
  }
  if (most <= DEAD / 2) most = 0; /* a line without a node */
  for (int i = 0; i < values; i++) {
    memmove(arrays[i], arrays[i] + by, (size_t)count * sizeof *arrays[i]);
    for (int64_t x = 0; x < count; x++) arrays[i][x] = arrays[i][x] > DEAD / 2 ? arrays[i][x] - most : DEAD;
  }
  b->offset = from;
  b->base += most;
  b->moved = b->line;
  b->target_end = b->line - from + b->between + BAND_LINE_ROOM;
  fill_letters(b);
}

void band_lines_begin(band_lines *b) {
  int32_t *arrays[VALUE_ARRAYS_MOST];
  const int values = value_arrays(b, arrays);
  for (int i = 0; i < values; i++)
    for (int x = 0; x < 4; x++) arrays[i][x] = DEAD;
  b->offset = -1;
  b->base = b->line = b->first = b->last = 0;
  b->arrays.h[0][1] = 0;
  move_arrays(b);
}

static int64_t lowest_diagonal(const banded_input *in) {
  return smaller(0, in->problem.columns - in->problem.rows) - in->band;
}

static int64_t highest_diagonal(const banded_input *in) {
  return larger(0, in->problem.columns - in->problem.rows) + in->band;
}

int64_t banded_cells(const banded_input *in) {
  return in->problem.rows * smaller(highest_diagonal(in) - lowest_diagonal(in) + 1, in->problem.columns);
}

/* Rows of a line. */
static int64_t line_rows(const banded_input *in) {
  const int64_t shorter = smaller(in->problem.rows, in->problem.columns);
  return smaller((highest_diagonal(in) - lowest_diagonal(in)) / 2 + 2, shorter + 1);
}

/* Two gaps cannot replace a pair if one of their nodes is outside the band. So pairs count with their scores,
 * however low. */
bool banded_holds(const banded_input *in) {
  const cla_scoring *scoring = in->problem.scheme.scoring;
  const score_table *table = in->problem.scheme.table;
  const int64_t steps = 2 * (line_rows(in) + LINES_BETWEEN_MOVES), least = -smaller(table->minimum, 0);
  return steps * (2 * band_match(table) + scoring->gap_ext + least) + 8 * gap_most_first(scoring) < LIVE;
}

cla_status band_lines_make(band_lines *b, const banded_input *in, cla_error *error) {
  const cla_scoring *scoring = in->problem.scheme.scoring;
  *b = (band_lines){.in = *in, .match = band_match(in->problem.scheme.table), .two = gap_two_pieces(scoring)};
  b->low = lowest_diagonal(in);
  b->high = highest_diagonal(in);
  const int64_t rows = line_rows(in);
  if (!banded_holds(in))
    return error_set(
        error, CLA_ERROR_OPTION,
        "the scores are too large for a band of %lld diagonals on either side: use a narrower one, lower "
        "scores, or no --band",
        (long long)in->band);
  const int64_t lines = in->problem.rows + in->problem.columns + 1;
  b->kept.interval = (int64_t)ceil(sqrt((double)lines * 16)) + 1;
  b->between = smaller(LINES_BETWEEN_MOVES, lines);
  b->span = rows + b->between + 2 * BAND_LINE_ROOM;
  const int64_t row_arrays = ROW_ARRAYS + (b->two ? 3 : 0), kept = b->two ? KEPT_ARRAYS_MOST : 4;
  const int64_t bytes =
      ((row_arrays + 1) * b->span + (in->score_only ? 0 : lines / b->kept.interval * kept * rows)) * 4 +
      (in->score_only ? 0 : b->kept.interval * (rows + BAND_LINE_ROOM));
  if (bytes > in->memory_bytes)
    return error_set(
        error, CLA_ERROR_MEMORY,
        "a band of %lld diagonals on either side needs %lld MiB of memory, more than the budget; raise "
        "--memory or narrow the band",
        (long long)in->band, (long long)((bytes >> 20) + 1));
  const bool by_table = in->problem.scheme.table->needs_lookup;
  cla_status status =
      by_table ? band_scores_make(&b->scores, in->problem.scheme.table, -CLA_SCORE_LIMIT, b->match, error)
               : CLA_OK;
  if (status == CLA_OK)
    status = allocate_array((void **)&b->arrays.memory, (row_arrays + 1) * (b->span + 2 * BAND_LINE_ROOM),
                            sizeof *b->arrays.memory, "a band's lines", error);
  if (status != CLA_OK) return status;
  b->costs = band_costs_of(in->problem.scheme.table, scoring, -CLA_SCORE_LIMIT, b->match);
  b->costs.pairs = by_table ? BAND_PAIRS_TABLE : BAND_PAIRS_EQUAL;
  int32_t **arrays[] = {&b->arrays.h[0],   &b->arrays.h[1],  &b->arrays.h[2],  &b->arrays.f[0],
                        &b->arrays.f[1],   &b->arrays.e,     &b->arrays.floor, &b->arrays.query,
                        &b->arrays.target, &b->arrays.f2[0], &b->arrays.f2[1], &b->arrays.e2};
  for (int64_t i = 0; i <= row_arrays; i++)
    *arrays[i] = b->arrays.memory + i * (b->span + 2 * BAND_LINE_ROOM) + BAND_LINE_ROOM;
  band_lines_begin(b);
  return CLA_OK;
}

/* No gap of the second piece is open in the row's cell of the line. */
static void put_dead2(const band_lines *b, int64_t row) {
  if (b->two) b->arrays.e2[row - b->offset] = b->arrays.f2[b->line % 2][row - b->offset] = DEAD;
}

void band_lines_next(band_lines *b, uint8_t *directions, int64_t *row) {
  if (b->line - b->moved == b->between) move_arrays(b);
  const int64_t s = ++b->line;
  b->first = band_lines_first_row(b, s);
  b->last = band_lines_last_row(b, s);
  const int64_t first = larger(b->first, 1), last = smaller(b->last, s - 1), x = first - b->offset;
  int32_t *h = b->arrays.h[s % 3] - b->offset, *f = b->arrays.f[s % 2] - b->offset,
          *e = b->arrays.e - b->offset;
  const band_line line = {.h = b->arrays.h[s % 3] + x,
                          .before = b->arrays.h[(s + 2) % 3] + x,
                          .before_2 = b->arrays.h[(s + 1) % 3] + x,
                          .e = b->arrays.e + x,
                          .f = b->arrays.f[s % 2] + x,
                          .f_before = b->arrays.f[(s + 1) % 2] + x,
                          .e2 = b->two ? b->arrays.e2 + x : NULL,
                          .f2 = b->two ? b->arrays.f2[s % 2] + x : NULL,
                          .f2_before = b->two ? b->arrays.f2[(s + 1) % 2] + x : NULL,
                          .floor = b->arrays.floor + x,
                          .query = b->arrays.query + x,
                          .target = b->arrays.target + (b->target_end - (s - first)),
                          .scores = b->scores,
                          .directions = directions,
                          .count = last - first + 1};
  if (line.count > 0) band_line_compute(&line, &b->costs);
  if (row) *row = first;
  if (line.count > 0) b->cells += line.count;
  if (b->first == 0) {
    h[0] = stored(b, 0, path_ends_top_h(&b->in.problem.scheme.ends, b->in.problem.scheme.scoring, s));
    e[0] = f[0] = DEAD;
    put_dead2(b, 0);
  }
  if (b->last == s) {
    h[s] = stored(b, s, path_ends_left_h(&b->in.problem.scheme.ends, b->in.problem.scheme.scoring, s));
    e[s] = f[s] = DEAD;
    put_dead2(b, s);
  }
  h[b->first - 1] = h[b->last + 1] = DEAD;
  f[b->first - 1] = f[b->last + 1] = DEAD;
  e[b->first - 1] = e[b->last + 1] = DEAD;
  put_dead2(b, b->first - 1);
  put_dead2(b, b->last + 1);
}

int64_t band_lines_largest_row(const band_lines *b) {
  const int32_t *h = b->arrays.h[b->line % 3] + (b->first - b->offset), match = (int32_t)b->match;
  const int64_t count = b->last - b->first + 1;
  int32_t most = DEAD;
  for (int64_t x = 0; x < count; x++) {
    const int32_t here = h[x] + match * (int32_t)x;
    most = here > most ? here : most;
  }
  int64_t at = 0;
  while (h[at] + match * (int32_t)at != most) at++;
  return b->first + at;
}

cla_status band_lines_keep(band_lines *b, cla_error *error) {
  cla_status status = allocate_grow((void **)&b->kept.lines, &b->kept.capacity, b->kept.count + 1,
                                    sizeof *b->kept.lines, "a band's lines", error);
  if (status != CLA_OK) return status;
  const int64_t first = band_lines_first_row(b, b->line - 1) - 1,
                count = larger(b->last, b->first) + 2 - first;
  band_kept *kept = b->kept.lines + b->kept.count;
  *kept = (band_kept){.line = b->line, .first = first, .count = count, .base = b->base};
  int32_t *arrays[KEPT_ARRAYS_MOST];
  const int values = kept_arrays(b, arrays);
  status =
      allocate_array((void **)&kept->values, values * count, sizeof *kept->values, "a band's line", error);
  if (status != CLA_OK) return status;
  b->kept.count++;
  for (int i = 0; i < values; i++)
    memcpy(kept->values + i * count, arrays[i] + (first - b->offset), (size_t)count * sizeof **arrays);
  return CLA_OK;
}

void band_lines_go_back(band_lines *b, const band_kept *kept) {
  b->line = kept->line;
  b->first = band_lines_first_row(b, b->line);
  b->last = band_lines_last_row(b, b->line);
  b->offset = kept->first;
  b->base = kept->base;
  int32_t *arrays[VALUE_ARRAYS_MOST], *lines[KEPT_ARRAYS_MOST];
  const int values = value_arrays(b, arrays), of_line = kept_arrays(b, lines);
  for (int i = 0; i < values; i++)
    for (int64_t x = 0; x < kept->count; x++) arrays[i][x] = DEAD;
  for (int i = 0; i < of_line; i++)
    memcpy(lines[i], kept->values + i * kept->count, (size_t)kept->count * sizeof *lines[i]);
  move_arrays(b);
}
