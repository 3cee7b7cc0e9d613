#include "kernels/kernel.h"
#include "scoring/lane_width.h"

static const int lanes[] = {64, 0};
static const int alphas[] = {2, 4, 8, 12, 16, 0};

static void choose(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns) {
  config->lanes = lanes[0];
  kernel_choose_alpha(config, device, rows, columns, 4, 16);
}

/* Half of the lanes' range: the other half is for strips whose base stays 0 (cl/nvidia16.cl). */
const kernel_variant kernel_nvidia16 = {
    .name = "nvidia16",
    .summary = "packed pairs of 16-bit lanes, one warp per tile",
    .lane_bits = 16,
    .takes_matrix = false,
    .value_limit = LANE_LIMIT_16 / 2,
    .items = 32,
    .packed_pairs = true,
    .persistent = true,
    .score_bits = 8,
    /* Without a limit the rare careful steps take 255 registers, and the loops that matter run at half the
     * occupancy; with 128 nothing in those is spilled (ptxas 13.0, sm_90, 16 rows a lane). */
    .options = "-cl-nv-maxrregcount=128",
    .lanes = lanes,
    .alphas = alphas,
    .choose = choose,
    .local_bytes_per_lane = 24, /* the file's formula over 64 lanes, rounded up */
};
