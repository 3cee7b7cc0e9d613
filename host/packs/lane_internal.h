#ifndef HOST_PACKS_LANE_INTERNAL_H
#define HOST_PACKS_LANE_INTERNAL_H

#include "kernels/kernel.h"
#include "packs/pack_internal.h"

/* A pair a lane (packed.clh): a pack has a pair for each lane of its vectors. */

/* Geometry of the kernel on a device. */
typedef struct lane_config {
  const char *name;   /* of the kernel and its file */
  int value_bytes;    /* of a lane */
  int lanes, items;   /* of a work-item's vector; work-items of a group: a pack has lanes x items pairs */
  int alpha, segment; /* rows of a strip; columns after which bases are moved */
  int64_t groups;     /* of a launch, at most */
} lane_config;

/* What a build is made for. */
typedef struct lane_build {
  bool floor, best; /* best: paths end anywhere; else on the matrix' edges */
  int matrix;       /* 0: match and mismatch, 1: scores are looked up, 2: all pairs have the same query */
  kernel_gaps gaps;
} lane_build;

/* The narrowest lanes that the scheme allows, as many as the device has in a vector. False: no lanes do. */
bool lane_choose(lane_config *out, const cla_device_info *device, const path_scheme *scheme);

/* Sets the kernel of such values and the longest segment that the scheme allows; false if it allows none. */
bool lane_fit(lane_config *config, const path_scheme *scheme);

/* Whether the device can run the config. */
bool lane_runs_on(const lane_config *config, const cla_device_info *device);

/* The build options, in `out`. */
void lane_options(char *out, int64_t size, const lane_config *config, const cla_device_info *device,
                  lane_build build);

/* Columns that the lines of a group have room for. */
int64_t lane_whole_columns(const lane_config *config, int64_t columns);

/* Values of a group's memory, for such rows and columns. */
int64_t lane_group_values(const lane_config *config, kernel_gaps gaps, int64_t rows_room,
                          int64_t columns_room);

/* Integers that come out of a lane, packed_best.clh's and packed_edges.clh's PACK_ENDS. */
#define LANE_BEST_ENDS 3
#define LANE_EDGE_ENDS 4

/* packed.clh has the same structs, and the meaning of each field. */
typedef struct lane_params {
  int64_t packs;
  int64_t match, mismatch, largest;
  gap_costs gap;
  int64_t query_start, target_start;
  int64_t ends_in_row, ends_in_column;
  int64_t columns_room, rows_room;
} lane_params;

typedef struct lane_pack {
  int64_t rows, columns;
  int64_t rows_least, columns_least;
  int64_t query_at, target_at;
  int64_t query_stride, target_stride;
  int64_t tops_at;
} lane_pack;

static inline int lane_pack_pairs(const lane_config *config) {
  return config->lanes * config->items;
}

/* A pack whose largest matrix has so many rows and columns, with its letters from `at` on. */
lane_pack lane_pack_make(const lane_config *config, int64_t rows, int64_t columns, int64_t at);

typedef struct lane_input {
  lane_config config;
  path_scheme scheme;
  bool one_query;  /* all pairs have the same query, and no target has the code `padding`: score matrices are
                      looked up faster then */
  uint8_t padding; /* behind a target's end: PACK_TARGET_NEVER, or that code */
} lane_input;

/* What takes memory in a launch. Begins as zero. */
typedef struct lane_load {
  int64_t packs;
  int64_t letters;             /* bytes of the packs' lines of letters */
  int64_t tops;                /* numbers: the largest H of each lane in the last row of each strip */
  int64_t query_rows, columns; /* the largest query_stride and columns of a pack */
} lane_load;

/* The load with one more pack. */
lane_load lane_load_with(const lane_load *load, const lane_config *config, const lane_pack *pack);

/* Packs on one device. One thread at a time. */
typedef struct lane_engine {
  lane_input input;
  lane_build build;
  lane_params params;
  cl_kernel kernel;
  pack_buffers buffers;
  lane_load load;   /* of the current launch */
  uint8_t *letters; /* letters of the launch, filled by the host; packs lie at query_at and target_at */
  int32_t *sizes;   /* rows and columns of each lane, filled by the host; 0 and 0 without a pair */
  int32_t *found;   /* results: lane_ends numbers for each lane of the launch */
  int64_t found_capacity;
  int32_t **tops; /* one for each launch of a call; the pairs' `rows` point into them */
  int64_t tops_count, tops_capacity;
} lane_engine;

/* Builds the kernel. The device and what the scheme points to must outlive the engine. CLA_ERROR_DEVICE,
 * CLA_ERROR_MEMORY. */
cla_status lane_create(lane_engine **out, cla_device *device, const lane_input *input, cla_error *error);
void lane_free(lane_engine *engine);

/* The device's memory that the load takes, and whether there is room for it. */
int64_t lane_bytes(const lane_input *input, const lane_load *load);
bool lane_has_room(const lane_engine *engine, const lane_load *load);

/* Makes room for a launch: engine->letters and sizes are to be filled before lane_launch. */
cla_status lane_fill(lane_engine *engine, const lane_load *load, cla_error *error);

/* Computes the packs of the load that lane_fill was told of. engine->found has lane_ends numbers of each lane
 * afterwards; `tops` gets those of each pack, from its tops_at on. */
cla_status lane_launch(lane_engine *engine, int32_t *tops, const lane_pack *list, cla_error *error);

/* Numbers that come out of a lane. */
int lane_ends(const lane_engine *engine);

/* Solves the pairs, put together by size. Their `rows` are valid until the next call. `question` may be NULL.
 * CLA_ERROR_DEVICE, CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status lane_run(lane_engine *engine, pack_pair *pairs, int64_t count, const pack_question *question,
                    cla_error *error);

#endif
