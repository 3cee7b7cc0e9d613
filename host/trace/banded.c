#include "trace/banded.h"

#include <math.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/loops.h"
#include "base/machine.h"
#include "path/area_cross.h"
#include "trace/banded_internal.h"

#define TICK_CELLS (INT64_C(1) << 23)
#define LINES_BETWEEN_MOVES 4096
#define ROW_ARRAYS(pieces) (6 + 3 * (pieces)) /* 3 h, floor, query, target; per piece 2 f, 1 e */
/* Largest difference between a path's values and the base (band_scale). */
#define LIVE (1 << 28)

static void offer(banded *b, int64_t row) {
  const live_band *band = b->band;
  const int64_t h = value_get(band, band->arrays.h[band->front.line % 3], row);
  const path_end node = {.score = h + band->scale.row_step * row + band->scale.base,
                         .row = row,
                         .column = band->front.line - row};
  if (path_end_is_better(node, b->best.end)) b->best.end = node;
}

/* Returns the largest h[x] + step * x. */
ALWAYS_INLINE int32_t find_largest(const int32_t *h, int32_t step, int64_t count) {
  int32_t most = INT32_MIN;
  for (int64_t x = 0; x < count; x++) most = LARGEST(h[x] + step * (int32_t)x, most);
  return most;
}

BY_PROCESSOR(static, int32_t, largest_of, find_largest, (const int32_t *h, int32_t step, int64_t count),
             (h, step, count))

/* Offers the first row with the line's largest H. */
static void offer_largest(banded *b) {
  const live_band *band = b->band;
  const band_front *at = &band->front;
  const int32_t *h = (int32_t *)band->arrays.h[at->line % 3] + at->first;
  const int32_t step = (int32_t)band->scale.row_step;
  const int32_t most = largest_of(h, step, at->last - at->first + 1);
  if (most + band->scale.row_step * at->first + band->scale.base < b->best.end.score) return;
  int64_t x = 0;
  while (h[x] + step * (int32_t)x != most) x++;
  offer(b, at->first + x);
}

void banded_offer_ends(banded *b) {
  const path_ends *ends = &b->in->problem.scheme.ends;
  const band_front *at = &b->band->front;
  const int64_t m = b->in->problem.rows, n = b->in->problem.columns;
  if (at->first > at->last) return;
  if (ends->anywhere) {
    offer_largest(b);
    return;
  }
  const int64_t row_at_end = at->line - n; /* row of the line's node in the last column */
  const bool in_last_row = at->last == m, in_last_column = row_at_end >= at->first && row_at_end <= at->last;
  if (in_last_column && (ends->query_end || row_at_end == m)) offer(b, row_at_end);
  if (in_last_row && (ends->target_end || at->line - m == n)) offer(b, m);
}

cla_status banded_tick(banded *b, cla_error *error) {
  const int64_t cells = live_band_cells(b->band);
  if (!b->in->tick || cells - b->ticked < TICK_CELLS) return CLA_OK;
  b->ticked = cells;
  return b->in->tick(b->in->tick_user, cells, error);
}

/* Returns how many times LINES_BETWEEN_LOOKS lines, at most `most`, can be computed together: no path ends in
 * them, none is kept, and the arrays do not move. */
static int64_t plain_tiles(const banded *b, int64_t most) {
  const live_band *band = b->band;
  const path_ends *ends = &b->in->problem.scheme.ends;
  const int64_t line = band->front.line;
  const bool corner = !ends->anywhere && !ends->query_end && !ends->target_end;
  const int64_t first_end = corner ? band->rows + band->columns : smaller(band->rows, band->columns);
  if (ends->anywhere || band->directed || !band_is_wide(band)) return 0;
  int64_t last = smaller(first_end, (line / b->interval + 1) * b->interval) - 1;
  last = smaller(last, band->arrays.moved + band->edges.between - 1);
  return smaller(larger(last - line, 0) / LINES_BETWEEN_LOOKS, most);
}

cla_status banded_next_line(banded *b, cla_error *error) {
  live_band *band = b->band;
  bool there;
  const int64_t tiles = plain_tiles(b, b->in->threads > 1 ? BAND_TILES_MOST : 1);
  if (tiles > 1 && band_next_tiles(band, tiles, b->in->threads)) return CLA_OK;
  if (tiles > 0 && band_next_lines(band)) return CLA_OK;
  if (band->directed) return band_directed_line(&there, band, band->rows, band->columns, error);
  band_next_line(band, band->rows, band->columns, NULL);
  return !b->in->score_only && band->front.line % b->interval == 0 ? band_values_keep(band, error) : CLA_OK;
}

static cla_status sweep(banded *b, cla_error *error) {
  cla_status status = CLA_OK;
  b->best.end.score = b->in->problem.scheme.ends.anywhere ? 0 : INT64_MIN;
  banded_offer_ends(b);
  while (status == CLA_OK && b->band->front.line < b->band->rows + b->band->columns) {
    status = banded_next_line(b, error);
    banded_offer_ends(b);
    if (status == CLA_OK) status = banded_tick(b, error);
  }
  return status;
}

static cla_status trace(banded *b, path *steps, cla_error *error) {
  band_node node = {.row = b->best.end.row, .column = b->best.end.column, .value = b->best.end.score};
  bool ended = node.row == 0 || node.column == 0;
  live_band_outcome outcome;
  cla_status status = CLA_OK;
  while (status == CLA_OK && !ended) {
    status = live_band_trace(&node, &ended, steps, &outcome, b->band, error);
    if (status == CLA_OK) status = banded_tick(b, error);
  }
  if (status == CLA_OK) status = live_band_finish(&node, steps, &b->in->problem.scheme.ends, error);
  b->best.start_row = node.row;
  b->best.start_column = node.column;
  return status;
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

/* Returns the largest number of rows of a line. */
static int64_t line_rows(const banded_input *in) {
  const int64_t shorter = smaller(in->problem.rows, in->problem.columns);
  return smaller((highest_diagonal(in) - lowest_diagonal(in)) / 2 + 2, shorter + 1);
}

bool banded_holds(const banded_input *in) {
  const cla_scoring *scoring = in->problem.scheme.scoring;
  const score_table *table = in->problem.scheme.table;
  const int64_t steps = 2 * (line_rows(in) + LINES_BETWEEN_MOVES), least = -smaller(table->minimum, 0);
  return steps * (2 * band_match(table) + scoring->gap[0].ext + least) + 8 * gap_most_first(scoring) < LIVE;
}

/* True if the directions of all cells take at most directions_most bytes. */
static bool keeps_directions(const banded_input *in) {
  const int64_t lines = in->problem.rows + in->problem.columns;
  return !in->score_only && lines <= in->directions_most && in->band <= in->directions_most &&
         banded_cells(in) + lines * (BAND_LINE_ROOM + 2) <= in->directions_most;
}

/* Fails if the scores or the memory do not suffice. The arrays move once every `between` lines. */
static cla_status check(const banded *b, int64_t between, cla_error *error) {
  const banded_input *in = b->in;
  const int64_t lines = in->problem.rows + in->problem.columns + 1, rows = line_rows(in);
  const int pieces = gap_pieces(in->problem.scheme.scoring);
  if (!banded_holds(in))
    return error_set(
        error, CLA_ERROR_OPTION,
        "the scores are too large for a band of %lld diagonals on either side: use a narrower one, lower "
        "scores, or no --band",
        (long long)in->band);
  const int64_t span = rows + between + 2 * BAND_LINE_ROOM, kept = BAND_KEPT_ARRAYS(pieces);
  int64_t bytes = ROW_ARRAYS(pieces) * span * 4;
  if (!in->score_only) bytes += lines / b->interval * kept * rows * 4 + b->interval * (rows + BAND_LINE_ROOM);
  if (bytes <= in->memory_bytes) return CLA_OK;
  if (in->all_matters || in->band >= lines - 1)
    return error_set(error, CLA_ERROR_MEMORY,
                     "the matrix needs %lld MiB of memory, more than the %lld MiB of the budget that are "
                     "for it; raise --memory",
                     (long long)((bytes >> 20) + 1), (long long)(in->memory_bytes >> 20));
  return error_set(
      error, CLA_ERROR_MEMORY,
      "a band of %lld diagonals on either side needs %lld MiB of memory, more than the budget; raise "
      "--memory or narrow the band",
      (long long)in->band, (long long)((bytes >> 20) + 1));
}

cla_status banded_make(banded *b, cla_error *error) {
  const banded_input *in = b->in;
  const pair_problem *problem = &in->problem;
  const int64_t lines = problem->rows + problem->columns + 1, between = smaller(LINES_BETWEEN_MOVES, lines);
  const int64_t top_last = smaller(highest_diagonal(in), problem->columns);
  bool fits;
  b->interval = (int64_t)ceil(sqrt((double)lines * 16)) + 1;
  cla_status status = check(b, between, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&b->band, 1, "a band", error);
  if (status == CLA_OK)
    status = row_values_make(&b->top, top_last + 1, problem->scheme.scoring, "a band's upper row", error);
  if (status != CLA_OK) return status;
  border_read_top(&problem->scheme, 0, top_last + 1, b->top);
  b->worth.least = b->worth.mean = (int32_t)band_match(problem->scheme.table);
  live_band *band = b->band;
  band->in = (live_band_input){.problem = problem,
                               .worth = &b->worth,
                               .top = b->top,
                               .bytes_limit = INT64_MAX,
                               .extent = {.last = top_last, .value_bytes = 4}};
  band->rows = problem->rows;
  band->columns = problem->columns;
  band->edges = (band_edges){true, lowest_diagonal(in), highest_diagonal(in), between};
  band->arrays.rows = band->arrays.columns = line_rows(in) + between + 2 * BAND_LINE_ROOM;
  band->scale.row_step = b->worth.mean;
  band->directed = keeps_directions(in);
  status = band_values_make(&fits, band, error);
  if (status == CLA_OK) band_values_begin(band);
  return status;
}

void banded_free(banded *b) {
  live_band_free(b->band);
  row_values_free(&b->top);
}

cla_status banded_align(banded_result *out, path *steps, const banded_input *input, cla_error *error) {
  banded b = {.in = input};
  const double began = machine_seconds();
  cla_status status = banded_make(&b, error);
  if (status == CLA_OK) status = sweep(&b, error);
  if (b.band) b.best.sweep_cells = live_band_cells(b.band);
  b.best.sweep_seconds = machine_seconds() - began;
  const bool empty = input->problem.scheme.ends.floor && b.best.end.score == 0;
  if (status == CLA_OK && !input->score_only && !empty) status = trace(&b, steps, error);
  *out = b.best;
  if (b.band) out->cells = live_band_cells(b.band);
  banded_free(&b);
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
