#ifndef HOST_COMPARE_LIFT_MAP_H
#define HOST_COMPARE_LIFT_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/lift.h"

/* An alignment as a map from one side's positions to the other's. */

/* Paired letters without a gap. */
typedef struct lift_block {
  int64_t from, to; /* `to` is on the strand of its chain */
  int64_t length;
  int64_t before; /* letters of all blocks before it */
} lift_block;

typedef struct lift_side {
  int64_t name; /* index in the map's names */
  int64_t length;
} lift_side;

/* Blocks in their order on both sides. */
typedef struct lift_chain {
  lift_side from, to;
  bool reverse;               /* leads to the other strand */
  int64_t first, block_count; /* index of the first block; number of blocks */
  cla_lift_range range;       /* from its first to its last block */
  int64_t reach;              /* largest end of the chains of its part of the map (lift_map_visit) */
} lift_chain;

/* Chains from one record. */
typedef struct lift_record {
  const char *name;
  int64_t first, chain_count;
} lift_record;

struct cla_lift {
  lift_chain *chains; /* by record and begin */
  int64_t chain_count, chain_capacity;
  lift_block *blocks;
  int64_t block_count, block_capacity;
  char *names; /* each with its zero */
  int64_t names_length, names_capacity;
  lift_record *records; /* by name */
  int64_t record_count;
  bool swapped; /* from queries to targets */
};

/* A pair of records as an alignment tells them, target first. */
typedef struct lift_pair {
  const char *target_name, *query_name;
  int64_t target_length, query_length;
  bool reverse; /* query positions are on the other strand */
} lift_pair;

/* Begins a chain. CLA_ERROR_MEMORY. */
cla_status lift_map_begin(cla_lift *map, const lift_pair *pair, cla_error *error);

/* Adds paired letters behind those of the chain. CLA_ERROR_MEMORY. */
cla_status lift_map_add(cla_lift *map, int64_t target, int64_t query, int64_t length, cla_error *error);

/* Ends the chain: turns it if the map is from queries to targets. */
void lift_map_end(cla_lift *map);

/* Makes the map searchable, after the last chain. CLA_ERROR_MEMORY. */
cla_status lift_map_finish(cla_lift *map, cla_error *error);

/* NULL: no chain begins from a record of that name. */
const lift_record *lift_map_record(const cla_lift *map, const char *name);

/* Calls `visit` for each chain of the record that has letters in the range, in their order. */
typedef void (*lift_visit)(void *user, const lift_chain *chain);
void lift_map_visit(const cla_lift *map, const lift_record *record, const cla_lift_range *range,
                    lift_visit visit, void *user);

/* Reads what cla_lift_open reads into an empty map. */
cla_status lift_map_read(cla_lift *map, const char *path, cla_error *error);

#endif
