#ifndef HOST_PACKS_CHAIN_BUFFERS_H
#define HOST_PACKS_CHAIN_BUFFERS_H

#include "device/device.h"
#include "packs/chain_config.h"

/* The engine of cl/chain_pairs.clh: many pairs in one launch, on one device. Buffers stay
 * allocated between launches and grow as needed. One thread at a time. */
typedef struct chains chains;

typedef struct chains_input {
  const cla_scoring *scoring;
  const score_table *table;
  path_ends ends;
} chains_input;

/* `device` must outlive the engine, and so must scoring and table. CLA_ERROR_DEVICE, CLA_ERROR_MEMORY. */
cla_status chains_create(chains **out, cla_device *device, const chains_input *input, cla_error *error);
void chains_free(chains *engine);

/* Bytes of the device's memory that buffers may take from now on; at first all that it has. */
void chains_limit(chains *engine, int64_t bytes);

/* Frees the buffers of launches, until the next one. */
void chains_release(chains *engine);

/* What takes memory in a launch. Begins as zero. */
typedef struct chains_load {
  int64_t parts;
  int64_t letters;     /* queries up to chain_whole_rows */
  int64_t columns;     /* of the longest target, */
  int64_t own_columns; /* and of pairs that have their chain's bus */
  int64_t bus_bytes;   /* of all buses that pairs have of their own */
} chains_load;

/* The device's memory that it takes. */
int64_t chains_bytes(const kernel_config *config, const chains_input *input, const chains_load *load);

/* Whether the device, or what chains_limit says, has room for it. */
bool chains_have_room(chains *engine, const kernel_config *config, const chains_load *load);

/* Letters of a launch that are not too much of the device's memory, and as much again for the buses of pairs
 * that are shared out. */
int64_t chains_bytes_most(const chains *engine);

/* Makes the buffers for it, which may wait for what others compute, before its letters are there. As
 * chains_run. */
cla_status chains_reserve(chains *engine, const kernel_config *config, const chains_load *load,
                          cla_error *error);

/* Memory to be filled with the pairs' letters, queries up to chain_whole_rows, before chains_run brings them
 * to the device. Valid until then. */
cla_status chains_fill(uint8_t **letters, chains *engine, int64_t bytes, cla_error *error);

/* Computes pairs with a config of chain_choose: whole ones, or where its launch is persistent, parts of one
 * pair one after the other, from its first strip on. `parts` says where the letters of each are and which
 * strips; where its bus is comes from here. *ends are what is found of each part, the last row's end in a
 * pair's last one, valid until the next call. The first call for a config builds a kernel. CLA_ERROR_DEVICE,
 * CLA_ERROR_MEMORY, also where there is no room for them (chains_have_room). */
cla_status chains_run(const chain_ends **ends, chains *engine, const kernel_config *config, chain_part *parts,
                      int64_t count, cla_error *error);

#endif
