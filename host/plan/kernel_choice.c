#include "plan/plan_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scoring/lane_width.h"

/* Number of tiles in a strip. A tile diagonal has half as many tiles, which must keep every core busy.
 * Measured on 16 cores with 200 kbp: 274 GCUPS with 390 tiles per strip, 209 to 237 with other numbers. */
#define TILES_PER_STRIP 64 /* least tiles of a strip */
#define TILES_PER_UNIT 16  /* least tiles of a strip for each compute unit */
/* Maximum number of columns of a persistent launch. Its 32-bit counters also count a few columns beyond the
 * last one. */
#define PERSISTENT_COLUMNS_MOST (INT32_MAX - 4 * KERNEL_TILE_LIMIT)
/* Approximate number of blocks between a sweep's kept rows (plan/plan_rows.c). */
#define BLOCKS_OF_A_SWEEP 48

static int64_t largest_tile(const kernel_config *config, const plan_input *input, int nesting) {
  return kernel_tile_limit(config, input->scoring, input->table, nesting);
}

int64_t kernel_choice_tile(const kernel_config *config, const plan_input *input, int64_t columns,
                           int nesting) {
  const cla_device_info *device = input->device;
  const int64_t limit = largest_tile(config, input, nesting);
  const int64_t for_units = TILES_PER_UNIT * (int64_t)device->compute_units;
  const int64_t tiles = for_units > TILES_PER_STRIP ? for_units : TILES_PER_STRIP;
  int64_t tile = config->lanes;
  while (tile * 2 <= limit && tile * 2 * tiles <= columns) tile *= 2;
  return tile;
}

/* Returns the largest legal value below `value`, or the smallest legal value. */
static int next_smaller(const int *values, int value) {
  while (values[1] && values[1] < value) values++;
  return *values;
}

/* Limits the tile to `limit` columns. Returns false if that is less than one column per lane. */
static bool limit_tile(kernel_config *config, int64_t limit, char *reason, size_t size) {
  if (config->tile_columns > limit) config->tile_columns = limit;
  if (limit >= config->lanes) return true;
  snprintf(reason, size, "the scores are too large for %s's %d-bit lanes", config->variant->name,
           config->variant->lane_bits);
  return false;
}

/* Chooses the rows per lane again by the same rule, but with the times measured for gap costs that are not
 * affine. */
static void choose_rows_again(kernel_config *config, const plan_input *input, kernel_gaps gaps) {
  kernel_config tried = *config;
  tried.launch = KERNEL_PERSISTENT; /* the rule's times are for persistent launches */
  tried.tile_columns = 0;
  kernel_cheapest_rows(&tried, input->device, gaps, input->rows, input->columns, 1);
  config->alpha = tried.alpha;
}

/* Returns the cost of `rows` rows in whole rounds of the config. */
static double cost_of_rounds(const kernel_config *config, const plan_input *input, kernel_gaps gaps,
                             int64_t rows) {
  const int64_t round = config->groups * kernel_strip_rows(config);
  const int64_t rounds = (rows + round - 1) / round;
  return (double)rounds * config->variant->cost(config, input->device, gaps, round, input->columns, 1);
}

/* Chooses the rows per lane for one of several equal devices. The choice minimises the cost of the whole
 * rounds plus the cost of the remaining rows. The latter are in blocks whose rows per lane may differ
 * (plan_blocks.h). */
static void choose_rows_of_rounds(kernel_config *config, const plan_input *input, kernel_gaps gaps) {
  kernel_config tried = *config, other = *config;
  double least = cost_of_rounds(config, input, gaps, input->rows);
  for (const int *alpha = config->variant->alphas; *alpha; alpha++) {
    tried.alpha = *alpha;
    const int64_t round = tried.groups * kernel_strip_rows(&tried), left = input->rows % round;
    double rest = INFINITY;
    for (const int *any = config->variant->alphas; *any; any++) {
      other.alpha = *any;
      rest = fmin(rest, cost_of_rounds(&other, input, gaps, left));
    }
    const double cost = cost_of_rounds(&tried, input, gaps, input->rows - left) + rest;
    if (left == input->rows || cost >= least) continue;
    least = cost;
    config->alpha = *alpha;
  }
}

/* True if blocks may have any rows per lane. Kept rows leave few choices; the user's settings leave none. */
static bool has_any_ways(const kernel_config *config, const plan_input *input) {
  return config->variant->cost && config->launch == KERNEL_PERSISTENT && input->alike > 1 &&
         input->score_only && input->disk_bytes <= 0 && !input->settings;
}

/* Fits the config's variant to the input by rule, for regions of depth `nesting` and with the times
 * measured for `gaps`. Returns false and the reason if the scheme or the device does not allow the variant.
 */
static bool fit_for_gaps(kernel_config *config, const plan_input *input, kernel_gaps gaps, int nesting,
                         char *reason, size_t size) {
  const kernel_variant *variant = config->variant;
  *config = (kernel_config){.variant = variant};
  if (!kernel_takes_scheme(variant, input->scoring, input->table, reason, (int64_t)size)) return false;
  variant->choose(config, input->device, input->rows, input->columns);
  if (variant->cost && gaps != KERNEL_GAPS_AFFINE) choose_rows_again(config, input, gaps);
  if (has_any_ways(config, input)) choose_rows_of_rounds(config, input, gaps);
  if (!kernel_runs_on(config, input->device, reason, (int64_t)size)) return false;
  int64_t limit = largest_tile(config, input, nesting);
  while (limit < config->lanes && config->alpha > variant->alphas[0]) {
    config->alpha = next_smaller(variant->alphas, config->alpha);
    limit = largest_tile(config, input, nesting);
  }
  if (config->tile_columns == 0 && limit >= config->lanes)
    config->tile_columns = kernel_choice_tile(config, input, input->columns, nesting);
  return limit_tile(config, limit, reason, size);
}

static bool fit_variant(kernel_config *config, const kernel_variant *variant, const plan_input *input,
                        int nesting, char *reason, size_t size) {
  config->variant = variant;
  return fit_for_gaps(config, input, kernel_gaps_of(input->scoring), nesting, reason, size);
}

/* True if the variant is meant for devices of this kind. */
static bool meant_for(const kernel_variant *variant, const cla_device_info *device) {
  return !(variant->for_cpus && device->kind != CLA_DEVICE_CPU) &&
         !(variant->packed_pairs && !device->packed_pairs) &&
         !(variant->short_vectors && device->native_short_lanes < 2);
}

bool kernel_choice_fits(kernel_config *out, const kernel_variant *variant, const plan_input *input,
                        int nesting) {
  char reason[160];
  return meant_for(variant, input->device) &&
         fit_variant(out, variant, input, nesting, reason, sizeof reason);
}

/* A chosen config, and the reasons for it. */
typedef struct choice {
  kernel_config config;
  char *reason;      /* why this config was chosen */
  size_t size;       /* bytes of `reason` */
  char refused[160]; /* why the config tried last was refused; may be empty */
} choice;

/* Returns the gap costs that the entry was measured with. */
static kernel_gaps recorded_gaps(const tuning_entry *entry) {
  return entry->two_pieces ? KERNEL_GAPS_TWO_PIECES : KERNEL_GAPS_AFFINE;
}

/* True if the rule chooses the entry's config at the entry's size. Then tuning has found nothing better
 * than the rule, and the rule is used: it also covers other sizes and gap costs. */
static bool is_the_rule(const tuning_entry *entry, const plan_input *input) {
  kernel_config usual;
  char reason[160];
  plan_input square = *input;
  square.rows = square.columns = entry->length;
  square.alike = 0;
  usual.variant = entry->config.variant;
  return fit_for_gaps(&usual, &square, recorded_gaps(entry), 0, reason, sizeof reason) &&
         kernel_same_config(&usual, &entry->config);
}

/* Returns the problem for which the records are searched: a sweep over rows x columns with the input's mode
 * and scores. */
static tuning_problem problem_of(const plan_input *input, int64_t rows, int64_t columns) {
  return (tuning_problem){.local = input->ends.floor,
                          .matrix = input->table->needs_lookup,
                          .two_pieces = gap_pieces(input->scoring) > 1,
                          .rows = rows,
                          .columns = columns};
}

/* Chooses the first usable entry of the records, for regions of that nesting. `variant`: the wanted variant;
 * NULL: any. */
static bool choose_from_records(choice *c, const kernel_variant *variant, const plan_input *input,
                                int nesting) {
  const tuning_problem problem = problem_of(input, input->rows, input->columns);
  tuning_walk walk = tuning_walk_begin(input->tuning, &problem);
  for (const tuning_entry *entry; (entry = tuning_walk_next(&walk));) {
    const kernel_variant *its = entry->config.variant;
    if (variant && its != variant) continue;
    c->config = entry->config;
    const bool rule = is_the_rule(entry, input);
    if (rule && !fit_variant(&c->config, its, input, nesting, c->refused, sizeof c->refused)) continue;
    if (!kernel_takes_scheme(its, input->scoring, input->table, c->refused, sizeof c->refused) ||
        !kernel_runs_on(&c->config, input->device, c->refused, sizeof c->refused) ||
        !limit_tile(&c->config, largest_tile(&c->config, input, nesting), c->refused, sizeof c->refused))
      continue;
    char source[1100];
    tuning_source_describe(source, sizeof source, walk.source);
    const bool narrower = !rule && c->config.tile_columns < entry->config.tile_columns;
    snprintf(c->reason, c->size, "%s, size %lld%s%s%s%s", source, (long long)entry->length,
             rule ? ": the default" : "", narrower ? "; tiles narrower for these scores" : "",
             c->refused[0] ? "; " : "", c->refused);
    return true;
  }
  return false;
}

static bool choose_by_rule(choice *c, const plan_input *input, int nesting) {
  c->refused[0] = '\0'; /* the reasons why records were refused are dropped */
  for (int i = 0; i < kernel_variant_count; i++) {
    const kernel_variant *variant = kernel_variants[i];
    if (!meant_for(variant, input->device)) continue;
    if (!fit_variant(&c->config, variant, input, nesting, c->refused, sizeof c->refused)) continue;
    snprintf(c->reason, c->size, "default: %s", c->refused[0] ? c->refused : "the fastest for this device");
    return true;
  }
  return false;
}

static cla_status find_variant(const kernel_variant **out, const char *name, cla_error *error) {
  *out = name ? kernel_find(name) : NULL;
  if (!name || *out) return CLA_OK;
  char names[256] = "";
  for (int i = 0; i < kernel_variant_count; i++)
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
             kernel_variants[i]->name);
  return error_set(error, CLA_ERROR_OPTION, "no kernel is called '%s'; there are: %s", name, names);
}

/* Applies the user's settings to the chosen config. */
static cla_status apply_settings(choice *c, const kernel_settings *settings, const plan_input *input,
                                 cla_error *error) {
  kernel_config *config = &c->config, usual = {.variant = config->variant};
  char refused[160] = "";
  usual.variant->choose(&usual, input->device, input->rows, input->columns);
  const int groups = usual.groups > 0 ? usual.groups : input->device->compute_units;
  const int lanes = config->lanes, alpha = config->alpha;
  cla_status status = kernel_settings_apply(config, settings, groups, error);
  if (status != CLA_OK) return status;
  const int64_t limit = largest_tile(config, input, input->nesting);
  if (limit < config->lanes)
    return error_set(
        error, CLA_ERROR_OPTION,
        "the scores are too large for %d lanes x %d rows of %s's %d-bit lanes; --set fewer rows, "
        "alpha",
        config->lanes, config->alpha, config->variant->name, config->variant->lane_bits);
  if (settings->given[SETTING_TILE])
    status = kernel_settings_tile(config, settings, limit, error);
  else if (config->lanes != lanes || config->alpha != alpha)
    config->tile_columns = kernel_choice_tile(config, input, input->columns, input->nesting);
  if (status == CLA_OK && !kernel_runs_on(config, input->device, refused, sizeof refused))
    return error_set(error, CLA_ERROR_OPTION, "%s cannot run these settings: %s; change --set",
                     input->device->name, refused);
  const size_t used = strlen(c->reason);
  snprintf(c->reason + used, c->size - used, ", changed by --set");
  return status;
}

/* Changes a persistent launch to diagonals if the target is too long for the launch's counters. Returns true
 * if changed. */
static bool keep_to_counters(kernel_config *config, const plan_input *input) {
  if (config->launch != KERNEL_PERSISTENT || input->columns <= PERSISTENT_COLUMNS_MOST) return false;
  config->launch = KERNEL_DIAGONALS;
  return true;
}

/* Returns the input for one device's share of the rows. */
static plan_input part_of_device(const plan_input *whole) {
  plan_input part = *whole;
  if (whole->alike > 1) part.rows = (whole->rows + whole->alike - 1) / whole->alike;
  return part;
}

cla_status kernel_choice(kernel_config *out, char *reason, size_t size, const plan_input *whole,
                         cla_error *error) {
  const plan_input part = part_of_device(whole), *input = &part;
  const kernel_variant *variant = NULL;
  kernel_settings settings;
  choice c = {.reason = reason, .size = size};
  cla_status status = kernel_settings_parse(&settings, input->settings, error);
  if (status == CLA_OK) status = find_variant(&variant, input->kernel, error);
  if (status != CLA_OK) return status;
  const bool recorded = choose_from_records(&c, variant, input, input->nesting);
  if (!recorded && variant) {
    if (!fit_variant(&c.config, variant, input, input->nesting, c.refused, sizeof c.refused))
      return error_set(error, CLA_ERROR_OPTION, "kernel %s cannot be used: %s; leave --kernel out",
                       input->kernel, c.refused);
    snprintf(reason, size, "asked for");
  } else if (recorded && variant) {
    char source[PLAN_REASON];
    snprintf(source, sizeof source, "%s", reason);
    snprintf(reason, size, "asked for; %s", source);
  } else if (!recorded && !choose_by_rule(&c, input, input->nesting)) {
    return error_set(error, CLA_ERROR_DEVICE, "no kernel runs on %s: %s; try another --device",
                     input->device->name, c.refused);
  }
  if (settings.any) status = apply_settings(&c, &settings, input, error);
  if (status == CLA_OK) *out = c.config;
  if (status == CLA_OK && keep_to_counters(out, input)) {
    const size_t used = strlen(reason);
    snprintf(reason + used, size - used, "; too long for a persistent launch's counters");
  }
  return status;
}

cla_status kernel_choice_blocks(kernel_config *out, const kernel_config *sweep, const plan_input *input,
                                cla_error *error) {
  char reason[PLAN_REASON];
  choice c = {.reason = reason, .size = sizeof reason};
  *out = *sweep;
  if (largest_tile(sweep, input, LANE_WIDTH_NESTING) >= sweep->lanes) {
    /* A block has few rows. On a GPU, these should form as many strips as possible. */
    if (input->device->kind == CLA_DEVICE_GPU && !input->settings) {
      plan_input block = *input;
      block.rows = input->rows / BLOCKS_OF_A_SWEEP + 1;
      block.alike = 0;
      if (fit_variant(&c.config, sweep->variant, &block, LANE_WIDTH_NESTING, c.refused, sizeof c.refused))
        *out = c.config;
      keep_to_counters(out, input);
    }
    return CLA_OK;
  }
  if (!choose_from_records(&c, NULL, input, LANE_WIDTH_NESTING) &&
      !choose_by_rule(&c, input, LANE_WIDTH_NESTING))
    return error_set(error, CLA_ERROR_DEVICE, "no kernel runs on %s: %s; try another --device",
                     input->device->name, c.refused);
  *out = c.config;
  keep_to_counters(out, input);
  return CLA_OK;
}

/* Predicts seconds from the nearest size at which the kernel was timed. It must have been timed with
 * `config` or, if the rule chooses `config`, with the rule's config for that size. The variant's cost model
 * converts these seconds to the wanted size. The tiles of the timed kernel may have another width. */
static double scaled_seconds(const kernel_config *config, const plan_input *input, int64_t rows,
                             int64_t columns) {
  const kernel_variant *variant = config->variant;
  kernel_config usual;
  char reason[160];
  plan_input region = *input;
  region.rows = rows;
  region.columns = columns;
  const bool by_rule =
      fit_variant(&usual, variant, &region, 0, reason, sizeof reason) && kernel_same_config(&usual, config);
  const tuning_problem problem = problem_of(input, rows, columns);
  tuning_walk walk = tuning_walk_begin(input->tuning, &problem);
  for (const tuning_entry *entry; (entry = tuning_walk_next(&walk));) {
    const bool timed = variant->cost && kernel_same_but_tile(&entry->config, config);
    if (!timed && !(by_rule && entry->config.variant == variant && is_the_rule(entry, input))) continue;
    if (!variant->cost) return time_model_seconds(&entry->model, rows, columns);
    const int64_t length = entry->length;
    const double here =
        variant->cost(config, input->device, kernel_gaps_of(input->scoring), rows, columns, 1);
    const double there =
        variant->cost(&entry->config, input->device, recorded_gaps(entry), length, length, 1);
    if (here > 0 && there > 0) return time_model_scaled(&entry->model, length, here / there);
  }
  return -1;
}

double kernel_choice_seconds(const kernel_config *config, const plan_input *input, int64_t rows,
                             int64_t columns, bool block) {
  const tuning_problem problem = problem_of(input, rows, columns);
  const double seconds = tuning_seconds(input->tuning, config, block, &problem, NULL);
  if (seconds >= 0 && !config->variant->cost) return seconds;
  const double scaled = scaled_seconds(config, input, rows, columns);
  return scaled >= 0 ? scaled : seconds;
}
