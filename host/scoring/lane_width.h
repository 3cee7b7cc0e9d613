#ifndef HOST_SCORING_LANE_WIDTH_H
#define HOST_SCORING_LANE_WIDTH_H

#include <stdint.h>

#include "clalign/scoring.h"

/* Which lane widths a scheme allows: the proof that a tile's values fit, as code.
 *
 * Let M = max(0, largest score), o = gap_first, e = gap_ext, o >= e >= 0. Inside one region
 *
 *  (1) H(i,j+k) >= H(i,j) - (o + (k-1) e)               a gap of k letters is always possible
 *  (2) H(i,j+k) <= H(i,j) + k (M + e) + (o - e) + L cut
 *
 *  and the same along columns; `cut` is o - e, with two pieces of gap costs o2 - e2. Proof of (2): take the
 * best path to (i,j+k). Let it leave column j for the last time in row i' <= i (if it began to the right of
 * column j, at a local start, then H(i,j+k) <= k M and H(i,j) >= 0). From there it makes d <= k diagonal
 * moves and v = i - i' - d vertical ones. (1) along column j gives H(i',j) <= H(i,j) + (o + (d + v - 1) e) if
 * d + v >= 1. The path gains at most d M, and pays at least o + (v - 1) e for v >= 1 fresh vertical letters.
 * Both together: H(i,j+k) - H(i,j) <= d M + d e + (o - e) <= k (M + e) + (o - e).
 *
 *  Free starts without a floor: let a path begin on an upper border of zeros right of column j, in (0,j'). It
 * makes d <= k pairs and i - d vertical letters, so H(i,j+k) <= d M - (o + (i-d-1) e) if i > d. A gap down
 * from (0,j) gives H(i,j) >= -(o + (i-1) e). The difference is d (M + e) at most. If i = d, it is d M + o +
 * (d-1) e at most, which is (2) again. A left border of zeros has columns and rows exchanged. The same shows
 * (3) below: such a path to (i+k,j+k) makes d < k pairs and i + k - d vertical letters, so H(i+k,j+k) -
 * H(i,j) <= d M - (k-d) e. Where paths end changes no value.
 *
 *  That is (2) with L = 0, and it holds for the whole matrix, which the forward sweep computes. A block of
 * the traceback is nested. Its upper border is a row of the region around it, and its left border is a gap
 * that begins anew in the corner. Down that column (1) holds, except for a gap that is cut in two there. Two
 * gaps cost at most `cut` more than one of all their letters (gap_most_cut), which is o2 - e2 if both are
 * long. The best path may also begin on the upper border, at a column j' > j. Then (2) of the outer region
 * along that border, and the argument above from there on, add up to one more `cut`. So L is the depth of
 * nesting. Every level has at most about half of the rows of the one around it, down to a few hundred. So
 * 2^40 rows give less than LANE_WIDTH_NESTING levels.
 *
 *  With two pieces of gap costs, o and e are those of the first, and cost(k) is the lesser of both. It is at
 * most o + (k - 1) e, a gap never costs more than its parts, and one more letter costs e at most. (1) is
 * H(i,j+k) >= H(i,j) - cost(k). In the proof of (2) that gives H(i',j) <= H(i,j) + cost(d + v), for a path
 * that pays at least cost(v). And cost(d + v) - cost(v) <= d e for v >= 1, <= d e + (o - e) for v = 0.
 * Borders must then fall by cost(k), as all gaps do. If they fell by e in each row, they would leave the
 * matrix behind.
 *
 *  So two values of H at most r rows and c columns apart differ by at most
 *      D(r, c) = (r + c) (M + e) + 2 (o - e) + 2 L cut.
 *
 *  In nvidia16.clh, E and F may be opened from a value that is not F, F2 or the floor, and F2 then enters
 * less o. That is o below the limits that follow; 768 values are free there, and o is 127 at most. E2 and F2
 * are kept raised by o2 - o. All values are kept raised by e2, the second piece's further cost, for each
 * column of a tile. So values rise by at most M + e + e2 from one column to the next.
 *
 *  A tile of T steps over a strip of R rows and L lanes touches R + 1 rows and T + L + 1 columns, borders
 *  included, and its base is H of one of these cells. E and F as they enter a cell lie in
 * [H - o, H] of their neighbour, and the second piece's in [H - o2, H], where o2 is its first cost (o with
 * one piece). Kernels form only these lower values: H + score; E, F or g less o; g less o2; E and F of the
 * second piece less its further cost. Here g >= E >= H - o, with H on the left. Scores are clamped to -2 o,
 * which changes no H, because two gaps of one letter cost 2 o and do the same. Letters outside the region
 * never match, so padding obeys (1) and (2), too. Lanes that have not begun start at the base and fall by at
 * most e a step. So everything lies within D(R + 1, T + L + 1)
 * + o + o2 + e + M of the base. The limits below leave room for the floor, up to the lane's own limits. If
 * zero is further away, the floor is clamped to the limit, and every true value is above it. */

/* Lanes with a base each (vector8.cl). Lane values rise by e with every row and column:
 *
 *      v(r,t) = H(r,t) + e (r + t), less the same of the lane's base (0,0)
 *
 *  where the base is H in the first of the lane's `alpha` rows, in the last column before a segment of S
 * columns, t = 1..S; the row above the lane is r = -1. Besides (1) and (2), with R = M + 2e,
 *
 *  (3) H(i+k,j+k) <= H(i,j) + k M + 2 L (o - e)      with one piece of gap costs
 *
 *  Proof for L = 0: take the best path to (i+k,j+k), and let it leave row i for the last time in column j -
 * x, x >= 0. (If it leaves column j in row i - x, the proof is the same. If it began below and to the right
 * of (i,j), H(i+k,j+k) <= k M.) It makes d <= k diagonal moves and k - d + x horizontal ones, which cost at
 * least what (1) says that H(i,j-x) may exceed H(i,j) by. In a block it may also come from (i,j+x): (2) adds
 * x (M + e) + (L + 1) (o - e), and x of the k rows are then passed vertically, for e each at least, instead
 * of M gained.
 *
 *  r, t >= 0, m the larger: (2) for the difference of r and t, (3) for the rest: v <= m R + (3 L + 1) (o -
 * e), and by (1) v >= -2 (o - e). The row above: v(-1,t) <= v(0,t) + (o - e) and v(-1,t) >= -R - (L + 2) (o -
 * e) by (2) for one row and (1). The kernel opens E and F from g = max(diagonal + score, E), which may be
 * below H. So they may be lower than above: g >= H(-1,t-1) - 2 o for the first row. In the base's own column
 * H(r-1,-1) >= H(0,0) - M - 2 L (o - e) - (o + (r-1) e), by (3) and (1). No value that is formed is below -R
 * - (2 L + 5) (o - e). Above, E, F and g are no larger than some H. So all lie in
 *
 *      -R - (2 L + 5) (o - e)  to  max(alpha - 1, S) R + (3 L + 2) (o - e)
 *
 *  Linear gaps (o = e) are in this with E and F that are H of the cell on the left and above, in such values.
 * S is the largest of the variant's that a scheme allows with L = 0: the larger its scores, the more often
 * bases are moved.
 *
 *  With two pieces those of the second are opened from g, too; they rise by e less its further cost, never
 * above some H, and are no lower than g - o2: o2 - o further down. The lower end is that much lower. In (3)
 * the horizontal moves cost cost(k - d + x) >= cost(x) at least, what (1) says.
 *
 *  What L adds then is L cut on either side. Take the best path to (r,t) through all levels, with k =
 * max(r,t) pairs at most. If it leaves column 0 for the last time in row -x, x >= 0, H(0,0) is less than
 * H(-x,0) by cost(x) and a `cut` for each level whose left border that column is: L cut in all. The path has
 * d pairs and r + x - d vertical letters, so v(r,t) <= m R + (o - e) + L cut as for L = 0. If it leaves row 0
 * in column -x, that row's gap is cut once, where substitutes follow what a strip has computed
 * (docs/internals/pruning.md). The lower end has (2) for one row, from above the strip to its first one, or
 * (3) for k = 1: L cut.
 *
 *  Stand-ins of kept rows (L > 1) are on no path, but obey (2). A path that comes down from right of one, in
 * an F2, falls by e2 in each row, while v rises by e: (alpha - 1) (e - e2) more at the upper end.
 *
 *  The value that lane l - 1 hands to lane l changes by the difference of their bases and e alpha. By (1) and
 * (2) for alpha rows, that is between -alpha R - (o - e) - L cut and o - e: less than 256, and over 64 lanes
 * less than 2^14. If all lanes work on one column (vector8_columns.clh), F is first computed without the
 * lanes above. It is no lower than g - o in its own lane. In the next lane it may be less than 0, which no
 * true value is, and then counts as 0.
 *
 *  The kernel does not know L: it puts the base into the middle of what L = 0 allows, and as much must be
 * free on either side. A lane that begins within a segment starts at a border value with fewer columns to go.
 */

/* Packs begin with strips of values without bases (packed_low.clh): H, E and F, 0 and more. A strip of R
 * rows is one of them if the largest H above it plus R M is at most the limit. E and F are those above or 0
 * where these are less; then they are still H at most, so that what such a strip hands down is within the
 * bounds above. In the first strip R M is at most the limit because R (M + 2e) is part of the sum above. */

#define LANE_WIDTH_NESTING 32

/* L of a region whose upper border is a kept row. If that row was pruned, its values obey (2) with L = 1
 * (docs/internals/pruning.md), and substitutes beside them with L = 2 (rows/kept_row.h). A substitute that
 * follows from a node at the end of a gap obeys (1) to within `cut`. The region below counts as nested once
 * more. */
#define LANE_WIDTH_BELOW_ROW 4

#define LANE_LIMIT_8 255
#define LANE_LIMIT_16 32000
#define LANE_LIMIT_32 2000000000

/* Most that H may rise over `nodes` nodes along a row or a column, by (2), in a region of that nesting. */
int64_t lane_width_rise(int64_t largest_score, const cla_scoring *scoring, int64_t nodes, int nesting);

/* Most columns of a tile whose values lie within `limit` of their base, with `strip_rows` rows and `lanes`
 * lanes a strip, in a region of that nesting. 0: not even one column is allowed. largest_score: the scheme's
 * largest pair score. */
int64_t lane_width_tile_columns(int64_t limit, int64_t largest_score, const cla_scoring *scoring,
                                int64_t strip_rows, int64_t lanes, int nesting);

/* Most columns of a tile if each lane has a base, moved after `segment` columns, and values have `limit` + 1
 * states: any number, or 0. */
int64_t lane_width_segment_tile(int64_t limit, int64_t largest_score, const cla_scoring *scoring,
                                int64_t alpha, int64_t segment, int nesting);

/* The score that the kernels use for `score`: clamped from below to -2 gap_first. */
int32_t lane_width_clamp(int32_t score, const cla_scoring *scoring);

/* Bytes, 1, 2 or 4, that hold two differences. H(i,j) - H(i,j-1) is limited by (1) and (2) for k = 1. H(i,j)
 * less F entering the row below lies in [ext, first] of either piece of gap costs. */
int lane_width_difference_bytes(int64_t largest_score, const cla_scoring *scoring);

#endif
