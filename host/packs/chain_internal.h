#ifndef HOST_PACKS_CHAIN_INTERNAL_H
#define HOST_PACKS_CHAIN_INTERNAL_H

#include "kernels/kernel.h"
#include "packs/pack_internal.h"

/* Each chain computes one pair, or one strip of a long pair (chain_pairs.clh). */

/* Chooses the device's best variant for pairs of any lengths. In *out, `alpha` is the largest number of
 * rows per lane, and `groups` the number of chains that the device runs simultaneously. `launch` is
 * persistent if the strips of a pair may be divided among chains. Returns false if one pair per lane is
 * better, as on CPUs, or if no variant takes the scheme. */
bool chain_choose(kernel_config *out, const cla_device_info *device, const path_scheme *scheme);

/* Return a pair's time with the config's rows per lane, all in the same unit. chain_cost is for a pair that
 * one chain computes; chain_shared_cost is for a pair with a chain for each strip. */
double chain_cost(const kernel_config *config, kernel_gaps gaps, int64_t rows, int64_t columns);
double chain_shared_cost(const kernel_config *config, kernel_gaps gaps, int64_t rows, int64_t columns);

/* Longest target of a pair that one chain computes, if the config may divide pairs among chains. The limit
 * bounds each chain's own memory. */
#define CHAIN_OWN_COLUMNS_MOST 32768
bool chain_is_long(const kernel_config *config, int64_t columns);

/* Returns the bytes of the bus of a pair with that many columns. */
int64_t chain_bus_bytes(const kernel_config *config, kernel_gaps gaps, int64_t columns);

int64_t chain_strips(const kernel_config *config, int64_t rows);

/* Returns the number of letters in a query's line: `rows`, rounded up to whole strips. */
int64_t chain_whole_rows(const kernel_config *config, int64_t rows);

/* chain_pairs.clh has the same structs, and explains each field. */
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

/* A table of the places of a launch's letters. With it, a sequence that several pairs share is stored once.
 * *out is NULL unless many pairs have the same query or target as the previous pair. All functions accept
 * NULL as an empty table. Fails with CLA_ERROR_MEMORY. */
typedef struct chain_letters chain_letters;
cla_status chain_letters_create(chain_letters **out, const pack_pair *pairs, int64_t count, cla_error *error);
void chain_letters_free(chain_letters *all);

/* Empties the table; must be called before each launch, also the first one. */
void chain_letters_begin(chain_letters *all);

/* Returns the place of these codes in the launch, as codes of a query (side 0) or of a target (side 1); -1:
 * the launch does not contain the codes. */
int64_t chain_letters_at(const chain_letters *all, const uint8_t *codes, int64_t letters, int side);
void chain_letters_put(chain_letters *all, const uint8_t *codes, int64_t letters, int side, int64_t at);

/* The sizes that determine the memory of a launch. All zero before the first pair. */
typedef struct chain_load {
  int64_t parts;
  int64_t letters;     /* letters of all sequences; each query counts as chain_whole_rows letters */
  int64_t columns;     /* columns of the longest target */
  int64_t own_columns; /* columns of the longest target whose pair uses its chain's bus */
  int64_t bus_bytes;   /* bytes of all buses that belong to pairs, not to chains */
} chain_load;

/* Many pairs in one launch, on one device. One thread at a time. */
typedef struct chain_engine {
  path_scheme scheme;
  pack_buffers buffers;
  chain_load load; /* load of the current launch */
  /* The launch's letters, until they are written to the device. The memory is not pinned: pinning would
   * take longer than it saves in a second of work. */
  uint8_t *filled;
  int64_t filled_capacity;
  chain_ends *found; /* results, one for each part */
  int64_t found_capacity;
} chain_engine;

/* Makes an engine. The device, and everything that the scheme points to, must outlive the engine. Fails with
 * CLA_ERROR_DEVICE or CLA_ERROR_MEMORY. */
cla_status chain_create(chain_engine **out, cla_device *device, const path_scheme *scheme, cla_error *error);
void chain_free(chain_engine *engine);

/* chain_bytes returns the device memory of the load. chain_has_room is true if the engine may use that
 * much. */
int64_t chain_bytes(const kernel_config *config, const path_scheme *scheme, const chain_load *load);
bool chain_has_room(const chain_engine *engine, const kernel_config *config, const chain_load *load);

/* Returns the limit for the bytes of a launch's letters, and for the bytes of the buses of divided pairs. */
int64_t chain_bytes_most(const chain_engine *engine);

/* Makes the buffers for a launch, which may have to wait for other kernels. Sets *letters to memory for the
 * pairs' letters, with room for chain_whole_rows letters of each query. The memory is valid until
 * chain_write_letters. Errors as chain_launch. */
cla_status chain_fill(uint8_t **letters, chain_engine *engine, const kernel_config *config,
                      const chain_load *load, cla_error *error);

/* Number of letters that match nothing, behind all other letters. Profiles are made four rows at a time, so
 * letters beyond the last strip may be read. */
#define CHAIN_SPARE_LETTERS 4

/* Writes the launch's letters to the device. Fails with CLA_ERROR_DEVICE. */
cla_status chain_write_letters(chain_engine *engine, const uint8_t *letters, int64_t bytes, cla_error *error);

/* Computes the load's parts with a config of chain_choose. A part is a whole pair or, in a persistent launch,
 * one strip of a pair; the strips of a pair are consecutive parts. The caller sets the letters and strips of
 * each part; this function sets the places of buses. engine->found gets each part's result; the last row's
 * end is in the result of a pair's last part. The first call for a config builds a kernel. Fails with
 * CLA_ERROR_DEVICE or CLA_ERROR_MEMORY. */
cla_status chain_launch(chain_engine *engine, const kernel_config *config, chain_part *parts,
                        cla_error *error);

/* Configs of a variant that have passed the self-test: a bit for each combination of rows per lane and
 * launch.
 */
typedef uint64_t chain_configs;
chain_configs chain_config_bit(const kernel_config *config);

/* Returns the config with which the pairs take the least time. It has at most config->alpha rows per lane.
 * Its launch is persistent only if some pairs should be divided among chains: otherwise, one pair would run
 * long after all others. If a config in `tested` is nearly as good, it is preferred, because any other
 * config must first be built and tested. */
kernel_config chain_choose_rows(const kernel_config *config, kernel_gaps gaps, const pack_pair *pairs,
                                int64_t count, chain_configs tested);

/* Solves the pairs, the longest first. The pairs' `rows` are not set. `question` may be NULL. Fails with
 * CLA_ERROR_DEVICE, CLA_ERROR_MEMORY or CLA_ERROR_INTERRUPTED. */
cla_status chain_run(chain_engine *engine, const kernel_config *config, pack_pair *pairs, int64_t count,
                     const pack_question *question, cla_error *error);

#endif
