#ifndef HOST_COMPARE_LIFT_MAP_H
#define HOST_COMPARE_LIFT_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/lift.h"

/* An alignment as a map from positions on one side to positions on the other. */

/* Paired letters without gaps. */
typedef struct lift_block {
  int64_t from, to; /* where the block starts on each side; `to` is on the strand of the chain */
  int64_t length;
  int64_t before; /* number of letters in all earlier blocks */
} lift_block;

typedef struct lift_side {
  int64_t name; /* offset in the names of the map */
  int64_t length;
} lift_side;

/* Blocks that are in the same order on both sides. */
typedef struct lift_chain {
  lift_side from, to;
  bool reverse;               /* the other side is on the reverse strand */
  int64_t first, block_count; /* index of the first block; number of blocks */
  cla_lift_range range;       /* from the chain's first block to its last */
  int64_t reach;              /* largest end of the chains in this chain's subtree (lift_map_visit) */
} lift_chain;

/* The chains that start from one record. */
typedef struct lift_record {
  const char *name;
  int64_t first, chain_count;
} lift_record;

struct cla_lift {
  lift_chain *chains; /* sorted by record and position */
  int64_t chain_count, chain_capacity;
  lift_block *blocks;
  int64_t block_count, block_capacity;
  char *names; /* each with a final zero */
  int64_t names_length, names_capacity;
  lift_record *records; /* sorted by name */
  int64_t record_count;
  bool swapped; /* true: maps queries to targets */
};

/* A pair of records as in an alignment, target first. */
typedef struct lift_pair {
  const char *target_name, *query_name;
  int64_t target_length, query_length;
  bool reverse; /* query positions are on the reverse strand */
} lift_pair;

/* Starts a chain. CLA_ERROR_MEMORY. */
cla_status lift_map_begin(cla_lift *map, const lift_pair *pair, cla_error *error);

/* Adds paired letters, which must come after those already in the chain. CLA_ERROR_MEMORY. */
cla_status lift_map_add(cla_lift *map, int64_t target, int64_t query, int64_t length, cla_error *error);

/* Completes the chain, and swaps its sides if the map is from queries to targets. */
void lift_map_end(cla_lift *map);

/* Prepares the map for searching, after the last chain. CLA_ERROR_MEMORY. */
cla_status lift_map_finish(cla_lift *map, cla_error *error);

/* Returns the record of that name; NULL: no chain starts from it. */
const lift_record *lift_map_record(const cla_lift *map, const char *name);

/* Calls `visit` for each of the record's chains that overlaps the range, in ascending order. */
typedef void (*lift_visit)(void *user, const lift_chain *chain);
void lift_map_visit(const cla_lift *map, const lift_record *record, const cla_lift_range *range,
                    lift_visit visit, void *user);

#endif
