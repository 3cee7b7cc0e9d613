#include "kernels/kernel.h"

static const int lanes[] = {8, 16, 32, 0};
static const int alphas[] = {2, 4, 8, 16, 0};

/* As many lanes as the device has in a native vector; more rows per lane where there are enough strips to
 * keep every core busy all the same. */
static void choose(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns) {
  config->lanes = device->native_short_lanes >= 32 ? 32 : device->native_short_lanes >= 16 ? 16 : 8;
  const int64_t strips_wanted = 4 * (int64_t)device->compute_units;
  const int64_t shorter = rows < columns ? rows : columns;
  config->alpha = 8;
  while (config->alpha > 2 && shorter < strips_wanted * config->lanes * config->alpha) config->alpha /= 2;
}

const kernel_variant kernel_vector16 = {
    .name = "vector16",
    .summary = "wide vectors of 16-bit lanes, one work-item per tile",
    .lane_bits = 16,
    .takes_matrix = false,
    .lanes_are_items = false,
    .lanes = lanes,
    .alphas = alphas,
    .choose = choose,
    .local_bytes_per_lane = 0,
};
