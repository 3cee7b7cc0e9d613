#ifndef HOST_SCORING_LANE_WIDTH_H
#define HOST_SCORING_LANE_WIDTH_H

#include <stdint.h>

#include "clalign/scoring.h"

/* Which lane widths a scheme allows: the proof that a tile's values fit, as code.
 *
 * Let M = max(0, largest score), o = gap_first, e = gap_ext, o >= e >= 0. Inside one region
 *
 *  (1) H(i,j+k) >= H(i,j) - (o + (k-1) e)               a gap of k letters is always possible
 *  (2) H(i,j+k) <= H(i,j) + k (M + e) + (L + 1) (o - e)
 *
 *  and the same along columns. Proof of (2): take the best path to (i,j+k). Let it leave column j for the
 *  last time in row i' <= i (if it began to the right of column j, at a local start, then H(i,j+k) <= k M
 *  and H(i,j) >= 0). From there it makes d <= k diagonal moves and v = i - i' - d
 *  vertical ones. (1) along column j gives H(i',j) <= H(i,j) + (o + (d + v - 1) e) if d + v >= 1. The path
 *  gains at most d M, and pays at least o + (v - 1) e for v >= 1 fresh vertical letters. Both together:
 *  H(i,j+k) - H(i,j) <= d M + d e + (o - e) <= k (M + e) + (o - e).
 *
 *  That is (2) with L = 0, and it holds for the whole matrix. A block of the traceback is a region whose
 * upper border is a row of the region around it and whose left border may be lower than the matrix. There the
 * best path may begin on the upper border at a column j' > j: (2) of the outer region along that border, and
 * the argument above from there on, add up to one more (o - e). So L is the depth of nesting. Every level has
 * at most half of the rows of the one around it (and then some, for whole strips), down to a few hundred;
 * 2^40 rows give less than LANE_WIDTH_NESTING levels. The forward sweep is the whole matrix.
 *
 *  So two values of H at most r rows and c columns apart differ by at most
 *      D(r, c) = (r + c) (M + e) + 2 (L + 1) (o - e).
 *
 *  A tile of T steps over a strip of R rows and L lanes touches R + 1 rows and T + L + 1 columns, borders
 *  included, and its base is H of one of these cells. E and F as they enter a cell lie in [H - o, H] of
 *  their neighbour. The kernels form no value below that but H + score and E, F or g less o; scores are
 *  clamped to -2 o, which changes no H, because two gaps of one letter cost 2 o and do the same. Letters
 *  outside the region never match, so padding obeys (1) and (2) as well; lanes that have not begun start
 *  at the base and fall by at most e a step. Everything therefore lies within
 *      D(R + 1, T + L + 1) + 2 o + e + M
 *  of the base. The limits below leave room to the lane's own limits for the floor, which is clamped to
 *  the limit where zero is further away: then every true value is above it. */

#define LANE_WIDTH_NESTING 32
#define LANE_LIMIT_16 32000
#define LANE_LIMIT_32 2000000000

/* The largest number of columns that a tile may have whose values may lie `limit` from their base, with
 * `strip_rows` rows a strip and `lanes` lanes, in a region nested so deep; 0 if not even one column is
 * allowed. `largest_score` is the scheme's largest pair score. */
int64_t lane_width_tile_columns(int64_t limit, int64_t largest_score, const cla_scoring *scoring,
                                int64_t strip_rows, int64_t lanes, int nesting);

/* The score that the kernels use for `score`: clamped from below to -2 gap_first. */
int32_t lane_width_clamp(int32_t score, const cla_scoring *scoring);

/* Bytes that hold H(i,j) - H(i,j-1), by (1) and (2) for k = 1, and H(i,j) less F entering the row below,
 * which lies in [ext, first]: 1, 2 or 4. */
int lane_width_difference_bytes(int64_t largest_score, const cla_scoring *scoring);

#endif
