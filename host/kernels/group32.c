#include "kernels/kernel.h"
#include "scoring/lane_width.h"

static const int lanes[] = {16, 32, 64, 0};
static const int alphas[] = {2, 4, 8, 0};

/* 8 rows a lane are legal, but spill on Intel GPUs (tools/offline-compile). */
static void choose(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns) {
  config->lanes = 32;
  while (config->lanes > 16 && config->lanes > device->max_group_size) config->lanes /= 2;
  kernel_choose_alpha(config, device, rows, columns, 4, 4);
  config->launch = KERNEL_DIAGONALS;
  config->tile_columns = 0;
}

const kernel_variant kernel_group32 = {
    .name = "group32",
    .summary = "32-bit lanes, one work-item per lane: right for every device and scheme",
    .lane_bits = 32,
    .takes = {.matrix = true, .pieces = true, .used = true},
    .value_limit = LANE_LIMIT_32,
    .lanes_per_item = 1,
    .lanes = lanes,
    .alphas = alphas,
    .choose = choose,
    /* Local memory by group32.cl's formula, with its six extra values counted for every lane. */
    .local_bytes = {.lane = 13 * 4 + 3 * 8 + 24},
};
