/* Sequences from memory and from well-formed files, and the choice of records and ranges. */

#include <fcntl.h>
#include <htslib/hts_log.h>
#include <unistd.h>
#include <xxhash.h>

#include "seq/sequence.h"
#include "seq/sequence_internal.h"
#include "support/made_alignment.h"
#include "support/sequence_files.h"
#include "support/test.h"

static cla_sequence *from_letters(const char *letters) {
  cla_sequence *sequence = NULL;
  const int64_t length = (int64_t)strlen(letters);
  assert_ok(cla_sequence_from_letters_with(
      &sequence, "x", letters, length, &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_DNA},
      &why));
  return sequence;
}

static void expect_letters_refused(const char *letters, int64_t length, const char *part) {
  cla_sequence *sequence = NULL;
  cla_error error = {.message = ""};
  cr_assert_eq(cla_sequence_from_letters(&sequence, "x", letters, length, &error), CLA_ERROR_INPUT);
  cr_expect_null(sequence);
  cr_expect(strstr(error.message, "'x'") && strstr(error.message, part), "%s", error.message);
}

Test(sequence, codes_the_whole_alphabet_in_either_case_and_u_as_t) {
  OWNED(free_sequence)
  cla_sequence *upper = from_letters(SEQUENCE_LETTERS "U"), *lower = from_letters("acgtryswkmbdhvnu");
  cr_assert_eq(cla_sequence_length(upper), 16);
  for (int64_t i = 0; i < 15; i++) {
    cr_expect_eq(sequence_codes(upper)[i], i);
    cr_expect_eq(cla_sequence_letter(upper, i), SEQUENCE_LETTERS[i]);
  }
  cr_expect_eq(cla_sequence_letter(upper, 15), 'T');
  cr_expect_arr_eq(sequence_codes(upper), sequence_codes(lower), 16);
  cr_expect_eq(cla_sequence_begin(upper), 0);
  cr_expect_eq(cla_sequence_end(upper), 16);
  cr_expect_str_eq(cla_sequence_location(upper), "");
  cla_sequence_free(NULL);
}

Test(sequence, refuses_every_byte_outside_the_alphabet) {
  int accepted = 0;
  for (int byte = 0; byte < 256; byte++) {
    const char letters[2] = {'A', (char)byte};
    OWNED(free_sequence) cla_sequence *sequence = NULL;
    accepted += cla_sequence_from_letters_with(
                    &sequence, "x", letters, 2,
                    &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_DNA}, NULL) == CLA_OK;
  }
  cr_expect_eq(accepted, 32);
}

Test(sequence, gives_the_letters_of_a_range) {
  OWNED(free_sequence) cla_sequence *sequence = from_letters("acguNNry");
  char letters[] = "........";
  cla_sequence_letters(letters, sequence, 3, 7);
  cr_expect_str_eq(letters, "TNNR....");
  cla_sequence_letters(letters, sequence, 8, 8);
  cr_expect_str_eq(letters, "TNNR....");
}

Test(sequence, from_memory_may_be_empty_where_that_is_allowed) {
  const cla_sequence_options options = {.allow_empty = true};
  OWNED(free_sequence) cla_sequence *sequence = NULL;
  assert_ok(cla_sequence_from_letters_with(&sequence, "x", "", 0, &options, &why));
  cr_expect_eq(cla_sequence_length(sequence), 0);
  cr_expect_eq(cla_sequence_alphabet(sequence), CLA_ALPHABET_DNA);
}

Test(sequence, refuses_letters_from_memory_with_their_position) {
  expect_letters_refused("", 0, "no letters");
  expect_letters_refused("ACGTJ", 5, "'J' at position 5");
  expect_letters_refused("AC\0T", 4, "byte 0x00 at position 3");
  expect_letters_refused("AC GT", 5, "byte 0x20 at position 3");
}

/* The expected bytes are what the program of xxHash says: printf ACGT | xxhsum -H2. */
Test(sequence, checksums_the_upper_case_letters_with_u_as_t) {
  uint8_t checksum[16], other[16];
  cla_sequence *sequence = from_letters("acgu");
  cla_sequence_checksum(sequence, checksum);
  const uint8_t expected[16] = {0x81, 0xdb, 0x28, 0x2b, 0x97, 0xe7, 0xdf, 0xd1,
                                0xae, 0x89, 0x9a, 0xe2, 0xe2, 0xa5, 0x17, 0x09};
  cr_expect_arr_eq(checksum, expected, 16);
  cla_sequence_free(sequence);
  sequence = from_letters("ACGA");
  cla_sequence_checksum(sequence, other);
  cr_expect_arr_neq(checksum, other, 16);
  cla_sequence_free(sequence);
}

Test(sequence, checksums_more_than_one_chunk) {
  enum { LENGTH = 200001 };
  uint8_t checksum[16];
  OWNED(free_memory) char *letters = malloc(LENGTH + 1);
  cr_assert_not_null(letters);
  for (int i = 0; i < LENGTH; i++) letters[i] = "ACGTN"[i * 7 % 5];
  letters[LENGTH] = '\0';
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(letters, LENGTH));
  OWNED(free_sequence) cla_sequence *sequence = from_letters(letters);
  cla_sequence_checksum(sequence, checksum);
  cr_expect_arr_eq(checksum, canonical.digest, 16);
}

TestSuite(fasta, .init = sequence_files_set_up, .fini = sequence_files_tear_down);

Test(fasta, reads_a_record_over_several_lines) {
  write_text(">chr1 a description\nACGT\nacgu\nNR\n");
  expect_letters("", "chr1", "ACGTACGTNR");
}

Test(fasta, accepts_every_kind_of_line_end) {
  write_text(">r\tdescription\r\nAC\r\nGT\r\n");
  expect_letters("", "r", "ACGT");
  write_text(">r\rAC\rGT\r");
  expect_letters("", "r", "ACGT");
  write_text(">r\nACGT");
  expect_letters("", "r", "ACGT");
}

Test(fasta, accepts_blank_lines_and_blanks) {
  write_text("\n\r\n \n>r\n\nAC \n\n\t GT\n\n");
  expect_letters("", "r", "ACGT");
  write_text("> r x\nACGT\n");
  expect_letters("", "r", "ACGT");
}

/* Lines, names and "\r\n" that straddle the ends of the input's buffer. */
Test(fasta, accepts_lines_longer_than_any_buffer) {
  enum { SIZE = 300000 };
  OWNED(free_memory) char *text = malloc(SIZE + 8), *expected = malloc(SIZE);
  cr_assert(text && expected);
  for (int64_t before = 65528; before < 65544; before++) {
    const int length = snprintf(text, SIZE, ">r %*s\r\n", (int)before - 5, "");
    for (int i = 0; i < 200000; i++) expected[i] = "ACGT"[(i * 7 + i / 5) % 4];
    memcpy(text + length, expected, 200000);
    strcpy(text + length + 200000, "\r\n");
    expected[200000] = '\0';
    write_text(text);
    expect_letters("", "r", expected);
  }
}

Test(fasta, reads_gzip_bgzf_and_joined_bgzf) {
  const char *text = ">r\nACGTTGCA\n";
  size_t length;
  write_compressed("w", text, (int64_t)strlen(text));
  expect_letters("", "r", "ACGTTGCA");
  OWNED(free_memory) char *once = made_read(location_of(""), &length), *twice = malloc(2 * length);
  cr_assert_not_null(twice);
  memcpy(twice, once, length);
  memcpy(twice + length, once, length);
  write_bytes(twice, (int64_t)(2 * length));
  expect_refused("", "2 records (r, r)");
  expect_refused(":r", "2 records named 'r'");
  write_compressed("wg", text, (int64_t)strlen(text));
  expect_letters("", "r", "ACGTTGCA");
}

Test(fastq, reads_records_over_one_line_and_over_several) {
  sequence_files_set_up();
  write_text("@a x\nACGT\n+\n@+>I\n@b\nAC\nGG\n+b\n@@\n@@\n\n@c\nT\n+\nI");
  expect_letters(":a", "a", "ACGT");
  expect_letters(":b:2-3", "b", "CG");
  expect_letters(":c", "c", "T");
  sequence_files_tear_down();
}

TestSuite(location, .init = sequence_files_set_up, .fini = sequence_files_tear_down);

Test(location, chooses_a_record_by_the_first_word_of_its_header) {
  write_text(">a one\nAAAA\n>b two\nCCCC\n>c\nGGGG\n");
  expect_letters(":a", "a", "AAAA");
  expect_letters(":c", "c", "GGGG");
  expect_refused("", "3 records (a, b, c); choose one as FILE:RECORD or by its number as FILE:#1");
  expect_refused(":d", "no record 'd'; it holds a, b, c");
  expect_refused(":", "no record ''");
  expect_refused(":A", "no record 'A'");
}

Test(location, chooses_a_record_by_its_number) {
  write_text(">a\nAAAA\n>#1\nCCCC\n>#9:2\nACGT\n>a\nGGTT\n");
  expect_letters(":#2", "#1", "CCCC");
  expect_letters(":#4", "a", "GGTT");
  expect_letters(":#3:2-3", "#9:2", "CG");
  expect_letters(":#1", "#1", "CCCC"); /* a name wins */
  expect_letters(":#1:2-3", "#1", "CC");
  expect_refused(":#0", "no record '#0'");
  expect_refused(":#5", "or by its number, 1 to 4, as FILE:#1");
  expect_refused(":#2x", "no record '#2x'");
  expect_refused(":#99999999999999999999", "no record");
}

Test(location, lists_the_first_few_names_only) {
  write_text(">a\nA\n>b\nA\n>c\nA\n>d\nA\n>e\nA\n>f\nA\n>g\nA\n");
  expect_refused("", "(a, b, c, d, e, ...)");
  expect_refused(":x", "a, b, c, d, e, ...");
}

Test(location, takes_ranges_as_samtools_does) {
  write_text(">a\nACGTACGTAC\n");
  expect_letters(":a:3-6", "a", "GTAC");
  expect_letters(":3-6", "a", "GTAC");
  expect_letters(":a:10-10", "a", "C");
  expect_letters(":9-", "a", "AC");
  expect_letters(":a:1-10", "a", "ACGTACGTAC");
  expect_letters(":a:0,000,003-1,0", "a", "GTACGTAC");
}

Test(location, refuses_bad_ranges) {
  write_text(">a\nACGTACGTAC\n");
  expect_refused(":a:6-3", "reversed");
  expect_refused(":0-3", "count from 1");
  expect_refused(":a:0-0", "count from 1");
  expect_refused(":a:1-11", "outside of record 'a'");
  expect_refused(":a:11-12", "within 1-10");
  expect_refused(":a:11-", "outside");
  expect_refused(":a:99999999999999999999-", "outside");
  expect_refused(":1-18446744073709551617", "outside");
  expect_refused(":a:x-3", "'x-3' is no range");
  expect_refused(":a:3", "'3' is no range");
  expect_refused(":a:-3", "'-3' is no range");
  expect_refused(":a:3--4", "is no range");
  expect_refused(":a:,3-4", "is no range");
  expect_refused(":a:3-4x", "is no range");
  expect_refused(":a:", "'' is no range");
}

Test(location, refuses_a_range_without_a_record_of_several) {
  write_text(">a\nACGT\n>b\nACGT\n");
  expect_refused(":1-2", "choose one as FILE:RECORD:FROM-TO");
}

Test(location, prefers_a_whole_name_to_a_range) {
  write_text(">a\nACGT\n>a:1-2\nGGGG\n>x:y:z\nTTTT\n>3-4\nCCCC\n");
  expect_letters(":a:1-2", "a:1-2", "GGGG");
  expect_letters(":a:1-3", "a", "ACG");
  expect_letters(":x:y:z", "x:y:z", "TTTT");
  expect_letters(":x:y:z:2-2", "x:y:z", "T");
  expect_letters(":a:1-2:2-", "a:1-2", "GGG");
  expect_letters(":3-4", "3-4", "CCCC");
}

Test(location, judges_only_the_record_that_is_chosen) {
  write_text(">protein\nMEEPQSDPSV\n>empty\n>dna\nACGT\n>dna:1-2\nGG\n");
  expect_letters(":dna", "dna", "ACGT");
  expect_letters(":dna:1-2", "dna:1-2", "GG");
  write_text(">1\nJJJ\n>1:2-3\nACGT\n");
  expect_letters(":1:2-3", "1:2-3", "ACGT");
}

Test(location, prefers_an_existing_file_to_a_split) {
  write_text(">a\nACGT\n");
  made_write(location_of(":a"), ">inner\nGG\n>b\nTT\n", 16);
  expect_refused(":a", "2 records (inner, b)");
  expect_letters(":a:b", "b", "TT");
  expect_letters(":a:b:2-2", "b", "T");
  expect_letters(":1-2", "a", "AC");
}

Test(location, refuses_two_records_of_the_chosen_name) {
  write_text(">a\nAC\n>b\nGG\n>a\nGT\n");
  expect_refused(":a", "2 records named 'a'");
  expect_refused(":a:1-1", "2 records named 'a'");
  expect_letters(":b", "b", "GG");
}

/* Criterion runs each test in a process of its own, so its standard input may be exchanged. */
static void give_standard_input(const char *text) {
  int ends[2];
  cr_assert_eq(pipe(ends), 0);
  const ssize_t length = (ssize_t)strlen(text);
  cr_assert_eq(write(ends[1], text, (size_t)length), length);
  close(ends[1]);
  cr_assert_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
  close(ends[0]);
}

Test(location, reads_the_standard_input) {
  const char *locations[] = {"-:b", "-:b:2-3"}, *expected[] = {"GCGC", "CG"};
  for (int i = 0; i < 2; i++) {
    OWNED(free_sequence) cla_sequence *sequence = NULL;
    give_standard_input(">a\nACGT\n>b\nGCGC\n");
    assert_ok(cla_sequence_read(&sequence, locations[i], &why));
    cr_expect_str_eq(cla_sequence_name(sequence), "b");
    cr_expect_str_eq(cla_sequence_location(sequence), locations[i]);
    cr_expect_eq(cla_sequence_end(sequence) - cla_sequence_begin(sequence), (int64_t)strlen(expected[i]));
    cr_expect_eq(cla_sequence_letter(sequence, cla_sequence_begin(sequence)), expected[i][0]);
  }
}

Test(location, says_that_the_standard_input_is_empty_or_closed) {
  cla_sequence *sequence = NULL;
  give_standard_input("");
  assert_error(cla_sequence_read(&sequence, "-", &why), CLA_ERROR_INPUT, "the standard input is empty");
  close(STDIN_FILENO);
  assert_error(cla_sequence_read(&sequence, "-", &why), CLA_ERROR_INPUT, "cannot read the standard input");
  cr_expect_null(sequence);
}

Test(location, leaves_the_log_level_of_htslib_as_it_was) {
  hts_set_log_level(HTS_LOG_INFO);
  write_text(">a\nACGT\n");
  expect_letters("", "a", "ACGT");
  expect_refused(":b", "no record");
  unlink(location_of(""));
  expect_refused("", "no such file");
  cr_expect_eq(hts_get_log_level(), HTS_LOG_INFO);
}

Test(sequence, part_has_another_range_of_the_same_letters) {
  OWNED(free_sequence)
  cla_sequence *whole = from_letters("ACGTACGT"), *part = NULL, *none = NULL;
  assert_ok(cla_sequence_part(&part, whole, "a.fa:x:3-6", 2, 6, &why));
  const uint8_t *codes = sequence_codes(whole);
  cla_sequence_free(whole);
  whole = NULL;
  cr_expect(sequence_codes(part) == codes && cla_sequence_length(part) == 8);
  cr_expect(cla_sequence_begin(part) == 2 && cla_sequence_end(part) == 6);
  cr_expect_str_eq(cla_sequence_location(part), "a.fa:x:3-6");
  cr_expect_str_eq(cla_sequence_name(part), "x");
  const int64_t wrong[][2] = {{-1, 3}, {3, 3}, {4, 3}, {0, 9}, {0, 0}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    cr_expect_eq(cla_sequence_part(&none, part, "", wrong[i][0], wrong[i][1], &why), CLA_ERROR_OPTION);
  cr_expect_null(none);
}
