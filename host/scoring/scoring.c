#include "clalign/scoring.h"

#include <string.h>

#include "base/error.h"

void cla_scoring_init(cla_scoring *scoring) {
  memset(scoring, 0, sizeof *scoring);
  scoring->match = 1;
  scoring->mismatch = -3;
  scoring->gap_first = 5;
  scoring->gap_ext = 2;
}

static cla_status check_matrix(const cla_scoring *scoring, cla_error *error) {
  if (scoring->matrix_size < 0 || scoring->matrix_size > CLA_MATRIX_STRIDE)
    return error_set(error, CLA_ERROR_OPTION, "a score matrix has %d letters; it may have 1 to %d",
                     scoring->matrix_size, CLA_MATRIX_STRIDE);
  if ((int)strnlen(scoring->letters, sizeof scoring->letters) != scoring->matrix_size)
    return error_set(error, CLA_ERROR_OPTION, "a score matrix of %d rows must name as many letters",
                     scoring->matrix_size);
  for (int row = 0; row < scoring->matrix_size; row++) {
    if (strchr(scoring->letters + row + 1, scoring->letters[row]))
      return error_set(error, CLA_ERROR_OPTION, "a score matrix names the letter '%c' twice",
                       scoring->letters[row]);
    for (int column = 0; column < scoring->matrix_size; column++) {
      int32_t value = scoring->matrix[row * CLA_MATRIX_STRIDE + column];
      if (value < -CLA_SCORE_LIMIT || value > CLA_SCORE_LIMIT)
        return error_set(error, CLA_ERROR_OPTION, "the matrix' score %d of %c and %c is outside %d to %d",
                         value, scoring->letters[row], scoring->letters[column], -CLA_SCORE_LIMIT,
                         CLA_SCORE_LIMIT);
    }
  }
  return CLA_OK;
}

cla_status cla_scoring_check(const cla_scoring *scoring, cla_error *error) {
  if (scoring->match < 0 || scoring->match > CLA_SCORE_LIMIT)
    return error_set(error, CLA_ERROR_OPTION, "match score %d is outside 0 to %d", scoring->match,
                     CLA_SCORE_LIMIT);
  if (scoring->mismatch > 0 || scoring->mismatch < -CLA_SCORE_LIMIT)
    return error_set(error, CLA_ERROR_OPTION,
                     "mismatch score %d is outside %d to 0: give it as a score, not a cost",
                     scoring->mismatch, -CLA_SCORE_LIMIT);
  if (scoring->gap_ext < 0 || scoring->gap_ext > CLA_SCORE_LIMIT)
    return error_set(error, CLA_ERROR_OPTION,
                     "gap extension cost %d is outside 0 to %d: give it as a cost, not a score",
                     scoring->gap_ext, CLA_SCORE_LIMIT);
  if (scoring->gap_first < 0 || scoring->gap_first > CLA_SCORE_LIMIT)
    return error_set(error, CLA_ERROR_OPTION,
                     "cost %d of a gap's first letter is outside 0 to %d: give it as a cost, not a score",
                     scoring->gap_first, CLA_SCORE_LIMIT);
  if (scoring->gap_first < scoring->gap_ext)
    return error_set(
        error, CLA_ERROR_OPTION,
        "cost %d of a gap's first letter is below the cost %d of a further one; raise it to at least %d",
        scoring->gap_first, scoring->gap_ext, scoring->gap_ext);
  if ((int)scoring->ambiguity < CLA_AMBIGUITY_MISMATCH || scoring->ambiguity > CLA_AMBIGUITY_EXPECTED)
    return error_set(error, CLA_ERROR_OPTION,
                     "ambiguity %d does not exist; use mismatch, neutral or expected",
                     (int)scoring->ambiguity);
  if (scoring->ambiguity != CLA_AMBIGUITY_MISMATCH && scoring->matrix_size > 0)
    return error_set(
        error, CLA_ERROR_OPTION,
        "a score matrix says itself what ambiguous letters score; leave the ambiguity at mismatch");
  if (scoring->units < 0 || scoring->units > CLA_UNITS_LIMIT)
    return error_set(error, CLA_ERROR_OPTION, "%d scores in a point are outside 1 to %d", scoring->units,
                     CLA_UNITS_LIMIT);
  if (!memchr(scoring->matrix_name, '\0', sizeof scoring->matrix_name))
    return error_set(error, CLA_ERROR_OPTION, "a score matrix' name has more than %d letters; shorten it",
                     CLA_MATRIX_NAME_SIZE - 1);
  return check_matrix(scoring, error);
}
