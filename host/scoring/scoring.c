#include "clalign/scoring.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scoring/gap_costs.h"
#include "scoring/score_table.h"

void cla_scoring_init(cla_scoring *scoring) {
  memset(scoring, 0, sizeof *scoring);
  scoring->match = 1;
  scoring->mismatch = -3;
  scoring->gap_first = 5;
  scoring->gap_ext = 2;
  scoring->units = 1;
}

/* The limits hold for the integers, of which a point may have several. */
static cla_status out_of_range(const cla_scoring *scoring, const char *what, int32_t value, int32_t least,
                               int32_t most, const char *remedy, cla_error *error) {
  char texts[3][CLA_SCORE_TEXT_SIZE], units[48] = "";
  cla_score_text(texts[0], value, scoring);
  cla_score_text(texts[1], least, scoring);
  cla_score_text(texts[2], most, scoring);
  if (scoring_units(scoring) > 1)
    (void)snprintf(units, sizeof units, ", the range in units of 1/%d points", scoring->units);
  return error_set(error, CLA_ERROR_OPTION, "%s %s is outside %s to %s%s%s", what, texts[0], texts[1],
                   texts[2], units, remedy);
}

static int upper_case(int letter) {
  return letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter;
}

/* In either case, because sequences may have both. */
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
      return out_of_range(scoring, what, value, -CLA_SCORE_LIMIT, CLA_SCORE_LIMIT, "", error);
    }
  }
  return CLA_OK;
}

cla_status cla_scoring_check(const cla_scoring *scoring, cla_error *error) {
  static const char cost[] = ": give it as a cost, not a score";
  const int32_t units = scoring->units;
  if (units < 0 || units > CLA_UNITS_LIMIT || (units > 0 && CLA_UNITS_LIMIT % units != 0))
    return error_set(error, CLA_ERROR_OPTION, "a point cannot have %d units; use 1, 2, 4, 5, 10 .. %d", units,
                     CLA_UNITS_LIMIT);
  if (scoring->match < 0 || scoring->match > CLA_SCORE_LIMIT)
    return out_of_range(scoring, "match score", scoring->match, 0, CLA_SCORE_LIMIT, "", error);
  if (scoring->mismatch > 0 || scoring->mismatch < -CLA_SCORE_LIMIT)
    return out_of_range(scoring, "mismatch score", scoring->mismatch, -CLA_SCORE_LIMIT, 0,
                        ": give it as a score, not a cost", error);
  if (scoring->gap_ext < 0 || scoring->gap_ext > CLA_SCORE_LIMIT)
    return out_of_range(scoring, "gap extension cost", scoring->gap_ext, 0, CLA_SCORE_LIMIT, cost, error);
  if (scoring->gap_first < 0 || scoring->gap_first > CLA_SCORE_LIMIT)
    return out_of_range(scoring, "the cost of a gap's first letter,", scoring->gap_first, 0, CLA_SCORE_LIMIT,
                        cost, error);
  if (scoring->gap_first < scoring->gap_ext) {
    char first[CLA_SCORE_TEXT_SIZE], ext[CLA_SCORE_TEXT_SIZE];
    cla_score_text(first, scoring->gap_first, scoring);
    cla_score_text(ext, scoring->gap_ext, scoring);
    return error_set(
        error, CLA_ERROR_OPTION,
        "cost %s of a gap's first letter is below the cost %s of a further one; raise it to at least %s",
        first, ext, ext);
  }
  cla_status status = gap_second_piece_check(scoring, error);
  if (status != CLA_OK) return status;
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
