/* Scores by letter codes: ambiguous nucleotides, letters that a matrix does not have, letters that occur. */

#include <math.h>

#include "scoring/score_table.h"
#include "seq/sequence.h"
#include "support/test.h"

static const char *const sets[] = {"A",  "C",  "G",   "T",   "AG",  "CT",  "CG",  "AT",
                                   "GT", "AC", "CGT", "AGT", "ACT", "ACG", "ACGT"};

static score_table dna_table(const cla_scoring *scoring) {
  score_table table;
  score_table_build(&table, scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  return table;
}

static int32_t score_of(const score_table *table, char query, char target) {
  const char *letters = SEQUENCE_LETTERS;
  return table
      ->score[(strchr(letters, query) - letters) * CLA_MATRIX_STRIDE + (strchr(letters, target) - letters)];
}

Test(score_table, of_match_and_mismatch_needs_no_look_up) {
  cla_scoring scoring = default_scoring();
  const score_table table = dna_table(&scoring);
  cr_expect_not(table.needs_lookup);
  cr_expect_eq(table.match, 1);
  cr_expect_eq(table.mismatch, -3);
  cr_expect_eq(score_of(&table, 'G', 'G'), 1);
  cr_expect_eq(score_of(&table, 'N', 'N'), -3);
}

Test(score_table, of_neutral_ambiguity_is_zero_beside_ambiguous_letters) {
  cla_scoring scoring = default_scoring();
  scoring.ambiguity = CLA_AMBIGUITY_NEUTRAL;
  const score_table table = dna_table(&scoring);
  for (int query = 0; query < SEQUENCE_LETTER_COUNT; query++)
    for (int target = 0; target < SEQUENCE_LETTER_COUNT; target++) {
      const bool plain = query < 4 && target < 4;
      cr_expect_eq(table.score[query * CLA_MATRIX_STRIDE + target], !plain ? 0 : query == target ? 1 : -3);
    }
  cr_expect(table.needs_lookup);
}

/* By listing the pairs, in floating point. */
Test(score_table, of_expected_ambiguity_is_the_rounded_mean) {
  const int32_t schemes[][2] = {{1, -3}, {5, -4}, {0, -1}, {2, -3}, {1000000, -999999}, {7, 0}};
  for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
    cla_scoring scoring = default_scoring();
    scoring.match = schemes[s][0];
    scoring.mismatch = schemes[s][1];
    scoring.ambiguity = CLA_AMBIGUITY_EXPECTED;
    const score_table table = dna_table(&scoring);
    for (int query = 0; query < SEQUENCE_LETTER_COUNT; query++)
      for (int target = 0; target < SEQUENCE_LETTER_COUNT; target++) {
        double sum = 0, count = 0;
        for (const char *a = sets[query]; *a; a++)
          for (const char *b = sets[target]; *b; b++, count++)
            sum += *a == *b ? scoring.match : scoring.mismatch;
        cr_expect_eq(table.score[query * CLA_MATRIX_STRIDE + target], (int32_t)floor(sum / count + 0.5),
                     "%c with %c", SEQUENCE_LETTERS[query], SEQUENCE_LETTERS[target]);
      }
  }
}

/* EDNAFULL's author rounded pairs of two ambiguous letters otherwise. */
Test(score_table, of_expected_ambiguity_is_that_of_ednafull_where_one_letter_is_plain) {
  cla_scoring scoring, ednafull;
  cla_scoring_init(&scoring);
  scoring.match = 5;
  scoring.mismatch = -4;
  scoring.ambiguity = CLA_AMBIGUITY_EXPECTED;
  cla_scoring_init(&ednafull);
  assert_ok(cla_scoring_set_matrix(&ednafull, "EDNAFULL", &why));
  ednafull.gap_ext = ednafull.gap_first; /* leave no fraction */
  assert_ok(cla_scoring_set_units(&ednafull, 0, &why));
  cr_assert_eq(ednafull.units, 1); /* means are rounded to whole points */
  const score_table ours = dna_table(&scoring), theirs = dna_table(&ednafull);
  int others = 0;
  for (int query = 0; query < SEQUENCE_LETTER_COUNT; query++)
    for (int target = 0; target < SEQUENCE_LETTER_COUNT; target++) {
      const int at = query * CLA_MATRIX_STRIDE + target;
      if (query < 4 || target < 4) cr_expect_eq(ours.score[at], theirs.score[at]);
      others += ours.score[at] != theirs.score[at];
    }
  cr_expect_gt(others, 0);
}

Test(score_table, looks_up_what_a_matrix_does_not_have) {
  cla_scoring blosum, own = {.matrix_size = 3, .letters = "UA*"};
  score_table table;
  cla_scoring_init_for(&blosum, CLA_ALPHABET_PROTEIN);
  score_table_build(&table, &blosum, "AXJUO*", 5);
  for (int code = 2; code < 5; code++) {
    cr_expect_eq(table.score[code], table.score[1]);
    cr_expect_eq(table.score[code * CLA_MATRIX_STRIDE + code], table.score[CLA_MATRIX_STRIDE + 1]);
  }
  cr_expect_eq(table.score[5], -4);
  own.matrix[0] = 7;
  own.matrix[2 * CLA_MATRIX_STRIDE + 2] = 3;
  const score_table dna = dna_table(&own);
  cr_expect_eq(score_of(&dna, 'T', 'T'), 7);
  cr_expect_eq(score_of(&dna, 'C', 'N'), 3);
  cr_expect(score_table_knows(&own, 'C'));
  own.matrix_size = 2;
  own.letters[2] = '\0';
  cr_expect_not(score_table_knows(&own, 'C'));
  cr_expect(score_table_knows(&own, 'T'));
  cr_expect(score_table_knows(&blosum, 'J'));
}

Test(score_table, of_the_letters_that_occur_may_need_no_look_up) {
  cla_scoring scoring = default_scoring();
  assert_ok(cla_scoring_set_matrix(&scoring, "EDNAFULL", &why));
  score_table table = dna_table(&scoring);
  cr_expect(table.needs_lookup);
  score_table_keep(&table, 0xF, 0xF);
  cr_expect_not(table.needs_lookup);
  cr_expect_eq(table.match, 10); /* in halves of a point */
  cr_expect_eq(table.mismatch, -8);
  cr_expect_eq(score_of(&table, 'N', 'A'), -8); /* by the rule that the kernels follow */
  cr_expect_eq(table.minimum, -8);
  table = dna_table(&scoring);
  score_table_keep(&table, 0xF, 1 << 14 | 0xF); /* N in the target */
  cr_expect(table.needs_lookup);
  cr_expect_eq(score_of(&table, 'A', 'N'), -4);
  cr_expect_eq(score_of(&table, 'N', 'A'), -8); /* does not occur: the lowest */
}

Test(score_table, of_scores_that_no_plain_scheme_has_needs_a_look_up) {
  cla_scoring scoring = {.matrix_size = 2, .letters = "AC"};
  score_table table;
  const int32_t cases[][4] = {{2, 1, 1, 2}, {-1, -2, -2, -1}, {2, -1, -2, 2}, {2, -1, -1, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int at = 0; at < 4; at++) scoring.matrix[at / 2 * CLA_MATRIX_STRIDE + at % 2] = cases[i][at];
    score_table_build(&table, &scoring, "AC", 2);
    cr_expect(table.needs_lookup, "case %zu", i);
  }
  score_table_keep(&table, 1, 2); /* only A with C */
  cr_expect_not(table.needs_lookup);
  cr_expect_eq(table.mismatch, -1);
}

Test(score_table, of_a_matrix_has_no_letter_twice) {
  static const char *const twice[] = {"AbCA", "AbCa", "aBCA"};
  for (size_t i = 0; i < sizeof twice / sizeof twice[0]; i++) {
    cla_scoring scoring = default_scoring();
    scoring.matrix_size = 3;
    strcpy(scoring.letters, "AbC");
    assert_ok(cla_scoring_check(&scoring, &why));
    scoring.matrix_size = 4;
    strcpy(scoring.letters, twice[i]);
    assert_error(cla_scoring_check(&scoring, &why), CLA_ERROR_OPTION, "twice");
    cr_expect_eq(strstr(why.message, "the other case") != NULL, i > 0);
  }
}

static bool any_match(uint32_t matches[CLA_MATRIX_STRIDE], const cla_scoring *scoring) {
  const bool protein = cla_scoring_alphabet(scoring) == CLA_ALPHABET_PROTEIN;
  return score_table_matches(matches, scoring, protein ? &alphabet_protein : &alphabet_dna, UINT32_MAX,
                             UINT32_MAX);
}

/* Sets both orders. */
static void set_score(cla_scoring *scoring, char first, char second, int32_t score) {
  const long row = strchr(scoring->letters, first) - scoring->letters;
  const long column = strchr(scoring->letters, second) - scoring->letters;
  scoring->matrix[row * CLA_MATRIX_STRIDE + column] = score;
  scoring->matrix[column * CLA_MATRIX_STRIDE + row] = score;
}

Test(score_table, of_a_built_in_matrix_matches_no_ambiguous_letter) {
  uint32_t matches[CLA_MATRIX_STRIDE];
  for (const char *const *name = cla_matrix_names(); *name; name++) {
    cla_scoring scoring;
    cla_scoring_init(&scoring);
    assert_ok(cla_scoring_set_matrix(&scoring, *name, &why));
    cr_expect_not(any_match(matches, &scoring), "%s", *name);
  }
}

Test(score_table, matches_compatible_letters_that_score_as_each_they_stand_for) {
  uint32_t matches[CLA_MATRIX_STRIDE];
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  assert_ok(cla_scoring_set_matrix(&scoring, "EDNAFULL", &why));
  const uint8_t *codes = alphabet_dna.codes;
  const int32_t match = scoring.matrix[0];
  set_score(&scoring, 'K', 'G', match);
  set_score(&scoring, 'K', 'A', match); /* K stands for G and T */
  set_score(&scoring, 'N', 'N', match);
  set_score(&scoring, 'Y', 'C', match - 1);
  cr_assert(any_match(matches, &scoring));
  for (int query = 0; query < SEQUENCE_LETTER_COUNT; query++) {
    uint32_t wanted = 0;
    if (query == codes['K']) wanted = UINT32_C(1) << codes['G'];
    if (query == codes['G']) wanted = UINT32_C(1) << codes['K'];
    if (query == codes['N']) wanted = UINT32_C(1) << codes['N'];
    cr_expect_eq(matches[query], wanted, "%c: %x", alphabet_dna.letters[query], matches[query]);
  }
  set_score(&scoring, 'T', 'T', match + 1);
  cr_expect(any_match(matches, &scoring) == false, "K scores less than T with T");
  cr_expect_not(score_table_matches(matches, &scoring, &alphabet_dna, 15, 15));
}

Test(score_table, matches_ambiguous_amino_acids) {
  uint32_t matches[CLA_MATRIX_STRIDE];
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  assert_ok(cla_scoring_set_matrix(&scoring, "BLOSUM62", &why));
  const uint8_t *codes = alphabet_protein.codes;
  set_score(&scoring, 'B', 'D', 6);
  set_score(&scoring, 'Z', 'D', 6);
  set_score(&scoring, 'Z', 'E', 5);
  cr_assert(any_match(matches, &scoring));
  cr_expect_eq(matches[codes['B']], UINT32_C(1) << codes['D']);
  cr_expect_eq(matches[codes['Z']], UINT32_C(1) << codes['E']);
}
