#include "trace/band_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"

/* A block's sequences count as dissimilar if the band that leads to a few goals is wider than rows /
 * WIDTH_SHARE. Measured widths: 0.17 of the rows at 15 % divergence, 2.1 between random sequences, 0.9
 * between random proteins whose gaps cost 11 per letter. */
#define WIDTH_SHARE 2
/* Bands of up to this number of cells are always computed. */
#define CELLS_ALWAYS (INT64_C(1) << 22)
/* A band is given up if it has over CELLS_SPARE times the cells expected from its upper row. */
#define CELLS_SPARE 2
/* Cells per second that one thread computes, with values of 2 or of 4 bytes. */
#define BAND_RATE 6e9
#define BAND_RATE_WIDE_VALUES 1.5e9
/* Additional seconds per row for tracing a block on the device instead of in a wide band. The thread that
 * follows the path has to trace through the rows kept inside the block. Measured on an H100 with unrelated
 * letters: 0.55 us per row on the device, 0.2 us in a wide band. */
#define INSIDE_SECONDS 3.5e-7

static known_row row_of(const band_blocks *all, int64_t row) {
  return (known_row){.rows = row > 0 ? all->kept : NULL, .row = row, .scheme = &all->problem->scheme};
}

/* Moves *column into the computed part of the row. Then sets the nodes within `reach` columns of *column as
 * goals. */
static cla_status set_goals(band_block *block, const band_blocks *all, int64_t *column, int64_t reach,
                            cla_error *error) {
  const cla_scoring *scoring = all->problem->scheme.scoring;
  const known_row row = row_of(all, block->lower);
  int64_t first, last;
  special_rows_hull(all->kept, block->lower, &first, &last);
  *column = smaller(larger(*column, first), last);
  first = larger(first, *column - reach);
  last = smaller(last, *column + reach);
  row_part part = {.row = block->lower, .column = first, .count = last - first + 1};
  cla_status status = row_values_make(&part.values, part.count, scoring, "a block\'s border", error);
  if (status != CLA_OK) return status;
  known_row_read(&row, first, part.count, part.values);
  band_goals_set_row(&block->goals, &part, all->worth, scoring);
  row_values_free(&part.values);
  return CLA_OK;
}

/* Finds the first and last live column of row 0, up to `limit`. */
static bool find_live_on_top(int64_t *first, int64_t *last, const band_block *block,
                             const path_scheme *scheme, int64_t limit) {
  *first = *last = -1;
  for (int64_t c = 0; c <= limit; c++) {
    if (path_ends_top_h(&scheme->ends, scheme->scoring, c) < band_goals_least(&block->goals, c)) continue;
    if (*first < 0) *first = c;
    *last = c;
  }
  return *first >= 0;
}

static bool find_live(int64_t *first, int64_t *last, const band_block *block, const band_blocks *all) {
  const path_scheme *scheme = &all->problem->scheme;
  const known_row row = row_of(all, block->upper);
  const int64_t limit = block->goals.last_column;
  const bool found = block->upper > 0 ? band_goals_find_live(first, last, &block->goals, &row, limit)
                                      : find_live_on_top(first, last, block, scheme, limit);
  /* if the first column of the kept rows is not 0, no optimal path starts on the left border */
  if (special_rows_column(all->kept) > 0 && block->upper > 0) return found;
  if (live_band_border(&block->goals, block->upper, &scheme->ends) < 0) return found;
  *first = 0;
  if (!found) *last = 0;
  return true;
}

double band_seconds(double cells, int value_bytes) {
  return cells / (value_bytes == 2 ? BAND_RATE : BAND_RATE_WIDE_VALUES);
}

/* True if it pays to compute a band from `width` columns of the upper row, starting in column `first`. */
static bool is_worth(const band_block *block, const band_blocks *all, int64_t first, int64_t width,
                     int value_bytes) {
  const int64_t rows = block->lower - block->upper;
  if (rows * width <= CELLS_ALWAYS) return true;
  if (!block->wide) return width <= rows / WIDTH_SHARE;
  const int64_t goals = block->goals.last_column - block->goals.first_column;
  const double seconds = band_seconds((double)rows * (double)(width + goals) / 2, value_bytes) /
                         (double)larger(smaller(all->threads, block->wide_before), 1);
  const double row_seconds = (double)(block->goals.last_column - first) / all->device_rate + INSIDE_SECONDS;
  return seconds <= (double)rows * row_seconds;
}

/* Reads the upper row and prepares the band's input. *fits is false if no band is to be computed. */
static cla_status open_top(bool *fits, live_band_input *input, band_block *block, const band_blocks *all,
                           cla_error *error) {
  const int64_t rows = block->lower - block->upper;
  int64_t first, last;
  *fits = find_live(&first, &last, block, all);
  if (!*fits) return CLA_OK;
  const path_scheme *scheme = &all->problem->scheme;
  const int64_t count = block->goals.last_column - first + 1;
  const int64_t border_bytes = gap_lines(scheme->scoring) * count * (int64_t)sizeof *block->top.h;
  if (live_band_bytes(rows, count, scheme) + border_bytes > all->bytes_limit) *fits = false;
  if (!is_worth(block, all, first, last - first + 1, 2)) *fits = false;
  if (!*fits) return CLA_OK;
  const known_row upper = row_of(all, block->upper);
  cla_status status = row_values_make(&block->top, count, scheme->scoring, "a block\'s border", error);
  if (status != CLA_OK) return status;
  known_row_read(&upper, first, count, block->top);
  *input = (live_band_input){.problem = all->problem,
                             .worth = all->worth,
                             .row = block->upper,
                             .column = first,
                             .top = block->top,
                             .bytes_limit = all->bytes_limit - border_bytes,
                             .cancel = all->cancel,
                             .line_interval = all->line_interval};
  *fits = live_band_look(input, &block->goals);
  if (!*fits) return CLA_OK;
  const live_band_extent *extent = &input->extent;
  const int64_t width = extent->last - extent->first + 1;
  input->cells_limit = CELLS_ALWAYS + rows * width * CELLS_SPARE;
  *fits = is_worth(block, all, input->column + extent->first, width, extent->value_bytes);
  return CLA_OK;
}

static void forget_guess(band_block *block) {
  for (int64_t i = 0; i < block->count; i++) path_free(block->parts + i);
  block->count = 0;
}

/* Traces the guessed path from `node`, and stores the node where each part of it starts. If parts of the
 * matrix were pruned, the guess may be a node without an exact value. Then no guessed path is stored. */
static cla_status trace_guess(band_block *block, band_node node, cla_error *error) {
  cla_error reason = {.message = ""};
  bool ended = false;
  while (!ended) {
    live_band_outcome outcome;
    path part = {0};
    cla_status status =
        ALLOCATE_GROW(&block->nodes, &block->capacity, block->count + 1, "a guessed path", error);
    if (status == CLA_OK)
      status =
          ALLOCATE_GROW(&block->parts, &block->parts_capacity, block->count + 1, "a guessed path", error);
    if (status != CLA_OK) return status;
    const band_node begin = node;
    status = live_band_trace(&node, &ended, &part, &outcome, block->band, &reason);
    if (status == CLA_ERROR_DEVICE || (status == CLA_OK && outcome != LIVE_BAND_READY)) {
      path_free(&part);
      forget_guess(block);
      return CLA_OK;
    }
    block->nodes[block->count] = begin;
    block->parts[block->count++] = part;
    if (status != CLA_OK) return error_set(error, status, "%s", reason.message);
  }
  block->end = node;
  return CLA_OK;
}

double band_block_wander(double factor, int64_t distance) {
  const double root = cbrt((double)distance);
  return factor * root * root;
}

/* Chooses a few goals around the guess. If the band to these goals is wide, chooses many goals around the
 * straight line instead. */
static cla_status choose_goals(band_block *block, const band_blocks *all, cla_error *error) {
  const int64_t rows = block->lower - block->upper;
  int64_t first, last;
  cla_status status = set_goals(block, all, &block->guess, BAND_GOALS_REACH, error);
  if (status != CLA_OK || rows < all->wide_rows_least) return status;
  if (!find_live(&first, &last, block, all) || last - first < rows / WIDTH_SHARE) return status;
  block->wide = true;
  const int64_t reach = BAND_GOALS_REACH + (int64_t)band_block_wander(block->wander, block->distance);
  return set_goals(block, all, &block->straight, reach, error);
}

cla_status band_block_look(band_work *out, band_block *block, const band_blocks *all, const band_node *known,
                           cla_error *error) {
  cla_status status = CLA_OK;
  *out = (band_work){.node = {.row = block->lower, .column = block->guess}};
  pthread_rwlock_rdlock(all->reading);
  if (known) {
    out->node = *known;
    band_goals_set_node(&block->goals, known, all->worth, all->problem->scheme.scoring);
  } else {
    status = choose_goals(block, all, error);
    const known_row lower = row_of(all, block->lower);
    known_row_read(&lower, block->guess, 1, (row_values){.h = &out->node.value});
  }
  if (status == CLA_OK) status = open_top(&out->fits, &out->input, block, all, error);
  pthread_rwlock_unlock(all->reading);
  return status;
}

cla_status band_block_compute(band_block *block, const band_work *work, cla_error *error) {
  live_band_outcome outcome;
  if (!work->fits) return CLA_OK;
  cla_status status = live_band_create(&block->band, &outcome, &work->input, &block->goals, error);
  if (status == CLA_OK && block->band && !block->wide) status = trace_guess(block, work->node, error);
  if (block->band) block->cells = live_band_cells(block->band);
  return status;
}

static bool same_node(const band_node *a, const band_node *b) {
  return a->row == b->row && a->column == b->column && a->state == b->state;
}

/* Traces from *node until the path meets the guessed path, or until the block ends. *met: index of the node
 * of the guessed path where they meet. */
static cla_status trace_to_guess(bool *ended, int64_t *met, band_node *node, path *into, band_block *block,
                                 cla_error *error) {
  live_band_outcome outcome = LIVE_BAND_READY;
  cla_status status = CLA_OK;
  while (status == CLA_OK && outcome == LIVE_BAND_READY && !*ended) {
    for (*met = 0; *met < block->count; ++*met)
      if (same_node(node, block->nodes + *met)) return CLA_OK;
    status = live_band_trace(node, ended, into, &outcome, block->band, error);
  }
  return status;
}

cla_status band_block_take(bool *done, band_node *node, path *into, band_block *block, cla_error *error) {
  band_node at = *node;
  path steps = {0};
  int64_t met = block->count;
  bool ended = false;
  *done = false;
  if (!block->band || !band_goals_have(&block->goals, node)) return CLA_OK;
  const int64_t cells = live_band_cells(block->band);
  cla_status status = trace_to_guess(&ended, &met, &at, &steps, block, error);
  block->cells += live_band_cells(block->band) - cells;
  *done = status == CLA_OK && (ended || met < block->count);
  if (*done) {
    *node = ended ? at : block->end;
    status = path_add_all(into, &steps, error);
    for (int64_t i = met; status == CLA_OK && i < block->count; i++)
      status = path_add_all(into, block->parts + i, error);
  }
  path_free(&steps);
  return status;
}

void band_block_free(band_block *block) {
  live_band_free(block->band);
  forget_guess(block);
  free(block->parts);
  free(block->nodes);
  row_values_free(&block->top);
  memset(block, 0, sizeof *block);
}
