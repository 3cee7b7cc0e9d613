#include "trace/live_band.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "trace/live_band_internal.h"

/* Minimum number of lines between kept lines. With fewer, obtaining memory would take longer than computing
 * lines again. */
#define KEPT_LINES_APART 128
/* The kept lines get about 1 / KEPT_LINES_SHARE of the memory. */
#define KEPT_LINES_SHARE 2
#define LINES_BETWEEN_TICKS 1024

int64_t live_band_border(const band_goals *goals, int64_t row, const path_ends *ends) {
  int64_t drop = row_worth_to(goals->worth, goals->row);
  for (int64_t i = goals->row; ends->query_start && i > row; drop -= row_worth_at(goals->worth, i--))
    if (-drop >= band_goals_least(goals, -i)) return i;
  return -1;
}

/* Finds the first and last live column of the upper row. Returns false if no column is alive. */
static bool find_top(int64_t *first, int64_t *last, const live_band_input *input, const band_goals *goals) {
  const int64_t drop = row_worth_to(input->worth, input->row);
  *first = *last = -1;
  for (int64_t column = input->column; column <= goals->last_column; column++) {
    const int64_t x = input->top.h[column - input->column] - drop;
    if (x < band_goals_least(goals, column - input->row)) continue;
    *last = column - input->column;
    if (*first < 0) *first = *last;
  }
  if (input->column > 0 || live_band_border(goals, input->row, &input->problem->scheme.ends) < 0)
    return *first >= 0;
  *first = 0;
  if (*last < 0) *last = 0;
  return true;
}

bool live_band_look(live_band_input *input, const band_goals *goals) {
  live_band_extent *extent = &input->extent;
  *extent = (live_band_extent){0};
  if (!find_top(&extent->first, &extent->last, input, goals)) return false;
  band_values_look(input, goals);
  return true;
}

/* True if the cell of line `line` in row `row`, counted from the corner, is dead. `values` contains H of the
 * line. */
static bool is_dead(const live_band *band, const band_goals *goals, const void *values, int64_t line,
                    int64_t row) {
  const int64_t diagonal = band->in.column - band->in.row + line - 2 * row;
  const int64_t stored = value_get(band, values, row);
  const int64_t x = stored + band->scale.base_x - band->scale.row_excess[row];
  if (x < band_goals_least(goals, diagonal)) return true;
  const int64_t below = band->in.row + row;
  const int64_t spare = band->part ? band->part->spare : 0;
  return goals->potential &&
         potential_excludes(goals->potential, below, diagonal + below,
                            stored + band->scale.row_step * below + band->scale.base + spare);
}

static bool before_is_dead(const live_band *band, const band_goals *goals, int64_t row) {
  return row < band->front.before_first || row > band->front.before_last ||
         is_dead(band, goals, band->arrays.h[(band->front.line + 2) % 3], band->front.line - 1, row);
}

/* True if the current line's cell in `row` and the previous line's cell in `row_before` are both dead.
 * Removing `row` also removes a cell of the next line. A diagonal step from the previous line's cell leads
 * to it, so the previous line's cell must be dead, too. */
static bool row_is_dead(const live_band *band, const band_goals *goals, int64_t row, int64_t row_before) {
  return is_dead(band, goals, band->arrays.h[band->front.line % 3], band->front.line, row) &&
         before_is_dead(band, goals, row_before);
}

bool band_leave_dead_out(live_band *band, const band_goals *goals) {
  const bool from_left = band->front.line <= band->border_last, from_above = band->front.first == 0;
  while (!from_left && band->front.last >= band->front.first + from_above &&
         row_is_dead(band, goals, band->front.last, band->front.last))
    band->front.last--;
  while (!from_above && band->front.first <= band->front.last - from_left &&
         row_is_dead(band, goals, band->front.first, band->front.first - 1))
    band->front.first++;
  return band->front.first <= band->front.last || !before_is_dead(band, goals, band->front.last);
}

static void note_end(live_band *band, int64_t row) {
  if (row < band->front.first || row > band->front.last) return;
  const int64_t stored = value_get(band, band->arrays.h[band->front.line % 3], row);
  const int64_t in_matrix = band->in.row + row;
  if (stored <= band->scale.lowest) return; /* a dead cell */
  const path_end node = {.score = stored + band->scale.row_step * in_matrix + band->scale.base,
                         .row = in_matrix,
                         .column = band->in.column + band->front.line - row};
  if (path_end_is_better(node, band->part->end)) band->part->end = node;
}

/* Finds the largest live H in the rows `first` to `last`. Returns the first row with that H and sets *h to
 * the H; negative: all cells are dead. */
static int64_t largest_row(int64_t *h, const live_band *band, const void *values, int64_t first,
                           int64_t last) {
  const int64_t step = band->scale.row_step;
  int64_t found = -1;
  *h = INT64_MIN / 4;
  for (int64_t row = first; row <= last; row++) {
    const int64_t stored = value_get(band, values, row), here = stored + step * row;
    if (here <= *h || stored <= band->scale.lowest) continue;
    *h = here;
    found = row;
  }
  *h += step * band->in.row + band->scale.base;
  return found;
}

/* For paths that may end anywhere: replaces the best end by the line's best end, if that is better. Within
 * two lines, a path's score rises by at most the score of a match. So lines are skipped on which no path
 * can have the least score that matters. */
static void note_end_anywhere(live_band *band) {
  band_part *part = band->part;
  const band_front *front = &band->front;
  const int64_t line = front->line, match = band->scale.row_step;
  int64_t h, before;
  if (line <= part->quiet) return;
  const int64_t row = largest_row(&h, band, band->arrays.h[line % 3], front->first, front->last);
  largest_row(&before, band, band->arrays.h[(line + 2) % 3], front->before_first, front->before_last);
  if (row >= 0) note_end(band, row);
  const int64_t missing = part->least_score - part->spare - larger(larger(h, before), 0);
  if (missing > 0 && match > 0) part->quiet = line + 2 * ((missing - 1) / match);
}

/* Replaces the best end by a node of the line, if a path may end in that node and the node is better. */
static void note_ends(live_band *band) {
  const path_ends *ends = &band->in.problem->scheme.ends;
  const int64_t rows = band->in.problem->rows - band->in.row,
                columns = band->in.problem->columns - band->in.column, line = band->front.line;
  if (ends->anywhere) {
    note_end_anywhere(band);
    return;
  }
  if (line == rows + columns || ends->target_end) note_end(band, rows);
  if (ends->query_end && line >= columns) note_end(band, line - columns);
}

/* True if no path may end in the lines after the current one, up to `line`. */
static bool is_quiet_to(const live_band *band, int64_t line) {
  const path_ends *ends = &band->in.problem->scheme.ends;
  if (!band->part) return true;
  if (ends->anywhere) return line <= band->part->quiet;
  return !ends->target_end && !ends->query_end && line < band->rows + band->columns;
}

/* Computes the next line. If the next lines are wide, and no path may end in them, computes all lines up to
 * the next trim. */
static bool go_further(live_band *band, int64_t end) {
  const int64_t counted = band->front.line + band->kept.shift, look = band->front.line + LINES_BETWEEN_LOOKS;
  if (counted % LINES_BETWEEN_LOOKS == 0 && look <= end && is_quiet_to(band, look) && band_is_wide(band))
    return band_next_lines(band);
  if (!band_next_line(band, band->rows, band->columns, NULL)) return false;
  if (band->part) note_ends(band);
  return true;
}

cla_status live_band_go_on(live_band_outcome *outcome, live_band *band, int64_t end, cla_error *error) {
  *outcome = LIVE_BAND_EMPTY;
  while (band->front.line < end) {
    if (!go_further(band, end)) return CLA_OK;
    const int64_t counted = band->front.line + band->kept.shift;
    if (counted % LINES_BETWEEN_LOOKS != 0) continue;
    cla_status status = CLA_OK;
    if (band->part && band->part->tick && counted % LINES_BETWEEN_TICKS == 0)
      status = band->part->tick(band->part->tick_user, band->cells, error);
    if (status != CLA_OK) return status;
    if (!band_leave_dead_out(band, &band->goals)) return CLA_OK;
    if (counted % band->kept.interval != 0) continue;
    if (band->cells > band->in.cells_limit || band->bytes > band->in.bytes_limit) {
      *outcome = LIVE_BAND_TOO_LARGE;
      return CLA_OK;
    }
    if (band->in.cancel && atomic_load_explicit(band->in.cancel, memory_order_relaxed)) {
      *outcome = LIVE_BAND_CANCELLED;
      return CLA_OK;
    }
    status = band_values_keep(band, error);
    if (status != CLA_OK) return status;
  }
  *outcome = LIVE_BAND_READY;
  return CLA_OK;
}

/* Chooses the interval of kept lines so that these fit into their share of the memory. The band is assumed
 * to be a trapezoid. */
static int64_t choose_interval(const live_band *band) {
  int64_t interval = band->in.line_interval;
  if (interval == 0) {
    const int64_t goals = band->goals.last_column - band->goals.first_column;
    const int64_t cells = band->rows * (band->in.extent.last - band->in.extent.first + goals + 1) / 2;
    const int64_t room = (band->in.bytes_limit - band->bytes) / KEPT_LINES_SHARE;
    interval = cells / (room / (band_kept_arrays(band) * band->scale.value_bytes) + 1);
    if (interval < KEPT_LINES_APART) interval = KEPT_LINES_APART;
  }
  return (interval + LINES_BETWEEN_LOOKS - 1) / LINES_BETWEEN_LOOKS * LINES_BETWEEN_LOOKS;
}

cla_status live_band_create(live_band **out, live_band_outcome *outcome, const live_band_input *input,
                            const band_goals *goals, cla_error *error) {
  live_band *band = NULL;
  bool fits = false;
  *out = NULL;
  *outcome = LIVE_BAND_TOO_LARGE;
  const int64_t rows = goals->row - input->row, columns = goals->last_column - input->column;
  if (live_band_bytes(rows, columns, &input->problem->scheme) > input->bytes_limit) return CLA_OK;
  cla_status status = ALLOCATE_ZEROS(&band, 1, "a band", error);
  if (status != CLA_OK) return status;
  band->in = *input;
  band->goals = *goals;
  band->rows = rows;
  band->columns = columns;
  band->scale.row_step = input->worth->mean;
  band->bytes = live_band_bytes(rows, columns, &input->problem->scheme);
  band->border_last = input->column == 0
                          ? live_band_border(goals, input->row, &input->problem->scheme.ends) - input->row
                          : -1;
  status = band_values_make(&fits, band, error);
  if (status == CLA_OK && fits) {
    band->kept.interval = choose_interval(band);
    band_values_begin(band);
    status = live_band_go_on(outcome, band, rows + columns, error);
  }
  if (status == CLA_OK && *outcome == LIVE_BAND_READY)
    *out = band;
  else
    live_band_free(band);
  return status;
}

void live_band_free(live_band *band) {
  if (!band) return;
  band_values_free(band);
  free(band);
}

int64_t live_band_cells(const live_band *band) {
  return band->cells;
}

/* Computes the lines from the front to the node's line, with directions. *outcome is LIVE_BAND_EMPTY if the
 * node's value is not reproduced. */
static cla_status fill_directions(live_band *band, const band_node *node, live_band_outcome *outcome,
                                  cla_error *error) {
  const bool fixed = band->edges.fixed;
  const int64_t row = node->row - band->in.row, column = node->column - band->in.column;
  band_goals goal;
  band_goals_set_node(&goal, node, band->in.worth, band->in.problem->scheme.scoring);
  band->directions.from = band->front.line;
  band->directions.count = 0;
  *outcome = LIVE_BAND_EMPTY;
  bool alive = fixed || band_leave_dead_out(band, &goal);
  while (alive && band->front.line < row + column) {
    bool there;
    if (band->bytes + band->directions.count * (int64_t)sizeof(cell_direction) > band->in.bytes_limit) {
      *outcome = LIVE_BAND_TOO_LARGE;
      return CLA_OK;
    }
    cla_status status = fixed ? band_directed_line(&there, band, band->rows, band->columns, error)
                              : band_directed_line(&there, band, row, column, error);
    if (!there) return status;
    if (!fixed && band->front.line % LINES_BETWEEN_LOOKS == 0) alive = band_leave_dead_out(band, &goal);
  }
  if (row < band->front.first || row > band->front.last) return CLA_OK;
  const int piece = trace_piece(node->state);
  const void *values = trace_across(node->state) ? band->arrays.e[piece]
                       : trace_down(node->state) ? band->arrays.f[piece][band->front.line % 2]
                                                 : band->arrays.h[band->front.line % 3];
  if (value_get(band, values, row) == node->value - band->scale.row_step * node->row - band->scale.base)
    *outcome = LIVE_BAND_READY;
  return CLA_OK;
}

/* A walk back to the first line with directions, or to the line before it. */
typedef struct band_walk {
  const live_band *band;
  bool lost; /* the walk has reached a node without a direction */
} band_walk;

/* True if a walk ends when it reaches the band's column 0. */
static bool ends_on_border(const live_band *band) {
  return band->edges.fixed || (!band->in.problem->scheme.ends.floor && band->in.column == 0);
}

static bool find_direction(cell_direction *out, const trace_place *at, void *user) {
  band_walk *walk = user;
  const live_band *band = walk->band;
  if (at->row <= 0 || at->row + at->column <= band->directions.from) return false;
  if (at->column == 0 && ends_on_border(band)) return false;
  const line_place *place = band->directions.places + at->row + at->column - band->directions.from;
  walk->lost = at->column < 0 || at->row < place->first || at->row > place->last;
  if (!walk->lost) *out = band->directions.codes[place->offset + at->row - place->first];
  return !walk->lost;
}

static cla_status contradiction(const band_node *node, cla_error *error) {
  return error_set(
      error, CLA_ERROR_DEVICE,
      "wrong value: the sweep or a block gave %lld at (%lld, %lld), which a band of the traceback "
      "does not give; " WRONG_VALUE_REMEDY,
      (long long)node->value, (long long)node->row, (long long)node->column);
}

/* Returns the value at a place on the kept line `kept`, on the line before it, or on the upper row. */
static int64_t value_of_place(const live_band *band, const kept_line *kept, const trace_place *at) {
  const int piece = trace_piece(at->state);
  if (at->row == 0)
    return trace_down(at->state)
               ? band->in.top.f[piece][at->column] + band->in.problem->scheme.scoring->gap[piece].ext
               : band->in.top.h[at->column];
  const int64_t count = kept->last - kept->first + 3, index = at->row - kept->first + 1;
  const int array = at->row + at->column < kept->line ? 1
                    : at->state == STATE_H            ? 0
                                                      : 2 + 2 * piece + trace_down(at->state);
  return value_get(band, kept->values, array * count + index) +
         band->scale.row_step * (band->in.row + at->row) + kept->base;
}

/* Returns the last kept line before line `line`; NULL if there is none. */
static const kept_line *last_kept_before(const live_band *band, int64_t line) {
  int64_t count = 0, end = band->kept.count;
  while (count < end) {
    const int64_t middle = count + (end - count) / 2;
    if (band->kept.lines[middle].line < line)
      count = middle + 1;
    else
      end = middle;
  }
  return count > 0 ? &band->kept.lines[count - 1] : NULL;
}

cla_status live_band_trace(band_node *node, bool *ended, path *into, live_band_outcome *outcome,
                           live_band *band, cla_error *error) {
  trace_place at = {
      .row = node->row - band->in.row, .column = node->column - band->in.column, .state = node->state};
  const kept_line *kept = last_kept_before(band, at.row + at.column);
  band_walk walk = {.band = band};
  cla_status status = CLA_OK;
  *outcome = LIVE_BAND_READY;
  if (kept && band->edges.fixed)
    band_values_go_back(band, kept, band->rows, band->columns);
  else if (kept)
    band_values_go_back(band, kept, at.row, at.column);
  else if (!band->directed)
    band_values_begin(band);
  if (!band->directed) status = fill_directions(band, node, outcome, error);
  if (status != CLA_OK || *outcome == LIVE_BAND_TOO_LARGE) return status;
  if (*outcome != LIVE_BAND_READY) return contradiction(node, error);
  status = directions_walk(&at, into, find_direction, &walk, error);
  if (status != CLA_OK) return status;
  const bool border = ends_on_border(band) && at.column == 0;
  *ended = at.started || at.row == 0 || border;
  if (walk.lost || (!*ended && (!kept || at.row < kept->first - 1 || at.row > kept->last + 1)))
    return contradiction(node, error);
  *node = (band_node){.row = band->in.row + at.row, .column = band->in.column + at.column, .state = at.state};
  if (!at.started && (at.row == 0 || !border)) node->value = value_of_place(band, kept, &at);
  if (at.started) node->state = STATE_H;
  return status;
}

cla_status live_band_finish(band_node *node, path *into, const path_ends *ends, cla_error *error) {
  const bool starts = (ends->target_start && node->row == 0) || (ends->query_start && node->column == 0);
  if (ends->floor || (starts && node->state == STATE_H)) return CLA_OK;
  cla_status status = path_add(into, CLA_RUN_QUERY, node->row, error);
  if (status == CLA_OK) status = path_add(into, CLA_RUN_TARGET, node->column, error);
  node->row = node->column = 0;
  return status;
}
