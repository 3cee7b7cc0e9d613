#include "region/pruning.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"

static int64_t largest_score(const wavefront *engine) {
  return larger(engine->pair.scheme.table->maximum, 0);
}

/* Returns the maximum that a path can still gain from a node of the upper border with `columns` columns to
 * its right, as in prune_bound.clh. */
static int64_t potential(const region_work *w, int64_t columns) {
  const int64_t rows = w->what->rows + w->what->rows_beyond;
  return largest_score(w->engine) * smaller(rows, columns) - w->what->down_ext * larger(rows - columns, 0) -
         w->what->across_ext * larger(columns - rows, 0);
}

/* Returns the windows' costs, or NULL. */
static const row_costs *costs_of(const region_work *w) {
  const row_windows *windows = w->what->windows;
  return windows && windows->costs.bucket > 0 ? &windows->costs : NULL;
}

void pruning_params(region_params *params, const region_work *w) {
  params->prune.bound = w->what->bound;
  params->prune.down_ext = w->what->down_ext;
  params->prune.across_ext = w->what->across_ext;
  params->prune.rows_beyond = w->what->rows_beyond;
  params->prune.spacing =
      kernel_prune_spacing(w->config, w->engine->pair.scheme.scoring, w->engine->pair.scheme.table);
  const row_costs *costs = costs_of(w);
  if (!costs) return;
  params->prune.bucket = costs->bucket;
  params->prune.diagonals = costs->diagonals + w->what->column - w->what->row;
  params->prune.known = costs->score;
  params->prune.letters = costs->letters - w->what->row - w->what->column;
}

/* The windows' steps that contain a strip's rows. */
typedef struct strip_steps {
  int64_t first, last;
} strip_steps;

static strip_steps steps_of(const region_work *w, int64_t strip) {
  const int64_t rows = kernel_strip_rows(w->config), above = w->what->row + strip * rows;
  const int64_t end = smaller(above + rows, w->what->row + w->what->rows), step = w->what->windows->rows;
  return (strip_steps){above / step, (end - 1) / step};
}

static int64_t last_bucket(const row_costs *costs, int64_t step) {
  return costs->first[step] + costs->at[step + 1] - costs->at[step] - 1;
}

/* Sets the bucket range of a strip, from the lowest to the highest bucket of all its steps. */
static void set_buckets(strip_run *run, const row_costs *costs, const strip_steps *steps) {
  run->cost_first = costs->first[steps->first];
  run->cost_last = last_bucket(costs, steps->first);
  for (int64_t step = steps->first + 1; step <= steps->last; step++) {
    run->cost_first = smaller(run->cost_first, costs->first[step]);
    run->cost_last = larger(run->cost_last, last_bucket(costs, step));
  }
}

/* True if the strip has the same costs as the strip above it. */
static bool same_steps(const region_work *w, int64_t strip) {
  if (strip == 0) return false;
  const strip_steps own = steps_of(w, strip), above = steps_of(w, strip - 1);
  return own.first == above.first && own.last == above.last;
}

int64_t pruning_cost_bytes(const region_work *w) {
  const row_costs *costs = costs_of(w);
  int64_t count = 0;
  for (int64_t strip = 0; costs && strip < w->g->strips; strip++) {
    const strip_steps steps = steps_of(w, strip);
    strip_run run;
    if (same_steps(w, strip)) continue;
    set_buckets(&run, costs, &steps);
    count += larger(run.cost_last - run.cost_first + 1, 0);
  }
  return count * (int64_t)sizeof *costs->least;
}

/* Sets each bucket's cost to the minimum over the strip's steps. */
static void set_costs(int32_t *to, const strip_run *run, const row_costs *costs, const strip_steps *steps) {
  for (int64_t b = run->cost_first; b <= run->cost_last; b++) to[b - run->cost_first] = INT32_MAX / 2;
  for (int64_t step = steps->first; step <= steps->last; step++)
    for (int64_t b = costs->first[step]; b <= last_bucket(costs, step); b++) {
      int32_t *cost = to + b - run->cost_first;
      const int32_t here = costs->least[costs->at[step] + b - costs->first[step]];
      if (here < *cost) *cost = here;
    }
}

/* Sets the range of the strip's tiles in which paths that matter may start. */
static void set_starts(strip_run *run, const region_work *w, int64_t strip) {
  const row_costs *costs = costs_of(w);
  const strip_steps steps = steps_of(w, strip);
  const int64_t rows = kernel_strip_rows(w->config), run_columns = kernel_run_columns(w->config);
  const int64_t above = w->what->row + strip * rows;
  run->start_least = INT32_MAX;
  run->start_most = -1;
  for (int64_t step = steps.first; step <= steps.last; step++) {
    if (costs->start_first[step] > costs->start_last[step]) continue;
    const int64_t first = above + costs->start_first[step] - w->what->column,
                  last = above + rows + costs->start_last[step] - w->what->column;
    run->start_least = smaller(run->start_least, larger(first - 1, 0) / run_columns);
    run->start_most = larger(run->start_most, larger(last + w->g->margin, 0) / run_columns);
  }
}

/* Loads the costs of each strip. No strip starts further left than the strip above it. So each strip's
 * range of starts also includes the starts of the strips below. */
static cla_status load_costs(strip_run *runs, const region_work *w, cla_error *error) {
  const row_costs *costs = costs_of(w);
  const int64_t bytes = pruning_cost_bytes(w);
  int32_t *least = NULL;
  int64_t at = 0;
  for (int64_t i = 1; i <= w->g->strips; i++) runs[i].start_most = INT32_MAX;
  if (!costs) return CLA_OK;
  cla_status status = ALLOCATE_ARRAY(&least, bytes + 1, "what paths must still cost", error);
  if (status != CLA_OK) return status;
  for (int64_t strip = 0; strip < w->g->strips; strip++) {
    strip_run *run = runs + strip + 1;
    const strip_steps steps = steps_of(w, strip);
    set_buckets(run, costs, &steps);
    set_starts(run, w, strip);
    run->costs = strip > 0 ? run[-1].costs : 0;
    if (same_steps(w, strip)) continue;
    set_costs(least + at, run, costs, &steps);
    run->costs = at - run->cost_first;
    at += larger(run->cost_last - run->cost_first + 1, 0);
  }
  for (int64_t strip = w->g->strips - 1; strip > 0; strip--) {
    const strip_run *run = runs + strip + 1;
    strip_run *above = runs + strip;
    if (run->start_most < 0) continue;
    above->start_least = smaller(above->start_least, run->start_least);
    above->start_most = larger(above->start_most, above->start_least);
  }
  if (bytes > 0) status = wavefront_write(w->engine, BUFFER_RUNS, w->g->run_bytes, least, bytes, error);
  free(least);
  return status;
}

/* True if a path that matters may enter through the upper border's nodes `first` to `last`. */
static bool top_matters(const region_work *w, int64_t first, int64_t last) {
  bool live = false;
  for (int64_t node = first; node <= last && !live; node++)
    live = region_top_h(w->what, node) + potential(w, w->what->columns - node) >= w->what->bound;
  return live;
}

/* Writes the note about the upper border above a tile, as if the border were the bottom row of a strip -1.
 * Returns true if a path that matters may enter the tile from there. */
static bool note_tile(tile_note *note, const region_work *w, int64_t tile) {
  const int64_t first = tile * w->g->tile_columns,
                last = smaller(first + w->g->tile_columns, w->what->columns);
  const int64_t before = larger(first - w->g->margin + 1, 0); /* the margin is as wide as the lanes */
  const bool left = first > 0 && top_matters(w, before + 1, smaller(first, w->what->columns));
  const bool right = top_matters(w, first > 0 ? first + 1 : 0, last);
  note->anchor = region_top_h(w->what, smaller(before, w->what->columns));
  note->flags = (left ? TILE_NOTE_LEFT : 0) | (right ? TILE_NOTE_RIGHT : 0);
  return left || right;
}

/* Writes the notes about the whole upper border. Returns the end (exclusive) of the tiles that a path that
 * matters may enter from above. */
static int64_t note_top(tile_note *line, const region_work *w) {
  int64_t end = 0;
  for (int64_t tile = 0; tile < w->g->tiles; tile++)
    if (note_tile(line + tile, w, tile)) end = tile + 1;
  for (int64_t tile = 0; tile < end; tile++) line[tile].flags |= TILE_NOTE_COMPUTED;
  return end;
}

/* The border to the right of these tiles is not known yet. Strip 0 continues below its computed part, as
 * below another strip. */
cla_status pruning_note_arrived(const region_work *w, int64_t first, int64_t end, int64_t computed,
                                cla_error *error) {
  tile_note *notes = NULL;
  if (first >= end) return CLA_OK;
  cla_status status = ALLOCATE_ARRAY(&notes, end - first, "the tiles' notes", error);
  for (int64_t tile = first; status == CLA_OK && tile < end; tile++)
    if (note_tile(notes + tile - first, w, tile) || tile * w->g->tile_columns <= computed)
      notes[tile - first].flags |= TILE_NOTE_COMPUTED;
  const int64_t bytes = (int64_t)sizeof *notes;
  if (status == CLA_OK)
    status = wavefront_write(w->engine, BUFFER_NOTES, (w->g->tiles + first) * bytes, notes,
                             (end - first) * bytes, error);
  free(notes);
  return status;
}

/* Returns the number of columns up to the last node of the upper border that matters. */
static int64_t top_columns(const region_work *w) {
  int64_t node = w->what->columns;
  while (node >= 0 && region_top_h(w->what, node) + potential(w, w->what->columns - node) < w->what->bound)
    node--;
  return node + 1;
}

/* Sets *least and *most to the first and the last tile of the strip's window. */
static void strip_window(int64_t *least, int64_t *most, const region_work *w, int64_t strip) {
  const row_windows *windows = w->what->windows;
  const int64_t strip_rows = kernel_strip_rows(w->config), run_columns = kernel_run_columns(w->config);
  const int64_t above = w->what->row + strip * strip_rows; /* in rows and columns of the matrix */
  const int64_t end = smaller(above + strip_rows, w->what->row + w->what->rows);
  const int64_t first = windows->first[above / windows->rows] - w->what->column;
  const int64_t last = windows->last[(end - 1) / windows->rows] - w->what->column;
  *least = larger(first - 1, 0) / run_columns; /* node j comes after cell j - 1 */
  *most = larger(last + w->g->margin, 0) / run_columns;
}

/* A strip may start only below a computed tile. So each strip extends at least to the start of the next
 * one. */
int64_t pruning_last_tile(const region_work *w, int64_t strip) {
  int64_t least, most, next_least = 0, next_most;
  if (!w->what->windows) return INT32_MAX;
  strip_window(&least, &most, w, strip);
  if (strip + 1 < w->g->strips) strip_window(&next_least, &next_most, w, strip + 1);
  return larger(most, next_least + w->g->margin / kernel_run_columns(w->config) + 1);
}

static void set_windows(strip_run *runs, const region_work *w) {
  for (int64_t strip = 0; strip < w->g->strips; strip++) {
    strip_run *run = runs + strip + 1;
    int64_t unused;
    if (w->what->windows) strip_window(&run->least, &unused, w, strip);
    run->most = pruning_last_tile(w, strip);
  }
}

int64_t row_windows_widest(const row_windows *windows, int64_t rows) {
  const int64_t steps = (rows + windows->rows - 1) / windows->rows;
  int64_t widest = 0;
  for (int64_t step = 0; step < windows->count; step++) {
    const int64_t last = windows->last[smaller(step + steps, windows->count - 1)];
    widest = larger(widest, last - windows->first[step] + 1);
  }
  return widest;
}

cla_status pruning_load(const region_work *w, cla_error *error) {
  const int64_t run_columns = kernel_run_columns(w->config);
  strip_run *runs = NULL;
  tile_note *notes = NULL;
  cla_status status = ALLOCATE_ZEROS(&runs, w->g->strips + 1, "the strips", error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&notes, 2 * w->g->tiles, "the tiles' notes", error);
  if (status != CLA_OK) goto done;
  for (int64_t i = 1; i <= w->g->strips; i++) runs[i].start = -1;
  set_windows(runs, w);
  status = load_costs(runs, w, error);
  if (status != CLA_OK) goto done;
  if (w->config->variant->run_columns)
    runs[0].end = (top_columns(w) + run_columns - 1) / run_columns;
  else
    runs[0].end = w->what->calls.await ? w->g->tiles : note_top(notes + w->g->tiles, w);
  status = wavefront_write(w->engine, BUFFER_RUNS, 0, runs, w->g->run_bytes, error);
  if (status == CLA_OK) status = wavefront_write(w->engine, BUFFER_NOTES, 0, notes, w->g->note_bytes, error);

done:
  free(runs);
  free(notes);
  return status;
}

/* A strip `s` with first tile `t` starts in diagonal t + 2 s. No strip starts further left than the strip
 * above it. */
void pruning_clip(const pruning *p, int64_t end, int64_t *first, int64_t *last) {
  const int64_t furthest = (end - 1 - p->first_tile) / 2;
  *first = larger(*first, p->first);
  *last = smaller(*last, furthest);
}

cla_status pruning_read(strip_run *runs, wavefront *engine, int64_t first, int64_t count, cla_error *error) {
  return wavefront_read_beside(engine, BUFFER_RUNS, (first + 1) * (int64_t)sizeof *runs, runs,
                               count * (int64_t)sizeof *runs, error);
}

/* Returns the rectangle of cells that the strip has computed. */
static region_strip computed_strip(const region *what, const kernel_config *config, int64_t strip,
                                   const strip_run *run) {
  const int64_t strip_rows = kernel_strip_rows(config), run_columns = kernel_run_columns(config);
  if (run->start < 0) return (region_strip){0};
  const int64_t first = run->start * run_columns, last = smaller(run->end * run_columns, what->columns);
  return (region_strip){.row = strip * strip_rows,
                        .rows = smaller(strip_rows, what->rows - strip * strip_rows),
                        .column = first,
                        .columns = larger(last - first, 0)};
}

int64_t pruning_strip_cells(const region *what, const kernel_config *config, int64_t strip,
                            const strip_run *run) {
  const region_strip computed = computed_strip(what, config, strip, run);
  return computed.rows * computed.columns;
}

cla_status pruning_update(pruning *p, bool *done, const region_work *w, int64_t end, cla_error *error) {
  int64_t first = p->first, last = w->g->strips - 1;
  strip_run *runs = NULL;
  *done = false;
  pruning_clip(p, end, &first, &last);
  if (first > last) return CLA_OK;
  cla_status status = ALLOCATE_ARRAY(&runs, last - first + 1, "the strips", error);
  if (status == CLA_OK) status = pruning_read(runs, w->engine, first, last - first + 1, error);
  for (int64_t strip = first; status == CLA_OK && strip <= last && runs[strip - first].start >= 0; strip++) {
    p->started = strip;
    p->first_tile = runs[strip - first].start;
  }
  if (status == CLA_OK && p->started >= first) p->end_tile = runs[p->started - first].end;
  while (status == CLA_OK && p->first <= p->started &&
         (runs[p->first - first].stopped || runs[p->first - first].end == w->g->tiles)) {
    p->ended_cells += pruning_strip_cells(w->what, w->config, p->first, runs + (p->first - first));
    p->first++;
  }
  p->cells = p->ended_cells;
  for (int64_t strip = p->first; status == CLA_OK && strip <= p->started; strip++)
    p->cells += pruning_strip_cells(w->what, w->config, strip, runs + (strip - first));
  /* the next strip could have started below any computed tile of the last strip */
  if (status == CLA_OK && p->first > p->started) {
    const int64_t above_end = p->started < 0 ? w->g->tiles : p->end_tile;
    *done = p->started == w->g->strips - 1 || above_end + 2 * (p->started + 1) < end;
  }
  free(runs);
  return status;
}

row_nodes pruning_row_nodes(const region_work *w, int64_t strip, int64_t row, const strip_run *run) {
  const cla_scoring *scoring = w->engine->pair.scheme.scoring;
  const int64_t below = row - 1 - strip * kernel_strip_rows(w->config); /* 0-based row in the strip */
  const kernel_build build = wavefront_build(w);
  row_nodes nodes = {.last = w->what->columns, .left_h = region_left_h(w->what, row)};
  if (!w->what->prune) return nodes;
  if (run->start < 0) return (row_nodes){.last = -1};
  nodes.first = run->start * kernel_run_columns(w->config);
  nodes.last = smaller(
      run->end * kernel_run_columns(w->config) - kernel_lane_lag(w->config, &build, below / w->config->alpha),
      w->what->columns);
  if (run->start > 0) nodes.left_h = run->corner - gap_cost(scoring, run->open + below + 1);
  if (w->what->floor) nodes.left_h = larger(nodes.left_h, 0);
  return nodes;
}

cla_status pruning_cells(int64_t *cells, const region_work *w, cla_error *error) {
  strip_run *runs = NULL;
  *cells = 0;
  cla_status status = ALLOCATE_ARRAY(&runs, w->g->strips, "the strips", error);
  if (status == CLA_OK) status = pruning_read(runs, w->engine, 0, w->g->strips, error);
  for (int64_t strip = 0; status == CLA_OK && strip < w->g->strips; strip++) {
    const region_strip computed = computed_strip(w->what, w->config, strip, runs + strip);
    *cells += computed.rows * computed.columns;
    if (w->what->calls.strips && computed.columns > 0) w->what->calls.strips(w->what->calls.user, &computed);
  }
  free(runs);
  return status;
}
