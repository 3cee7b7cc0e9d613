/* Scores in parts of a point: what they are in integers, and as text. */

#include "clalign/scoring.h"
#include "seq/random_stream.h"
#include "support/test.h"

static void expect_text(int64_t score, int32_t units, const char *expected) {
  char text[CLA_SCORE_TEXT_SIZE];
  const cla_scoring scoring = {.units = units};
  cla_score_text(text, score, &scoring);
  cr_expect_str_eq(text, expected, "%s, not %s", text, expected);
}

Test(units, are_shown_as_exact_and_short_decimals) {
  expect_text(25, 2, "12.5");
  expect_text(24, 2, "12");
  expect_text(-1, 2, "-0.5");
  expect_text(-3, 2, "-1.5");
  expect_text(1, 1000, "0.001");
  expect_text(-1010, 1000, "-1.01");
  expect_text(7, 8, "0.875");
  expect_text(3, 40, "0.075");
  expect_text(0, 1000, "0");
  expect_text(-17, 1, "-17");
  expect_text(17, 0, "17");
  expect_text(INT64_MAX, 1, "9223372036854775807");
  expect_text(INT64_MIN, 1, "-9223372036854775808");
  expect_text(INT64_MIN, 1000, "-9223372036854775.808");
  expect_text(INT64_MAX, 2, "4611686018427387903.5");
}

Test(units, change_every_score_and_cost_and_back) {
  cla_scoring scoring, before;
  cla_scoring_init(&before);
  assert_ok(cla_scoring_set_matrix(&before, "BLOSUM62", &why));
  scoring = before;
  assert_ok(cla_scoring_set_units(&scoring, 8, &why));
  cr_expect_eq(scoring.units, 8);
  cr_expect_eq(scoring.match, 8 * before.match);
  cr_expect_eq(scoring.mismatch, 8 * before.mismatch);
  cr_expect_eq(scoring.gap_first, 8 * before.gap_first);
  cr_expect_eq(scoring.gap_ext, 8 * before.gap_ext);
  cr_expect_eq(scoring.matrix[0], 8 * before.matrix[0]);
  cr_expect_eq(scoring.matrix[23 * CLA_MATRIX_STRIDE + 23], 8 * before.matrix[23 * CLA_MATRIX_STRIDE + 23]);
  assert_ok(cla_scoring_set_units(&scoring, 0, &why));
  cr_expect_arr_eq(&scoring, &before, sizeof scoring);
}

/* Whatever the thousandths are: the fewest units of all divisors of 1000 that keep them whole. */
Test(units, are_as_few_as_can_be) {
  random_stream stream;
  random_stream_init(&stream, 7, 0);
  for (int round = 0; round < 5000; round++) {
    const int32_t step = (int32_t[]){1, 5, 8, 20, 25, 50, 100, 125, 250, 500, 1000}[round % 11];
    const int32_t match = step * (int32_t)random_stream_below(&stream, 40);
    const int32_t ext = step * (int32_t)random_stream_below(&stream, 40);
    const int32_t first = ext + step * (int32_t)random_stream_below(&stream, 40);
    cla_scoring scoring = {.match = match, .gap_first = first, .gap_ext = ext, .units = 1000};
    int32_t fewest = 1;
    while (1000 % fewest != 0 || (int64_t)match * fewest % 1000 != 0 || (int64_t)first * fewest % 1000 != 0 ||
           (int64_t)ext * fewest % 1000 != 0)
      fewest++;
    assert_ok(cla_scoring_set_units(&scoring, 0, &why));
    cr_assert_eq(scoring.units, fewest, "%d, not %d, for %d %d %d", scoring.units, fewest, match, first, ext);
    cr_assert_eq((int64_t)scoring.match * 1000, (int64_t)match * fewest);
    cr_assert_eq((int64_t)scoring.gap_first * 1000, (int64_t)first * fewest);
    cr_assert_eq((int64_t)scoring.gap_ext * 1000, (int64_t)ext * fewest);
  }
}

Test(units, that_do_not_fit_are_refused_and_change_nothing) {
  cla_scoring scoring, before;
  cla_scoring_init(&scoring);
  before = scoring;
  const int32_t wrong[] = {-1, 3, 7, 999, 2000};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    cr_expect_eq(cla_scoring_set_units(&scoring, wrong[i], &why), CLA_ERROR_OPTION, "%d", wrong[i]);
    cla_scoring other = before;
    other.units = wrong[i];
    cr_expect_eq(cla_scoring_check(&other, &why), CLA_ERROR_OPTION, "%d", wrong[i]);
  }
  cr_expect_arr_eq(&scoring, &before, sizeof scoring);
  scoring.units = 2;
  cr_expect_eq(cla_scoring_set_units(&scoring, 1, &why), CLA_ERROR_OPTION, "half a point is no whole one");
}

Test(units, have_limits_that_are_told_in_points) {
  cla_scoring scoring = default_scoring();
  scoring.units = 2;
  scoring.match = 1200001;
  assert_error(cla_scoring_check(&scoring, &why), CLA_ERROR_OPTION,
               "match score 600000.5 is outside 0 to 500000, the range in units of 1/2");
}
