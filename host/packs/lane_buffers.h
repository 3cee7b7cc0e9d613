#ifndef HOST_PACKS_LANE_BUFFERS_H
#define HOST_PACKS_LANE_BUFFERS_H

#include "device/device.h"
#include "packs/lane_config.h"

/* The engine of cl/packed.clh: packs of short pairs on one device. Buffers stay allocated between launches
 * and grow as needed. One thread at a time. */
typedef struct packs packs;

typedef struct packs_input {
  packed_config config;
  const cla_scoring *scoring;
  const score_table *table;
  path_ends ends;
  bool one_query;  /* all pairs have the same query, and `padding` is a letter that no target has: score
                      matrices are looked up faster then */
  uint8_t padding; /* what lies behind a target's end: PACKED_TARGET_NEVER, or that letter */
} packs_input;

/* Builds the kernel. `device` must outlive the engine; scoring and table are read now only. CLA_ERROR_DEVICE,
 * CLA_ERROR_MEMORY. */
cla_status packs_create(packs **out, cla_device *device, const packs_input *input, cla_error *error);
void packs_free(packs *engine);

/* Bytes of the device's memory that buffers may take from now on; at first all that it has. */
void packs_limit(packs *engine, int64_t bytes);

/* Frees the buffers of launches, until the next one. */
void packs_release(packs *engine);

/* What takes memory in a launch. Begins as zero. */
typedef struct packs_load {
  int64_t packs;
  int64_t letters;             /* bytes of the packs' lines of letters */
  int64_t tops;                /* packed_tops of all */
  int64_t query_rows, columns; /* the largest query_stride and columns of a pack */
} packs_load;

/* The load with one more pack, whose letters are so many bytes. */
packs_load packs_load_with(const packs_load *load, const packed_config *config, const packed_pack *pack,
                           int64_t letters);

/* The device's memory that it takes. */
int64_t packs_bytes(const packs_input *input, const packs_load *load);

/* Whether the device, or what packs_limit says, has room for it. */
bool packs_have_room(packs *engine, const packs_load *load);

/* Memory that the device reads, to be filled before packs_run: letters, and rows and columns of each pair of
 * each pack, lanes without a pair included (0 and 0). Valid until then. */
typedef struct packs_memory {
  uint8_t *letters;
  int32_t *sizes;
} packs_memory;
cla_status packs_fill(packs_memory *out, packs *engine, const packs_load *load, cla_error *error);

/* Computes the packs, which are those that packs_fill was told of. *ends is what comes out of their lanes,
 * PACKED_BEST_ENDS or PACKED_EDGE_ENDS numbers each, valid until the next call; `tops` gets packed_tops of
 * each pack, where its tops_at says. */
cla_status packs_run(const int32_t **ends, int32_t *tops, packs *engine, const packed_pack *list,
                     cla_error *error);

/* Numbers that come out of a lane. */
int packs_ends_of_lane(const packs *engine);

#endif
