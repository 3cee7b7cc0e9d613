#include "trace/banded.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "trace/band_lines.h"
#include "trace/band_step.h"

#define TICK_CELLS (INT64_C(1) << 23)

typedef struct banded {
  band_lines lines;
  uint8_t *directions; /* of a few lines */
  int64_t directions_count, directions_capacity;
  int64_t *places; /* of line from + k: where its row 0 would be */
  int64_t places_capacity;
  int64_t ticked;
  banded_result best;
} banded;

static void offer(banded *b, int64_t row) {
  const int64_t column = b->lines.line - row, value = band_lines_h(&b->lines, row);
  banded_result *best = &b->best;
  if (value < best->score) return;
  if (value == best->score && (row > best->row || (row == best->row && column >= best->column))) return;
  best->score = value;
  best->row = row;
  best->column = column;
}

/* Offers the line's nodes where a path may end. */
static void offer_ends(banded *b) {
  const path_ends *ends = &b->lines.in.ends;
  const int64_t m = b->lines.in.rows, n = b->lines.in.columns;
  if (b->lines.first > b->lines.last) return;
  if (ends->anywhere) {
    offer(b, band_lines_largest_row(&b->lines));
    return;
  }
  const int64_t row_at_end = b->lines.line - n; /* of the last column */
  const bool in_last_row = b->lines.last == m,
             in_last_column = row_at_end >= b->lines.first && row_at_end <= b->lines.last;
  if (in_last_column && (ends->query_end || row_at_end == m)) offer(b, row_at_end);
  if (in_last_row && (ends->target_end || b->lines.line - m == n)) offer(b, m);
}

static cla_status tick(banded *b, cla_error *error) {
  if (!b->lines.in.tick || b->lines.cells - b->ticked < TICK_CELLS) return CLA_OK;
  b->ticked = b->lines.cells;
  return b->lines.in.tick(b->lines.in.tick_user, b->lines.cells, error);
}

static cla_status sweep(banded *b, cla_error *error) {
  const int64_t lines = b->lines.in.rows + b->lines.in.columns;
  cla_status status = CLA_OK;
  b->best.score = b->lines.in.ends.anywhere ? 0 : INT64_MIN;
  offer_ends(b);
  while (status == CLA_OK && b->lines.line < lines) {
    band_lines_next(&b->lines, NULL, NULL);
    offer_ends(b);
    if (!b->lines.in.score_only && b->lines.line % b->lines.interval == 0)
      status = band_lines_keep(&b->lines, error);
    if (status == CLA_OK) status = tick(b, error);
  }
  return status;
}

/* Computes the lines up to the place's from the last kept one above it, with directions. Sets that line. */
static cla_status fill_directions(banded *b, const band_place *at, int64_t *from, cla_error *error) {
  const int64_t end = at->row + at->column;
  int64_t kept = b->lines.kept_count;
  while (kept > 0 && b->lines.kept[kept - 1].line >= end) kept--;
  if (kept > 0)
    band_lines_go_back(&b->lines, b->lines.kept + kept - 1);
  else
    band_lines_begin(&b->lines);
  *from = b->lines.line;
  b->directions_count = 0;
  cla_status status = allocate_grow((void **)&b->places, &b->places_capacity, end - *from + 1,
                                    sizeof *b->places, "a band's directions", error);
  while (status == CLA_OK && b->lines.line < end) {
    const int64_t most = band_lines_last_row(&b->lines, b->lines.line + 1) -
                         band_lines_first_row(&b->lines, b->lines.line + 1) + 2 + BAND_LINE_ROOM;
    int64_t row = 0;
    status = allocate_grow((void **)&b->directions, &b->directions_capacity, b->directions_count + most, 1,
                           "a band's directions", error);
    if (status != CLA_OK) break;
    band_lines_next(&b->lines, b->directions + b->directions_count, &row);
    b->places[b->lines.line - *from] = b->directions_count - row;
    b->directions_count += larger(smaller(b->lines.last, b->lines.line - 1) - row + 1, 0);
    status = tick(b, error);
  }
  return status;
}

/* The rest of a path that has come to the matrix' border. */
static cla_status end_on_border(band_place *at, const banded *b, path *steps, cla_error *error) {
  const bool free_end = at->row == 0 ? b->lines.in.ends.target_start : b->lines.in.ends.query_start;
  cla_status status = CLA_OK;
  if (!free_end || (at->row == 0 && at->column == 0)) {
    status = path_add(steps, CLA_RUN_QUERY, at->row, error);
    if (status == CLA_OK) status = path_add(steps, CLA_RUN_TARGET, at->column, error);
    at->row = at->column = 0;
  }
  at->started = true;
  return status;
}

static cla_status trace(banded *b, path *steps, cla_error *error) {
  band_place at = {.row = b->best.row, .column = b->best.column, .state = BAND_H};
  cla_status status = CLA_OK;
  while (status == CLA_OK && !at.started) {
    int64_t from = 0;
    if (at.row > 0 && at.column > 0) status = fill_directions(b, &at, &from, error);
    while (status == CLA_OK && !at.started && at.row > 0 && at.column > 0 && at.row + at.column > from)
      status = band_step(&at, b->directions[b->places[at.row + at.column - from] + at.row], steps, error);
    if (status == CLA_OK && !at.started && (at.row == 0 || at.column == 0))
      status = end_on_border(&at, b, steps, error);
  }
  b->best.start_row = at.row;
  b->best.start_column = at.column;
  return status;
}

cla_status banded_align(banded_result *out, path *steps, const banded_input *input, cla_error *error) {
  banded b = {0};
  cla_status status = band_lines_make(&b.lines, input, error);
  const bool made =
      status == CLA_OK && b.lines.memory && b.lines.plain; /* the latter for clang-tidy: they are if it is */
  if (made) status = sweep(&b, error);
  const bool empty = input->ends.floor && b.best.score == 0;
  if (made && status == CLA_OK && !input->score_only && !empty) status = trace(&b, steps, error);
  *out = b.best;
  out->cells = b.lines.cells;
  band_lines_free(&b.lines);
  free(b.directions);
  free(b.places);
  return status;
}
