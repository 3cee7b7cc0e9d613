#ifndef HOST_PACKS_LANE_INTERNAL_H
#define HOST_PACKS_LANE_INTERNAL_H

#include "kernels/kernel.h"
#include "packs/pack_internal.h"

/* One pair per lane (packed.clh): a pack has a pair for each lane of its vectors. */

/* Geometry of the kernel on a device. */
typedef struct lane_config {
  const char *name;   /* name of the kernel and its file */
  int value_bytes;    /* bytes of a lane's value */
  int lanes, items;   /* lanes per work-item; work-items per group. A pack has lanes x items pairs */
  int alpha, segment; /* rows of a strip; number of columns from one move of the bases to the next */
  int64_t level;      /* value of a first row after the base has moved, from lane_width.h */
  int64_t groups;     /* largest number of groups in a launch */
} lane_config;

/* The options of a build. */
typedef struct lane_build {
  bool floor, best; /* paths may start anywhere; paths may end anywhere, not only on the matrix' edges */
  int matrix;       /* 0: match and mismatch, 1: scores are looked up, 2: all pairs have the same query */
  kernel_gaps gaps;
} lane_build;

/* Chooses the narrowest lanes that the scheme allows, as many as fit into a vector of the device. Returns
 * false if no lanes are wide enough. */
bool lane_choose(lane_config *out, const cla_device_info *device, const path_scheme *scheme);

/* Sets the kernel for config->value_bytes and the longest segment that the scheme allows. Returns false if
 * the scheme allows no segment. */
bool lane_fit(lane_config *config, const path_scheme *scheme);

/* True if the device can run the config. */
bool lane_runs_on(const lane_config *config, const cla_device_info *device);

/* Writes the build options into `out`. */
void lane_options(char *out, int64_t size, const lane_config *config, const cla_device_info *device,
                  lane_build build);

/* Returns the number of columns for which the lines of a group have room. */
int64_t lane_whole_columns(const lane_config *config, int64_t columns);

/* Returns the number of values in a group's memory with room for these rows and columns. */
int64_t lane_group_values(const lane_config *config, kernel_gaps gaps, int64_t rows_room,
                          int64_t columns_room);

/* Number of integers that a lane returns: PACK_ENDS of packed_best.clh and of packed_edges.clh. */
#define LANE_BEST_ENDS 3
#define LANE_EDGE_ENDS 4

/* packed.clh has the same structs, and explains each field. */
typedef struct lane_params {
  int64_t packs;
  int64_t match, mismatch, largest;
  int64_t level;
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

/* Makes a pack for matrices of up to these rows and columns, with its letters from `at` on. */
lane_pack lane_pack_make(const lane_config *config, int64_t rows, int64_t columns, int64_t at);

typedef struct lane_input {
  lane_config config;
  path_scheme scheme;
  /* All pairs have the same query, and no target has the code `padding`. Score look-ups are then faster. */
  bool one_query;
  uint8_t padding; /* code behind a target's end: PACK_TARGET_NEVER, or with one_query an unused code */
} lane_input;

/* The sizes that determine the memory of a launch. All zero before the first pack. */
typedef struct lane_load {
  int64_t packs;
  int64_t letters;             /* bytes of the packs' lines of letters */
  int64_t tops;                /* number of tops; a top is the largest H of a lane in a strip's last row */
  int64_t query_rows, columns; /* the largest query_stride and columns of a pack */
} lane_load;

/* Returns the load with one more pack. */
lane_load lane_load_with(const lane_load *load, const lane_config *config, const lane_pack *pack);

/* Packs on one device. One thread at a time. */
typedef struct lane_engine {
  lane_input input;
  lane_build build;
  lane_params params;
  cl_kernel kernel;
  pack_buffers buffers;
  lane_load load;   /* load of the current launch */
  uint8_t *letters; /* letters of the launch, filled by the host; packs are at query_at and target_at */
  int32_t *sizes;   /* rows and columns of each lane, filled by the host; 0 and 0 without a pair */
  int32_t *found;   /* results: lane_ends numbers for each lane of the launch */
  int64_t found_capacity;
  int32_t **tops; /* an array of tops for each launch of a call; the pairs' `rows` point into the arrays */
  int64_t tops_count, tops_capacity;
} lane_engine;

/* Makes an engine and builds its kernel. The device, and everything that the scheme points to, must outlive
 * the engine. Fails with CLA_ERROR_DEVICE or CLA_ERROR_MEMORY. */
cla_status lane_create(lane_engine **out, cla_device *device, const lane_input *input, cla_error *error);
void lane_free(lane_engine *engine);

/* lane_bytes returns the device memory of the load; lane_has_room is true if the engine may use that much. */
int64_t lane_bytes(const lane_input *input, const lane_load *load);
bool lane_has_room(const lane_engine *engine, const lane_load *load);

/* Makes room for a launch. The caller fills engine->letters and engine->sizes before lane_launch. */
cla_status lane_fill(lane_engine *engine, const lane_load *load, cla_error *error);

/* Computes the packs of the load given to lane_fill. engine->found gets lane_ends numbers for each lane;
 * `tops` gets the tops of each pack, from its tops_at on. */
cla_status lane_launch(lane_engine *engine, int32_t *tops, const lane_pack *list, cla_error *error);

/* Returns how many numbers a lane returns. */
int lane_ends(const lane_engine *engine);

/* Solves the pairs, grouped by size. The pairs' `rows` are valid until the next call. `question` may be NULL.
 * Fails with CLA_ERROR_DEVICE, CLA_ERROR_MEMORY or CLA_ERROR_INTERRUPTED. */
cla_status lane_run(lane_engine *engine, pack_pair *pairs, int64_t count, const pack_question *question,
                    cla_error *error);

#endif
