/* The inequalities that scoring/lane_width.h derives its limits from, checked on the oracle's matrices. */

#include "base/extremes.h"
#include "kernels/kernel.h"
#include "reference/reference.h"
#include "scoring/lane_width.h"
#include "seq/sequence.h"
#include "support/cases/region_case.h"
#include "support/random_pairs.h"
#include "support/test.h"

/* D's share of one direction: how far two values k columns (or rows) apart may be from each other. */
static int64_t most_rise(const score_table *table, const cla_scoring *scoring, int64_t k) {
  const int64_t match = table->maximum > 0 ? table->maximum : 0;
  return k * (match + scoring->gap_ext) + 2 * (int64_t)(scoring->gap_first - scoring->gap_ext);
}

Test(lane_width, rise_and_fall_along_rows_and_columns_stay_within_the_bounds) {
  for (uint64_t seed = 1; seed <= 400; seed++) {
    OWNED(random_pair_free) random_pair pair;
    score_table table;
    OWNED(reference_borders_free) reference_borders borders = {0};
    OWNED(reference_matrix_free) reference_matrix m = {0};
    char text[RANDOM_PAIR_TEXT_SIZE];
    random_pair_make(&pair, seed, 40);
    score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    assert_ok(reference_borders_make(&borders, pair.query_length, pair.target_length, &pair.scoring,
                                     path_ends_make(pair.mode, 0), &why));
    assert_ok(reference_fill(&m,
                             &(pair_problem){pair.query,
                                             pair.target,
                                             pair.query_length,
                                             pair.target_length,
                                             {&pair.scoring, &table, {.floor = pair.mode == CLA_MODE_LOCAL}}},
                             &borders, &why));
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
  }
}

Test(lane_width, default_scheme_fits_16_bits_and_the_largest_scores_do_not) {
  cla_scoring scoring = default_scoring();
  cr_assert_geq(lane_width_tile_columns(LANE_LIMIT_16, scoring.match, &scoring, 512, 32, LANE_WIDTH_NESTING),
                2048);
  scoring.match = CLA_SCORE_LIMIT;
  cr_assert_eq(lane_width_tile_columns(LANE_LIMIT_16, scoring.match, &scoring, 16, 8, 0), 0);
  scoring.gap_first = scoring.gap_ext = CLA_SCORE_LIMIT;
  cr_assert_geq(lane_width_tile_columns(LANE_LIMIT_32, scoring.match, &scoring, 256, 32, LANE_WIDTH_NESTING),
                256);
}

Test(lane_width, lanes_with_a_base_each_fit_8_bits_for_small_scores_of_the_whole_matrix) {
  cla_scoring scoring = default_scoring();
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

/* The costs, and those with a second piece. */
static cla_scoring scheme_of(int match, int first, int ext, int first2, int ext2) {
  cla_scoring scoring = default_scoring();
  scoring.match = match;
  scoring.gap_first = first;
  scoring.gap_ext = ext;
  scoring.gap_first2 = first2;
  scoring.gap_ext2 = ext2;
  return scoring;
}

/* How far (2) and (3) are exceeded by a block's matrix of that nesting, at most; 0: not at all. */
static int64_t most_excess(const reference_matrix *m, const score_table *table, const cla_scoring *scoring,
                           int nesting) {
  const int64_t match = table->maximum, cut = nesting * gap_most_cut(scoring);
  int64_t most = 0;
  for (int64_t i = 0; i <= m->rows; i++)
    for (int64_t j = 0; j <= m->columns; j++) {
      const int64_t h = reference_at(m, m->h, i, j);
      for (int64_t k = 1; j + k <= m->columns; k++)
        most =
            larger(most, reference_at(m, m->h, i, j + k) - h - lane_width_rise(match, scoring, k, nesting));
      for (int64_t k = 1; i + k <= m->rows; k++)
        most =
            larger(most, reference_at(m, m->h, i + k, j) - h - lane_width_rise(match, scoring, k, nesting));
      for (int64_t k = 1; i + k <= m->rows && j + k <= m->columns; k++)
        most = larger(most, reference_at(m, m->h, i + k, j + k) - h - k * match - cut);
    }
  return most;
}

/* A block's left border begins a gap anew that goes on right of it. */
Test(lane_width, a_block_is_higher_than_its_left_border_by_what_a_cut_gap_costs) {
  const cla_scoring schemes[] = {scheme_of(6, 3, 3, 35, 1), scheme_of(2, 8, 4, 40, 1),
                                 scheme_of(2, 6, 2, 25, 1), scheme_of(1, 5, 2, 0, 0)};
  for (int s = 0; s < 4; s++) {
    int higher = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
      OWNED(random_pair_free) random_pair pair;
      random_stream stream;
      region_case block;
      score_table table;
      char text[RANDOM_PAIR_TEXT_SIZE];
      random_stream_init(&stream, seed, 5);
      random_pair_make_plain(&pair, seed, 90);
      pair.scoring = schemes[s];
      score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
      const region_place place = {
          .kind = REGION_BELOW_A_ROW, .row = pair.query_length / 2, .column = pair.target_length / 2};
      region_case_make_at(&block, &pair, &table, &place, &stream);
      higher += most_excess(&block.matrix, &table, &pair.scoring, 0) > 0;
      cr_expect_eq(most_excess(&block.matrix, &table, &pair.scoring, 1), 0, "%s",
                   random_pair_text(&pair, text));
      region_case_free(&block);
    }
    cr_expect_gt(higher, 0, "no block of scheme %d is higher than a whole matrix could be", s);
  }
}

Test(lane_width, gaps_of_two_pieces_leave_less_room_where_a_matrix_is_pruned) {
  const cla_scoring dear[] = {scheme_of(6, 3, 3, 35, 1), scheme_of(2, 8, 4, 40, 1)};
  const cla_scoring usual = scheme_of(2, 6, 2, 25, 1); /* minimap2's */
  for (int alpha = 4; alpha <= 16; alpha += 4) {
    for (int s = 0; s < 2; s++) {
      cr_expect_gt(lane_width_segment_tile(LANE_LIMIT_8, dear[s].match, &dear[s], alpha, 16, 0), 0);
      cr_expect_eq(lane_width_segment_tile(LANE_LIMIT_8, dear[s].match, &dear[s], alpha, 16, 1), 0);
    }
    cr_expect_gt(lane_width_segment_tile(LANE_LIMIT_8, usual.match, &usual, alpha, 16, 1), 0);
  }
}

/* Where H is looked at in every so many columns it is told from its neighbour by 8 bits, in every region that
 * the lanes hold. */
Test(lane_width, looks_at_h_are_no_further_apart_than_8_bits_can_tell) {
  int schemes = 0, deep = 0;
  for (int match = 0; match <= 12; match++)
    for (int ext = 0; ext <= 8; ext++)
      for (int first = ext; first <= 30; first++)
        for (int more = 0; more <= (ext > 0 ? 30 : 0); more += 10)
          for (int nesting = 0; nesting <= LANE_WIDTH_BELOW_ROW + 1; nesting++) {
            const cla_scoring scoring = scheme_of(match, first, ext, more > 0 ? first + more : 0, 0);
            const kernel_config config = {.variant = kernel_find("vector8"), .lanes = 16, .alpha = 8};
            score_table table;
            score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
            if (kernel_tile_limit(&config, &scoring, &table, nesting) < config.lanes) continue;
            const int64_t spacing = kernel_prune_spacing(&config, &scoring, &table);
            schemes++;
            deep += more > 0 && nesting > LANE_WIDTH_BELOW_ROW;
            cr_expect_leq(lane_width_rise(match, &scoring, spacing, nesting), 127,
                          "match %d, first %d, ext %d, first2 %d more, nesting %d: every %d columns", match,
                          first, ext, more, nesting, (int)spacing);
          }
  cr_expect(schemes > 500 && deep > 10, "%d schemes, %d of them deep", schemes, deep);
}

Test(lane_width, scores_below_two_gap_letters_are_clamped_and_others_are_not) {
  cla_scoring scoring = default_scoring();
  cr_assert_eq(lane_width_clamp(-9, &scoring), -9);
  cr_assert_eq(lane_width_clamp(-10, &scoring), -10);
  cr_assert_eq(lane_width_clamp(-1000, &scoring), -10);
  cr_assert_eq(lane_width_clamp(7, &scoring), 7);
}

Test(lane_width, differences_take_as_many_bytes_as_the_scheme_needs) {
  cla_scoring scoring = default_scoring();
  cr_assert_eq(lane_width_difference_bytes(scoring.match, &scoring), 1);
  scoring.gap_first = 200;
  cr_assert_eq(lane_width_difference_bytes(scoring.match, &scoring), 2);
  scoring.gap_first = CLA_SCORE_LIMIT;
  cr_assert_eq(lane_width_difference_bytes(scoring.match, &scoring), 4);
}

/* Kernels that extend gaps of the second piece by nothing raise all values with each column instead. */
Test(lane_width, values_that_rise_with_the_second_piece_stay_within_the_lanes) {
  cla_scoring scoring = default_scoring();
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
  cla_scoring scoring = default_scoring();
  scoring.gap_first = scoring.gap_ext = 27; /* neighbours differ by match + 27 at most */
  cr_assert_eq(lane_width_difference_bytes(INT8_MAX - 27, &scoring), 1);
  cr_assert_eq(lane_width_difference_bytes(INT8_MAX - 26, &scoring), 2);
  cr_assert_eq(lane_width_difference_bytes(INT16_MAX - 27, &scoring), 2);
  cr_assert_eq(lane_width_difference_bytes(INT16_MAX - 26, &scoring), 4);
}
