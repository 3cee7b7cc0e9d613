#include "base/extremes.h"
#include "packs/chain_internal.h"

/* Tiles are short because the tile with a pair's best cell is computed twice. */
#define TILE_COLUMNS 256
/* Number of chains, of one warp each, that a compute unit runs simultaneously. Two chains per scheduler
 * hide each other's waits, and an H200 has enough registers for two (nvidia16). */
#define CHAINS_PER_UNIT_NVIDIA 8
#define CHAINS_PER_UNIT 16
/* Fixed cost of a strip, in steps: fetching its rows' scores, and searching for its best cell. */
#define STRIP_STEPS 64
/* Delay, in steps, until a strip sees values that the strip above has written: some 1000 cycles of
 * nvidia16. */
#define HANDOVER_STEPS 4
/* Overhead of a step, in rows, for variants whose cost is not known. */
#define STEP_ROWS 4
/* A region with this many rows and columns makes a variant choose the most rows per lane that fit into
 * registers. */
#define LARGE (INT64_C(1) << 32)

/* Like chain_choose, for one variant. Returns false if the variant cannot compute with the scheme. */
static bool fit(kernel_config *out, const kernel_variant *variant, const cla_device_info *device,
                const path_scheme *scheme) {
  const cla_scoring *scoring = scheme->scoring;
  const score_table *table = scheme->table;
  char reason[160];
  if (!variant->takes.pairs || !kernel_takes_scheme(variant, scoring, table, reason, sizeof reason))
    return false;
  *out = (kernel_config){.variant = variant};
  variant->choose(out, device, LARGE, LARGE);
  const bool shares = variant->bus_words && device->counters != CLA_COUNTERS_NONE;
  out->launch = shares ? KERNEL_PERSISTENT : KERNEL_DIAGONALS;
  /* The loops for pairs also use registers: on AMD's GPUs, only half as many rows fit
   * (tools/offline-compile). */
  if (!variant->packed_pairs && out->alpha > variant->alphas[0]) out->alpha /= 2;
  int64_t tile = TILE_COLUMNS;
  for (const int *alpha = variant->alphas; *alpha && *alpha <= out->alpha; alpha++) {
    kernel_config tried = *out;
    tried.alpha = *alpha;
    tile = smaller(tile, kernel_tile_limit(&tried, scoring, table, 0));
  }
  out->tile_columns = tile;
  out->groups = device->compute_units * (variant->packed_pairs ? CHAINS_PER_UNIT_NVIDIA : CHAINS_PER_UNIT);
  return tile >= out->lanes && kernel_runs_on(out, device, reason, sizeof reason);
}

bool chain_choose(kernel_config *out, const cla_device_info *device, const path_scheme *scheme) {
  if (device->kind != CLA_DEVICE_GPU) return false;
  for (int i = 0; i < kernel_variant_count; i++) {
    const kernel_variant *variant = kernel_variants[i];
    if (variant->short_vectors && device->native_short_lanes < 2) continue;
    if (fit(out, variant, device, scheme)) return true;
  }
  return false;
}

static double step_cost(const kernel_config *config, kernel_gaps gaps) {
  const kernel_variant *variant = config->variant;
  return variant->step_cost ? variant->step_cost(config, gaps) : config->alpha + STEP_ROWS;
}

static double strip_steps(const kernel_config *config, int64_t columns) {
  return (double)(columns + config->lanes + STRIP_STEPS);
}

double chain_cost(const kernel_config *config, kernel_gaps gaps, int64_t rows, int64_t columns) {
  const int64_t strips = chain_strips(config, rows);
  return (double)strips * strip_steps(config, columns) * step_cost(config, gaps);
}

double chain_shared_cost(const kernel_config *config, kernel_gaps gaps, int64_t rows, int64_t columns) {
  const int64_t strips = chain_strips(config, rows);
  const kernel_variant *variant = config->variant;
  const int slant = variant->persistent.slant > 0 ? config->lanes + variant->run_columns : 0;
  const double late = (double)(strips - 1) * (double)(slant + HANDOVER_STEPS);
  return (late + strip_steps(config, columns)) * step_cost(config, gaps);
}

int64_t chain_bus_bytes(const kernel_config *config, kernel_gaps gaps, int64_t columns) {
  return kernel_layout(config, gaps, kernel_strip_rows(config), columns).bus_bytes;
}

bool chain_is_long(const kernel_config *config, int64_t columns) {
  return config->launch == KERNEL_PERSISTENT && columns > CHAIN_OWN_COLUMNS_MOST;
}

int64_t chain_strips(const kernel_config *config, int64_t rows) {
  const int64_t strip_rows = kernel_strip_rows(config);
  return (rows + strip_rows - 1) / strip_rows;
}

int64_t chain_whole_rows(const kernel_config *config, int64_t rows) {
  return chain_strips(config, rows) * kernel_strip_rows(config);
}
