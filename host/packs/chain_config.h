#ifndef HOST_PACKS_CHAIN_CONFIG_H
#define HOST_PACKS_CHAIN_CONFIG_H

#include "kernels/kernel.h"

/* cl/chain_pairs.clh, many pairs in one launch, a pair a chain or, of a long one, a strip, as data. */

/* How a variant computes pairs so, as far as that does not depend on their lengths: `alpha` is the most rows
 * a lane, `groups` the chains that the device runs at once, `launch` persistent if a pair's strips may be
 * shared out among chains. False if it does not, or is not right for the scheme. */
bool chain_fit(kernel_config *out, const kernel_variant *variant, const cla_device_info *device,
               const cla_scoring *scoring, const score_table *table);

/* The same of the variant that is best on the device; false if a pair a lane is better, as on CPUs. */
bool chain_choose(kernel_config *out, const cla_device_info *device, const cla_scoring *scoring,
                  const score_table *table);

/* What a pair takes, as a multiple of what others do, with the config's rows a lane: of one chain; and till
 * its last strip is done, where each has a chain of its own. */
double chain_cost(const kernel_config *config, kernel_gaps gaps, int64_t rows, int64_t columns);
double chain_shared_cost(const kernel_config *config, kernel_gaps gaps, int64_t rows, int64_t columns);

/* A pair whose target is longer goes to a chain only in parts, where the config shares pairs out: memory that
 * each chain has for pairs of its own need not be larger. */
#define CHAIN_OWN_COLUMNS_MOST 32768

bool chain_is_long(const kernel_config *config, int64_t columns);

/* Bytes of the bus of a pair with so many columns. */
int64_t chain_bus_bytes(const kernel_config *config, kernel_gaps gaps, int64_t columns);

int64_t chain_strips(const kernel_config *config, int64_t rows);

/* Letters of a query's line: whole strips. */
int64_t chain_whole_rows(const kernel_config *config, int64_t rows);

/* cl/chain_pairs.clh has the same structs, and the meaning of each field. */
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

#endif
