#include <stdio.h>
#include <string.h>

#include "packs/lane_internal.h"
#include "scoring/lane_width.h"

#define LIMIT_16 65535
#define LIMIT_32 1000000000 /* VALUE_LIMIT of packed32.cl */
#define LANES_MOST 64       /* lanes of 8 bits */
/* Lanes of 8 bits if scores are looked up. With 64 lanes, the profiles and the scores of a segment would
 * fill the first-level cache. (BLOSUM62, a query per pair, an EPYC with AVX-512: 14.7 GCUPS per core with
 * 32 lanes, 12.2 with 64.) */
#define LANES_LOOKED_UP 32

/* Groups per CPU core: several, because drivers assign several groups at once. A GPU gets as many groups as
 * its compute units hold. */
#define GROUPS_PER_CORE 2
#define GROUPS_PER_UNIT 16
#define GPU_ITEMS 32
/* Rows of a strip: with AVX-512, the H, E and largest H of all rows fit into registers. */
#define ROWS 8

static const int segments[] = {32, 16, 12, 8, 4, 0};

typedef struct lane_type {
  const char *kernel;
  int bytes;
  int64_t limit; /* VALUE_LIMIT of the kernel's file in cl/ */
} lane_type;

static const lane_type lane_types[] = {
    {"packed8", 1, UINT8_MAX}, {"packed16", 2, LIMIT_16}, {"packed32", 4, LIMIT_32}};
#define LANE_TYPES (int)(sizeof lane_types / sizeof lane_types[0])

bool lane_fit(lane_config *config, const path_scheme *scheme) {
  for (int i = 0; i < LANE_TYPES; i++) {
    const lane_type *type = &lane_types[i];
    if (type->bytes != config->value_bytes) continue;
    config->name = type->kernel;
    for (const int *segment = segments; *segment; segment++) {
      config->segment = *segment;
      config->level = lane_start_middle(lane_width_segment_start(
          type->limit, scheme->table->maximum, scheme->scoring, config->alpha, *segment, 0));
      if (lane_width_segment_tile(type->limit, scheme->table->maximum, scheme->scoring, config->alpha,
                                  *segment, 0) > 0)
        return true;
    }
  }
  return false;
}

bool lane_runs_on(const lane_config *config, const cla_device_info *device) {
  return config->items <= device->max_group_size;
}

/* Returns lanes and items for values of `bytes` bytes. On a CPU the lanes fill a vector of the device, or
 * half of a long vector; on a GPU there are two lanes per item. */
static lane_config layout(const cla_device_info *device, int bytes, bool looked_up) {
  lane_config out = {.value_bytes = bytes, .alpha = ROWS};
  if (device->kind == CLA_DEVICE_GPU) {
    out.lanes = 2; /* Mesa's compiler has no vectors of one */
    out.items = GPU_ITEMS;
    out.groups = (int64_t)device->compute_units * GROUPS_PER_UNIT;
    return out;
  }
  const int least = 16 / bytes, most = (looked_up ? LANES_LOOKED_UP : LANES_MOST) / bytes,
            wanted = 2 * device->native_short_lanes / bytes;
  out.lanes = wanted < least ? least : wanted > most ? most : wanted;
  out.items = 1;
  out.groups = (int64_t)device->compute_units * GROUPS_PER_CORE;
  return out;
}

bool lane_choose(lane_config *out, const cla_device_info *device, const path_scheme *scheme) {
  for (int i = device->kind == CLA_DEVICE_GPU ? 1 : 0; i < LANE_TYPES; i++) {
    *out = layout(device, lane_types[i].bytes, scheme->table->needs_lookup);
    if (lane_runs_on(out, device) && lane_fit(out, scheme)) return true;
  }
  return false;
}

void lane_options(char *out, int64_t size, const lane_config *config, const cla_device_info *device,
                  lane_build build) {
  snprintf(out, (size_t)size,
           "-DLANES=%d -DITEMS=%d -DALPHA=%d -DSEGMENT=%d -DLOCAL=%d -DBEST=%d -DMATRIX=%d -DGAPS=%d%s",
           config->lanes, config->items, config->alpha, config->segment, build.floor, build.best,
           build.matrix, (int)build.gaps,
           strcmp(device->platform, "Oclgrind") == 0 ? " -DNO_VECTOR_SATURATION" : "");
}

/* Returns the bytes of a sequence's line of letters, a multiple of packed_letters.clh's LETTERS_AT_ONCE. */
static int64_t stride_of(int64_t letters) {
  return (letters + 15) / 16 * 16;
}

int64_t lane_whole_columns(const lane_config *config, int64_t columns) {
  const int64_t room = stride_of(columns);
  return (room + config->segment - 1) / config->segment * config->segment;
}

int64_t lane_group_values(const lane_config *config, kernel_gaps gaps, int64_t rows_room,
                          int64_t columns_room) {
  const int64_t lines = gaps == KERNEL_GAPS_LINEAR ? 1 : gaps == KERNEL_GAPS_AFFINE ? 2 : 3;
  const int64_t of_segment =
      2 + (int64_t)sizeof(int32_t) / config->value_bytes; /* two bases, and an int32 of the largest H */
  const int64_t vectors =
      rows_room + (1 + 2 * lines) * columns_room + of_segment * (columns_room / config->segment);
  return vectors * lane_pack_pairs(config);
}

lane_pack lane_pack_make(const lane_config *config, int64_t rows, int64_t columns, int64_t at) {
  lane_pack pack = {
      .rows = (rows + config->alpha - 1) / config->alpha * config->alpha, .columns = columns, .query_at = at};
  pack.query_stride = stride_of(pack.rows);
  pack.target_stride = stride_of(columns);
  pack.target_at = at + pack.query_stride * lane_pack_pairs(config);
  return pack;
}
