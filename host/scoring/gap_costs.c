#include "scoring/gap_costs.h"

#include "base/error.h"

cla_status gap_second_piece_check(const cla_scoring *scoring, cla_error *error) {
  const int32_t costs[4] = {scoring->gap_first, scoring->gap_ext, scoring->gap_first2, scoring->gap_ext2};
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

/* first + (letters - 1) ext, if it fits. */
static bool line_fits(int64_t *out, int32_t first, int32_t ext, int64_t letters) {
  return !__builtin_mul_overflow(letters - 1, (int64_t)ext, out) && !__builtin_add_overflow(*out, first, out);
}

bool gap_cost_fits(int64_t *out, const cla_scoring *scoring, int64_t letters) {
  int64_t long_cost;
  bool fits = line_fits(out, scoring->gap_first, scoring->gap_ext, letters);
  if (!gap_two_pieces(scoring) || !line_fits(&long_cost, scoring->gap_first2, scoring->gap_ext2, letters))
    return fits;
  if (!fits || long_cost < *out) *out = long_cost;
  return true;
}
