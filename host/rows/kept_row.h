#ifndef HOST_ROWS_KEPT_ROW_H
#define HOST_ROWS_KEPT_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/scoring.h"
#include "clalign/status.h"
#include "region/region.h"

/* One special row, as differences: H(j) - H(j-1), and H(j) less F entering the row below, by piece of gap
 * costs. The scheme bounds all differences (lane_width_difference_bytes), so each takes 1, 2 or 4 bytes.
 *
 * Pruning leaves parts of a row uncomputed. So the row holds segments of consecutive nodes, packed one after
 * the other into chunks. The first node of a segment and every KEPT_ROW_ANCHOR-th packed node have their full
 * H. So a part can be read without the rest. */

#define KEPT_ROW_ANCHOR 4096
#define KEPT_ROW_CHUNK (64 * KEPT_ROW_ANCHOR) /* packed nodes of a chunk, the last one's at most */

/* The common properties of all rows of a region. */
typedef struct row_shape {
  int64_t column, nodes; /* matrix column of the first node; nodes of a full row */
  int64_t largest_score; /* of a pair */
  const cla_scoring *scoring;
  bool floor; /* no H below zero */
} row_shape;

typedef struct row_segment {
  int64_t node, count; /* node 0 is in shape's column */
  int64_t packed;      /* number of nodes in the segments before */
  int64_t h;           /* of the first node */
} row_segment;

typedef struct row_chunk {
  int64_t capacity;
  int64_t anchors[KEPT_ROW_CHUNK / KEPT_ROW_ANCHOR]; /* H */
  void *steps;                                       /* H(j) - H(j-1); 0 where a segment begins */
  void *gaps[CLA_GAP_PIECES]; /* by packed node; H(j) - F(j); NULL beyond the pieces of gap costs */
} row_chunk;

typedef struct kept_row {
  int64_t row;                               /* row of the matrix */
  int64_t last;                              /* H of the last node appended */
  double seconds;                            /* duration of the run when the row was complete */
  bool whole;                                /* the row is complete */
  int64_t best_score, best_row, best_column; /* as in the region_row_part that ended the row */
  int64_t packed;
  row_segment *segments;
  int64_t segment_count, segment_capacity;
  row_chunk *chunks;
  int64_t chunk_count, chunk_capacity;
} kept_row;

/* The row without its nodes, which stay those of `row`. */
static inline kept_row kept_row_head(const kept_row *row) {
  return (kept_row){.row = row->row,
                    .seconds = row->seconds,
                    .whole = row->whole,
                    .best_score = row->best_score,
                    .best_row = row->best_row,
                    .best_column = row->best_column};
}

/* Bytes of a difference. */
int row_shape_value_bytes(const row_shape *shape);

/* An array of differences in a chunk, of gap_lines: 0 is steps, the others are gaps. */
static inline void **row_chunk_array(row_chunk *chunk, int line) {
  return line == 0 ? &chunk->steps : &chunk->gaps[line - 1];
}

/* Appends a part, whose column is that of the matrix; see region_row_part. CLA_ERROR_MEMORY. */
cla_status kept_row_append(kept_row *row, const row_shape *shape, const region_row_part *part,
                           cla_error *error);
void kept_row_free(kept_row *row);

/* Bytes of memory that the row takes. */
int64_t kept_row_bytes(const kept_row *row, const row_shape *shape);

/* The first segment that ends behind node `node`; row->segment_count if there is none. */
int64_t kept_row_segment(const kept_row *row, int64_t node);

/* Reads `count` nodes from `node` on, all of one segment, into the lines that are wanted. */
void kept_row_read(const kept_row *row, int value_bytes, const row_segment *segment, int64_t node,
                   int64_t count, row_values out);

/* Substitutes for nodes that lie in no segment, from `node` on up to segment `right`, the first one after
 * them. They are never above the true values, and as close to their neighbours as (1) and (2) of
 * scoring/lane_width.h demand. So a region may have them on its upper border.
 *
 * Let o be the cost of a gap's first letter, e of a further one, and M the largest score, at least 0. Let j0
 * be the last node of the segment on the left, and j1 the first node of that on the right. Then
 *
 *   H(j) = max( H(j0) - o - (j - j0 - 1) e,  H(j1) - (o - e) - (j1 - j)(M + e) ),   F(j) = H(j) - o
 *
 * Each term is there only if its segment is. With a floor, values are at least 0.
 *
 * Not above the true values: the first term is (1), the second is (2) of the whole matrix, solved for H(j). A
 * block's values are at most the matrix', so both hold for them. True F is at least H - o everywhere.
 *
 * Close: the first term falls by e, the second rises by M + e, and their maximum changes no faster. From j0
 * to j, (1) is the first term; by (2) from j0 to j1 in the row's own region, the second term is at most what
 * (2) allows. From j to j1, (2) is the second term; the first is at most H(j1) + o + (j1 - j - 1) e, by (1)
 * from j0 to j1.
 *
 * With several pieces of gap costs, the first term is the cost of a gap of j - j0 letters by the cheapest
 * one. F(j) of a piece is H(j) less the piece's first cost. */
void kept_row_substitute(const kept_row *row, const row_shape *shape, int64_t right, int64_t node,
                         int64_t count, row_values out);

#endif
