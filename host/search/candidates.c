#include "search/candidates.h"

#include <stdio.h>
#include <stdlib.h>

#include "plan/plan.h"

#define TILE_WIDTHS 16 /* number of widths: lanes x 2^k up to KERNEL_TILE_LIMIT, and the widest */

/* The numbers of strips in flight per compute unit to be tried. A CPU core computes one tile at a time, but
 * drivers give it several groups at a time. A GPU's compute unit hides its latency with as many chains as
 * fit in its registers. */
#define MULTIPLES_MOST 8
static const int cpu_multiples[MULTIPLES_MOST + 1] = {1, 2, 4, 8, 0};
static const int gpu_multiples[MULTIPLES_MOST + 1] = {1, 2, 4, 8, 12, 16, 24, 32, 0};

bool candidate_variant_allowed(const candidate_space *space, const kernel_variant *variant) {
  char reason[256];
  if (variant->for_cpus && space->device->kind != CLA_DEVICE_CPU) return false;
  if (variant->packed_pairs && !space->device->packed_pairs) return false;
  return kernel_takes_scheme(variant, space->scheme.scoring, space->scheme.table, reason, sizeof reason);
}

cla_status candidate_default(kernel_config *out, const candidate_space *space, const kernel_variant *variant,
                             cla_error *error) {
  plan chosen;
  const plan_input input = {.rows = space->length,
                            .columns = space->length,
                            .ends = space->scheme.ends,
                            .score_only = true,
                            .scoring = space->scheme.scoring,
                            .table = space->scheme.table,
                            .device = space->device,
                            .memory_bytes = INT64_MAX / 4,
                            .device_memory_bytes = space->device->memory_bytes / 8 * 7,
                            .tuning = space->tuning,
                            .kernel = variant ? variant->name : NULL};
  const cla_status status = plan_make(&chosen, &input, error);
  if (status != CLA_OK) return status;
  *out = chosen.sweep;
  if (out->launch == KERNEL_DIAGONALS) out->groups = 0; /* records contain 0 for diagonals, too */
  return CLA_OK;
}

static bool listed(const int *values, int value) {
  while (*values && *values != value) values++;
  return *values != 0;
}

bool candidate_legal(const candidate_space *space, const kernel_config *config) {
  char reason[256];
  return candidate_variant_allowed(space, config->variant) && listed(config->variant->lanes, config->lanes) &&
         listed(config->variant->alphas, config->alpha) && config->tile_columns >= config->lanes &&
         config->tile_columns % config->lanes == 0 &&
         config->tile_columns <= kernel_tile_limit(config, space->scheme.scoring, space->scheme.table, 0) &&
         (config->launch != KERNEL_PERSISTENT || config->groups >= 1) &&
         kernel_runs_on(config, space->device, reason, sizeof reason);
}

/* The configs collected so far, and the config from which they differ along one axis. */
typedef struct collection {
  const candidate_space *space;
  const kernel_config *from;
  kernel_config *out;
  int count;
} collection;

static void collect(collection *c, kernel_config config) {
  const int64_t widest = kernel_tile_limit(&config, c->space->scheme.scoring, c->space->scheme.table, 0);
  if (config.tile_columns > widest) config.tile_columns = widest;
  config.tile_columns = config.tile_columns / config.lanes * config.lanes;
  if (config.tile_columns < config.lanes && config.lanes <= widest) config.tile_columns = config.lanes;
  if (c->count == CANDIDATES_MOST || !candidate_legal(c->space, &config) ||
      kernel_same_config(&config, c->from))
    return;
  for (int i = 0; i < c->count; i++)
    if (kernel_same_config(&c->out[i], &config)) return;
  c->out[c->count++] = config;
}

/* Returns the index of `value` in an ascending list. If the list lacks it, returns the index of the last
 * smaller element. */
static int position_of(const int64_t *values, int count, int64_t value) {
  int at = 0;
  while (at + 1 < count && values[at + 1] <= value) at++;
  return at;
}

static void along_lanes_or_alpha(collection *c, bool lanes, int reach) {
  const int *list = lanes ? c->from->variant->lanes : c->from->variant->alphas;
  const int now = lanes ? c->from->lanes : c->from->alpha;
  int at = 0;
  while (list[at] && list[at] != now) at++;
  for (int i = 0; list[i]; i++) {
    kernel_config config = *c->from;
    if (abs(i - at) > reach) continue;
    if (lanes)
      config.lanes = list[i];
    else
      config.alpha = list[i];
    collect(c, config);
  }
}

static void along_tile(collection *c, int reach) {
  const int64_t widest = kernel_tile_limit(c->from, c->space->scheme.scoring, c->space->scheme.table, 0);
  int64_t widths[TILE_WIDTHS];
  int count = 0;
  for (int64_t width = c->from->lanes; width < widest && count < TILE_WIDTHS - 1; width *= 2)
    widths[count++] = width;
  widths[count++] = widest;
  const int at = position_of(widths, count, c->from->tile_columns);
  for (int i = 0; i < count; i++) {
    kernel_config config = *c->from;
    config.tile_columns = widths[i];
    /* If the present width lies between two listed widths, both are one step away. */
    const bool between = widths[at] != c->from->tile_columns;
    if (abs(i - at - (between && i > at)) <= reach) collect(c, config);
  }
}

/* Adds a config that launches diagonals, and configs of persistent launches with several numbers of strips
 * in flight. If `from` launches diagonals, it has no such number from which to step. Then a reach of 1
 * tries every second number. */
static void along_launch(collection *c, int reach) {
  const bool cpu = c->space->device->kind == CLA_DEVICE_CPU;
  const int *multiples = cpu ? cpu_multiples : gpu_multiples;
  const int units = c->space->device->compute_units;
  const int64_t strip_rows = kernel_strip_rows(c->from);
  const int64_t strips = (c->space->length + strip_rows - 1) / strip_rows;
  kernel_config config = *c->from;
  config.launch = KERNEL_DIAGONALS;
  config.groups = 0;
  if (c->from->launch != KERNEL_DIAGONALS) collect(c, config);
  config.launch = KERNEL_PERSISTENT;
  int64_t values[MULTIPLES_MOST];
  int count = 0;
  while (multiples[count]) {
    values[count] = (int64_t)multiples[count] * units;
    count++;
  }
  const int at = position_of(values, count, c->from->groups);
  const int step = reach == 1 ? 2 : 1;
  for (int i = 0; i < count; i++) {
    const bool same_style = c->from->launch == KERNEL_PERSISTENT;
    if (i > 0 && values[i - 1] >= strips) break; /* more groups than strips have no effect */
    config.groups = (int)values[i];
    if (same_style ? abs(i - at) <= reach : i % step == 0) collect(c, config);
  }
}

int candidates_along(kernel_config out[CANDIDATES_MOST], const candidate_space *space,
                     const kernel_config *from, candidate_axis axis, int reach) {
  collection c = {.space = space, .from = from, .out = out};
  if (axis == CANDIDATE_LANES || axis == CANDIDATE_ALPHA)
    along_lanes_or_alpha(&c, axis == CANDIDATE_LANES, reach);
  else if (axis == CANDIDATE_TILE)
    along_tile(&c, reach);
  else
    along_launch(&c, reach);
  return c.count;
}

const char *candidate_text(char out[CANDIDATE_TEXT_SIZE], const kernel_config *config) {
  const int used = snprintf(out, CANDIDATE_TEXT_SIZE, "%s %d x %d, tile %lld, ", config->variant->name,
                            config->lanes, config->alpha, (long long)config->tile_columns);
  if (config->launch == KERNEL_PERSISTENT)
    snprintf(out + used, (size_t)(CANDIDATE_TEXT_SIZE - used), "persistent, %d groups", config->groups);
  else
    snprintf(out + used, (size_t)(CANDIDATE_TEXT_SIZE - used), "diagonals");
  return out;
}
