#ifndef HOST_BOUNDS_POTENTIAL_INTERNAL_H
#define HOST_BOUNDS_POTENTIAL_INTERNAL_H

#include <stdlib.h>

#include "base/extremes.h"
#include "bounds/chain.h"
#include "bounds/potential.h"
#include "seq/word_index.h"

/* The parts of potential_make, level by level (README.md lists the files). */

#define NEVER COST_NEVER
/* A path's near reach, as a multiple of the diagonals that gaps cross at the threshold's cost. */
#define REACH_NEAR INT64_C(3)
#define REACH_FAR INT64_C(24) /* far reach, as a multiple of the same diagonals */
#define WORD_MOST 11          /* letters of the longest seed */
#define COARSER 16            /* a coarse chunk spans this many fine chunks */
#define COARSE_BUCKETS 8      /* a coarse bucket spans this many fine buckets */

/* Costs from a level's buckets to the end. A bucket's cost is cost[offsets[chunk] + bucket]. */
typedef struct level_rest {
  int64_t *offsets; /* by chunk: index of bucket 0, even if the chunk starts with a later bucket */
  int32_t *cost;    /* lower limit on the cost from any node of the bucket to the end */
  uint8_t
      *starts; /* 1: a path that matters may start in the bucket, or further down on the bucket's diagonals */
} level_rest;

typedef struct level_kind level_kind; /* a row of the table in potential_levels.c */

/* A level divides the rows into chunks and the diagonals into buckets. */
typedef struct level level;
struct level {
  const level_kind *kind;
  int64_t chunk_rows; /* rows of a chunk */
  int64_t bucket;     /* diagonals of a bucket */
  int word;           /* letters of a seed */
  int32_t broken;     /* cost of a broken seed */
  int32_t most;       /* largest threshold of any chunk */
  int64_t threshold;  /* threshold of a typical chunk */
  int64_t buckets;    /* number of buckets in all chunks */
  bool fits;          /* costs of regions come from fits; false: only from seeds */
  bool edits;         /* regions are found by edits; false: by seeds */
  /* Edits are used only in the last `barrier` chunks of every `period` chunks; period 0: in all chunks. */
  int64_t period, barrier;
  int64_t chunks;
  int64_t *first, *last; /* by chunk: first and last bucket that the level considers */
  level_rest rest;
  const level *before; /* the coarser level, whose costs in `rest` are also lower limits; NULL: none */
};

/* The buckets of a chunk that are not excluded, from the first to the last one. In the result of
 * gaps_leave: diagonals instead of buckets. */
typedef struct chunk_left {
  int64_t first, last;
  bool starts;      /* a path that matters may start in the chunk */
  int64_t expected; /* estimated number of buckets that exact values do not exclude */
} chunk_left;

struct potential {
  pair_problem problem;
  const bound_pair *pair; /* valid only during potential_make */
  cost_scheme costs;
  bool alike; /* matches of all letters score the same */
  /* Largest cost of a path that matters, including `spared` and a reserve for coarse buckets. */
  int64_t budget;
  int64_t spared; /* how much all ambiguous letters together can cost less than `costs` says */
  int threads;
  const potential_input *input; /* valid only during potential_make */
  int64_t work;                 /* work done so far, in work_most's unit */
  int64_t work_most;            /* limit of `work` at the end of the current level */
  int64_t unlike_cells;   /* largest number of cells for which a single level has computed exact costs */
  int64_t exact_cells;    /* cells for which all levels together have computed exact costs */
  bool memory_short;      /* the last level was abandoned for lack of memory, not because of its work */
  level fine;             /* the finest level made so far */
  chunk_left *left;       /* by chunk: the buckets that are not excluded */
  word_index index;       /* words of the target; valid only during potential_make */
  potential_shape shape;  /* the caller's shape, or the chosen one */
  double path_cost;       /* the cost per row of the bound's path */
  double letter_chance;   /* probability that a letter of the query equals a letter of the target */
  int64_t cells;          /* cells computed by fits, by edits and for exact costs */
  int64_t area, expected; /* results of potential_area and potential_expected */
  double spread;          /* result of potential_spread */
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

/* Computes costs, budget and letter_chance from the pair and its bound. */
void potential_costs(potential *p);

/* Sets the shape and the fields that depend on it. *hindrance receives the reason why no level can help, or
 * CLA_LEVEL_RAN. Fails with CLA_ERROR_MEMORY. */
cla_status choose_shape(cla_level_end *hindrance, potential *p, cla_error *error);

/* Makes the levels. *useless is set if the levels take too much work, or exclude every bucket. Fails with
 * CLA_ERROR_MEMORY. */
cla_status levels_make(potential *p, potential_levels *levels, bool *useless, cla_error *error);
void level_free(level *l);

/* Returns the diagonals that paths can reach if only gaps count towards the budget. */
chunk_left gaps_leave(const potential *p);

/* Returns the minimum cost per row of a path through random letters, as counting edits would find it. */
double random_cost(const potential *p);

/* Chooses the length of a level's seeds: the longest word whose threshold exceeds a chunk's likely cost on
 * the bound's path. Without such a word, the word with the largest threshold. Returns false if the
 * threshold is too low to help. */
bool choose_word(level *l, const potential *p);

/* Chooses the length of the seeds for a level by edits: the shortest word that rarely matches by chance on
 * the diagonals that a path reaches. */
void choose_rare_word(level *l, const potential *p);

/* Adds `work` to the work done. Returns true if the sum exceeds the limit. */
static inline bool too_much(potential *p, int64_t work) {
  p->work += work;
  return p->work > p->work_most;
}

/* The bound's path in a chunk, and in the best runs of consecutive chunks around it. */
typedef struct path_part {
  int64_t cost;           /* cost of the path within the chunk */
  int64_t first, last;    /* lowest and highest diagonal of the path in the chunk; none if first > last */
  int64_t before;         /* cost of the path above the chunk */
  int64_t enters, leaves; /* diagonals on which the path enters the chunk and leaves it */
  int64_t gain;           /* largest cost that a path saves by leaving the bound's path and coming back */
  int64_t low, high;      /* lowest and highest diagonal of the bound's path in these runs of chunks */
} path_part;

/* Returns the cost of the bound's path in a chunk, without the gap between the diagonals of entry and exit.
 * Other paths need that gap, too. */
static inline int64_t path_without_gap(const potential *p, const path_part *part) {
  return part->cost - p->costs.ext * llabs(part->leaves - part->enters);
}

/* The bound's path at a border between chunks. */
typedef struct path_node {
  int64_t diagonal;
  int64_t before, behind; /* cost of the path above the border and below it */
  bool known;             /* the path crosses the border outside a gap */
} path_node;

/* The buckets of a chunk whose costs are computed exactly; none if first > last. */
typedef struct unlike_chunk {
  int64_t first, last;
} unlike_chunk;

/* Exact costs, by diagonal, at a border between two chunks. */
typedef struct unlike_row {
  int64_t border;           /* number of the border */
  int64_t diagonal, count;  /* first diagonal and number of diagonals; count 0: no costs are known */
  int32_t *h, *f;           /* costs of nodes; costs of open gaps down the rows (dp/stretch.h) */
  int32_t *next_h, *next_f; /* memory for h and f of the next border */
  int64_t capacity[4];      /* capacities of h, f, next_h and next_f */
} unlike_row;

/* The limits that a level has found for a chunk. */
typedef struct chunk_known {
  int32_t dear;      /* least cost of a path that stays in no region */
  int32_t broken[2]; /* by near and far reach: minimum number of seeds that a path without strong regions
                        breaks */
  int32_t edits;     /* minimum number of edits of a path that stays in no region */
  int64_t begin;     /* index of the chunk's first region */
} chunk_known;

/* The state of a level during its computation. */
typedef struct level_work {
  potential *p;
  level *l;
  chunk_known *known; /* by chunk, plus one entry */
  chunk_region *regions;
  int64_t count, capacity;
  int32_t *seeds; /* by bucket of all regions: least cost of a path that starts in the bucket */
  int32_t *ends;  /* by bucket of all regions: least cost of a path that ends in the bucket */
  int64_t costs_count, seeds_capacity, ends_capacity;
  cost_row *borders[2]; /* by border: costs to the end [0] and from the start [1] */
  int32_t *tables[2];   /* memory of the costs in `borders` */
  chain_space space;
  path_node *nodes;     /* by border */
  path_part *path;      /* by chunk; NULL: the level has no fits */
  unlike_chunk *unlike; /* by chunk; NULL: no chunk is computed exactly */
} level_work;

/* Returns the number of diagonals over which seeds are counted for a path that meets no strong region. */
static inline int64_t level_reach(const level_work *w, int64_t chunk, bool far) {
  return (far ? REACH_FAR : REACH_NEAR) * w->known[chunk].dear / w->p->costs.ext;
}

/* Returns the largest threshold, at most `most`, that paths rarely meet by chance. *needed receives the
 * minimum number of seeds that a path of this cost leaves unbroken. */
int64_t level_threshold(int64_t *needed, const potential *p, const level *l, int64_t seeds, int64_t most);

/* Finds the regions of the chunks [begin, end), and their costs. *useless is set if the search takes too
 * much work. Fails with CLA_ERROR_MEMORY. */
cla_status level_regions(level_work *w, int64_t begin, int64_t end, bool *useless, cla_error *error);

/* True if the costs at a level's borders fit in the limits of memory and work. The level's buckets must be
 * set. */
bool level_affordable(potential *p, const level *l);

/* Computes a level: p->left[chunk] receives the buckets that are not excluded. *useless is set if the level
 * takes too much work, or excludes every bucket. Fails with CLA_ERROR_MEMORY. */
cla_status level_narrow(potential *p, level *l, bool *useless, cla_error *error);

/* Follows the bound's path, and sets w->nodes and, if the level has fits, w->path. Fails with
 * CLA_ERROR_MEMORY. */
cla_status path_follow(level_work *w, cla_error *error);

/* Adds to p->spread the diagonals that stay because the bound's path costs more than a chunk's threshold.
 * There, another path can cost less than the bound's path, and spend the difference on gaps. Fails with
 * CLA_ERROR_MEMORY. */
cla_status path_spread(potential *p, level *l, int64_t threshold, cla_error *error);

/* Raises the costs at a border by means of the bound's path ("Beside the bound's path"). `to_end`: the costs
 * are to the end; false: from the start. */
void path_raise(const cost_row *row, const level_work *w, int64_t border, bool to_end);

/* Sets w->unlike, the buckets whose costs are computed exactly, if exact costs are worth their time. Fails
 * with CLA_ERROR_MEMORY. */
cla_status unlike_find(level_work *w, cla_error *error);

/* A chunk whose costs are computed exactly, from its lower border to its upper border. */
typedef struct unlike_crossing {
  int64_t chunk;
  const cost_row *below; /* costs at the lower border, including gaps along it */
  const int32_t *ends;   /* by bucket of the chunk's `unlike`: cost of a path that ends in the chunk */
  cost_row *above;       /* costs at the upper border, which are only ever raised */
} unlike_crossing;

/* Raises the costs at the upper border to the exact costs. Fails with CLA_ERROR_MEMORY. */
cla_status unlike_cross(level_work *w, unlike_row *row, const unlike_crossing *over, cla_error *error);
void unlike_row_free(unlike_row *row);

#endif
