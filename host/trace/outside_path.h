#ifndef HOST_TRACE_OUTSIDE_PATH_H
#define HOST_TRACE_OUTSIDE_PATH_H

#include "packs/packs.h"

/* The most that paths can gain which keep away from a known path.
 *
 * The query is cut into blocks. A path that passes all rows of a block without a node of the known path,
 * except at its own ends, loses at least some score. It is computed for the diagonals from which such a path
 * can come and return. All gains are twice as large as scores.
 *
 * By words: blocks of 8 letters. A path makes a match in each row, all on one diagonal, or it loses at least
 * the least of
 *
 *      a pair that is no match,    a gap's letter in a row of the block,    a gap between two of its rows
 *
 * So a block costs that much if its letters occur nowhere in the target, except where the known path passes.
 *
 * By differences: blocks of 64 letters, and the fewest edits with which they occur in the target (Myers 1999,
 * bit-parallel). A gap's letter in the query loses ext + match, one in the target ext. With half a match for
 * each diagonal that a path moves, both lose ext + match / 2. It takes twenty times as long, and proves more
 * than twice the loss. */

typedef enum outside_kind { OUTSIDE_BY_WORDS, OUTSIDE_BY_DIFFERENCES, OUTSIDE_KINDS } outside_kind;

/* The columns of the known path's nodes in a row: none if last < first. */
typedef struct path_row {
  int32_t first, last;
} path_row;

typedef struct outside_path {
  int64_t rows;
  int64_t row_most; /* most gain of a row */
  int64_t block;    /* rows of a block, 2^block_bits: a division per row would take most of the time */
  int block_bits;
  int64_t slope;  /* further gain for each diagonal that a path moves to the right */
  int32_t *lost;  /* by block; least loss in the blocks before it */
  int32_t *most;  /* by block; most gain of a path that begins before it, on any diagonals */
  int32_t *begun; /* by block; most gain of such a path without the slope's, counted from the main diagonal */
} outside_path;

/* Approximate loss per row that this kind can prove. */
double outside_path_reach(outside_kind kind, const path_scheme *scheme);

/* Makes the limits for paths that end in the pair's end node and score no less than the pair. known: the
 * known path's nodes by row, from 0 to the end's. CLA_ERROR_MEMORY. */
cla_status outside_path_make(outside_path *out, outside_kind kind, const path_scheme *scheme,
                             const pack_pair *pair, const path_row *known, cla_error *error);
void outside_path_free(outside_path *outside);

/* Most gain of a path from any start to the node. */
static inline int64_t outside_begun(const outside_path *o, int64_t row, int64_t column) {
  const int64_t block = row >> o->block_bits, in_block = o->row_most * (row & (o->block - 1));
  const int64_t of_slope = o->begun[block] + o->slope * (column - row), any = o->most[block];
  return (any < of_slope ? any : of_slope) + in_block;
}

/* The number of blocks before a row, and of those before the first block that begins at or below the row. */
static inline int64_t outside_blocks_to(const outside_path *o, int64_t row) {
  return row >> o->block_bits;
}

static inline int64_t outside_blocks_from(const outside_path *o, int64_t row) {
  return (row + o->block - 1) >> o->block_bits;
}

/* Most gain of a path from row `upper` to row `lower` >= upper, without the slope. Blocks between the rows
 * count. */
static inline int64_t outside_gain(const outside_path *o, int64_t upper, int64_t lower) {
  const int64_t from = outside_blocks_from(o, upper), to = outside_blocks_to(o, lower);
  return o->row_most * (lower - upper) - (from < to ? o->lost[to] - o->lost[from] : 0);
}

#define DIFFERENCES_BLOCK_BITS 6
#define DIFFERENCES_BLOCK (1 << DIFFERENCES_BLOCK_BITS) /* letters of a block */
#define DIFFERENCES_TOGETHER 4                          /* most blocks that are sought at once */

/* Adjacent blocks of the query, and the columns in which they are sought. */
typedef struct difference_blocks {
  const pack_pair *pair;
  const int32_t *paired; /* by column; the row with which the known path pairs it, or -1 */
  int64_t row;           /* row of the first block */
  int count;             /* number of blocks, at most DIFFERENCES_TOGETHER */
  int64_t first, last;   /* first and last column */
} difference_blocks;

/* Sets out[b] to the fewest edits with which block b occurs in the columns, without pairs of the known path.
 */
void outside_differences(int64_t *out, const difference_blocks *of);

#endif
