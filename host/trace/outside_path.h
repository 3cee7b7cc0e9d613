#ifndef HOST_TRACE_OUTSIDE_PATH_H
#define HOST_TRACE_OUTSIDE_PATH_H

#include "packs/packs.h"

/* What paths can gain that keep away from a known one.
 *
 * The query is cut into blocks. Of each it is found out what a path misses at least that passes all its rows,
 * on diagonals that such a path can come from and return from, without a node of the known path but for its
 * own first and last one. All gains are twice as large as scores.
 *
 * By words: blocks of 8 letters. A path makes a match in each row, next to each other on one diagonal, or it
 * misses at least the least of
 *
 *      a pair that is no match,    a gap's letter in a row of the block,    a gap between two of its rows
 *
 * so that blocks whose letters are nowhere in the target, but for where the known path passes through them,
 * cost that much.
 *
 * By differences: blocks of 64 letters, and the fewest pairs that are no match and letters in gaps with which
 * they are somewhere in the target (Myers 1999, bit-parallel). A gap's letter in the query misses ext +
 * match, one in the target ext: with half a match for each diagonal that a path moves by, all of them ext +
 * match / 2. That costs twenty times the time, and shows more than twice as much to be missing. */

typedef enum outside_kind { OUTSIDE_BY_WORDS, OUTSIDE_BY_DIFFERENCES, OUTSIDE_KINDS } outside_kind;

/* The nodes of the known path in a row: none if last < first. */
typedef struct path_row {
  int32_t first, last;
} path_row;

typedef struct outside_path {
  int64_t rows;
  int64_t row_most; /* of one row */
  int64_t block;    /* rows of a block, */
  int block_bits; /* which are a power of two: a division for each of many rows would take most of the time */
  int64_t slope;  /* besides, for each diagonal that a path moves to the right */
  int32_t *lost;  /* by block: what the blocks before it cost at least */
  /* By block: what a path gives at most that begins anywhere before it, */
  int32_t *most;  /* whatever its diagonals, */
  int32_t *begun; /* and besides what the slope gives from the main diagonal on */
} outside_path;

/* What paths may miss for each row and still be shown to score too little, about. */
double outside_path_reach(outside_kind kind, const path_scheme *scheme);

/* Of paths that end in the pair's end node and score no less than the pair; `known` has a row for each from 0
 * to the end's. CLA_ERROR_MEMORY. */
cla_status outside_path_make(outside_path *out, outside_kind kind, const path_scheme *scheme,
                             const pack_pair *pair, const path_row *known, cla_error *error);
void outside_path_free(outside_path *outside);

/* What paths gain at most from any start to the node. */
static inline int64_t outside_begun(const outside_path *o, int64_t row, int64_t column) {
  const int64_t block = row >> o->block_bits, in_block = o->row_most * (row & (o->block - 1));
  const int64_t of_slope = o->begun[block] + o->slope * (column - row), any = o->most[block];
  return (any < of_slope ? any : of_slope) + in_block;
}

/* The blocks before a row, and those before the first one that begins no further up. */
static inline int64_t outside_blocks_to(const outside_path *o, int64_t row) {
  return row >> o->block_bits;
}

static inline int64_t outside_blocks_from(const outside_path *o, int64_t row) {
  return (row + o->block - 1) >> o->block_bits;
}

/* What they gain at most from a row to one that is not above it, and the slope: of the blocks, those that lie
 * between the two cost. */
static inline int64_t outside_gain(const outside_path *o, int64_t upper, int64_t lower) {
  const int64_t from = outside_blocks_from(o, upper), to = outside_blocks_to(o, lower);
  return o->row_most * (lower - upper) - (from < to ? o->lost[to] - o->lost[from] : 0);
}

#endif
