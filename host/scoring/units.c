/* Scores that are no whole numbers of points: integers of smaller units. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "clalign/scoring.h"
#include "scoring/score_table.h"

#define VALUES_MOST (CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE + 8)

/* All that a scheme counts in its units; returns how many there are. */
static int list_values(int32_t *values[VALUES_MOST], cla_scoring *scoring) {
  int count = 0;
  values[count++] = &scoring->match;
  values[count++] = &scoring->mismatch;
  values[count++] = &scoring->gap_first;
  values[count++] = &scoring->gap_ext;
  values[count++] = &scoring->gap_first2;
  values[count++] = &scoring->gap_ext2;
  for (int row = 0; row < scoring->matrix_size; row++)
    for (int column = 0; column < scoring->matrix_size; column++)
      values[count++] = &scoring->matrix[row * CLA_MATRIX_STRIDE + column];
  return count;
}

static int32_t common_divisor(int32_t a, int32_t b) {
  while (b != 0) {
    const int32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/* The fewest units that leave every value a whole number. */
static int32_t fewest_units(int32_t *const *values, int count, int32_t units) {
  int32_t divisor = units;
  for (int i = 0; i < count; i++) divisor = common_divisor(divisor, *values[i]);
  return units / divisor;
}

cla_status cla_scoring_set_units(cla_scoring *scoring, int32_t units, cla_error *error) {
  int32_t *values[VALUES_MOST];
  const int count = list_values(values, scoring);
  const int32_t before = scoring_units(scoring);
  if (units == 0) units = fewest_units(values, count, before);
  if (units < 1 || units > CLA_UNITS_LIMIT || CLA_UNITS_LIMIT % units != 0)
    return error_set(error, CLA_ERROR_OPTION, "a point cannot have %d units; use 1, 2, 4, 5, 10 .. %d", units,
                     CLA_UNITS_LIMIT);
  for (int i = 0; i < count; i++) {
    const int64_t product = (int64_t)*values[i] * units;
    if (product % before != 0 || product / before > INT32_MAX || product / before < INT32_MIN)
      return error_set(error, CLA_ERROR_OPTION, "the score %d is no 32-bit integer in units of 1/%d points",
                       *values[i], units);
  }
  for (int i = 0; i < count; i++) *values[i] = (int32_t)((int64_t)*values[i] * units / before);
  scoring->units = units;
  return CLA_OK;
}

/* Units divide 1000, so three decimals are exact. */
void cla_score_text(char text[CLA_SCORE_TEXT_SIZE], int64_t score, const cla_scoring *scoring) {
  const int64_t units = scoring_units(scoring);
  const int64_t points = score / units;
  int64_t thousandths = (score % units) * (CLA_UNITS_LIMIT / units);
  int digits = 3;
  if (thousandths == 0) {
    (void)snprintf(text, CLA_SCORE_TEXT_SIZE, "%" PRId64, points);
    return;
  }
  if (thousandths < 0) thousandths = -thousandths;
  for (; thousandths % 10 == 0; thousandths /= 10) digits--;
  (void)snprintf(text, CLA_SCORE_TEXT_SIZE, "%s%" PRId64 ".%0*" PRId64, score < 0 ? "-" : "",
                 points < 0 ? -points : points, digits, thousandths);
}
