#ifndef HOST_BOUNDS_CHAIN_H
#define HOST_BOUNDS_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "dp/stretch.h"

/* Computes least costs of paths that cross a chunk of rows from one bucket of diagonals to another
 * (docs/internals/bounds.md, "Level 3"). */

/* Costs of the buckets [first, last]; all others cost COST_NEVER. */
typedef struct cost_row {
  int64_t first, last;
  int32_t *cost; /* cost[0] belongs to bucket `first` */
} cost_row;

/* A region: adjacent buckets of a chunk. A path whose cost is at most the chunk's threshold stays in one
 * region. */
typedef struct chunk_region {
  int64_t chunk, first, last;
  int64_t words;    /* number of seeds that occur in the region */
  int64_t costs_at; /* index of the region's first bucket in the array of all regions' costs */
  bool strong;      /* the region contains at least an eighth of the chunk's seeds */
  int32_t *seeds;   /* by bucket: least cost of a path that starts or ends in the bucket, by seeds */
  int32_t *cost;    /* by bucket: least cost of a path that ends in the bucket */
} chunk_region;

/* What chain_cross needs to know about the chunk that paths cross. */
typedef struct crossing {
  const cost_scheme *costs;
  int64_t bucket;   /* diagonals of a bucket */
  int word;         /* letters of a seed */
  int32_t dear;     /* least cost of a path that stays in no region; 0: unknown, then only gaps cost */
  int64_t reach[2]; /* near and far reach of a path, in diagonals */
  /* By reach: minimum number of seeds broken by a path that stays within the reach and meets no strong
   * region. */
  int64_t seeds[2];
  int64_t edits;               /* minimum number of edits of a path that stays in no region */
  int64_t count;               /* number of regions */
  const chunk_region *regions; /* sorted by their diagonals */
} crossing;

/* Scratch memory of crossings. Zero-initialise; the caller frees `memory`. */
typedef struct chain_space {
  int32_t *memory;
  int64_t capacity;
} chain_space;

/* Returns the least cost of breaking a seed of `word` letters. */
int32_t chain_broken_cost(const cost_scheme *costs, int word);

/* Returns the least cost of an edit: a mismatched pair, or a letter in a gap. */
static inline int32_t chain_edit_cost(const cost_scheme *costs) {
  return costs->other < costs->ext ? costs->other : costs->ext;
}

static inline int32_t cost_at(const cost_row *row, int64_t bucket) {
  return bucket < row->first || bucket > row->last ? COST_NEVER : row->cost[bucket - row->first];
}

/* Computes the costs `to` at one border of a chunk from the costs `from` at the other. `back`: from the lower
 * border to the upper one. Fails with CLA_ERROR_MEMORY. */
cla_status chain_cross(cost_row *to, const cost_row *from, const crossing *over, bool back,
                       chain_space *space, cla_error *error);

/* Sets to[b] to the minimum, over all buckets, of from[bucket] plus the cost of a gap from that bucket to b,
 * without the gap's opening. Fails with CLA_ERROR_MEMORY. */
cla_status chain_reach(cost_row *to, const cost_row *from, const crossing *over, chain_space *space,
                       cla_error *error);

#endif
