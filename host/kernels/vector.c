#include "kernels/kernel.h"
#include "scoring/lane_width.h"

/* Describes the kernels of vector.clh, in two widths, and vector8.cl. */

static const int lanes16[] = {8, 16, 32, 0};
static const int lanes32[] = {4, 8, 16, 0};
static const int alphas[] = {2, 4, 8, 16, 0};

/* Groups per core: more than one, because drivers give a core several groups at a time. A group without a
 * strip to compute ends immediately. */
#define GROUPS_PER_UNIT 4

/* Devices with at most this many compute units get wide tiles, because few cores are easily kept busy. Each
 * tile has a fixed cost, which equals that of a hundred columns. */
#define FEW_UNITS 3
#define TILES_PER_UNIT 8
#define TILE_MOST 1024

/* Returns the width of vector8's tiles for few compute units. Returns 0 if there are more units, so that the
 * general rule applies. */
static int64_t wide_tile(const cla_device_info *device, int64_t narrowest, int64_t columns) {
  int64_t tile = narrowest;
  if (device->compute_units > FEW_UNITS) return 0;
  while (tile * 2 <= TILE_MOST && tile * 2 * TILES_PER_UNIT * device->compute_units <= columns) tile *= 2;
  return tile;
}

/* Chooses the lanes of a native vector, and so many rows per lane that there are still enough strips for
 * every core. */
static void choose(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns) {
  const bool bytes = config->variant->lane_bits == 8;
  const int native = device->native_short_lanes * 16 / config->variant->lane_bits;
  const int *lanes = config->variant->lanes;
  while (lanes[1] && lanes[1] <= native) lanes++;
  config->lanes = *lanes;
  kernel_choose_alpha(config, device, rows, columns, 4, bytes ? 16 : 8);
  config->launch = device->counters == CLA_COUNTERS_NONE ? KERNEL_DIAGONALS : KERNEL_PERSISTENT;
  config->groups = GROUPS_PER_UNIT * device->compute_units;
  config->tile_columns = bytes ? wide_tile(device, config->lanes, columns) : 0;
}

const kernel_variant kernel_vector16 = {
    .name = "vector16",
    .summary = "wide vectors of 16-bit lanes, one work-item per tile",
    .lane_bits = 16,
    .takes = {.matrix = true, .used = true},
    .value_limit = LANE_LIMIT_16,
    .items = 1,
    .for_cpus = true,
    .persistent = {.single_tiles = true},
    .lanes = lanes16,
    .alphas = alphas,
    .choose = choose,
};

const kernel_variant kernel_vector32 = {
    .name = "vector32",
    .summary = "wide vectors of 32-bit lanes, one work-item per tile: right for every scheme",
    .lane_bits = 32,
    .takes = {.matrix = true, .used = true},
    .value_limit = LANE_LIMIT_32,
    .items = 1,
    .for_cpus = true,
    .persistent = {.single_tiles = true},
    .lanes = lanes32,
    .alphas = alphas,
    .choose = choose,
};

static const int lanes8[] = {16, 32, 64, 0};
static const int alphas8[] = {4, 6, 8, 12, 14, 16, 0};
static const int segments8[] = {16, 12, 8, 4, 0};

const kernel_variant kernel_vector8 = {
    .name = "vector8",
    .summary = "wide vectors of 8-bit lanes, each with a base of its own, one work-item per tile",
    .lane_bits = 8,
    .segments = segments8,
    .takes = {.matrix = true, .used = true},
    .columns = true,
    .value_limit = LANE_LIMIT_8,
    .items = 1,
    .for_cpus = true,
    .persistent = {.single_tiles = true},
    .lanes = lanes8,
    .alphas = alphas8,
    .choose = choose,
};
