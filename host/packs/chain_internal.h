#ifndef HOST_PACKS_CHAIN_INTERNAL_H
#define HOST_PACKS_CHAIN_INTERNAL_H

#include "kernels/kernel.h"
#include "packs/pack_internal.h"

/* Each chain computes one pair or, of a long pair, one strip (chain_pairs.clh). */

/* Chooses the device's best variant for pairs of any lengths. In *out `alpha` is the most rows a lane,
 * `groups` the number of chains that the device runs at once. `launch` is persistent if a pair's strips may
 * be shared out among chains. False if a pair a lane is better, as on CPUs, or if no variant takes the
 * scheme. */
bool chain_choose(kernel_config *out, const cla_device_info *device, const path_scheme *scheme);

/* A pair's time with the config's rows a lane, in a unit that is the same for all pairs. chain_cost is for
 * one chain. chain_shared_cost is for one chain a strip, until the last strip is done. */
double chain_cost(const kernel_config *config, kernel_gaps gaps, int64_t rows, int64_t columns);
double chain_shared_cost(const kernel_config *config, kernel_gaps gaps, int64_t rows, int64_t columns);

/* If the config shares pairs out, chains get a pair with a longer target only in parts. This limits each
 * chain's own memory. */
#define CHAIN_OWN_COLUMNS_MOST 32768
bool chain_is_long(const kernel_config *config, int64_t columns);

/* Bytes of the bus of a pair with so many columns. */
int64_t chain_bus_bytes(const kernel_config *config, kernel_gaps gaps, int64_t columns);

int64_t chain_strips(const kernel_config *config, int64_t rows);

/* Letters of a query's line: whole strips. */
int64_t chain_whole_rows(const kernel_config *config, int64_t rows);

/* chain_pairs.clh has the same structs, and the meaning of each field. */
typedef struct chain_part {
  int64_t rows, columns;
  int64_t query_at, target_at;
  int64_t first_strip, end_strip;
  int64_t bus_at, stride, number;
} chain_part;

typedef struct chain_ends {
  strip_best best;
  int64_t row_score, row_column;
} chain_ends;

typedef struct chain_params {
  int64_t parts;
  int64_t ends_in_row;
  int64_t bus_values, state_values, bottom_values;
} chain_params;

/* Where the letters of a launch lie, so that a sequence of several pairs is stored once. *out is NULL unless
 * many pairs share the query or the target of the pair before. All functions take NULL, and then find
 * nothing. CLA_ERROR_MEMORY. */
typedef struct chain_letters chain_letters;
cla_status chain_letters_create(chain_letters **out, const pack_pair *pairs, int64_t count, cla_error *error);
void chain_letters_free(chain_letters *all);

/* Forgets all letters; to be called before each launch, also the first one. */
void chain_letters_begin(chain_letters *all);

/* Where these codes lie in the launch, as a query's (side 0) or a target's (1); -1: nowhere. */
int64_t chain_letters_at(const chain_letters *all, const uint8_t *codes, int64_t letters, int side);
void chain_letters_put(chain_letters *all, const uint8_t *codes, int64_t letters, int side, int64_t at);

/* What takes memory in a launch. Begins as zero. */
typedef struct chain_load {
  int64_t parts;
  int64_t letters;     /* queries up to chain_whole_rows */
  int64_t columns;     /* of the longest target */
  int64_t own_columns; /* of the longest target whose pair uses its chain's bus */
  int64_t bus_bytes;   /* of all buses that pairs have of their own */
} chain_load;

/* Many pairs in one launch, on one device. One thread at a time. */
typedef struct chain_engine {
  path_scheme scheme;
  pack_buffers buffers;
  chain_load load; /* of the current launch */
  uint8_t *filled; /* the launch's letters, until they are written to the device. Plain memory: pinned memory
                      takes longer to make than it saves in a second of work */
  int64_t filled_capacity;
  chain_ends *found; /* results, one for each part */
  int64_t found_capacity;
} chain_engine;

/* The device and what the scheme points to must outlive the engine. CLA_ERROR_DEVICE, CLA_ERROR_MEMORY. */
cla_status chain_create(chain_engine **out, cla_device *device, const path_scheme *scheme, cla_error *error);
void chain_free(chain_engine *engine);

/* The device's memory that the load takes, and whether there is room for it. */
int64_t chain_bytes(const kernel_config *config, const path_scheme *scheme, const chain_load *load);
bool chain_has_room(const chain_engine *engine, const kernel_config *config, const chain_load *load);

/* The most letters of a launch, and the most bytes for the buses of pairs that are shared out. */
int64_t chain_bytes_most(const chain_engine *engine);

/* Makes the buffers for a launch, which may wait for other kernels. *letters is memory for the pairs'
 * letters, queries up to chain_whole_rows, until chain_write_letters. As chain_launch. */
cla_status chain_fill(uint8_t **letters, chain_engine *engine, const kernel_config *config,
                      const chain_load *load, cla_error *error);

/* Letters that match nothing, behind all others. Profiles are made of four rows at once, so they reach behind
 * the last strip. */
#define CHAIN_SPARE_LETTERS 4

/* Writes the launch's letters to the device. CLA_ERROR_DEVICE. */
cla_status chain_write_letters(chain_engine *engine, const uint8_t *letters, int64_t bytes, cla_error *error);

/* Computes the load's parts with a config of chain_choose: whole pairs, or in a persistent launch a pair's
 * strips one after the other. `parts` says where the letters of each are and which strips; places of buses
 * are filled in here. engine->found has what is found of each part, the last row's end in a pair's last one.
 * The first call for a config builds a kernel. CLA_ERROR_DEVICE, CLA_ERROR_MEMORY. */
cla_status chain_launch(chain_engine *engine, const kernel_config *config, chain_part *parts,
                        cla_error *error);

/* Configs of a variant that have passed the self-test: a bit for each pair of rows a lane and launch. */
typedef uint64_t chain_configs;
chain_configs chain_config_bit(const kernel_config *config);

/* The config with the rows a lane, at most config's own, for which the pairs take the least time. Its launch
 * is persistent only if some pairs should be shared out, so that none is in work long after all others. A
 * config of `tested` is taken if it is nearly as good, because another one would have to be built and tested.
 */
kernel_config chain_choose_rows(const kernel_config *config, kernel_gaps gaps, const pack_pair *pairs,
                                int64_t count, chain_configs tested);

/* Solves the pairs, the longest first. `rows` of the pairs stays empty. `question` may be NULL.
 * CLA_ERROR_DEVICE, CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status chain_run(chain_engine *engine, const kernel_config *config, pack_pair *pairs, int64_t count,
                     const pack_question *question, cla_error *error);

/* Takes what is found of a pair's parts, from the first strip on. */
void chain_take_parts(pack_pair *pair, const path_scheme *scheme, const chain_ends *ends, int64_t parts);

#endif
