#ifndef HOST_BOUND_CHAIN_H
#define HOST_BOUND_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* What it costs at least to pass a chunk of rows from one bucket of diagonals to another
 * (docs/internals/bounds.md, "Level 3"). */

#define CHAIN_NEVER (INT32_MAX / 4) /* a cost that nothing has */

/* Costs of the scheme, twice as large as scores. */
typedef struct cost_scheme {
  int32_t match;      /* of a letter that is left out */
  int32_t other;      /* the least of a pair that is no match */
  int32_t first, ext; /* of a gap: its first letter and each further one, the least of both pieces */
  bool free_start, free_end;
} cost_scheme;

/* Costs by bucket, and CHAIN_NEVER beside them. */
typedef struct cost_row {
  int64_t first, last;
  int32_t *cost; /* of `first` */
} cost_row;

/* Buckets of a chunk to which all paths keep that cost up to its threshold. */
typedef struct chunk_region {
  int64_t chunk, first, last, words;
  int64_t costs_at; /* of its costs among those of all regions */
  bool strong;      /* it has more words than chance has */
  int32_t *seeds;   /* by bucket: of a path that keeps to the region and begins or ends there, by the seeds */
  int32_t *cost;    /* by the bucket in which it ends */
} chunk_region;

/* A chunk as paths cross it. */
typedef struct crossing {
  const cost_scheme *costs;
  int64_t bucket;   /* diagonals */
  int word;         /* letters of a seed */
  int32_t dear;     /* of a path that keeps to no region; 0: no more than its gaps */
  int64_t reach[2]; /* diagonals: few and many; and the seeds that */
  int64_t seeds[2]; /* a path breaks at least that reaches no more of them, and meets no strong region */
  int64_t edits;    /* that a path takes at least which keeps to no region */
  int64_t count;    /* of regions, from lower to higher ones */
  const chunk_region *regions;
} crossing;

/* Memory for crossings. Begins as zero, ends with free(memory). */
typedef struct chain_space {
  int32_t *memory;
  int64_t capacity;
} chain_space;

/* What a broken seed of so many letters costs. */
int32_t chain_broken_cost(const cost_scheme *costs, int word);

/* What a pair that is no match or a gap's letter costs at least. */
static inline int32_t chain_edit_cost(const cost_scheme *costs) {
  return costs->other < costs->ext ? costs->other : costs->ext;
}

/* What a gap from the chunk above has paid before. */
static inline int32_t chain_open_gap(const cost_scheme *costs) {
  return costs->first - costs->ext;
}

static inline int32_t cost_at(const cost_row *row, int64_t bucket) {
  return bucket < row->first || bucket > row->last ? CHAIN_NEVER : row->cost[bucket - row->first];
}

/* Costs at one border of a chunk from those at the other one: `back` goes from the chunk's lower border to
 * its upper one. CLA_ERROR_MEMORY. */
cla_status chain_cross(cost_row *to, const cost_row *from, const crossing *over, bool back,
                       chain_space *space, cla_error *error);

/* The least over all buckets of a cost and the gap's to there, without its opening. CLA_ERROR_MEMORY. */
cla_status chain_reach(cost_row *to, const cost_row *from, const crossing *over, chain_space *space,
                       cla_error *error);

#endif
