/* The oracle's scores of proteins, and of DNA with neutral ambiguous letters, beside parasail's. parasail's
 * `open` is the cost of a gap's first letter. Its '*' stands for every letter that its matrix lacks: U, O and
 * J, which are X for us. In its matrix of match and mismatch, '*' scores 0 with everything. Scan functions
 * are used, because the striped ones of 2.6 are wrong for linear gaps. */

#include <inttypes.h>

#include "reference/reference.h"
#include "seq/sequence.h"
#include "support/lettered_pairs.h"
#include "support/test.h"

#ifdef HAVE_PARASAIL
#include <parasail.h>
#include <parasail/matrix_lookup.h>

static char *letters_of(const cla_sequence *sequence) {
  const int64_t length = cla_sequence_length(sequence);
  char *letters = malloc((size_t)length + 1);
  cr_assert_not_null(letters);
  for (int64_t i = 0; i < length; i++) letters[i] = cla_sequence_letter(sequence, i);
  letters[length] = '\0';
  return letters;
}

static int parasail_score(const lettered_pair *pair, const parasail_matrix_t *matrix) {
  char *query = letters_of(pair->query), *target = letters_of(pair->target);
  parasail_function_t *function = pair->mode == CLA_MODE_LOCAL ? parasail_sw_scan_32 : parasail_nw_scan_32;
  parasail_result_t *result =
      function(query, (int)cla_sequence_length(pair->query), target, (int)cla_sequence_length(pair->target),
               pair->scoring.gap_first, pair->scoring.gap_ext, matrix);
  const int score = parasail_result_get_score(result);
  parasail_result_free(result);
  free(query);
  free(target);
  return score;
}

static void expect_parasails(const lettered_pair *pair, const parasail_matrix_t *matrix) {
  score_table table;
  reference_alignment scored;
  const letter_set *set = sequence_alphabet(pair->query);
  score_table_build(&table, &pair->scoring, set->letters, set->unambiguous);
  assert_ok(reference_score(&scored,
                            &(pair_problem){sequence_codes(pair->query),
                                            sequence_codes(pair->target),
                                            cla_sequence_length(pair->query),
                                            cla_sequence_length(pair->target),
                                            {&pair->scoring, &table, path_ends_make(pair->mode, 0)}},
                            &why));
  const int theirs = parasail_score(pair, matrix);
  cr_assert_eq(scored.score, theirs, "%s, seed %" PRIu64 ": parasail %d, reference %" PRId64, pair->scheme,
               pair->seed, theirs, scored.score);
}

static void expect_same_scores(const char *matrix, const char *parasails, uint64_t first_seed, int count) {
  for (uint64_t seed = first_seed; seed < first_seed + (uint64_t)count; seed++) {
    OWNED(lettered_pair_free) lettered_pair pair;
    lettered_pair_make_protein(&pair, seed, 300, matrix);
    expect_parasails(&pair, parasail_matrix_lookup(parasails));
  }
}

Test(matrix_scores, of_proteins_are_those_of_parasail) {
  expect_same_scores("BLOSUM62", "blosum62", 1, 300);
  expect_same_scores("BLOSUM45", "blosum45", 1001, 100);
  expect_same_scores("BLOSUM50", "blosum50", 2001, 100);
  expect_same_scores("BLOSUM80", "blosum80", 3001, 100);
  expect_same_scores("BLOSUM90", "blosum90", 4001, 100);
  expect_same_scores("PAM30", "pam30", 5001, 100);
  expect_same_scores("PAM70", "pam70", 6001, 100);
  expect_same_scores("PAM250", "pam250", 7001, 300);
}

Test(matrix_scores, of_neutral_ambiguous_nucleotides_are_those_of_parasail) {
  for (uint64_t seed = 8001; seed <= 8400; seed++) {
    OWNED(lettered_pair_free) lettered_pair pair;
    lettered_pair_make_neutral(&pair, seed, 300);
    parasail_matrix_t *matrix = parasail_matrix_create("ACGT", pair.scoring.match, pair.scoring.mismatch);
    expect_parasails(&pair, matrix);
    parasail_matrix_free(matrix);
  }
}
#else
Test(matrix_scores, of_proteins_are_those_of_parasail) {
  cr_skip("built without parasail");
}
#endif
