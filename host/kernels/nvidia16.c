#include "kernels/kernel.h"
#include "scoring/lane_width.h"

static const int lanes[] = {64, 0};
static const int alphas[] = {2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 0};

#define SCHEDULERS_PER_UNIT 4 /* of a streaming multiprocessor: each issues for one warp at a time */
#define ALPHA_LEAST 4
#define ALPHA_MOST 16
#define TILE_COLUMNS 1024

/* The fewest rows per lane with which one strip for each scheduler covers the region: then every scheduler
 * has a warp, and the wavefront fills and drains as fast as it can. A scheduler's second warp would only wait
 * while the first one works (docs/performance.md). */
static void choose(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns) {
  const int64_t warps = (int64_t)device->compute_units * SCHEDULERS_PER_UNIT;
  const int *alpha = alphas;
  (void)columns;
  while (*alpha < ALPHA_LEAST || (*alpha < ALPHA_MOST && rows > warps * lanes[0] * *alpha)) alpha++;
  config->lanes = lanes[0];
  config->alpha = *alpha;
  config->launch = device->counters == CLA_COUNTERS_NONE ? KERNEL_DIAGONALS : KERNEL_PERSISTENT;
  config->groups = (int)warps;
  config->tile_columns = config->launch == KERNEL_PERSISTENT ? TILE_COLUMNS : 0;
}

const kernel_variant kernel_nvidia16 = {
    .name = "nvidia16",
    .summary = "packed pairs of 16-bit lanes, one warp per strip",
    .lane_bits = 16,
    .takes_matrix = false,
    .value_limit = LANE_LIMIT_16,
    .items = 32,
    .chains = 4,
    .packed_pairs = true,
    .bus_words = true,
    .persistent = true,
    .slant = 96, /* a chain of 64 lanes and a block of 32 steps */
    .score_bits = 7,
    .lanes = lanes,
    .alphas = alphas,
    .choose = choose,
    .local_bytes_per_lane = 32, /* the file's formula over 64 lanes, rounded up */
};
