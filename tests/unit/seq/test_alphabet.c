/* Which alphabet a sequence is of: as told, or as its letters say. */

#include "seq/sequence.h"
#include "support/test.h"

static cla_status make(cla_sequence **out, const char *letters, cla_error *error) {
  return cla_sequence_from_letters(out, "x", letters, (int64_t)strlen(letters), error);
}

Test(alphabet, is_detected_by_all_letters) {
  const struct {
    const char *letters;
    cla_alphabet alphabet;
  } cases[] = {
      {"ACGT", CLA_ALPHABET_DNA},
      {"acgu", CLA_ALPHABET_DNA},
      {"NNNN", CLA_ALPHABET_DNA},
      {"ACGTRYSW", CLA_ALPHABET_DNA}, /* half of it */
      {"MKVLAWQEFP", CLA_ALPHABET_PROTEIN},
      {"mkvlawqefp*", CLA_ALPHABET_PROTEIN},
      {"ACGTWKRYL", CLA_ALPHABET_PROTEIN},
      {"E", CLA_ALPHABET_PROTEIN},
      {"MKVXXXXXXXXXXXLE", CLA_ALPHABET_PROTEIN},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    OWNED(free_sequence) cla_sequence *sequence = NULL;
    assert_ok(make(&sequence, cases[i].letters, &why));
    cr_expect_eq(cla_sequence_alphabet(sequence), cases[i].alphabet, "%s", cases[i].letters);
  }
}

Test(alphabet, that_cannot_be_told_is_an_error) {
  const char *const cases[][2] = {
      {"RYSWKMBDHV", "could be DNA with many ambiguous letters or a protein"},
      {"ACGTACGTE", "'E' at position 9, which is no nucleotide letter"},
      {"ACGT*ACGT", "'*' at position 5"},
      {"ACGTXXXXXXXXACGT", "'X' at position 5, which is no nucleotide letter"},
      {"XXXX", "could be DNA"},
      {"MKV1", "'1' at position 4, which is no letter of a nucleotide or an amino acid"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cla_sequence *sequence = NULL;
    assert_error(make(&sequence, cases[i][0], &why), CLA_ERROR_INPUT, cases[i][1]);
    cr_expect_null(sequence);
  }
}

Test(alphabet, of_proteins_has_every_letter_and_the_stop) {
  const char *letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ*abcdefghijklmnopqrstuvwxyz";
  OWNED(free_sequence) cla_sequence *sequence = NULL;
  assert_ok(cla_sequence_from_letters_with(
      &sequence, "x", letters, 53, &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_PROTEIN},
      &why));
  for (int64_t i = 0; i < 27; i++) cr_expect_eq(cla_sequence_letter(sequence, i), letters[i]);
  for (int64_t i = 27; i < 53; i++) cr_expect_eq(cla_sequence_letter(sequence, i), letters[i] - 'a' + 'A');
  const letter_set *set = sequence_alphabet(sequence);
  for (int code = 0; set->letters[code]; code++)
    cr_expect_eq(code >= set->unambiguous, strchr("BZXJ", set->letters[code]) != NULL, "%c",
                 set->letters[code]);
  cr_expect_eq(sequence_letters_met(sequence), (1u << 27) - 1);
}

Test(alphabet, of_a_matrix_has_its_letters_only) {
  cla_sequence *sequence = NULL;
  assert_ok(cla_sequence_from_letters_with(
      &sequence, "x", "1h#P2", 5,
      &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_OWN, .own = "HP12#"}, &why));
  const uint8_t codes[] = {2, 0, 4, 1, 3};
  cr_expect_arr_eq(sequence_codes(sequence), codes, 5);
  cr_expect_eq(cla_sequence_letter(sequence, 1), 'H');
  cr_expect_eq(sequence_find(sequence, 3), 4);
  cr_expect_eq(sequence_find(sequence, 9), -1);
  cla_sequence_free(sequence);
  assert_error(cla_sequence_from_letters_with(
                   &sequence, "x", "HPA", 3,
                   &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_OWN, .own = "HP"}, &why),
               CLA_ERROR_INPUT, "'A' at position 3, which is no letter of the score matrix (HP are)");
  cr_expect_eq(cla_sequence_from_letters_with(
                   &sequence, "x", "HPA", 3,
                   &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_OWN, .own = ""}, &why),
               CLA_ERROR_OPTION);
  cr_expect_eq(cla_sequence_from_letters_with(
                   &sequence, "x", "HPA", 3,
                   &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_OWN, .own = "HPH"}, &why),
               CLA_ERROR_OPTION);
}

Test(alphabet, that_is_told_refuses_other_letters) {
  OWNED(free_sequence) cla_sequence *sequence = NULL;
  assert_error(cla_sequence_from_letters_with(
                   &sequence, "x", "MKVLE", 5,
                   &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_DNA}, &why),
               CLA_ERROR_INPUT, "'L' at position 4, which is no nucleotide letter");
  assert_error(cla_sequence_from_letters_with(
                   &sequence, "x", "MK?", 3,
                   &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_PROTEIN}, &why),
               CLA_ERROR_INPUT, "'?' at position 3, which is no letter of an amino acid");
  assert_ok(cla_sequence_from_letters_with(
      &sequence, "x", "ACGU", 4, &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_PROTEIN},
      &why));
  cr_expect_eq(cla_sequence_letter(sequence, 3), 'U'); /* selenocysteine */
}
