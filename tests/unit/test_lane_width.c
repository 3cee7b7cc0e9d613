/* The inequalities that scoring/lane_width.h derives its limits from, checked on the oracle's matrices. */

#include <criterion/criterion.h>

#include "kernels/kernel.h"
#include "reference/reference.h"
#include "scoring/lane_width.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"

/* D's share of one direction: how far two values k columns (or rows) apart may be from each other. */
static int64_t most_rise(const score_table *table, const cla_scoring *scoring, int64_t k) {
  const int64_t match = table->maximum > 0 ? table->maximum : 0;
  return k * (match + scoring->gap_ext) + 2 * (int64_t)(scoring->gap_first - scoring->gap_ext);
}

Test(lane_width, rise_and_fall_along_rows_and_columns_stay_within_the_bounds) {
  for (uint64_t seed = 1; seed <= 400; seed++) {
    cla_error error = {0};
    random_pair pair;
    score_table table;
    reference_borders borders = {0};
    reference_matrix m = {0};
    char text[RANDOM_PAIR_TEXT_SIZE];
    random_pair_make(&pair, seed, 40);
    score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    cr_assert_eq(reference_borders_make(&borders, pair.query_length, pair.target_length, &pair.scoring,
                                        path_ends_make(pair.mode, 0), &error),
                 CLA_OK);
    cr_assert_eq(reference_fill(&m, pair.query, pair.query_length, pair.target, pair.target_length, &table,
                                &pair.scoring, &borders, pair.mode == CLA_MODE_LOCAL, &error),
                 CLA_OK, "%s", error.message);
    for (int64_t i = 0; i <= m.rows; i++)
      for (int64_t j = 0; j <= m.columns; j++) {
        const int64_t h = reference_at(&m, m.h, i, j);
        for (int64_t k = 1; j + k <= m.columns; k++) {
          const int64_t rise = reference_at(&m, m.h, i, j + k) - h;
          cr_assert(rise <= most_rise(&table, &pair.scoring, k) && rise >= -gap_cost(&pair.scoring, k),
                    "(%lld,%lld) to %lld columns on: %lld: %s", (long long)i, (long long)j, (long long)k,
                    (long long)rise, random_pair_text(&pair, text));
        }
        for (int64_t k = 1; i + k <= m.rows && j + k <= m.columns; k++) {
          const int64_t rise = reference_at(&m, m.h, i + k, j + k) - h;
          cr_assert(rise <= k * (table.maximum > 0 ? table.maximum : 0), "(%lld,%lld) to %lld on: %lld: %s",
                    (long long)i, (long long)j, (long long)k, (long long)rise, random_pair_text(&pair, text));
        }
        for (int64_t k = 1; i + k <= m.rows; k++) {
          const int64_t rise = reference_at(&m, m.h, i + k, j) - h;
          cr_assert(rise <= most_rise(&table, &pair.scoring, k) && rise >= -gap_cost(&pair.scoring, k),
                    "(%lld,%lld) to %lld rows on: %lld: %s", (long long)i, (long long)j, (long long)k,
                    (long long)rise, random_pair_text(&pair, text));
        }
      }
    reference_matrix_free(&m);
    reference_borders_free(&borders);
    random_pair_free(&pair);
  }
}

Test(lane_width, default_scheme_fits_16_bits_and_the_largest_scores_do_not) {
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  cr_assert_geq(lane_width_tile_columns(LANE_LIMIT_16, scoring.match, &scoring, 512, 32, LANE_WIDTH_NESTING),
                2048);
  scoring.match = CLA_SCORE_LIMIT;
  cr_assert_eq(lane_width_tile_columns(LANE_LIMIT_16, scoring.match, &scoring, 16, 8, 0), 0);
  scoring.gap_first = scoring.gap_ext = CLA_SCORE_LIMIT;
  cr_assert_geq(lane_width_tile_columns(LANE_LIMIT_32, scoring.match, &scoring, 256, 32, LANE_WIDTH_NESTING),
                256);
}

Test(lane_width, lanes_with_a_base_each_fit_8_bits_for_small_scores_of_the_whole_matrix) {
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  for (int alpha = 4; alpha <= 16; alpha += 4) {
    cr_assert_gt(lane_width_segment_tile(LANE_LIMIT_8, scoring.match, &scoring, alpha, 16, 0), 2048);
    cr_assert_eq(
        lane_width_segment_tile(LANE_LIMIT_8, scoring.match, &scoring, alpha, 16, LANE_WIDTH_NESTING), 0);
  }
  scoring.match = 9;
  cr_assert_gt(lane_width_segment_tile(LANE_LIMIT_8, scoring.match, &scoring, 8, 16, 0), 0);
  scoring.match = 10;
  cr_assert_eq(lane_width_segment_tile(LANE_LIMIT_8, scoring.match, &scoring, 8, 16, 0), 0);
}

/* Where H is looked at in every so many columns it is told from its neighbour by 8 bits, also in a region
 * below a kept row. */
Test(lane_width, looks_at_h_are_no_further_apart_than_8_bits_can_tell) {
  const kernel_variant *variant = kernel_find("vector8");
  const int nesting = LANE_WIDTH_BELOW_ROW + 1;
  int schemes = 0;
  for (int match = 0; match <= 12; match++)
    for (int ext = 0; ext <= 8; ext++)
      for (int first = ext; first <= 30; first++)
        for (int alpha = 4; alpha <= 16; alpha += 4) {
          cla_scoring scoring;
          cla_scoring_init(&scoring);
          scoring.match = match;
          scoring.gap_ext = ext;
          scoring.gap_first = first;
          const int64_t segment = variant->segments[0];
          if (lane_width_segment_tile(LANE_LIMIT_8, match, &scoring, alpha, segment, nesting) < 1) continue;
          const int64_t spacing = kernel_prune_spacing(variant, &scoring, match);
          schemes++;
          cr_expect_leq(spacing * (match + ext) + (nesting + 1) * (first - ext), 127,
                        "match %d, first %d, ext %d: every %d columns", match, first, ext, (int)spacing);
        }
  cr_expect_gt(schemes, 500);
}

Test(lane_width, scores_below_two_gap_letters_are_clamped_and_others_are_not) {
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  cr_assert_eq(lane_width_clamp(-9, &scoring), -9);
  cr_assert_eq(lane_width_clamp(-10, &scoring), -10);
  cr_assert_eq(lane_width_clamp(-1000, &scoring), -10);
  cr_assert_eq(lane_width_clamp(7, &scoring), 7);
}

Test(lane_width, differences_take_as_many_bytes_as_the_scheme_needs) {
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  cr_assert_eq(lane_width_difference_bytes(scoring.match, &scoring), 1);
  scoring.gap_first = 200;
  cr_assert_eq(lane_width_difference_bytes(scoring.match, &scoring), 2);
  scoring.gap_first = CLA_SCORE_LIMIT;
  cr_assert_eq(lane_width_difference_bytes(scoring.match, &scoring), 4);
}

/* Kernels that extend gaps of the second piece by nothing raise all values with each column instead. */
Test(lane_width, values_that_rise_with_the_second_piece_stay_within_the_lanes) {
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  scoring.gap_first = 10;
  scoring.gap_ext = 5;
  scoring.gap_first2 = 20;
  scoring.gap_ext2 = 4;
  for (int match = 1; match <= 20; match++) {
    const int64_t columns =
        lane_width_tile_columns(LANE_LIMIT_16, match, &scoring, 64, 64, LANE_WIDTH_NESTING);
    cr_assert_gt(columns, 0);
    cr_assert_leq((columns + 64) * (match + scoring.gap_ext + scoring.gap_ext2), LANE_LIMIT_16, "match %d",
                  match);
  }
}

Test(lane_width, differences_fit_their_bytes_with_a_sign) {
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  scoring.gap_first = scoring.gap_ext = 27; /* neighbours differ by match + 27 at most */
  cr_assert_eq(lane_width_difference_bytes(INT8_MAX - 27, &scoring), 1);
  cr_assert_eq(lane_width_difference_bytes(INT8_MAX - 26, &scoring), 2);
  cr_assert_eq(lane_width_difference_bytes(INT16_MAX - 27, &scoring), 2);
  cr_assert_eq(lane_width_difference_bytes(INT16_MAX - 26, &scoring), 4);
}
