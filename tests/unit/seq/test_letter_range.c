/* A record of which only a range is kept: what is told of it is what the whole record tells. */

#include <stdlib.h>

#include "seq/sequence.h"
#include "support/made_alignment.h"
#include "support/sequence_files.h"
#include "support/test.h"

#define LETTERS 400000
#define LINE 70

TestSuite(letter_range, .init = sequence_files_set_up, .fini = sequence_files_tear_down);

/* A record of lines of random letters of `alphabet`; `odd` stands at 390,001 unless 0, and `end` ends lines.
 */
static void write_record(const char *alphabet, char odd, const char *end) {
  char *text = malloc(2 * LETTERS + 16), *at = text;
  const size_t kinds = strlen(alphabet);
  uint64_t state = 5;
  cr_assert_not_null(text);
  at += sprintf(at, ">c%s", end);
  for (int64_t i = 0; i < LETTERS; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    *at++ = odd && i == 390000 ? odd : alphabet[(state >> 33) % kinds];
    if (i % LINE == LINE - 1 || i == LETTERS - 1) at += sprintf(at, "%s", end);
  }
  write_text(text);
  free(text);
}

static cla_sequence *read_with(const char *selection, bool range_alone) {
  cla_sequence *sequence = NULL;
  const cla_sequence_options options = {.range_alone = range_alone, .keep_case = true};
  assert_ok(cla_sequence_read_with(&sequence, location_of(selection), &options, &why));
  return sequence;
}

static void expect_same(const char *selection) {
  OWNED(free_sequence) cla_sequence *whole = read_with(selection, false), *alone = read_with(selection, true);
  const int64_t begin = cla_sequence_begin(whole), end = cla_sequence_end(whole);
  uint8_t sums[2][16];
  cr_expect_eq(cla_sequence_length(alone), LETTERS);
  cr_expect_eq(cla_sequence_begin(alone), begin);
  cr_expect_eq(cla_sequence_end(alone), end);
  cr_expect_eq(cla_sequence_alphabet(alone), cla_sequence_alphabet(whole));
  cr_expect_eq(sequence_letters_met(alone), sequence_letters_met(whole));
  for (uint8_t code = 0; code < ALPHABET_LETTERS_MOST; code++)
    cr_expect_eq(sequence_find(alone, code), sequence_find(whole, code), "%s: code %d", selection, code);
  cla_sequence_checksum(whole, sums[0]);
  cla_sequence_checksum(alone, sums[1]);
  cr_expect_arr_eq(sums[0], sums[1], 16, "%s", selection);
  cr_expect_arr_eq(sequence_codes(alone) + begin, sequence_codes(whole) + begin, (size_t)(end - begin));
  cr_expect_arr_eq(sequence_lower(alone) + begin, sequence_lower(whole) + begin, (size_t)(end - begin));
  for (int64_t at = begin > 0 ? begin - 1 : 0; at < begin; at++) /* VCF writes a letter beside a gap */
    cr_expect_eq(cla_sequence_letter(alone, at), cla_sequence_letter(whole, at));
  if (end < LETTERS) cr_expect_eq(cla_sequence_letter(alone, end), cla_sequence_letter(whole, end));
}

static void expect_all_ranges_same(void) {
  const char *const ranges[] = {":c:1-1",          ":c:65536-65537",   ":c:65537-131072", ":c:131073-131073",
                                ":c:16384-300000", ":c:399999-400000", ":c:200000-",      ":#1:70-71",
                                ":350000-350100",  ":c:1-400000"};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) expect_same(ranges[i]);
}

Test(letter_range, tells_what_the_whole_record_tells) {
  write_record("ACGTacgtN", 0, "\n");
  expect_all_ranges_same();
  write_record("ACGTacgtuR", 'U', "\r\n");
  expect_all_ranges_same();
  write_record("ARNDCQEGHILKMFPSTWYVu", 0, "\n");
  expect_all_ranges_same();
}

static void expect_same_refusal(const char *selection) {
  cla_error errors[2];
  for (int alone = 0; alone < 2; alone++) {
    cla_sequence *sequence = NULL;
    const cla_sequence_options options = {.range_alone = alone};
    const char *location = location_of(selection);
    cr_assert_eq(cla_sequence_read_with(&sequence, location, &options, &errors[alone]), CLA_ERROR_INPUT);
    cr_expect_null(sequence);
  }
  cr_expect_str_eq(errors[0].message, errors[1].message);
}

Test(letter_range, refuses_what_the_whole_record_has_wrong) {
  write_record("ACGT", '?', "\n");
  expect_same_refusal(":c:1-10");
  write_record("ACGT", 'E', "\n");
  expect_same_refusal(":c:1-10");
  write_record("ACGTRYSWKMRYSWKMRYSWKM", 0, "\n");
  expect_same_refusal(":c:1-10");
  write_record("ACGT", 0, "\n");
  expect_same_refusal(":c:0-10");
  expect_same_refusal(":c:20-10");
  expect_same_refusal(":c:399999-400001");
  expect_same_refusal(":d:1-10");
}

Test(letter_range, has_no_other_strand_and_no_circle) {
  cla_sequence *made = NULL;
  cla_error error;
  write_record("ACGT", 0, "\n");
  OWNED(free_sequence) cla_sequence *alone = read_with(":c:1-10", true);
  cr_expect_eq(sequence_reverse_complement(&made, alone, &error), CLA_ERROR_OPTION);
  cr_expect(strstr(error.message, "range_alone"), "%s", error.message);
  cr_expect_eq(sequence_circle_part(&made, alone, 5, LETTERS, &error), CLA_ERROR_OPTION);
  cr_expect_null(made);
}

Test(letter_range, is_shared_by_views) {
  cla_sequence *part = NULL;
  write_record("ACGT", 0, "\n");
  cla_sequence *alone = read_with(":c:200001-200100", true);
  const char letter = cla_sequence_letter(alone, 200050);
  assert_ok(cla_sequence_part(&part, alone, "part", 200050, 200060, &why));
  cla_sequence_free(alone);
  cr_expect_eq(cla_sequence_letter(part, 200050), letter);
  cla_sequence_free(part);
}
