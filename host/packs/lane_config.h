#ifndef HOST_PACKS_LANE_CONFIG_H
#define HOST_PACKS_LANE_CONFIG_H

#include "kernels/kernel.h"

/* cl/packed.clh, many short pairs at once, as data. */

/* How packs are computed on a device for a scheme. */
typedef struct packed_config {
  const char *name;   /* of the kernel and its file */
  int value_bytes;    /* of a lane */
  int lanes, items;   /* of a work-item's vector; work-items of a group: a pack has lanes x items pairs */
  int alpha, segment; /* rows of a strip; columns after which bases are moved */
  int64_t groups;     /* of a launch, at most */
} packed_config;

/* What a build of it is made for. */
typedef struct packed_build {
  bool floor, best; /* best: paths end anywhere; else on the matrix' edges */
  int matrix;       /* 0: match and mismatch, 1: scores are looked up, 2: all pairs have the same query */
  kernel_gaps gaps;
} packed_build;

/* The narrowest lanes that are right for the scheme, as many as the device has in a vector. False: no lanes
 * take it. */
bool packed_choose(packed_config *out, const cla_device_info *device, const cla_scoring *scoring,
                   const score_table *table);

/* Sets the kernel of such values and the longest segment that the scheme allows; false if it allows none. */
bool packed_fit(packed_config *config, const cla_scoring *scoring, const score_table *table);

/* Whether the device can run the config. */
bool packed_runs_on(const packed_config *config, const cla_device_info *device);

/* Pairs of a pack. */
static inline int packed_pairs(const packed_config *config) {
  return config->lanes * config->items;
}

/* The build options, in `out`. */
void packed_options(char *out, int64_t size, const packed_config *config, const cla_device_info *device,
                    packed_build build);

/* What a matrix of so many letters takes in a pack: whole strips, and columns for which lines have room. */
int64_t packed_whole_rows(const packed_config *config, int64_t rows);
int64_t packed_whole_columns(const packed_config *config, int64_t columns);

/* The lanes' values that a group keeps in memory, for rows and columns as above. */
int64_t packed_group_values(const packed_config *config, kernel_gaps gaps, int64_t rows_room,
                            int64_t columns_room);

/* cl/packed_letters.clh's LETTERS_AT_ONCE. */
#define PACKED_LETTERS_AT_ONCE 16

/* Bytes of a sequence's line of letters. */
static inline int64_t packed_stride(int64_t letters) {
  return (letters + PACKED_LETTERS_AT_ONCE - 1) / PACKED_LETTERS_AT_ONCE * PACKED_LETTERS_AT_ONCE;
}

/* Letters that match nothing, for what lies behind a sequence's end (cl/common.clh). */
#define PACKED_QUERY_NEVER 32
#define PACKED_TARGET_NEVER 33
#define PACKED_SCORE_STRIDE 34

/* Integers that come out of a lane, cl/packed_best.clh's and cl/packed_edges.clh's PACK_ENDS. */
#define PACKED_BEST_ENDS 3
#define PACKED_EDGE_ENDS 4
#define PACKED_NOWHERE (INT32_MIN + 1)

/* cl/packed.clh has the same structs, and the meaning of each field. */
typedef struct packed_params {
  int64_t packs;
  int64_t match, mismatch, largest;
  int64_t gap_first, gap_ext, gap_first2, gap_ext2;
  int64_t query_start, target_start;
  int64_t ends_in_row, ends_in_column;
  int64_t columns_room, rows_room;
} packed_params;

typedef struct packed_pack {
  int64_t rows, columns;
  int64_t rows_least, columns_least;
  int64_t query_at, target_at;
  int64_t query_stride, target_stride;
  int64_t tops_at;
} packed_pack;

/* Numbers of `tops` that a pack has: the largest H of each lane in the last row of each strip. */
static inline int64_t packed_tops(const packed_config *config, const packed_pack *pack) {
  return pack->rows / config->alpha * packed_pairs(config);
}

#endif
