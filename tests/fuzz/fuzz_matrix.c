/* Score matrices as text: the first byte says whether they may be asymmetric, the rest is the file. */

#include <string.h>

#include "clalign/scoring.h"
#include "fuzz.h"
#include "scoring/score_table.h"
#include "seq/alphabet.h"

/* A scheme that was read is one that can be used, shown, and given other units without becoming another. */
static void check_scheme(const cla_scoring *scoring) {
  char text[CLA_SCORE_TEXT_SIZE];
  cla_error error = {.message = ""};
  cla_scoring other = *scoring;
  (void)cla_scoring_alphabet(scoring);
  /* The costs that go with a matrix may need so fine units that its scores become too large; others do not.
   */
  other.gap_first = other.gap_ext = 0;
  fuzz_demand(fuzz_ok(cla_scoring_set_units(&other, 0, &error), &error) &&
                  fuzz_ok(cla_scoring_check(&other, &error), &error),
              "a matrix was read that cannot be used");
  other = *scoring;
  if (!fuzz_ok(cla_scoring_check(scoring, &error), &error)) return;
  for (int row = 0; row < scoring->matrix_size; row++)
    for (int column = 0; column < scoring->matrix_size; column++)
      cla_score_text(text, scoring->matrix[row * CLA_MATRIX_STRIDE + column], scoring);
  if (!fuzz_ok(cla_scoring_set_units(&other, CLA_UNITS_LIMIT, &error), &error)) return;
  fuzz_demand(fuzz_ok(cla_scoring_set_units(&other, 0, &error), &error) &&
                  memcmp(other.matrix, scoring->matrix, sizeof other.matrix) == 0,
              "finer units and the coarsest ones again change the scores");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  fuzz_input input = {.at = bytes, .left = count};
  cla_error error = {.message = ""};
  cla_scoring scoring = {0};
  const bool asymmetric = fuzz_byte(&input) & 1;
  if (fuzz_ok(cla_scoring_read_matrix(&scoring, fuzz_file(input.at, input.left), asymmetric, &error), &error))
    check_scheme(&scoring);
  return 0;
}
