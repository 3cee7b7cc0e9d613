#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "clalign/scoring.h"
#include "scoring/gap_costs.h"
#include "scoring/score_table.h"

const char *const gap_names[CLA_GAP_PIECES][2] = {{"gap_first", "gap_ext"}, {"gap_first2", "gap_ext2"}};

void cla_scoring_init(cla_scoring *scoring) {
  memset(scoring, 0, sizeof *scoring);
  scoring->match = 1;
  scoring->mismatch = -3;
  scoring->gap_first = 5;
  scoring->gap_ext = 2;
  scoring->units = 1;
}

/* The limits of a score in units; a point may have several units. */
typedef struct score_range {
  int32_t least, most;
  const char *remedy; /* remedy if a score is outside the limits, or "" */
} score_range;

static cla_status out_of_range(const cla_scoring *scoring, const char *what, int32_t value,
                               const score_range *range, cla_error *error) {
  char texts[3][CLA_SCORE_TEXT_SIZE], units[48] = "";
  cla_score_text(texts[0], value, scoring);
  cla_score_text(texts[1], range->least, scoring);
  cla_score_text(texts[2], range->most, scoring);
  if (scoring_units(scoring) > 1)
    (void)snprintf(units, sizeof units, ", the range in units of 1/%d points", scoring->units);
  return error_set(error, CLA_ERROR_OPTION, "%s %s is outside %s to %s%s%s", what, texts[0], texts[1],
                   texts[2], units, range->remedy);
}

static int upper_case(int letter) {
  return letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter;
}

/* True if a later letter of the matrix is the same letter. Ignores case, because sequences may have both
 * cases. */
static bool named_again(const cla_scoring *scoring, int letter) {
  for (int later = letter + 1; later < scoring->matrix_size; later++)
    if (upper_case(scoring->letters[later]) == upper_case(scoring->letters[letter])) return true;
  return false;
}

static cla_status check_matrix(const cla_scoring *scoring, cla_error *error) {
  if (scoring->matrix_size < 0 || scoring->matrix_size > CLA_MATRIX_STRIDE)
    return error_set(error, CLA_ERROR_OPTION, "a score matrix has %d letters; it may have 1 to %d",
                     scoring->matrix_size, CLA_MATRIX_STRIDE);
  if ((int)strnlen(scoring->letters, sizeof scoring->letters) != scoring->matrix_size)
    return error_set(error, CLA_ERROR_OPTION, "a score matrix of %d rows must name as many letters",
                     scoring->matrix_size);
  for (int row = 0; row < scoring->matrix_size; row++) {
    if (named_again(scoring, row))
      return error_set(error, CLA_ERROR_OPTION, "a score matrix names the letter '%c' twice%s",
                       scoring->letters[row],
                       strchr(scoring->letters + row + 1, scoring->letters[row])
                           ? ""
                           : ", once in the other case, which counts as the same");
    for (int column = 0; column < scoring->matrix_size; column++) {
      int32_t value = scoring->matrix[row * CLA_MATRIX_STRIDE + column];
      if (value >= -CLA_SCORE_LIMIT && value <= CLA_SCORE_LIMIT) continue;
      char what[48];
      (void)snprintf(what, sizeof what, "of %c with %c, the matrix' score", scoring->letters[row],
                     scoring->letters[column]);
      return out_of_range(scoring, what, value, &(score_range){-CLA_SCORE_LIMIT, CLA_SCORE_LIMIT, ""}, error);
    }
  }
  return CLA_OK;
}

/* Checks a further piece of the gap costs, if there is one. The previous piece was checked. Fails with
 * CLA_ERROR_OPTION unless each of the two pieces is the cheaper one for some gaps. */
static cla_status check_further_piece(const cla_scoring *scoring, int piece, cla_error *error) {
  const cla_gap_piece *of = scoring->gap + piece;
  const int32_t costs[4] = {of[-1].first, of[-1].ext, of->first, of->ext};
  const bool dearer_first = costs[2] > costs[0], cheaper_ext = costs[3] < costs[1];
  char texts[4][CLA_SCORE_TEXT_SIZE];
  if (costs[2] == 0 && costs[3] == 0) return CLA_OK;
  for (int i = 0; i < 4; i++) cla_score_text(texts[i], costs[i], scoring);
  if (costs[2] < 0 || costs[2] > CLA_SCORE_LIMIT || costs[3] < 0)
    return error_set(error, CLA_ERROR_OPTION,
                     "the second piece of the gap costs, %s + (k - 1) x %s, has a cost below 0 or too large: "
                     "give costs, not scores",
                     texts[2], texts[3]);
  if (dearer_first && cheaper_ext) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "of the gap costs %s + (k - 1) x %s and %s + (k - 1) x %s the %s would never be used: a "
                   "second piece has a dearer first letter and a cheaper further one; for one piece leave it "
                   "out",
                   texts[0], texts[1], texts[2], texts[3], cheaper_ext ? "first" : "second");
}

cla_status cla_scoring_check(const cla_scoring *scoring, cla_error *error) {
  static const score_range match = {0, CLA_SCORE_LIMIT, ""};
  static const score_range mismatch = {-CLA_SCORE_LIMIT, 0, ": give it as a score, not a cost"};
  static const score_range cost = {0, CLA_SCORE_LIMIT, ": give it as a cost, not a score"};
  const int32_t units = scoring->units;
  if (units < 0 || units > CLA_UNITS_LIMIT || (units > 0 && CLA_UNITS_LIMIT % units != 0))
    return error_set(error, CLA_ERROR_OPTION, "a point cannot have %d units; use 1, 2, 4, 5, 10 .. %d", units,
                     CLA_UNITS_LIMIT);
  if (scoring->match < 0 || scoring->match > CLA_SCORE_LIMIT)
    return out_of_range(scoring, "match score", scoring->match, &match, error);
  if (scoring->mismatch > 0 || scoring->mismatch < -CLA_SCORE_LIMIT)
    return out_of_range(scoring, "mismatch score", scoring->mismatch, &mismatch, error);
  if (scoring->gap_ext < 0 || scoring->gap_ext > CLA_SCORE_LIMIT)
    return out_of_range(scoring, "gap extension cost", scoring->gap_ext, &cost, error);
  if (scoring->gap_first < 0 || scoring->gap_first > CLA_SCORE_LIMIT)
    return out_of_range(scoring, "the cost of a gap's first letter,", scoring->gap_first, &cost, error);
  if (scoring->gap_first < scoring->gap_ext) {
    char first[CLA_SCORE_TEXT_SIZE], ext[CLA_SCORE_TEXT_SIZE];
    cla_score_text(first, scoring->gap_first, scoring);
    cla_score_text(ext, scoring->gap_ext, scoring);
    return error_set(
        error, CLA_ERROR_OPTION,
        "cost %s of a gap's first letter is below the cost %s of a further one; raise it to at least %s",
        first, ext, ext);
  }
  for (int k = 1; k < CLA_GAP_PIECES; k++) {
    cla_status status = check_further_piece(scoring, k, error);
    if (status != CLA_OK) return status;
  }
  if ((int)scoring->ambiguity < CLA_AMBIGUITY_MISMATCH || scoring->ambiguity > CLA_AMBIGUITY_EXPECTED)
    return error_set(error, CLA_ERROR_OPTION,
                     "ambiguity %d does not exist; use mismatch, neutral or expected",
                     (int)scoring->ambiguity);
  if (scoring->ambiguity != CLA_AMBIGUITY_MISMATCH && scoring->matrix_size > 0)
    return error_set(
        error, CLA_ERROR_OPTION,
        "a score matrix says itself what ambiguous letters score; leave the ambiguity at mismatch");
  if (!memchr(scoring->matrix_name, '\0', sizeof scoring->matrix_name))
    return error_set(error, CLA_ERROR_OPTION, "a score matrix' name has more than %d letters; shorten it",
                     CLA_MATRIX_NAME_SIZE - 1);
  return check_matrix(scoring, error);
}

/* Sets *out to first + (letters - 1) ext. Returns false if the result exceeds int64. */
static bool line_fits(int64_t *out, int32_t first, int32_t ext, int64_t letters) {
  return !__builtin_mul_overflow(letters - 1, (int64_t)ext, out) && !__builtin_add_overflow(*out, first, out);
}

bool gap_cost_fits(int64_t *out, const cla_scoring *scoring, int64_t letters) {
  bool fits = false;
  for (int k = 0; k < gap_pieces(scoring); k++) {
    int64_t cost;
    if (!line_fits(&cost, scoring->gap[k].first, scoring->gap[k].ext, letters)) continue;
    if (!fits || cost < *out) *out = cost;
    fits = true;
  }
  return fits;
}

/* Units of scores. Scores that are not whole numbers of points are stored as whole numbers of smaller
 * units. */

#define VALUES_MOST (CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE + 2 + 2 * CLA_GAP_PIECES)

/* Lists pointers to all values of a scheme that are given in its units. Returns the number of values. */
static int list_values(int32_t *values[VALUES_MOST], cla_scoring *scoring) {
  int count = 0;
  values[count++] = &scoring->match;
  values[count++] = &scoring->mismatch;
  for (int k = 0; k < CLA_GAP_PIECES; k++) {
    values[count++] = &scoring->gap[k].first;
    values[count++] = &scoring->gap[k].ext;
  }
  for (int row = 0; row < scoring->matrix_size; row++)
    for (int column = 0; column < scoring->matrix_size; column++)
      values[count++] = &scoring->matrix[row * CLA_MATRIX_STRIDE + column];
  return count;
}

__int128 common_divisor_wide(__int128 a, __int128 b) {
  while (b != 0) {
    const __int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

int64_t common_divisor(int64_t a, int64_t b) {
  return (int64_t)common_divisor_wide(a, b);
}

/* Returns the smallest number of units per point with which every value is whole. */
static int32_t fewest_units(int32_t *const *values, int count, int32_t units) {
  int64_t divisor = units;
  for (int i = 0; i < count; i++) divisor = common_divisor(divisor, *values[i]);
  return (int32_t)(units / divisor);
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

/* the number of units per point divides 1000, so three decimals are exact */
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
