#include "scoring/lane_width.h"

#include "base/extremes.h"
#include "scoring/gap_costs.h"

#define TILE_COLUMNS_UNBOUNDED (INT64_C(1) << 20) /* columns of a tile if no stored value increases */

static int64_t opening_of(const cla_scoring *scoring) {
  return (int64_t)scoring->gap_first - scoring->gap_ext;
}

int64_t lane_width_rise(int64_t largest_score, const cla_scoring *scoring, int64_t nodes, int nesting) {
  const int64_t match = largest_score > 0 ? largest_score : 0;
  return nodes * (match + scoring->gap_ext) + opening_of(scoring) + nesting * gap_most_cut(scoring);
}

int64_t lane_width_tile_columns(int64_t limit, int64_t largest_score, const cla_scoring *scoring,
                                int64_t strip_rows, int64_t lanes, int nesting) {
  const int64_t match = largest_score > 0 ? largest_score : 0;
  const int64_t first = scoring->gap_first, ext = scoring->gap_ext;
  const int64_t apart = 2 * lane_width_rise(largest_score, scoring, 0, nesting);
  const int64_t room = limit - apart - first - gap_most_first(scoring) - ext - match;
  int64_t rise = match;
  for (int k = 0; k < gap_pieces(scoring); k++) rise += scoring->gap[k].ext;
  if (room < 0) return 0;
  if (rise == 0) return TILE_COLUMNS_UNBOUNDED;
  const int64_t columns = room / rise - (strip_rows + 1) - (lanes + 1);
  return columns > 0 ? columns : 0;
}

cla_scoring lane_width_raised(const cla_scoring *scoring) {
  cla_scoring raised = *scoring;
  if (gap_pieces(scoring) == 1) raised.gap[1] = raised.gap[0];
  return raised;
}

lane_start lane_width_segment_start(int64_t limit, int64_t largest_score, const cla_scoring *scoring,
                                    int64_t alpha, int64_t segment, int nesting) {
  const int64_t match = largest_score > 0 ? largest_score : 0;
  const int64_t opening = opening_of(scoring);
  const int64_t rise = match + 2 * (int64_t)scoring->gap_ext;
  const int64_t farthest = alpha - 1 > segment ? alpha - 1 : segment;
  const int64_t dearer = gap_most_first(scoring) - scoring->gap_first;
  const int64_t below = rise + 5 * opening + dearer, above = farthest * rise + 2 * opening;
  /* What the nesting adds at either end of the range: the larger of two bounds. */
  int64_t nested = nesting * larger(3 * opening, gap_most_cut(scoring));
  if (nesting > 1) nested += (alpha - 1) * (scoring->gap_ext - gap_least_ext(scoring));
  return (lane_start){below + nested, limit - above - nested};
}

int64_t lane_width_segment_tile(int64_t limit, int64_t largest_score, const cla_scoring *scoring,
                                int64_t alpha, int64_t segment, int nesting) {
  const lane_start start = lane_width_segment_start(limit, largest_score, scoring, alpha, segment, nesting);
  if (gap_most_first(scoring) > limit / 2) return 0; /* F of a kept row would be too far from H */
  return start.least <= start.most ? TILE_COLUMNS_UNBOUNDED : 0;
}

int32_t lane_width_clamp(int32_t score, const cla_scoring *scoring) {
  const int32_t lowest = -2 * scoring->gap_first;
  return score < lowest ? lowest : score;
}

int lane_width_difference_bytes(int64_t largest_score, const cla_scoring *scoring) {
  const int64_t step = lane_width_rise(largest_score, scoring, 1, LANE_WIDTH_NESTING);
  const int64_t largest = larger(step, gap_most_first(scoring));
  return largest <= INT8_MAX ? 1 : largest <= INT16_MAX ? 2 : 4;
}
