#include "kernels/kernel.h"
#include "scoring/lane_width.h"

static const int lanes[] = {16, 32, 64, 0};
static const int alphas[] = {4, 6, 8, 12, 16, 0};
static const int segments[] = {16, 8, 4, 0};

/* More groups than cores, because drivers hand them out by the handful: one that finds no strip left ends at
 * once. */
#define GROUPS_PER_UNIT 4

/* As many lanes as the device has in a native vector; more rows per lane where there are enough strips to
 * keep every core busy all the same. */
static void choose(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns) {
  const int *wanted = lanes;
  while (wanted[1] && wanted[1] <= 2 * device->native_short_lanes) wanted++;
  config->lanes = *wanted;
  kernel_choose_alpha(config, device, rows, columns, 4, 16);
  config->launch = device->counters == CLA_COUNTERS_NONE ? KERNEL_DIAGONALS : KERNEL_PERSISTENT;
  config->groups = GROUPS_PER_UNIT * device->compute_units;
  config->tile_columns = 0;
}

const kernel_variant kernel_vector8 = {
    .name = "vector8",
    .summary = "wide vectors of 8-bit lanes, each with a base of its own, one work-item per tile",
    .lane_bits = 8,
    .segments = segments,
    .takes_matrix = true,
    .takes_used = true,
    .takes_pieces = true,
    .value_limit = LANE_LIMIT_8,
    .items = 1,
    .for_cpus = true,
    .persistent = true,
    .tile_tickets = true,
    .lanes = lanes,
    .alphas = alphas,
    .choose = choose,
    .local_bytes_per_lane = 0,
};
