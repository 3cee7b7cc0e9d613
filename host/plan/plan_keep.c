#include "plan/plan_keep.h"

#include "base/extremes.h"

/* Each block begins and ends with strips that have the device for themselves: so many times more than it
 * computes at once. */
#define STRIPS_AT_ONCE_TIMES 4
/* What the best cell is looked for is more for each block, above all for the first ones: cells of a block, at
 * least. */
#define BLOCK_CELLS_LEAST (INT64_C(1) << 32)
/* Strips of most kernels fit into blocks of a multiple of so many rows: once pairs are used, another kernel
 * may have to go on. */
#define FITTING_ROWS 2048
/* Strips that a compute unit works on at once, where launches go by diagonals or single tiles. */
#define STRIPS_PER_UNIT_CPU 1
#define STRIPS_PER_UNIT_GPU 4

static int64_t strips_at_once(const kernel_config *config, const cla_device_info *device) {
  const bool cpu = device->kind == CLA_DEVICE_CPU;
  if (config->launch == KERNEL_PERSISTENT && !cpu) return config->groups;
  return (int64_t)device->compute_units * (cpu ? STRIPS_PER_UNIT_CPU : STRIPS_PER_UNIT_GPU);
}

/* Below a full row of the whole matrix all values are those of the whole matrix, and so are their
 * differences. */
static bool lanes_hold(const kernel_config *config, const plan_input *input) {
  return kernel_tile_limit(config, input->scoring, input->table, 0) >= config->tile_columns;
}

void plan_keep(plan *out, const plan_input *input) {
  const int64_t at_once = strips_at_once(&out->sweep, input->device) * kernel_strip_rows(&out->sweep);
  const int64_t wanted = larger(STRIPS_AT_ONCE_TIMES * at_once, BLOCK_CELLS_LEAST / input->columns);
  out->matrix_block_rows = 0;
  if (out->row_interval == 0) return;
  const int64_t least = larger((wanted + out->row_interval - 1) / out->row_interval, 1);
  int64_t intervals = least;
  while (intervals < 2 * least && intervals * out->row_interval % FITTING_ROWS != 0) intervals++;
  if (intervals == 2 * least) intervals = least;
  out->matrix_block_rows = intervals * out->row_interval;
}

bool plan_keep_fit(plan *out, const plan_input *input, int64_t block_rows) {
  kernel_config config = out->sweep;
  const int *alphas = config.variant->alphas;
  int last = 0;
  while (alphas[last]) last++;
  while (last > 0 &&
         (alphas[last - 1] > out->sweep.alpha || block_rows % (config.lanes * alphas[last - 1]) != 0))
    last--;
  if (last == 0) return false;
  config.alpha = alphas[last - 1];
  if (!lanes_hold(&config, input)) return false;
  out->sweep = config;
  out->matrix_block_rows = block_rows;
  if (out->row_interval == 0 || out->row_interval % kernel_strip_rows(&config) != 0 ||
      block_rows % out->row_interval != 0)
    out->row_interval = block_rows;
  return true;
}
