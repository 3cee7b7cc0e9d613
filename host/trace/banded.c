#include "trace/banded.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "bound/area_cross.h"
#include "dp/directions.h"
#include "trace/band_lines.h"

#define TICK_CELLS (INT64_C(1) << 23)

typedef struct banded {
  band_lines lines;
  uint8_t *directions; /* directions of a few lines, or of all lines */
  int64_t directions_count, directions_capacity;
  int64_t *places; /* places[k]: index in `directions` of row 0 of line from + k, which need not exist */
  int64_t places_capacity;
  bool directed; /* the sweep keeps directions */
  int64_t ticked;
  banded_result best;
} banded;

static void offer(banded *b, int64_t row) {
  const path_end node = {.score = band_lines_h(&b->lines, row), .row = row, .column = b->lines.line - row};
  if (path_end_is_better(node, b->best.end)) b->best.end = node;
}

/* Offers the line's nodes where a path may end. */
static void offer_ends(banded *b) {
  const path_ends *ends = &b->lines.in.problem.scheme.ends;
  const int64_t m = b->lines.in.problem.rows, n = b->lines.in.problem.columns;
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

static cla_status make_places(banded *b, int64_t lines, cla_error *error) {
  b->directions_count = 0;
  return allocate_grow((void **)&b->places, &b->places_capacity, lines + 1, sizeof *b->places,
                       "a band's directions", error);
}

/* The next line, with directions: those of lines behind line `from` follow each other. */
static cla_status direct_next(banded *b, int64_t from, cla_error *error) {
  const int64_t most = band_lines_last_row(&b->lines, b->lines.line + 1) -
                       band_lines_first_row(&b->lines, b->lines.line + 1) + 2 + BAND_LINE_ROOM;
  int64_t row = 0;
  cla_status status = allocate_grow((void **)&b->directions, &b->directions_capacity,
                                    b->directions_count + most, 1, "a band's directions", error);
  if (status != CLA_OK) return status;
  band_lines_next(&b->lines, b->directions + b->directions_count, &row);
  b->places[b->lines.line - from] = b->directions_count - row;
  b->directions_count += larger(smaller(b->lines.last, b->lines.line - 1) - row + 1, 0);
  return CLA_OK;
}

static cla_status next_line(banded *b, cla_error *error) {
  if (b->directed) return direct_next(b, 0, error);
  band_lines_next(&b->lines, NULL, NULL);
  return !b->lines.in.score_only && b->lines.line % b->lines.kept.interval == 0
             ? band_lines_keep(&b->lines, error)
             : CLA_OK;
}

static cla_status sweep(banded *b, cla_error *error) {
  const int64_t lines = b->lines.in.problem.rows + b->lines.in.problem.columns;
  cla_status status = b->directed ? make_places(b, lines, error) : CLA_OK;
  b->best.end.score = b->lines.in.problem.scheme.ends.anywhere ? 0 : INT64_MIN;
  offer_ends(b);
  while (status == CLA_OK && b->lines.line < lines) {
    status = next_line(b, error);
    offer_ends(b);
    if (status == CLA_OK) status = tick(b, error);
  }
  return status;
}

/* Computes the lines up to the place's from the last kept one above it, with directions. Sets that line. */
static cla_status fill_directions(banded *b, const trace_place *at, int64_t *from, cla_error *error) {
  const int64_t end = at->row + at->column;
  int64_t kept = b->lines.kept.count;
  while (kept > 0 && b->lines.kept.lines[kept - 1].line >= end) kept--;
  if (kept > 0)
    band_lines_go_back(&b->lines, b->lines.kept.lines + kept - 1);
  else
    band_lines_begin(&b->lines);
  *from = b->lines.line;
  cla_status status = make_places(b, end - *from, error);
  while (status == CLA_OK && b->lines.line < end) {
    status = direct_next(b, *from, error);
    if (status == CLA_OK) status = tick(b, error);
  }
  return status;
}

/* The rest of a path that has come to the matrix' border. */
static cla_status end_on_border(trace_place *at, const banded *b, path *steps, cla_error *error) {
  const bool free_end = at->row == 0 ? b->lines.in.problem.scheme.ends.target_start
                                     : b->lines.in.problem.scheme.ends.query_start;
  cla_status status = CLA_OK;
  if (!free_end || (at->row == 0 && at->column == 0)) {
    status = path_add(steps, CLA_RUN_QUERY, at->row, error);
    if (status == CLA_OK) status = path_add(steps, CLA_RUN_TARGET, at->column, error);
    at->row = at->column = 0;
  }
  at->started = true;
  return status;
}

/* The directions of the lines behind line `from`. */
typedef struct lines_view {
  const banded *b;
  int64_t from;
} lines_view;

static bool find_direction(uint8_t *out, const trace_place *at, void *user) {
  const lines_view *view = user;
  const int64_t line = at->row + at->column - view->from;
  if (at->row <= 0 || at->column <= 0 || line <= 0) return false;
  *out = view->b->directions[view->b->places[line] + at->row];
  return true;
}

static cla_status trace(banded *b, path *steps, cla_error *error) {
  trace_place at = {.row = b->best.end.row, .column = b->best.end.column};
  cla_status status = CLA_OK;
  while (status == CLA_OK && !at.started) {
    lines_view view = {.b = b};
    if (at.row > 0 && at.column > 0 && !b->directed) status = fill_directions(b, &at, &view.from, error);
    if (status == CLA_OK) status = directions_walk(&at, steps, find_direction, &view, error);
    if (status == CLA_OK && !at.started && (at.row == 0 || at.column == 0))
      status = end_on_border(&at, b, steps, error);
  }
  b->best.start_row = at.row;
  b->best.start_column = at.column;
  return status;
}

/* Whether all directions may be kept. Neither lines nor diagonals are more than they. */
static bool keeps_directions(const banded_input *in) {
  const int64_t lines = in->problem.rows + in->problem.columns;
  return !in->score_only && lines <= in->directions_most && in->band <= in->directions_most &&
         banded_cells(in) + lines * (BAND_LINE_ROOM + 2) <= in->directions_most;
}

cla_status banded_align(banded_result *out, path *steps, const banded_input *input, cla_error *error) {
  banded b = {0};
  const double began = machine_seconds();
  cla_status status = band_lines_make(&b.lines, input, error);
  const bool made = status == CLA_OK && b.lines.arrays.memory;
  b.directed = keeps_directions(input);
  if (made) status = sweep(&b, error);
  b.best.sweep_cells = b.lines.cells;
  b.best.sweep_seconds = machine_seconds() - began;
  const bool empty = input->problem.scheme.ends.floor && b.best.end.score == 0;
  if (made && status == CLA_OK && !input->score_only && !empty) status = trace(&b, steps, error);
  *out = b.best;
  out->cells = b.lines.cells;
  band_lines_free(&b.lines);
  free(b.directions);
  free(b.places);
  return status;
}

static cla_status tick_pair(void *user, int64_t cells, cla_error *error) {
  const bound_pair *pair = user;
  (void)cells;
  if (!bound_pair_stopped(pair)) return CLA_OK;
  return error_set(error, (cla_status)atomic_load(&pair->stop->status), "the search was stopped");
}

cla_status banded_cross(bound_path *way, int64_t *score, const bound_pair *pair, const bound_area *area,
                        int64_t band, cla_error *error) {
  bound_pair own = *pair;
  banded_result result;
  path steps = {0};
  const banded_input input = {
      .problem = {.query = pair->problem.query + area->query,
                  .target = pair->problem.target + area->target,
                  .rows = bound_area_rows(area),
                  .columns = bound_area_columns(area),
                  .scheme = {.scoring = pair->problem.scheme.scoring, .table = pair->problem.scheme.table}},
      .band = band,
      .memory_bytes = EXACT_SPACE_BYTES,
      .directions_most = EXACT_SPACE_BYTES / 8 * 7,
      .tick = tick_pair,
      .tick_user = &own};
  if (!banded_holds(&input)) return CLA_OK;
  cla_status status = banded_align(&result, &steps, &input, error);
  if (status == CLA_OK) *score = result.end.score;
  for (int64_t i = steps.count - 1; i >= 0 && status == CLA_OK; i--)
    status = bound_path_add(way, steps.runs[i].kind, steps.runs[i].length, error);
  path_free(&steps);
  return status;
}
