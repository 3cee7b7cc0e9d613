#include "kernels/kernel.h"
#include "scoring/lane_width.h"

/* The two widths of cl/vector.clh. */

static const int lanes16[] = {8, 16, 32, 0};
static const int lanes32[] = {4, 8, 16, 0};
static const int alphas[] = {2, 4, 8, 16, 0};

/* More groups than cores, because drivers hand them out by the handful: one that finds no strip left ends at
 * once. */
#define GROUPS_PER_UNIT 4

/* As many lanes as the device has in a native vector of that width; more rows per lane where there are enough
 * strips to keep every core busy all the same. */
static void choose(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns) {
  const int native = device->native_short_lanes * 16 / config->variant->lane_bits;
  const int *lanes = config->variant->lanes;
  while (lanes[1] && lanes[1] <= native) lanes++;
  config->lanes = *lanes;
  kernel_choose_alpha(config, device, rows, columns, 4, 8);
  config->launch = device->counters == CLA_COUNTERS_NONE ? KERNEL_DIAGONALS : KERNEL_PERSISTENT;
  config->groups = GROUPS_PER_UNIT * device->compute_units;
  config->tile_columns = 0;
}

const kernel_variant kernel_vector16 = {
    .name = "vector16",
    .summary = "wide vectors of 16-bit lanes, one work-item per tile",
    .lane_bits = 16,
    .takes_matrix = true,
    .takes_used = true,
    .takes_pieces = true,
    .value_limit = LANE_LIMIT_16,
    .items = 1,
    .for_cpus = true,
    .persistent = true,
    .single_tiles = true,
    .lanes = lanes16,
    .alphas = alphas,
    .choose = choose,
    .local_bytes_per_lane = 0,
};

const kernel_variant kernel_vector32 = {
    .name = "vector32",
    .summary = "wide vectors of 32-bit lanes, one work-item per tile: right for every scheme",
    .lane_bits = 32,
    .takes_matrix = true,
    .takes_used = true,
    .takes_pieces = true,
    .value_limit = LANE_LIMIT_32,
    .items = 1,
    .for_cpus = true,
    .persistent = true,
    .single_tiles = true,
    .lanes = lanes32,
    .alphas = alphas,
    .choose = choose,
    .local_bytes_per_lane = 0,
};
