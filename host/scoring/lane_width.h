#ifndef HOST_SCORING_LANE_WIDTH_H
#define HOST_SCORING_LANE_WIDTH_H

#include <stdint.h>

#include "clalign/scoring.h"

/* The lane widths that a scheme allows, and the proof that a tile's values then fit into lanes.
 *
 * Let M = max(0, largest score), o = gap_first, e = gap_ext, o >= e >= 0. Inside one region
 *
 *  (1) H(i,j+k) >= H(i,j) - (o + (k-1) e)               a gap of k letters is always possible
 *  (2) H(i,j+k) <= H(i,j) + k (M + e) + (o - e) + L cut
 *
 * and both hold along columns, too. Here `cut` is o - e, or o2 - e2 with two pieces of gap costs. Proof of
 * (2): take the best path to (i,j+k). Let it leave column j for the last time in row i' <= i. (If the path
 * started to the right of column j, at a local start, then H(i,j+k) <= k M and H(i,j) >= 0.) From there it
 * makes d <= k diagonal moves and v = i - i' - d vertical ones. (1) along column j gives H(i',j) <= H(i,j) +
 * (o + (d + v - 1) e) if d + v >= 1. The path gains at most d M, and pays at least o + (v - 1) e for v >= 1
 * vertical letters. Together: H(i,j+k) - H(i,j) <= d M + d e + (o - e) <= k (M + e) + (o - e).
 *
 * Free starts without a floor: let a path start in (0,j') on an upper border of zeros, to the right of column
 * j. The path makes d <= k pairs and i - d vertical letters, so H(i,j+k) <= d M - (o + (i-d-1) e) if i > d. A
 * gap down from (0,j) gives H(i,j) >= -(o + (i-1) e). The difference is d (M + e) at most. If i = d, the
 * difference is d M + o + (d-1) e at most, which is (2) again. For a left border of zeros, exchange columns
 * and rows. The same argument proves (3) below: such a path to (i+k,j+k) makes d < k pairs and i + k - d
 * vertical letters, so H(i+k,j+k) - H(i,j) <= d M - (k-d) e. No value depends on where paths may end.
 *
 * So (2) holds with L = 0 for the whole matrix, which the forward sweep computes. A block of the traceback is
 * nested in a region. The block's upper border is a row of the region around it, and its left border is a gap
 * that starts anew in the corner. Along the left border, (1) holds except for a gap that the border cuts in
 * two. Two gaps cost at most `cut` more than one gap with the letters of both (gap_most_cut): o2 - e2 if both
 * are long. The best path may also start on the upper border, in a column j' > j. Then (2) of the outer
 * region holds along that border, and the argument above holds from there on. So each level of nesting adds
 * one more `cut`. L is the depth of nesting. Regions of a few hundred rows have no nested regions, and any
 * nested region has at most about half of the rows of the region around it. So 2^40 rows give less than
 * LANE_WIDTH_NESTING levels.
 *
 * With two pieces of gap costs, o and e belong to the first piece, and cost(k) is the lower of the two
 * pieces' costs. cost(k) is at most o + (k - 1) e, a gap never costs more than its parts together, and one
 * more letter costs e at most. (1) becomes H(i,j+k) >= H(i,j) - cost(k). The proof of (2) then uses H(i',j)
 * <= H(i,j) + cost(d + v), and the path pays at least cost(v). The difference cost(d + v) - cost(v) is at
 * most d e if v >= 1, and at most d e + (o - e) if v = 0. Borders must then fall by cost(k), as all gaps do.
 * Borders that fell by e in each row would fall faster than the values inside.
 *
 *  So two values of H at most r rows and c columns apart differ by at most
 *      D(r, c) = (r + c) (M + e) + 2 (o - e) + 2 L cut.
 *
 * In nvidia16.clh, E and F may be opened from a value g that does not include F, F2 and the floor. F2 then
 * enters a cell lowered by o. So values can lie below the limits that follow by at most o. There is room for
 * 768 values, and o is at most 127. The kernel stores E2 and F2 raised by o2 - o, and all values raised by
 * e2, the second piece's cost of a further letter, for each column of a tile. So stored values rise by at
 * most M + e + e2 from one column to the next.
 *
 * A tile of T steps over a strip of R rows and `lanes` lanes touches R + 1 rows and T + lanes + 1 columns,
 * borders included. The tile's base is H of one of these cells. E and F lie in [H - o, H] of the neighbouring
 * cell from which they enter. E and F of the second piece lie in [H - o2, H], where o2 is the second piece's
 * cost of a first letter (o with one piece). Kernels compute no other values below H than H + score; E, F or
 * g minus o; g minus o2; and E or F of the second piece minus its cost of a further letter. Here g >= E >= H
 * - o, with H of the left cell. Scores are clamped to -2 o, which changes no H, because two gaps of one
 * letter each, which cost 2 o, can replace any pair. Letters outside the region never match, so padding obeys
 * (1) and (2), too. Lanes that have not started are at the base, and fall by at most e per step. So all
 * values lie within D(R + 1, T + lanes + 1) + o + o2 + e + M of the base. The LANE_LIMIT constants leave room
 * for the floor, up to the limits of the lane's type. If zero is further away, the floor is clamped to the
 * type's limit, and every true value is above this limit. */

/* Lanes that each have their own base (vector8.cl). A lane stores values v: H plus e for every row and
 * column.
 *
 *      v(r,t) = H(r,t) + e (r + t), minus the same sum for the lane's base (0,0)
 *
 * The base is H in the first of the lane's `alpha` rows, in the last column before a segment of S columns (t
 * = 1..S); the row above the lane is r = -1. Besides (1) and (2), with R = M + 2e, this holds:
 *
 *  (3) H(i+k,j+k) <= H(i,j) + k M + 2 L (o - e)      with one piece of gap costs
 *
 * Proof for L = 0: take the best path to (i+k,j+k), and let it leave row i for the last time in column j - x,
 * x >= 0. (If it leaves column j in row i - x, the proof is the same. If the path started below and to the
 * right of (i,j), H(i+k,j+k) <= k M.) The path makes d <= k diagonal moves and k - d + x horizontal ones. By
 * (1), the horizontal ones cost at least H(i,j-x) - H(i,j). In a block the path may also come from (i,j+x).
 * Then (2) adds x (M + e) + (L + 1) (o - e), and the path passes x of the k rows vertically. For each of
 * these rows it pays at least e instead of gaining M.
 *
 * Let r, t >= 0, and m the larger of both. (2) for the difference of r and t, and (3) for the rest, give v <=
 * m R + (3 L + 1) (o - e), and by (1) v >= -2 (o - e). For the row above the lane: v(-1,t) <= v(0,t) + (o -
 * e) and v(-1,t) >= -R - (L + 2) (o - e) by (2) for one row and (1). The kernel opens E and F from g =
 * max(diagonal + score, E), which may be below H. So E and F may lie below the bound for H: g >= H(-1,t-1) -
 * 2 o for the first row. In the base's own column H(r-1,-1) >= H(0,0) - M - 2 L (o - e) - (o + (r-1) e), by
 * (3) and (1). The kernel forms no value below -R - (2 L + 5) (o - e). E, F and g are no larger than some H.
 * So all values lie in the range
 *
 *      -R - (2 L + 5) (o - e)  to  max(alpha - 1, S) R + (3 L + 2) (o - e)
 *
 * The range covers linear gaps (o = e), too: E and F are then H of the left and the upper cell. S is the
 * largest segment of the kernel's variants that a scheme allows with L = 0. So bases are moved more often if
 * scores are larger.
 *
 * With two pieces, E and F of the second piece are opened from g, too. In each step they increase by e minus
 * the second piece's cost of a further letter, but they are no larger than some H, and at least g - o2. So
 * the lower end of the range is lower by o2 - o. In (3) the horizontal moves cost cost(k - d + x) >= cost(x),
 * which is the bound of (1).
 *
 * With two pieces, a nesting of depth L extends the range by L cut at either end. Take the best path to (r,t)
 * through all levels, with k = max(r,t) pairs at most. If the path leaves column 0 for the last time in row
 * -x, x >= 0, then H(0,0) is below H(-x,0) by at most cost(x) + L cut: one `cut` for each level whose left
 * border is column 0. The path has d pairs and r + x - d vertical letters, so v(r,t) <= m R + (o - e) + L cut
 * as for L = 0. If the path leaves row 0 in column -x, the gap along row 0 is cut once, at the place where
 * substitutes follow computed values of the strip (docs/internals/pruning.md). The lower end follows from (2)
 * for one row, from the row above the strip to its first row, or from (3) for k = 1: L cut.
 *
 * Substitutes in kept rows (L > 1) are on no path, but obey (2). A path that comes down in an F2 from the
 * right of a substitute falls by e2 in each row, while v rises by e. That adds (alpha - 1) (e - e2) at the
 * upper end.
 *
 * A value that lane l - 1 passes to lane l is converted by the difference of the two bases plus e alpha. By
 * (1) and (2) for alpha rows, the conversion is between -alpha R - (o - e) - L cut and o - e: less than 256,
 * and over 64 lanes less than 2^14. If all lanes work on one column (vector8_columns.clh), F is first
 * computed without the lanes above. Such an F is at least g - o in its own lane. When it is converted for the
 * next lane, the result may be below 0, although no true value is. It is then replaced by 0.
 *
 * The range says how far the base's own value must be from 0 and from the limit. The base need not move after
 * a segment as long as the first row's value, which takes the place of the base's, still has this distance
 * (lane_width_segment_start). Without a known L, the base moves after each segment, to the middle of the
 * range for L = 0. The same space is then free at either end. A lane that starts within a segment starts at a
 * border value, with fewer columns left. */

/* Packs start with strips whose values have no bases (packed_low.clh): H, E and F, all at least 0. A strip
 * of R rows is computed in this way if the largest H above the strip plus R M is at most the limit. Its E
 * and F have their true values, or 0 where these are negative. They never exceed H, so the values that the
 * strip hands down lie within the bounds above. For the first strip, R M is at most the limit, because R (M
 * + 2e) is part of the sum above. */

#define LANE_WIDTH_NESTING 32

/* L of a region whose upper border is a kept row. If the row was pruned, its values obey (2) with L = 1
 * (docs/internals/pruning.md), and the substitutes beside them obey (2) with L = 2 (rows/kept_row.h). A
 * substitute derived from a node at the end of a gap violates (1) by at most `cut`. The region below the
 * row counts as nested once more. */
#define LANE_WIDTH_BELOW_ROW 4

#define LANE_LIMIT_8 255
#define LANE_LIMIT_16 32000
#define LANE_LIMIT_32 2000000000

/* Returns the largest increase of H over `nodes` nodes along a row or a column, according to (2), in a region
 * with depth `nesting`. */
int64_t lane_width_rise(int64_t largest_score, const cla_scoring *scoring, int64_t nodes, int nesting);

/* Returns the maximum number of columns of a tile whose values lie within `limit` of its base, or 0. Strips
 * have `strip_rows` rows and `lanes` lanes. `nesting`: depth of the region's nesting; `largest_score`: the
 * scheme's largest pair score. */
int64_t lane_width_tile_columns(int64_t limit, int64_t largest_score, const cla_scoring *scoring,
                                int64_t strip_rows, int64_t lanes, int nesting);

/* Returns a scheme for lane_width_tile_columns if a kernel raises values by gap_ext for each column. It has
 * the scheme's only piece twice, because values rise by the second piece's gap_ext2 (proof above). A scheme
 * with two pieces remains as it is. */
cla_scoring lane_width_raised(const cla_scoring *scoring);

/* The values that the first row of a lane with its own base may have at a segment's start. */
typedef struct lane_start {
  int64_t least, most;
} lane_start;

/* Returns the values from which a segment of `segment` columns stays within 0 .. `limit`; least > most if
 * there are none. The middle of both is the same for any nesting. */
lane_start lane_width_segment_start(int64_t limit, int64_t largest_score, const cla_scoring *scoring,
                                    int64_t alpha, int64_t segment, int nesting);

/* Returns the middle of the range. */
static inline int64_t lane_start_middle(lane_start start) {
  return start.least + (start.most - start.least) / 2;
}

/* Like lane_width_tile_columns, but for lanes that each have their own base, which is moved after `segment`
 * columns. Values have `limit` + 1 states. Returns 0 if values do not fit, else a number larger than any
 * tile's columns. */
int64_t lane_width_segment_tile(int64_t limit, int64_t largest_score, const cla_scoring *scoring,
                                int64_t alpha, int64_t segment, int nesting);

/* Returns the score that kernels use instead of `score`: the larger of `score` and -2 gap_first. */
int32_t lane_width_clamp(int32_t score, const cla_scoring *scoring);

/* Returns the number of bytes (1, 2 or 4) into which two kinds of differences fit. The first is H(i,j) -
 * H(i,j-1), limited by (1) and (2) with k = 1. The other is H(i,j) minus the F that enters the row below,
 * which lies in [ext, first] of its piece of gap costs. */
int lane_width_difference_bytes(int64_t largest_score, const cla_scoring *scoring);

#endif
