
#include "seq/sequence.h"
#include "support/sequence_files.h"
#include "support/test.h"

TestSuite(reverse_complement, .init = sequence_files_set_up, .fini = sequence_files_tear_down);

/* What an IUPAC letter stands for, written down apart from the table: bits of A, C, G, T. */
static int stands_for(char letter) {
  static const char *const meaning[] = {"AA",  "CC",  "GG",   "TT",   "RAG",  "YCT",  "SCG",   "WAT",
                                        "KGT", "MAC", "BCGT", "DAGT", "HACT", "VACG", "NACGT", NULL};
  for (int i = 0; meaning[i]; i++) {
    int bits = 0;
    if (meaning[i][0] != letter) continue;
    for (const char *base = meaning[i] + 1; *base; base++) bits |= 1 << (strchr("ACGT", *base) - "ACGT");
    return bits;
  }
  return 0;
}

/* A and T change places, and C and G: the four bits from the last to the first. */
static int complement_of(int bits) {
  return (bits & 1) << 3 | (bits & 2) << 1 | (bits & 4) >> 1 | (bits & 8) >> 3;
}

Test(reverse_complement, stands_for_the_complements_of_what_every_letter_stands_for) {
  const char *letters = SEQUENCE_LETTERS;
  for (int code = 0; code < SEQUENCE_LETTER_COUNT; code++) {
    const uint8_t other = nucleotide_complement[code];
    cr_assert_lt(other, SEQUENCE_LETTER_COUNT);
    cr_expect_neq(stands_for(letters[code]), 0);
    cr_expect_eq(stands_for(letters[other]), complement_of(stands_for(letters[code])), "of %c it is %c",
                 letters[code], letters[other]);
    cr_expect_eq(nucleotide_complement[other], code);
  }
}

static void expect_strand(const cla_sequence *sequence, const char *wanted) {
  cr_assert_eq(cla_sequence_length(sequence), (int64_t)strlen(wanted));
  for (int64_t i = 0; i < cla_sequence_length(sequence); i++)
    cr_expect_eq(cla_sequence_letter(sequence, i), wanted[i], "letter %lld", (long long)i);
}

Test(reverse_complement, of_a_sequence_keeps_its_name_and_turns_its_range) {
  OWNED(free_sequence) cla_sequence *forward = NULL, *reverse = NULL, *again = NULL;
  uint8_t first[16], last[16];
  write_text(">a\nACGURYSWKMBDHVNAC\n");
  assert_ok(cla_sequence_read_with(&forward, location_of(":a:2-5"),
                                   &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_DNA},
                                   &why));
  assert_ok(sequence_reverse_complement(&reverse, forward, &why));
  expect_strand(reverse, "GTNBDHVKMWSRYACGT");
  cr_expect_str_eq(cla_sequence_name(reverse), "a");
  cr_expect_str_eq(cla_sequence_location(reverse), cla_sequence_location(forward));
  cr_expect_eq(cla_sequence_begin(reverse), 12);
  cr_expect_eq(cla_sequence_end(reverse), 16);
  cr_expect_eq(sequence_letters_met(reverse), 0x7fff);
  assert_ok(sequence_reverse_complement(&again, reverse, &why));
  cla_sequence_checksum(forward, first);
  cla_sequence_checksum(again, last);
  cr_expect_arr_eq(first, last, sizeof first);
  cr_expect_eq(cla_sequence_begin(again), 1);
  const strand_letters view = {.codes = sequence_codes(forward), .length = 17, .reverse = true};
  for (int64_t i = 0; i < 17; i++) cr_expect_eq(strand_code(&view, i), sequence_codes(reverse)[i]);
}

Test(reverse_complement, is_of_dna_only) {
  cla_sequence *protein = NULL, *own = NULL, *reverse = NULL;
  assert_ok(cla_sequence_from_letters(&protein, "p", "MKVLEEQP", 8, &why));
  cr_expect_eq(sequence_reverse_complement(&reverse, protein, &why), CLA_ERROR_INPUT);
  cr_expect_null(reverse);
  cr_expect(strstr(why.message, "amino acids"), "%s", why.message);
  assert_ok(cla_sequence_from_letters_with(
      &own, "o", "0110", 4, &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_OWN, .own = "01"},
      &why));
  cr_expect_eq(sequence_reverse_complement(&reverse, own, &why), CLA_ERROR_INPUT);
  cr_expect_null(reverse);
  cla_sequence_free(own);
  cla_sequence_free(protein);
}
