#ifndef HOST_BOUNDS_CHAIN_H
#define HOST_BOUNDS_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "dp/stretch.h"

/* Least costs of passing a chunk of rows from one bucket of diagonals to another (docs/internals/bounds.md,
 * "Level 3"). */

/* Costs of the buckets [first, last]; all others cost COST_NEVER. */
typedef struct cost_row {
  int64_t first, last;
  int32_t *cost; /* cost[0] is bucket `first` */
} cost_row;

/* Adjacent buckets of a chunk. A path that costs the chunk's threshold or less keeps to one region. */
typedef struct chunk_region {
  int64_t chunk, first, last;
  int64_t words;    /* number of seeds with a place in the region */
  int64_t costs_at; /* index of the region's first cost among those of all regions */
  bool strong;      /* the region has an eighth of the chunk's seeds or more */
  int32_t *seeds;   /* by bucket; least cost, by seeds, of a path that begins or ends in it */
  int32_t *cost;    /* by bucket; least cost of a path that ends in it */
} chunk_region;

/* What chain_cross knows of the chunk that paths cross. */
typedef struct crossing {
  const cost_scheme *costs;
  int64_t bucket;   /* diagonals of a bucket */
  int word;         /* letters of a seed */
  int32_t dear;     /* least cost of a path that keeps to no region; 0: its gaps alone */
  int64_t reach[2]; /* near and far reach of a path, in diagonals */
  int64_t seeds[2]; /* by reach; least seeds broken by a path within it that meets no strong region */
  int64_t edits;    /* least edits of a path that keeps to no region */
  int64_t count;    /* number of regions */
  const chunk_region *regions; /* by rising diagonals */
} crossing;

/* Scratch memory of crossings. Begins as zero, ends with free(memory). */
typedef struct chain_space {
  int32_t *memory;
  int64_t capacity;
} chain_space;

/* Least cost of a broken seed of `word` letters. */
int32_t chain_broken_cost(const cost_scheme *costs, int word);

/* Least cost of an edit: a pair that is no match, or a gap's letter. */
static inline int32_t chain_edit_cost(const cost_scheme *costs) {
  return costs->other < costs->ext ? costs->other : costs->ext;
}

static inline int32_t cost_at(const cost_row *row, int64_t bucket) {
  return bucket < row->first || bucket > row->last ? COST_NEVER : row->cost[bucket - row->first];
}

/* Sets the costs at one border of a chunk by those at the other. back: from the lower border to the upper
 * one. CLA_ERROR_MEMORY. */
cla_status chain_cross(cost_row *to, const cost_row *from, const crossing *over, bool back,
                       chain_space *space, cla_error *error);

/* Sets to[b] to the least, over all buckets, of from[bucket] and the gap from there to b, without its
 * opening. CLA_ERROR_MEMORY. */
cla_status chain_reach(cost_row *to, const cost_row *from, const crossing *over, chain_space *space,
                       cla_error *error);

#endif
