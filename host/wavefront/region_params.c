#include "wavefront/region_params.h"

#include "base/extremes.h"
#include "scoring/lane_width.h"

region_params region_params_make(const path_scheme *scheme, const border_rule *left, const border_rule *top) {
  const cla_scoring *scoring = scheme->scoring;
  const score_table *table = scheme->table;
  return (region_params){
      .left_first = left->first,
      .left_further = left->further,
      .gap_first = scoring->gap_first,
      .gap_ext = scoring->gap_ext,
      .match = table->match,
      .mismatch = lane_width_clamp(table->mismatch, scoring),
      .top_first = top->first,
      .top_further = top->further,
      .largest = larger(table->maximum, 0),
      .gap_first2 = scoring->gap_first2,
      .gap_ext2 = scoring->gap_ext2,
      .left_first2 = left->two_pieces ? left->first2 : left->first,
      .left_further2 = left->two_pieces ? left->further2 : left->further,
      .top_first2 = top->two_pieces ? top->first2 : top->first,
      .top_further2 = top->two_pieces ? top->further2 : top->further,
  };
}
