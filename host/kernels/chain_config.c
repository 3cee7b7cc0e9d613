#include "kernels/chain_config.h"

#include "base/extremes.h"

/* The tile of a pair's best cell is gone through twice, so tiles are short. */
#define TILE_COLUMNS 256
/* Warps that one scheduler of a unit has at once: two hide each other's waits, and registers do for two. */
#define CHAINS_PER_UNIT 8
/* Of a strip, in steps: its rows' scores are fetched, and the search for its best cell. */
#define STRIP_STEPS 64

bool chain_choose(kernel_config *out, const cla_device_info *device, const cla_scoring *scoring,
                  const score_table *table) {
  char reason[160];
  for (int i = 0; i < kernel_variant_count; i++) {
    const kernel_variant *variant = kernel_variants[i];
    kernel_config config = {.variant = variant,
                            .lanes = variant->lanes[0],
                            .alpha = variant->alphas[0],
                            .launch = KERNEL_DIAGONALS};
    if (!variant->takes_pairs || !kernel_runs_on(&config, device, reason, sizeof reason) ||
        !kernel_takes_scheme(variant, scoring, table, reason, sizeof reason))
      continue;
    int64_t tile = TILE_COLUMNS;
    for (const int *alpha = variant->alphas; *alpha; alpha++) {
      config.alpha = *alpha;
      tile = smaller(tile, kernel_tile_limit(&config, scoring, table, 0));
    }
    config.tile_columns = tile;
    *out = config;
    if (tile > 0) return true;
  }
  return false;
}

int64_t chain_count(const kernel_config *config, const cla_device_info *device) {
  (void)config;
  return (int64_t)device->compute_units * CHAINS_PER_UNIT;
}

double chain_cost(const kernel_config *config, kernel_gaps gaps, int64_t rows, int64_t columns) {
  const int64_t strips = chain_whole_rows(config, rows) / kernel_strip_rows(config);
  return (double)strips * (double)(columns + config->lanes + STRIP_STEPS) *
         config->variant->step_cost(config, gaps);
}

int64_t chain_whole_rows(const kernel_config *config, int64_t rows) {
  const int64_t strip_rows = kernel_strip_rows(config);
  return (rows + strip_rows - 1) / strip_rows * strip_rows;
}
