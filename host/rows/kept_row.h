#ifndef HOST_ROWS_KEPT_ROW_H
#define HOST_ROWS_KEPT_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/scoring.h"
#include "clalign/status.h"
#include "region/region.h"

/* A special row, stored as differences: H(j) - H(j-1) and, for each piece of gap costs, H(j) - F(j), where
 * F(j) enters the row below. The scheme limits all differences (lane_width_difference_bytes), so each takes
 * 1, 2 or 4 bytes. Pruning leaves parts of a row uncomputed. So the row consists of segments of consecutive
 * nodes, packed one after the other into chunks. The full H is stored for the first node of each segment
 * and for every KEPT_ROW_ANCHOR-th packed node. So a part of a row can be read without the rest. */

#define KEPT_ROW_ANCHOR 4096
#define KEPT_ROW_CHUNK (64 * KEPT_ROW_ANCHOR) /* packed nodes of a chunk; the last chunk may have fewer */

/* The common properties of all rows of a region. */
typedef struct row_shape {
  int64_t column, nodes; /* matrix column of the first node; nodes of a full row */
  int64_t largest_score; /* largest score of a pair */
  const cla_scoring *scoring;
  bool floor; /* no H is below zero */
} row_shape;

typedef struct row_segment {
  int64_t node, count; /* first node and number of nodes; node 0 is in shape->column */
  int64_t packed;      /* number of nodes in the earlier segments */
  int64_t h;           /* H of the first node */
} row_segment;

typedef struct row_chunk {
  int64_t capacity;
  int64_t anchors[KEPT_ROW_CHUNK / KEPT_ROW_ANCHOR]; /* full H of every KEPT_ROW_ANCHOR-th node */
  void *steps;                                       /* H(j) - H(j-1); 0 where a segment begins */
  void *gaps[CLA_GAP_PIECES]; /* by packed node: H(j) - F(j); NULL beyond the pieces of gap costs */
} row_chunk;

typedef struct kept_row {
  int64_t row;                               /* row of the matrix */
  int64_t last;                              /* H of the last node appended */
  double seconds;                            /* duration of the run until the row was complete */
  bool whole;                                /* the row is complete */
  int64_t best_score, best_row, best_column; /* as in the region_row_part that ended the row */
  int64_t packed;
  row_segment *segments;
  int64_t segment_count, segment_capacity;
  row_chunk *chunks;
  int64_t chunk_count, chunk_capacity;
} kept_row;

/* Returns a copy of the row without its nodes; `row` keeps them. */
static inline kept_row kept_row_head(const kept_row *row) {
  return (kept_row){.row = row->row,
                    .seconds = row->seconds,
                    .whole = row->whole,
                    .best_score = row->best_score,
                    .best_row = row->best_row,
                    .best_column = row->best_column};
}

/* Returns the bytes of a difference. */
int row_shape_value_bytes(const row_shape *shape);

/* Returns the address of one of a chunk's arrays of differences. `line` 0: steps; other lines: gaps. */
static inline void **row_chunk_array(row_chunk *chunk, int line) {
  return line == 0 ? &chunk->steps : &chunk->gaps[line - 1];
}

/* Appends a part (region_row_part) whose column is counted in the matrix. CLA_ERROR_MEMORY. */
cla_status kept_row_append(kept_row *row, const row_shape *shape, const region_row_part *part,
                           cla_error *error);
void kept_row_free(kept_row *row);

/* Returns the bytes of memory that the row takes. */
int64_t kept_row_bytes(const kept_row *row, const row_shape *shape);

/* Returns the index of the first segment that ends after node `node`; row->segment_count if there is none. */
int64_t kept_row_segment(const kept_row *row, int64_t node);

/* Reads `count` nodes from `node` on, all of one segment. Lines of `out` that are NULL are not read. */
void kept_row_read(const kept_row *row, int value_bytes, const row_segment *segment, int64_t node,
                   int64_t count, row_values out);

/* Computes substitutes for `count` nodes from `node` on that lie in no segment. right: index of the first
 * segment after them. Substitutes are never above the true values, and are as close to their neighbours as
 * (1) and (2) of scoring/lane_width.h require. So they may lie on the upper border of a region.
 *
 * Let `o` be the cost of a gap's first letter, `e` the cost of a further letter, and M the largest score, at
 * least 0. Let j0 be the last node of the segment on the left, and j1 the first node of the segment on the
 * right. Then
 *
 *   H(j) = max( H(j0) - o - (j - j0 - 1) e,  H(j1) - (o - e) - (j1 - j)(M + e) ),   F(j) = H(j) - o
 *
 * A term is left out if its segment does not exist. With a floor, values are at least 0.
 *
 * Not above the true values: the first term is (1), the second is (2), both of the whole matrix and solved
 * for H(j). The values of a block are at most those of the matrix, so both inequalities hold for a block's
 * values. The true F is at least H - o everywhere.
 *
 * Close to neighbours: the first term decreases by `e` per node, the second increases by M + e, and their
 * maximum changes no faster. From j0 to j, the first term satisfies (1) with equality, and (2) from j0 to j1
 * in the row's own region keeps the second term within (2). From j to j1, the second term satisfies (2) with
 * equality, and by (1) from j0 to j1 the first term is at most H(j1) + o + (j1 - j - 1) e.
 *
 * With several pieces of gap costs, the first term is H(j0) less the cost of a gap of j - j0 letters by the
 * cheapest piece. F(j) of a piece is H(j) less the piece's first cost. */
void kept_row_substitute(const kept_row *row, const row_shape *shape, int64_t right, int64_t node,
                         int64_t count, row_values out);

#endif
