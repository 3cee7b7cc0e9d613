/* --max-evalue: leaves out alignments that are likely between unrelated sequences. */

#include <math.h>

#include "cli/batch/batch_run.h"

/* Returns the E-value of an exact match with this score: the number of places times the probability of a
 * match at one place. */
static double expect_exact_match(const cla_alignment *alignment, const cla_database *database) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  const double letters = (double)alignment->score / alignment->scoring.match;
  const bool many = database && database->records > 0;
  const double places = (double)(many ? database->letters : target->end - target->begin);
  return (double)(query->end - query->begin) * places * pow(4, -letters);
}

bool batch_expect(double *expect, const cla_alignment *alignment, const cla_database *database) {
  if (cla_database_expect(expect, alignment, database)) return true;
  const bool known = alignment->mode == CLA_MODE_LOCAL && alignment->alphabet == CLA_ALPHABET_DNA &&
                     alignment->scoring.matrix_size == 0 && alignment->scoring.match > 0;
  if (known) *expect = expect_exact_match(alignment, database);
  return known;
}

bool batch_cutoff_applies(cla_mode mode, const cla_scoring *scoring, cla_alphabet alphabet) {
  double expect;
  const cla_alignment any = {.mode = mode,
                             .scoring = *scoring,
                             .alphabet = alphabet,
                             .score = 1,
                             .query = {.length = 1, .end = 1},
                             .target = {.length = 1, .end = 1}};
  return batch_expect(&expect, &any, NULL);
}

size_t batch_cutoff_count(const batch_cutoff *cutoff, const cla_alignment *const *alignments, size_t count) {
  double expect;
  if (!cutoff->on) return count;
  while (count > 0 &&
         (!batch_expect(&expect, alignments[count - 1], cutoff->database) || !(expect <= cutoff->most)))
    count--;
  return count;
}
