#include "scoring/lane_width.h"

#include "scoring/gap_costs.h"

#define TILE_COLUMNS_UNBOUNDED (INT64_C(1) << 20) /* schemes in which nothing rises: any tile will do */

int64_t lane_width_tile_columns(int64_t limit, int64_t largest_score, const cla_scoring *scoring,
                                int64_t strip_rows, int64_t lanes, int nesting) {
  const int64_t match = largest_score > 0 ? largest_score : 0;
  const int64_t first = scoring->gap_first, ext = scoring->gap_ext;
  const int64_t room =
      limit - 2 * (nesting + 1) * (first - ext) - first - gap_most_first(scoring) - ext - match;
  const int64_t rise = match + ext + (gap_two_pieces(scoring) ? scoring->gap_ext2 : 0);
  if (room < 0) return 0;
  if (rise == 0) return TILE_COLUMNS_UNBOUNDED;
  const int64_t columns = room / rise - (strip_rows + 1) - (lanes + 1);
  return columns > 0 ? columns : 0;
}

int64_t lane_width_segment_tile(int64_t limit, int64_t largest_score, const cla_scoring *scoring,
                                int64_t alpha, int64_t segment, int nesting) {
  const int64_t match = largest_score > 0 ? largest_score : 0;
  const int64_t opening = (int64_t)scoring->gap_first - scoring->gap_ext;
  const int64_t rise = match + 2 * (int64_t)scoring->gap_ext;
  const int64_t farthest = alpha - 1 > segment ? alpha - 1 : segment;
  const int64_t most_first = gap_most_first(scoring), dearer = most_first - scoring->gap_first;
  const int64_t below = rise + 5 * opening + dearer, above = farthest * rise + 2 * opening;
  if (most_first > limit / 2) return 0; /* F of a kept row is less than half of the states from H */
  return below + above + 6 * nesting * opening <= limit ? TILE_COLUMNS_UNBOUNDED : 0;
}

int32_t lane_width_clamp(int32_t score, const cla_scoring *scoring) {
  const int32_t lowest = -2 * scoring->gap_first;
  return score < lowest ? lowest : score;
}

int lane_width_difference_bytes(int64_t largest_score, const cla_scoring *scoring) {
  const int64_t match = largest_score > 0 ? largest_score : 0;
  const int64_t step =
      match + scoring->gap_ext + (LANE_WIDTH_NESTING + 1) * (int64_t)(scoring->gap_first - scoring->gap_ext);
  const int64_t most_first = gap_most_first(scoring), largest = step > most_first ? step : most_first;
  return largest <= INT8_MAX ? 1 : largest <= INT16_MAX ? 2 : 4;
}
