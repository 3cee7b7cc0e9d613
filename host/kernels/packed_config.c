#include "kernels/packed_config.h"

#include <stdio.h>
#include <string.h>

#include "scoring/lane_width.h"

#define LIMIT_16 65535
#define LIMIT_32 1000000000 /* VALUE_LIMIT of cl/packed32.cl */
#define LANES_MOST 64       /* of 8 bits */

/* More groups than cores, because drivers hand them out by the handful; on a GPU as many as a unit holds. */
#define GROUPS_PER_CORE 2
#define GROUPS_PER_UNIT 16
#define GPU_ITEMS 32

static const int segments[] = {32, 16, 12, 8, 4, 0};

/* The longest segment that the scheme allows in lanes of such values; 0: none. */
static int longest_segment(int64_t limit, int alpha, const cla_scoring *scoring, const score_table *table) {
  for (const int *segment = segments; *segment; segment++)
    if (lane_width_segment_tile(limit, table->maximum, scoring, alpha, *segment, 0) > 0) return *segment;
  return 0;
}

/* Oclgrind has no saturating subtraction of vectors, which lanes of 8 bits compile to (kernels/kernel.c). */
static bool has_bytes(const cla_device_info *device) {
  return device->kind == CLA_DEVICE_CPU && strcmp(device->platform, "Oclgrind") != 0;
}

bool packed_choose(packed_config *out, const cla_device_info *device, const cla_scoring *scoring,
                   const score_table *table) {
  const bool gpu = device->kind == CLA_DEVICE_GPU;
  static const struct {
    const char *name;
    int value_bytes;
    int64_t limit;
  } widths[] = {{"packed8", 1, UINT8_MAX}, {"packed16", 2, LIMIT_16}, {"packed32", 4, LIMIT_32}};
  for (int i = 0; i < 3; i++) {
    const int bytes = widths[i].value_bytes;
    if (bytes == 1 && !has_bytes(device)) continue;
    const int alpha = 8;
    int lanes = 2 * device->native_short_lanes / bytes;
    if (lanes > LANES_MOST / bytes) lanes = LANES_MOST / bytes;
    if (lanes < 16 / bytes) lanes = 16 / bytes;
    const int segment = longest_segment(widths[i].limit, alpha, scoring, table);
    if (segment == 0) continue;
    *out = (packed_config){.name = widths[i].name,
                           .value_bytes = bytes,
                           .lanes = gpu ? (bytes == 2 ? 2 : 1) : lanes,
                           .items = gpu ? GPU_ITEMS : 1,
                           .alpha = alpha,
                           .segment = segment,
                           .groups = device->compute_units * (gpu ? GROUPS_PER_UNIT : GROUPS_PER_CORE)};
    return true;
  }
  return false;
}

void packed_options(char *out, int64_t size, const packed_config *config, packed_build build) {
  snprintf(out, (size_t)size,
           "-DLANES=%d -DITEMS=%d -DALPHA=%d -DSEGMENT=%d -DLOCAL=%d -DBEST=%d -DMATRIX=%d -DGAPS=%d",
           config->lanes, config->items, config->alpha, config->segment, build.floor, build.best,
           build.matrix, (int)build.gaps);
}

int64_t packed_rows(const packed_config *config, int64_t rows) {
  return (rows + config->alpha - 1) / config->alpha * config->alpha;
}

int64_t packed_columns(const packed_config *config, int64_t columns) {
  const int64_t room = packed_stride(columns);
  return (room + config->segment - 1) / config->segment * config->segment;
}

int64_t packed_group_values(const packed_config *config, kernel_gaps gaps, int64_t rows_room,
                            int64_t columns_room) {
  const int64_t lines = gaps == KERNEL_GAPS_LINEAR ? 1 : gaps == KERNEL_GAPS_AFFINE ? 2 : 3;
  const int64_t vectors =
      rows_room + (1 + 2 * lines) * columns_room + 2 * (columns_room / config->segment);
  return vectors * packed_pairs(config);
}
