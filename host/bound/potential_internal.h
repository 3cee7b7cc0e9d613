#ifndef HOST_BOUND_POTENTIAL_INTERNAL_H
#define HOST_BOUND_POTENTIAL_INTERNAL_H

#include <stdlib.h>

#include "base/extremes.h"
#include "bound/chain.h"
#include "bound/potential.h"
#include "seq/word_index.h"

/* How a potential is made, level by level: potential_costs.c says what letters and gaps cost, potential.c
 * chooses levels, potential_level.c passes costs from chunk to chunk, potential_regions.c finds where a
 * chunk's cheap paths are and what they cost. What it says at the end is potential_left.c's. */

#define NEVER CHAIN_NEVER
#define REACH_NEAR INT64_C(3) /* times the diagonals that gaps of a threshold take: see level_reach */
#define REACH_FAR INT64_C(24)
#define WORD_MOST 11 /* letters of a seed */

/* Of a level, by chunk and bucket. */
typedef struct level_rest {
  int64_t *offsets; /* by chunk: of bucket 0, which it need not have */
  int32_t *cost;    /* the least cost from a node there on */
  uint8_t *starts;  /* whether a path that matters may start there or further down on its diagonals */
} level_rest;

/* A level of chunks and buckets. */
typedef struct level level;
struct level {
  int64_t chunk_rows, bucket;
  int word;                /* letters of a seed */
  int32_t broken;          /* what a broken seed costs */
  int32_t most;            /* the largest threshold of a chunk, */
  int64_t threshold;       /* and the usual one */
  int64_t buckets;         /* of all chunks */
  bool fits;               /* else seeds alone */
  bool edits;              /* regions are found by edits, not by seeds: of all chunks, or */
  int64_t period, barrier; /* of the last so many of each so many; 0: all */
  int64_t chunks;
  int64_t *first, *last; /* buckets by chunk: what is left of them */
  level_rest rest;
  const level *before; /* the level whose rest is known as well; NULL: none is */
};

/* What is left of a chunk: buckets, or, of all chunks, diagonals. */
typedef struct chunk_left {
  int64_t first, last;
  bool starts;      /* paths that matter may begin in it */
  int64_t expected; /* buckets whose nodes are not excluded by exact values, about */
} chunk_left;

struct potential {
  pair_problem problem;
  const bound_pair *pair;   /* while it is made */
  const lower_bound *bound; /* while it is made */
  cost_scheme costs;
  bool alike;     /* matches of all letters score the same: else some that score less cost nothing */
  int64_t budget; /* of a path that matters, with what buckets are coarse by, */
  int64_t spared; /* and what ambiguous letters may cost less than the costs say */
  int threads;
  const potential_input *input;        /* while it is made */
  int64_t work, work_most, bytes_most; /* so far, and most by the end of the level that is made */
  int64_t unlike_cells;                /* that a level has passed exactly, at most */
  int64_t exact_cells;                 /* that all of them have */
  bool memory_short;                   /* and not work was too much */
  level fine;                          /* the last one so far */
  chunk_left *left;                    /* by chunk */
  word_index index;                    /* of the target; while it is made */
  double chance;                       /* potential_shape, as */
  bool plain;                          /* this */
  double letter_chance;                /* that two letters are equal */
  int64_t cells, area, expected;
  double spread; /* potential_spread */
};

static inline int64_t bucket_of(const potential *p, const level *l, int64_t diagonal) {
  return (diagonal + p->problem.rows) / l->bucket;
}

static inline int64_t first_diagonal(const potential *p, const level *l, int64_t bucket) {
  return bucket * l->bucket - p->problem.rows;
}

static inline int64_t chunk_row(const potential *p, const level *l, int64_t chunk) {
  return smaller(chunk * l->chunk_rows, p->problem.rows);
}

static inline int32_t least_cost(int64_t a, int64_t b) {
  return (int32_t)(a < b ? a : b);
}

/* Sets costs, budget and chances by the pair and its bound. */
void potential_costs(potential *p);

/* Adds to what was done; whether that is more than the potential is worth. */
static inline bool too_much(potential *p, int64_t work) {
  p->work += work;
  return p->work > p->work_most;
}

/* The bound's path in a chunk, and in the best runs of chunks through it. */
typedef struct path_part {
  int64_t cost, first, last; /* its diagonals; none if first > last */
  int64_t before;            /* what it costs above the chunk */
  int64_t enters, leaves;    /* diagonals */
  int64_t gain;              /* what a path may gain at most that leaves the bound's and comes back */
  int64_t low, high;         /* diagonals from where it may leave to where it may come back */
} path_part;

/* What the bound's path costs in a chunk, less the gap to where it leaves it, which others take as well. */
static inline int64_t path_without_gap(const potential *p, const path_part *part) {
  return part->cost - p->costs.ext * llabs(part->leaves - part->enters);
}

/* The bound's path at a border between chunks. */
typedef struct path_node {
  int64_t diagonal, before, behind; /* and what it costs above and below */
  bool known;                       /* it crosses the border, and not within a gap */
} path_node;

/* Buckets of a chunk that are passed exactly: none if first > last. */
typedef struct unlike_chunk {
  int64_t first, last;
} unlike_chunk;

/* Exact costs by diagonal at a border between chunks. */
typedef struct unlike_row {
  int64_t border, diagonal, count; /* which one; the first diagonal, and how many; 0: nothing is known */
  int32_t *h, *f;                  /* as of a stretch (bound/stretch.h) */
  int32_t *next_h, *next_f;
  int64_t capacity[4];
} unlike_row;

/* All that a level is computed with. */
typedef struct level_work {
  potential *p;
  level *l;
  int32_t *dear;   /* by chunk */
  int32_t *broken; /* by chunk, two: seeds that paths break which meet no strong region, for both reaches */
  int32_t *edits;  /* by chunk: that paths take at least which keep to no region */
  int64_t *begins; /* by chunk: its first region; one more */
  chunk_region *regions;
  int64_t count, capacity;
  int32_t *seeds, *ends; /* of all regions, by bucket: of paths that begin and that end there */
  int64_t costs_count, seeds_capacity, ends_capacity;
  cost_row *borders[2]; /* by chunk, one more: costs at its upper border to the end, and from the start */
  int32_t *tables[2];   /* of theirs */
  chain_space space;
  path_node *nodes;     /* by border */
  path_part *path;      /* by chunk; NULL: not asked for */
  unlike_chunk *unlike; /* by chunk; NULL: nothing is passed exactly */
} level_work;

/* Diagonals for which the seeds of a path that meets no region are counted: few and many times those that
 * gaps of the threshold take. */
static inline int64_t level_reach(const level_work *w, int64_t chunk, bool far) {
  return (far ? REACH_FAR : REACH_NEAR) * w->dear[chunk] / w->p->costs.ext;
}

/* The largest threshold of a chunk up to `most` that chance does not reach, and the seeds that a path below
 * it matches. */
int64_t level_threshold(int64_t *needed, const potential *p, const level *l, int64_t seeds, int64_t most);

/* The regions of the chunks from `begin` on to before `end`, and what they cost. *useless: that takes too
 * much work. CLA_ERROR_MEMORY. */
cla_status level_regions(level_work *w, int64_t begin, int64_t end, bool *useless, cla_error *error);

/* Whether costs at the borders of a level whose buckets are known take no more than they may. */
bool level_affordable(potential *p, const level *l);

/* Computes a level, and says what of each of its chunks matters. *useless: that takes too much work, or
 * nothing does. CLA_ERROR_MEMORY. */
cla_status level_narrow(chunk_left *left, potential *p, level *l, bool *useless, cla_error *error);

/* Follows the bound's path from border to border, and where regions are fitted through the chunks.
 * CLA_ERROR_MEMORY. */
cla_status path_follow(level_work *w, cla_error *error);

/* Sets the spread of a level that has rows of chunks: the diagonals that stretches leave in which the bound's
 * path costs more than the threshold of a chunk. Gaps lead there for what it loses, until paths elsewhere
 * have lost as much. CLA_ERROR_MEMORY. */
cla_status path_spread(potential *p, level *l, int64_t threshold, cla_error *error);

/* Raises costs at a border by what the bound's path costs: to the end, or from the start. */
void path_raise(const cost_row *row, const level_work *w, int64_t border, bool to_end);

/* Finds what is passed exactly, if that is worth it. CLA_ERROR_MEMORY. */
cla_status unlike_find(level_work *w, cla_error *error);

/* A chunk that is passed exactly, from its lower border up. */
typedef struct unlike_crossing {
  int64_t chunk;
  const cost_row *below; /* costs at the lower border, with gaps along it */
  const int32_t *ends;   /* by bucket of the unlike ones, of a path that ends in the chunk */
  cost_row *above;       /* costs at the upper border, which become no less */
} unlike_crossing;

/* Raises costs at the upper border to the exact ones. CLA_ERROR_MEMORY. */
cla_status unlike_cross(level_work *w, unlike_row *row, const unlike_crossing *over, cla_error *error);
void unlike_row_free(unlike_row *row);

#endif
