#include "kernels/kernel.h"
#include "scoring/lane_width.h"

/* Describes the kernels of wave.clh, in two widths. */

static const int lanes16[] = {32, 64, 128, 0};
static const int lanes32[] = {16, 32, 64, 0};
/* With 96 registers, the usual steps do not spill (ptxas 13.0, sm_90, 16 rows per lane). Without this
 * limit, the compiler would use over 150 registers, because of rare steps with special cases. */
#define NVIDIA_OPTIONS "-cl-nv-maxrregcount=96 -DMULTIPLY_ADDS=1"
static const int alphas[] = {2, 4, 8, 16, 0};

/* Groups of a persistent launch per compute unit: about as many as a unit runs at the same time. */
#define GROUPS_PER_UNIT 16
#define DIAGONAL_STRIPS 1024
/* Columns of the tiles of long regions on NVIDIA's GPUs. Measured with wave32 on an H200, 4 Mbp: 1.98 TCUPS
 * with 256 columns, 1.93 with 512, 1.88 with 1024. */
#define NVIDIA_TILE 256
#define NVIDIA_COLUMNS (INT64_C(1) << 20) /* columns of such a region */

/* Returns the number of work-items of a group: as many as the hardware runs in lockstep. So they exchange
 * values without a barrier. If sub-groups can shuffle, the number is 16 or the nearest possible size:
 * Intel's registers then suffice for twice as many rows per lane as with 32. */
static int choose_items(const cla_device_info *device) {
  int items = device->lockstep_items;
  if (device->sub_group_sizes & 16)
    items = 16;
  else if (device->sub_group_sizes & 32)
    items = 32;
  else if (device->sub_group_sizes & 64)
    items = 64;
  if (items != 16 && items != 32 && items != 64) items = 32;
  while (items > 16 && items > device->max_group_size) items /= 2;
  return items;
}

/* Returns the largest number of rows per lane for which the registers suffice (tools/offline-compile). It
 * is twice as large on NVIDIA's GPUs as on AMD's. It is half as large if a sub-group is a thread with 128
 * registers. */
static int most_rows(const cla_device_info *device) {
  if (kernel_nvidia_compiler(device)) return 16;
  return device->sub_group_sizes > 0 ? 4 : 8;
}

static void choose(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns) {
  config->lanes = choose_items(device) * config->variant->lanes_per_item;
  kernel_choose_alpha(config, device, rows, columns, 4, most_rows(device));
  config->groups = device->compute_units * GROUPS_PER_UNIT;
  config->tile_columns = kernel_nvidia_compiler(device) && columns >= NVIDIA_COLUMNS ? NVIDIA_TILE : 0;
  /* If one diagonal of tiles occupies the whole device, launching every diagonal takes less time than
   * waiting for the strip above. Measured with wave32 on an H200, 1 Mbp: 1.24 TCUPS with launches by
   * diagonals, 0.98 with a persistent launch (docs/measurements/performance.md). */
  const bool full = rows >= DIAGONAL_STRIPS * kernel_strip_rows(config) && columns >= rows / 2;
  config->launch = full || device->counters == CLA_COUNTERS_NONE ? KERNEL_DIAGONALS : KERNEL_PERSISTENT;
}

/* value_limit is half of the lanes' range. The other half is for strips whose base stays that of small values
 * (wave.clh). */
const kernel_variant kernel_wave16 = {
    .name = "wave16",
    .summary = "packed pairs of 16-bit lanes, one work-group per tile",
    .lane_bits = 16,
    .takes = {.matrix = true, .used = true, .pairs = true},
    .value_limit = LANE_LIMIT_16 / 2,
    .lanes_per_item = 2,
    .short_vectors = true,
    .byte_scores = true,
    .shuffles = true,
    .options = NVIDIA_OPTIONS,
    .lanes = lanes16,
    .alphas = alphas,
    .choose = choose,
    .local_bytes = {.lane = (23 * 4 + 3 * 8) / 2, .group = 16 + 34 * 34 * 2},
};

const kernel_variant kernel_wave32 = {
    .name = "wave32",
    .summary = "32-bit lanes, one work-group per tile: right for every scheme",
    .lane_bits = 32,
    .takes = {.matrix = true, .used = true, .pairs = true},
    .value_limit = LANE_LIMIT_32 / 2,
    .lanes_per_item = 1,
    .shuffles = true,
    .options = NVIDIA_OPTIONS " -DSCORE_LINES=1",
    .lanes = lanes32,
    .alphas = alphas,
    .choose = choose,
    .local_bytes = {.lane = 23 * 4 + 3 * 8, .row = 5 * 4, .group = 16 + 34 * 34 * 4},
};
