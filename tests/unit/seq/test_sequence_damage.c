/* Files that cannot be read or are no sequence files: each is refused with a message that helps. */

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seq/random_stream.h"
#include "support/made_alignment.h"
#include "support/sequence_files.h"
#include "support/test.h"

TestSuite(fasta_damage, .init = sequence_files_set_up, .fini = sequence_files_tear_down);
TestSuite(fastq, .init = sequence_files_set_up, .fini = sequence_files_tear_down);
TestSuite(compressed, .init = sequence_files_set_up, .fini = sequence_files_tear_down);

Test(fasta_damage, rejects_what_is_not_a_readable_file) {
  expect_refused("", "there is no such file");
  expect_refused(":chr1", "neither a file of that name nor one named by a part before a colon");
  expect_refused("/s.fa", "there is no such file");
  cr_assert_eq(mkdir(location_of(""), 0700), 0);
  expect_refused("", "directory");
  expect_refused(":a", "directory");
  rmdir(location_of(""));
}

Test(fasta_damage, rejects_a_file_without_permission) {
  write_text(">a\nACGT\n");
  chmod(location_of(""), 0);
  if (geteuid() == 0) cr_assert_eq(seteuid(65534), 0); /* the superuser may read everything */
  chmod(location_of(""), 0);
  cla_sequence *sequence = NULL;
  assert_error(cla_sequence_read(&sequence, location_of(""), &why), CLA_ERROR_INPUT,
               "Permission denied; check the path and its permissions");
  cr_expect(getuid() != 0 || seteuid(0) == 0);
}

Test(fasta_damage, rejects_an_empty_file) {
  write_text("");
  expect_refused("", "is empty");
  write_text("\n\r\n  \n");
  expect_refused("", "is empty");
  expect_refused(":a", "is empty");
}

Test(fasta_damage, rejects_a_record_without_letters) {
  write_text(">a");
  expect_refused("", "record 'a' of");
  write_text(">a\n\n \n>b\nACGT\n");
  expect_refused(":a", "has no letters");
  expect_letters(":b", "b", "ACGT");
}

Test(fasta_damage, rejects_a_record_without_a_name) {
  write_text(">\nACGT\n");
  expect_refused("", "has no name; write one after the '>'");
}

Test(fasta_damage, rejects_letters_outside_the_alphabet_with_their_position) {
  write_text(">a\nACGT\nAC!GT\n");
  expect_refused("", "record 'a'");
  expect_refused("", "'!' at position 7");
  write_text(">a\nACGTE\nACGTACGTACGTACGT\n");
  expect_refused("", "'E' at position 5, which is no nucleotide letter");
  write_text(">a\nAC--GT\n");
  expect_refused("", "remove the gaps");
  write_text(">a\nAC>GT\n");
  expect_refused("", "'>' at position 3");
  write_bytes(">a\nAC\0GT\n", 9);
  expect_refused("", "byte 0x00 at position 3");
  write_text(">a\nAC\x1bGT\n");
  expect_refused("", "byte 0x1B at position 3");
}

/* The input's buffer is 64 KiB: its end must not pass for the end of a line. */
Test(fasta_damage, does_not_take_the_middle_of_a_line_for_a_header) {
  enum { SIZE = 70000 };
  char *text = malloc(SIZE + 1), part[32];
  cr_assert_not_null(text);
  for (int at = 65533; at < 65540; at++) {
    memset(text, 'A', SIZE);
    memcpy(text, ">r\n", 3);
    text[at] = '>';
    text[SIZE] = '\0';
    snprintf(part, sizeof part, "'>' at position %d", at - 2);
    write_text(text);
    expect_refused("", part);
  }
  free(text);
}

Test(fasta_damage, rejects_letters_that_could_be_of_either_kind) {
  write_text(">p\nMKVSHRDN\n");
  expect_refused("", "could be DNA with many ambiguous letters or a protein: only 1 of its 8 letters");
  write_text(">p\nACGTACGTACGTACGTLACGT\n");
  expect_refused("", "'L' at position 17, which is no nucleotide letter, but most others are");
}

Test(fasta_damage, rejects_other_files_by_their_kind) {
  const struct {
    const char *bytes, *part;
    int64_t length;
  } cases[] = {
      {"\x7f"
       "ELF\2\1\1",
       "a program (ELF)", 7},
      {"just some text\n", "begins with 'j' instead of '>' or '@'", 15},
      {"ACGTACGT\n", "such as '>name' before bare letters", 9},
      {"@HD\tVN:1.6\n@SQ\tSN:x\tLN:4\n", "a SAM file", 26},
      {"@SQ\tSN:x\tLN:4\n", "samtools fasta", 14},
      {"BAM\1", "a BAM file", 4},
      {"\x1f\x8b\x08", "truncated gzip", 3},
      {"BZh9", "bzip2", 4},
      {"\x28\xb5\x2f\xfd....", "zstd", 8},
      {"\xff\xfe>\0a\0", "UTF-16", 6},
      {"\xfe\xff\0>\0a", "UTF-16", 6},
      {"\0\0\0\0", "begins with byte 0x00", 4},
      {"\n\n\xff\xd8\xff", "line 3 begins with byte 0xFF", 5},
      {"\r\n\r\n\xff", "line 3 begins with byte 0xFF", 5},
      {">a\0b\nACGT\n", "zero byte", 10},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_bytes(cases[i].bytes, cases[i].length);
    expect_refused("", cases[i].part);
  }
}

Test(fasta_damage, passes_over_a_byte_order_mark) {
  write_bytes("\xef\xbb\xbf>a\nACGT\n", 11);
  expect_letters("", "a", "ACGT");
}

Test(fasta_damage, rejects_a_bam_that_is_compressed) {
  write_compressed("w", "BAM\1\0\0\0\0\0\0\0\0", 12);
  expect_refused("", "a BAM file");
}

Test(fasta_damage, rejects_a_name_of_enormous_length) {
  OWNED(free_memory) char *text = malloc(70001);
  cr_assert_not_null(text);
  memset(text, '>', 70000);
  text[70000] = '\0';
  write_text(text);
  expect_refused("", "longer than 65536");
}

/* The message stays one line of printable text, and its remedy is not cut off. */
Test(fasta_damage, keeps_messages_short_and_printable) {
  char text[5000];
  memset(text, 'n', sizeof text);
  memcpy(text, ">\x1b[31m", 6);
  strcpy(text + 4000, "\nACGTJ\n");
  write_text(text);
  expect_refused("", "or say that it is a protein (the program's --type)");
  expect_refused("", "record '?[31mnnn");
}

Test(fastq, rejects_truncated_and_malformed_records) {
  write_text("@a\nACGT\n+\nIII");
  expect_refused("", "record 'a'");
  expect_refused("", "is truncated: 4 letters, but 3 qualities");
  write_text("@a\nACGT\n+\nIII\n@b\nACGT\n+\nIIII\n");
  expect_refused(":b", "is malformed");
  write_text("@a\nACGT\n+\nIIIII\n");
  expect_refused("", "4 letters, but 5 qualities");
  write_text("@a\nACGT\n");
  expect_refused("", "ends before its '+' line");
  write_text("@a\nACGT\n+");
  expect_refused("", "0 qualities");
  write_text("@a\nACGT\n+\nIIII\nIIII\n");
  expect_refused("", "where the '@' of the next FASTQ record is due");
  write_text("@a\n+\n\n");
  expect_refused("", "no letters");
}

/* Cuts at every length and at none: all but the whole must be refused. */
static void expect_every_cut_refused(const char *mode) {
  enum { LETTERS = 150000, CUTS = 200 };
  random_stream stream;
  OWNED(free_memory) char *text = malloc(LETTERS + 8);
  size_t length;
  cr_assert_not_null(text);
  random_stream_init(&stream, 7, 0);
  strcpy(text, ">r\n");
  for (int i = 0; i < LETTERS; i++) text[3 + i] = "ACGT"[random_stream_below(&stream, 4)];
  text[LETTERS + 3] = '\0';
  write_compressed(mode, text, LETTERS + 3);
  OWNED(free_memory) char *bytes = made_read(location_of(""), &length);
  for (int cut = 1; cut <= CUTS; cut++) {
    const int64_t kept =
        cut <= 40 ? (int64_t)length - cut : (int64_t)random_stream_below(&stream, length - 1) + 1;
    write_bytes(bytes, kept);
    expect_refused("", "");
  }
  write_bytes(bytes, (int64_t)length);
  expect_letters("", "r", text + 3);
}

Test(compressed, rejects_a_truncated_gzip) {
  expect_every_cut_refused("wg");
}
Test(compressed, rejects_a_truncated_bgzf) {
  expect_every_cut_refused("w");
}

Test(compressed, says_that_a_file_is_truncated_or_damaged) {
  char text[4000] = ">r\n";
  size_t length;
  for (size_t i = 3; i < sizeof text; i++) text[i] = "ACGT"[i * i % 7 % 4];
  const char *modes[] = {"w", "wg"};
  for (int i = 0; i < 2; i++) {
    write_compressed(modes[i], text, sizeof text);
    OWNED(free_memory) char *bytes = made_read(location_of(""), &length);
    write_bytes(bytes, (int64_t)length / 2);
    expect_refused("", "truncated or damaged; test it with gzip -t");
    bytes[length / 2] = (char)~bytes[length / 2];
    write_bytes(bytes, (int64_t)length);
    expect_refused("", "truncated or damaged");
  }
}

/* The empty block that ends a bgzf file is 28 bytes; without it a cut between blocks goes unnoticed. */
Test(compressed, rejects_a_bgzf_without_its_end_marker) {
  size_t length;
  write_compressed("w", ">r\nACGT\n", 8);
  OWNED(free_memory) char *bytes = made_read(location_of(""), &length);
  write_bytes(bytes, (int64_t)length - 28);
  expect_refused("", "its last bgzf block is not the end marker");
}

/* Mutates bytes of valid files: whatever comes out, reading ends with a sequence or with a message. Meant
 * to run under AddressSanitizer. */
static void mutate_and_read(const char *bytes, int64_t length, uint64_t seed) {
  random_stream stream;
  OWNED(free_memory) char *mutant = malloc((size_t)length + 1);
  cr_assert_not_null(mutant);
  random_stream_init(&stream, seed, 0);
  memcpy(mutant, bytes, (size_t)length);
  for (uint64_t changes = random_stream_below(&stream, 6); changes > 0; changes--) {
    const uint64_t at = random_stream_below(&stream, (uint64_t)length);
    const char *interesting = ">@+\n\r\t :-N\177\200\377";
    mutant[at] = random_stream_below(&stream, 2) ? (char)random_stream_next(&stream)
                                                 : interesting[random_stream_below(&stream, 14)];
  }
  const int64_t kept =
      random_stream_below(&stream, 3) ? length : (int64_t)random_stream_below(&stream, (uint64_t)length);
  write_bytes(mutant, kept);
  const char *selections[] = {"", ":a", ":b:2-3", ":1-2", ":c"};
  for (size_t i = 0; i < sizeof selections / sizeof *selections; i++) {
    OWNED(free_sequence) cla_sequence *sequence = NULL;
    cla_error error = {.message = ""};
    const cla_status status = cla_sequence_read(&sequence, location_of(selections[i]), &error);
    cr_assert(status == CLA_OK || status == CLA_ERROR_INPUT, "seed %" PRIu64, seed);
    cr_assert((status == CLA_OK) == (sequence != NULL) && (status == CLA_OK) == !*error.message,
              "seed %" PRIu64, seed);
    cr_assert(!strchr(error.message, '\n') && strlen(error.message) < 1000, "seed %" PRIu64, seed);
  }
  OWNED(free_sequence) cla_sequence *sequence = NULL;
  const cla_status status = cla_sequence_from_letters(&sequence, "m", mutant, kept, NULL);
  cr_assert_eq(status == CLA_OK, sequence != NULL);
}

Test(fasta_damage, survives_mutated_files) {
  const char *texts[] = {">a x\nACGT\nNNAC\n>b\nGGTTAACC\n", ">a\r\nACGTACGT\r\n\r\n",
                         "@a\nACGT\n+\nIIII\n@b\nAC\nGT\n+\nII\nII\n"};
  for (uint64_t seed = 0; seed < 1500; seed++) {
    const char *text = texts[seed % 3];
    const int64_t length = (int64_t)strlen(text);
    if (seed % 5) {
      mutate_and_read(text, length, seed);
    } else {
      size_t compressed;
      write_compressed(seed % 2 ? "w" : "wg", text, length);
      OWNED(free_memory) char *bytes = made_read(location_of(""), &compressed);
      mutate_and_read(bytes, (int64_t)compressed, seed);
    }
  }
}
