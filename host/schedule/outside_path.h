#ifndef HOST_SCHEDULE_OUTSIDE_PATH_H
#define HOST_SCHEDULE_OUTSIDE_PATH_H

#include "schedule/packed.h"

/* What paths can gain that keep away from a known one.
 *
 * The query is cut into blocks of OUTSIDE_BLOCK letters. A path that passes all rows of a block makes a match
 * in each of them, next to each other on one diagonal, or it misses at least the least of
 *
 *      a pair that is no match,    a gap's letter in a row of the block,    a gap between two of its rows
 *
 * So where a block's letters are nowhere in the target, on diagonals that such a path can come from and
 * return from, and but for places where the known path passes through them, it gains that much less. */

#define OUTSIDE_BLOCK 8

/* The nodes of the known path in a row: none if last < first. */
typedef struct path_row {
  int32_t first, last;
} path_row;

typedef struct outside_path {
  int64_t rows, match;
  int32_t *sum;  /* by block: what the blocks before it give at most */
  int32_t *most; /* by block: what a path gives at most that begins anywhere before it */
} outside_path;

/* Of paths that end in the pair's end node and score no less than the pair; `known` has a row for each from 0
 * to the end's. CLA_ERROR_MEMORY. */
cla_status outside_path_make(outside_path *out, const packed_scheme *scheme, const packed_pair *pair,
                             const path_row *known, cla_error *error);
void outside_path_free(outside_path *outside);

/* What paths gain at most from any start to the row. */
static inline int64_t outside_most(const outside_path *o, int64_t row) {
  return o->most[row / OUTSIDE_BLOCK] + o->match * (row % OUTSIDE_BLOCK);
}

/* What they gain at most from a row to one that is not above it: to(lower) - from(upper). */
static inline int64_t outside_to(const outside_path *o, int64_t row) {
  return o->sum[row / OUTSIDE_BLOCK] + o->match * (row % OUTSIDE_BLOCK);
}

static inline int64_t outside_from(const outside_path *o, int64_t row) {
  const int64_t block = (row + OUTSIDE_BLOCK - 1) / OUTSIDE_BLOCK;
  return o->sum[block] - o->match * (block * OUTSIDE_BLOCK - row);
}

#endif
