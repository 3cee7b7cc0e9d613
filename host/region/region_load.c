#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "region/pruning.h"
#include "region/upper_border.h"
#include "region/wavefront_internal.h"
#include "scoring/lane_width.h"
#include "scoring/used_pairs.h"

/* Returns the costs of a border's rule. If the rule has fewer pieces, its last piece is repeated. */
static gap_costs border_costs(const border_rule *border) {
  gap_costs out = {0};
  for (int k = 0; k < CLA_GAP_PIECES && border->pieces > 0; k++) {
    const int piece = k < border->pieces ? k : border->pieces - 1;
    out.piece[k].first = border->piece[piece].first;
    out.piece[k].ext = border->piece[piece].ext;
  }
  return out;
}

region_params region_params_make(const path_scheme *scheme, const border_rule *left, const border_rule *top) {
  const cla_scoring *scoring = scheme->scoring;
  const score_table *table = scheme->table;
  return (region_params){
      .left = border_costs(left),
      .top = border_costs(top),
      .gap = kernel_gap_costs(scoring),
      .match = table->match,
      .mismatch = lane_width_clamp(table->mismatch, scoring),
      .largest = larger(table->maximum, 0),
  };
}

/* Sets the values between which lanes with bases of their own keep these. If the nesting is not known, or the
 * region is pruned, the bases are moved in each segment, so that as much room as possible is left at both
 * ends. */
static void set_lane_start(region_params *params, const region_work *w) {
  const path_scheme *scheme = &w->engine->pair.scheme;
  const int depths = w->what->prune ? 0 : w->what->depths;
  if (!w->config->variant->segments) return;
  const lane_start start =
      kernel_lane_start(w->config, scheme->scoring, scheme->table, depths > 0 ? depths - 1 : 0);
  const bool kept = depths > 0 && start.least < start.most;
  params->lane_least = kept ? start.least : lane_start_middle(start);
  params->lane_most = kept ? start.most : lane_start_middle(start);
}

static region_params make_params(const region_work *w) {
  const int64_t step = w->what->reverse ? -1 : 1;
  region_params params = region_params_make(&w->engine->pair.scheme, &w->what->left, &w->what->top);
  params.rows = w->what->rows;
  params.columns = w->what->columns;
  params.query_first = w->what->reverse ? w->what->row - 1 : w->what->row;
  params.target_first = w->what->reverse ? w->what->column - 1 : w->what->column;
  params.query_step = params.target_step = step;
  params.strips = w->g->strips;
  params.tiles = w->g->tiles;
  params.tile_columns = w->config->tile_columns;
  params.corner = w->what->corner;
  params.row_interval = w->what->row_interval / kernel_strip_rows(w->config);
  params.row_slots = w->row_slots;
  params.bottom = w->what->bottom != NULL;
  params.stride = w->g->stride;
  params.known_shift = w->known_shift;
  params.slant = w->g->slant;
  set_lane_start(&params, w);
  if (w->what->prune) pruning_params(&params, w);
  return params;
}

/* The used pairs of a region in the kernels' form: by strip, in the region's coordinates. */
typedef struct used_cells {
  strip_used *runs; /* owned */
  int64_t count, capacity;
  int64_t *first; /* owned; by strip, plus one entry: index of the strip's first run */
} used_cells;

/* Converts a run from the matrix' to the region's coordinates. The region may be reverse. */
static strip_used in_region(const used_run *run, const region *what) {
  if (!what->reverse)
    return (strip_used){
        .row = run->row - 1 - what->row, .column = run->column - 1 - what->column, .length = run->length};
  const int64_t last = run->length - 1;
  return (strip_used){
      .row = what->row - run->row - last, .column = what->column - run->column - last, .length = run->length};
}

static used_walk walk_rows(const used_pairs *used, const region *what, int64_t first, int64_t last) {
  if (!what->reverse)
    return used_walk_begin(used, what->row + 1 + first, what->row + 1 + last, what->column + 1,
                           what->column + what->columns);
  return used_walk_begin(used, what->row - last, what->row - first, what->column - what->columns + 1,
                         what->column);
}

static cla_status used_cells_make(used_cells *out, const region_work *w, cla_error *error) {
  const region *what = w->what;
  const int64_t strip_rows = kernel_strip_rows(w->config), strips = w->g->strips;
  *out = (used_cells){0};
  cla_status status = ALLOCATE_ARRAY(&out->first, strips + 1, "the pairs that were used", error);
  for (int64_t strip = 0; status == CLA_OK && strip < strips; strip++) {
    const int64_t first = strip * strip_rows, last = smaller(first + strip_rows, what->rows) - 1;
    used_walk walk = walk_rows(w->engine->pair.scheme.table->used, what, first, last);
    used_run run;
    out->first[strip] = out->count;
    while (status == CLA_OK && used_walk_next(&walk, &run)) {
      status = ALLOCATE_GROW(&out->runs, &out->capacity, out->count + 1, "the pairs that were used", error);
      if (status == CLA_OK) out->runs[out->count++] = in_region(&run, what);
    }
  }
  if (status == CLA_OK) out->first[strips] = out->count;
  return status;
}

/* Loads the used pairs. The runs of strip `s` have the indices [first[s], first[s + 1]). */
static cla_status load_used(const region_work *w, cla_error *error) {
  used_cells cells = {0};
  cla_status status = CLA_OK;
  if (w->engine->pair.scheme.table->used) status = used_cells_make(&cells, w, error);
  const int64_t run_bytes = cells.count * (int64_t)sizeof *cells.runs;
  const int64_t first_bytes = cells.first ? (w->g->strips + 1) * (int64_t)sizeof *cells.first : 0;
  if (status == CLA_OK) status = wavefront_grow(w->engine, BUFFER_USED, larger(run_bytes, 1), error);
  if (status == CLA_OK) status = wavefront_grow(w->engine, BUFFER_USED_FIRST, larger(first_bytes, 1), error);
  if (status == CLA_OK && run_bytes > 0)
    status = wavefront_write(w->engine, BUFFER_USED, 0, cells.runs, run_bytes, error);
  if (status == CLA_OK && first_bytes > 0)
    status = wavefront_write(w->engine, BUFFER_USED_FIRST, 0, cells.first, first_bytes, error);
  free(cells.runs);
  free(cells.first);
  return status;
}

/* Enlarges the buffers that depend on the region. A buffer that is not needed gets one byte. */
static cla_status grow_buffers(const region_work *w, cla_error *error) {
  const kernel_geometry *g = w->g;
  const bool prune = w->what->prune;
  const struct {
    engine_buffer buffer;
    int64_t bytes;
  } needs[] = {
      {BUFFER_BUS, g->bus_bytes},
      {BUFFER_STATES, g->state_bytes},
      {BUFFER_BASES, g->base_bytes},
      {BUFFER_BESTS, g->best_bytes},
      {BUFFER_COUNTERS, g->counter_bytes},
      {BUFFER_RUNS, prune ? g->run_bytes + pruning_cost_bytes(w) : 1},
      {BUFFER_NOTES, prune ? g->note_bytes : 1},
      {BUFFER_ROWS, w->what->row_interval ? w->row_slots * g->row_bytes : 1},
      {BUFFER_BOTTOM, w->what->bottom ? g->bottom_bytes : 1},
  };
  const int64_t staged = kernel_staged_bytes(g);
  cla_status status =
      allocate_grow(&w->engine->staging, &w->engine->staging_bytes, staged, 1, "a bus line", error);
  if (status == CLA_OK) poison_memory(w->engine->staging, staged, POISON_LINES);
  for (size_t i = 0; status == CLA_OK && i < sizeof needs / sizeof needs[0]; i++)
    status = wavefront_grow(w->engine, needs[i].buffer, needs[i].bytes, error);
  return status;
}

/* Initialises the strips' best cells; no strip has a best cell yet. */
static cla_status load_bests(const region_work *w, cla_error *error) {
  strip_best *bests = NULL;
  cla_status status = ALLOCATE_ARRAY(&bests, w->g->strips, "best cells", error);
  for (int64_t i = 0; status == CLA_OK && i < w->g->strips; i++)
    bests[i] = (strip_best){.score = REGION_NO_BEST(w->what->best), .row = INT64_MAX, .column = INT64_MAX};
  if (status == CLA_OK) status = wavefront_write(w->engine, BUFFER_BESTS, 0, bests, w->g->best_bytes, error);
  free(bests);
  return status;
}

static cla_status load_counters(const region_work *w, cla_error *error) {
  cla_status status = wavefront_fill_zero(w->engine, BUFFER_COUNTERS, 0, w->g->counter_bytes, error);
  if (status != CLA_OK || w->what->best != BEST_ANYWHERE || w->what->bound <= 0) return status;
  /* A cell below the bound cannot be the best one. */
  const int32_t known = (int32_t)smaller(w->what->bound >> w->known_shift, INT32_MAX);
  return wavefront_write(w->engine, BUFFER_COUNTERS, KERNEL_COUNTER_KNOWN * (int64_t)sizeof known, &known,
                         sizeof known, error);
}

cla_status region_load(const region_work *w, cl_program program, cla_error *error) {
  const region_params params = make_params(w);
  cla_status status = grow_buffers(w, error);
  if (status == CLA_OK) status = wavefront_write(w->engine, BUFFER_PARAMS, 0, &params, sizeof params, error);
  if (status == CLA_OK) status = upper_border_load(w, program, error);
  if (status == CLA_OK) status = load_used(w, error);
  if (status == CLA_OK && w->what->prune) status = pruning_load(w, error);
  if (status == CLA_OK && w->what->best) status = load_bests(w, error);
  return status == CLA_OK ? load_counters(w, error) : status;
}
