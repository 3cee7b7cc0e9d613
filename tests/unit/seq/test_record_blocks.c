/* Records in blocks against those of cla_sequence_file_next: names, letters, qualities, case and errors. */

#include "clalign/record_blocks.h"

#include <inttypes.h>
#include <unistd.h>

#include "clalign/sequence_file.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/made_alignment.h"
#include "support/sequence_files.h"
#include "support/test.h"

TestSuite(record_blocks, .init = sequence_files_set_up, .fini = sequence_files_tear_down);

#define TEXT_MOST (1 << 18)

/* A file's text as it is made. */
typedef struct made_text {
  char *bytes;
  int64_t length;
} made_text;

static made_text *begin_text(void) {
  static made_text text;
  if (!text.bytes) text.bytes = malloc(TEXT_MOST);
  cr_assert_not_null(text.bytes);
  text.length = 0;
  return &text;
}

static void add_bytes(made_text *text, const char *bytes, int64_t count) {
  cr_assert_leq(text->length + count, TEXT_MOST);
  memcpy(text->bytes + text->length, bytes, (size_t)count);
  text->length += count;
}

static void add(made_text *text, const char *string) {
  add_bytes(text, string, (int64_t)strlen(string));
}

static void check_record(const cla_record_block *block, int64_t index, const cla_sequence *sequence) {
  const int64_t at = block->offsets[index], length = block->offsets[index + 1] - at;
  const int64_t name = block->name_offsets[index];
  cr_assert_str_eq(block->names + name, cla_sequence_name(sequence));
  cr_assert_eq(block->name_offsets[index + 1] - name, (int64_t)strlen(cla_sequence_name(sequence)) + 1);
  cr_assert_eq(length, cla_sequence_length(sequence));
  cr_assert(memcmp(block->codes + at, sequence_codes(sequence), (size_t)length) == 0);
  if (length == 0) return;
  const uint8_t *qualities = sequence_qualities(sequence), *lower = sequence_lower(sequence);
  cr_assert_eq(block->qualities != NULL, qualities != NULL);
  cr_assert_eq(block->lower != NULL, lower != NULL);
  if (qualities) cr_assert(memcmp(block->qualities + at, qualities, (size_t)length) == 0);
  if (lower) cr_assert(memcmp(block->lower + at, lower, (size_t)length) == 0);
}

/* The block's records are the next ones of the other reader. */
static void check_block(const cla_record_block *block, cla_sequence_file *file,
                        const cla_sequence_options *options) {
  uint32_t met = 0;
  for (int64_t index = 0; index < block->count; index++) {
    cla_sequence *expected = NULL, *again = NULL;
    cla_error one = {.message = ""}, other = {.message = ""};
    const cla_status status = cla_sequence_file_next(&expected, file, options, &one);
    cr_assert_eq(block->status[index], status, "record %" PRId64 ": %s", block->first + index, one.message);
    cr_assert_eq(cla_record_block_read(&again, block, index, options, &other), status);
    cr_assert_str_eq(other.message, one.message);
    if (status == CLA_OK) {
      cr_assert_not_null(expected);
      check_record(block, index, expected);
      cr_assert_str_eq(cla_sequence_location(again), cla_sequence_location(expected));
      cr_assert_eq(sequence_number(again), sequence_number(expected));
      met |= sequence_letters_met(expected);
    } else {
      cr_assert_eq(block->offsets[index], block->offsets[index + 1]);
    }
    cla_sequence_free(expected);
    cla_sequence_free(again);
  }
  cr_assert_eq(block->letters_met, met);
}

static void check_file(const cla_sequence_options *options, int64_t most_records, int64_t most_bytes) {
  cla_sequence_file *file = NULL;
  cla_record_blocks *blocks = NULL;
  cla_record_block block = {0};
  int64_t records = 0;
  cla_error one = {.message = ""}, other = {.message = ""};
  const cla_status status = cla_sequence_file_open(&file, location_of(""), &one);
  cr_assert_eq(cla_record_blocks_open(&blocks, location_of(""), options->qualities, &other), status);
  cr_assert_str_eq(other.message, one.message);
  if (status) return;
  do {
    assert_ok(cla_record_block_cut(&block, blocks, most_records, most_bytes, &why));
    cr_assert_eq(block.first, records);
    cr_assert_leq(block.count, most_records);
    records += block.count;
    assert_ok(cla_record_block_parse(&block, options, &why));
    check_block(&block, file, options);
  } while (block.count > 0);
  cla_sequence *none = NULL;
  assert_ok(cla_sequence_file_next(&none, file, options, &why));
  cr_assert_null(none);
  cla_record_block_free(&block);
  cla_record_blocks_close(blocks);
  cla_sequence_file_close(file);
}

static cla_sequence_options random_options(random_stream *stream) {
  const uint64_t bits = random_stream_next(stream);
  return (cla_sequence_options){.known = true,
                                .alphabet = bits % 8 > 2 ? CLA_ALPHABET_DNA : (cla_alphabet)(bits % 8),
                                .own = "NTGCA+>!",
                                .allow_empty = bits >> 3 & 1,
                                .qualities = bits >> 4 & 1,
                                .keep_case = bits >> 5 & 1};
}

static void check_any(random_stream *stream) {
  for (int turn = 0; turn < 4; turn++) {
    const cla_sequence_options options = random_options(stream);
    const int64_t records = 1 + (int64_t)random_stream_below(stream, 6);
    check_file(&options, records,
               random_stream_below(stream, 2) ? INT64_MAX : 1 + (int64_t)random_stream_below(stream, 80));
  }
}

static const char *pick(random_stream *stream, const char *const *words, size_t count) {
  return words[random_stream_below(stream, count)];
}

#define PICK(...) \
  pick(stream, (const char *const[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

static void add_line_end(made_text *text, random_stream *stream) {
  add(text, PICK("\n", "\n", "\n", "\n", "\r\n", "\r", "\n\n", " \n"));
}

static void add_letters(made_text *text, random_stream *stream, const char *letters, int64_t count) {
  for (; count > 0; count--) add_bytes(text, letters + random_stream_below(stream, strlen(letters)), 1);
}

static void add_fasta(made_text *text, random_stream *stream, bool odd) {
  add(text, PICK(">a", ">bcd some words", "> e > f", ">\tg", ">a>b x", ">name|with|bars 1 2 3"));
  if (odd) add(text, PICK("", "\n>", "\n>\n", "\n\n", "\v"));
  add_line_end(text, stream);
  for (uint64_t lines = random_stream_below(stream, 4); lines > 0; lines--) {
    add_letters(text, stream, "ACGTacgtuN", (int64_t)random_stream_below(stream, 90));
    if (odd) add(text, PICK("", "", " ", "AC GT", "\t", "!", "-", "X", ">", "1", "\x80", "e", "*"));
    add_line_end(text, stream);
  }
}

static void add_fastq(made_text *text, random_stream *stream, bool odd) {
  const int64_t letters = (int64_t)random_stream_below(stream, 90);
  add(text, PICK("@a", "@bcd some words", "@ e @ f", "@\tg", "@a>b x"));
  add(text, PICK("\n", "\n", "\r\n"));
  add_letters(text, stream, "ACGTacgtuN", letters);
  if (odd) add(text, PICK("", "", " ", "\nAC", "A C", "!", "X", "\n"));
  add(text, PICK("\n+\n", "\n+\n", "\n+a\n", "\r\n+\r\n"));
  add_letters(text, stream, odd && random_stream_below(stream, 8) == 0 ? "I \x7f" : "!I@>+~", letters);
  if (odd) add(text, PICK("", "", "I", "II", "\nII", " ", "\n", "\n\n "));
  add(text, PICK("\n", "\n", "\n", "\r\n"));
}

Test(record_blocks, are_the_records_of_random_files) {
  random_stream made, *stream = &made;
  random_stream_init(stream, 11, 0);
  for (int turn = 0; turn < 600; turn++) {
    made_text *text = begin_text();
    const bool fastq = random_stream_below(stream, 2), odd = random_stream_below(stream, 2);
    if (odd) add(text, PICK("", "", "\n", " \n", "\xef\xbb\xbf", "\r\n"));
    for (uint64_t records = random_stream_below(stream, 9); records > 0; records--) {
      const bool strange = odd && random_stream_below(stream, 3) == 0;
      if (fastq)
        add_fastq(text, stream, strange);
      else
        add_fasta(text, stream, strange);
    }
    if (random_stream_below(stream, 2) && text->length > 0)
      text->length -= (int64_t)random_stream_below(stream, (uint64_t)text->length);
    write_bytes(text->bytes, text->length);
    check_any(stream);
  }
}

Test(record_blocks, are_the_records_of_any_bytes) {
  random_stream made, *stream = &made;
  random_stream_init(stream, 12, 0);
  for (int turn = 0; turn < 1000; turn++) {
    made_text *text = begin_text();
    add(text, PICK(">a\n", "@a\n", "", "\n>", "\r@"));
    for (uint64_t parts = random_stream_below(stream, 40); parts > 0; parts--)
      if (random_stream_below(stream, 60) == 0)
        add_bytes(text, "", 1);
      else
        add(text, PICK(">", "@", "+", "\n", "\n", "\n", "\r\n", "\r", " ", "\t", "A", "ACGT", "acgu", "N",
                       "I", "III", "!", "\n>b x\n", "\n@c\n", "\n+\n", "\x80", "\n@d\nAC\n+\nII\n"));
    write_bytes(text->bytes, text->length);
    check_any(stream);
  }
}

static void make_both(made_text *text, bool fastq, random_stream *stream) {
  for (int record = 0; record < 6; record++)
    if (fastq)
      add_fastq(text, stream, record == 4);
    else
      add_fasta(text, stream, record == 4);
}

Test(record_blocks, may_end_at_any_byte) {
  random_stream made, *stream = &made;
  random_stream_init(stream, 13, 0);
  for (int fastq = 0; fastq < 2; fastq++) {
    made_text *text = begin_text();
    make_both(text, fastq, stream);
    write_bytes(text->bytes, text->length);
    for (int64_t most = 1; most <= text->length + 1; most++) {
      const cla_sequence_options options = random_options(stream);
      check_file(&options, 100, most);
    }
  }
}

/* The file is read in pieces of 64 KiB. */
Test(record_blocks, may_lie_across_pieces_of_the_file) {
  random_stream made, *stream = &made;
  random_stream_init(stream, 14, 0);
  for (int turn = 0; turn < 60; turn++) {
    made_text *text = begin_text();
    const bool fastq = turn % 2;
    const int64_t first = 65536 / (fastq ? 2 : 1) - (int64_t)random_stream_below(stream, 300);
    add(text, fastq ? "@long\n" : ">long\n");
    add_letters(text, stream, "ACGT", first);
    if (fastq) add(text, "\n+\n");
    if (fastq) add_letters(text, stream, "!~@", first);
    add(text, "\n");
    make_both(text, fastq, stream);
    write_bytes(text->bytes, text->length);
    check_any(stream);
    if (turn < 40) continue;
    write_compressed(turn % 3 ? "w" : "wg", text->bytes, text->length);
    check_any(stream);
    cr_assert_eq(truncate(location_of(""), 20000 + (int64_t)random_stream_below(stream, 10000)), 0);
    check_any(stream);
  }
}

Test(record_blocks, names_may_be_too_long) {
  random_stream made, *stream = &made;
  random_stream_init(stream, 15, 0);
  for (int turn = 0; turn < 20; turn++) {
    made_text *text = begin_text();
    add(text, turn % 2 ? ">a\nAC\n>" : "@a\nAC\n+\nII\n@");
    add_letters(text, stream, "n", 65536 + (int64_t)random_stream_below(stream, 4) - 2);
    add(text, turn % 4 < 2 ? " words" : "");
    add(text, turn % 2 ? "\nAC\n>b\nGT\n" : "\nAC\n+\nII\n@b\nGT\n+\nII\n");
    write_bytes(text->bytes, text->length);
    check_any(stream);
  }
}

Test(record_blocks, are_refused_without_an_alphabet) {
  cla_record_blocks *blocks = NULL;
  cla_record_block block = {0};
  write_text(">a\nACGT\n");
  assert_ok(cla_record_blocks_open(&blocks, location_of(""), false, &why));
  assert_ok(cla_record_block_cut(&block, blocks, 1, 1, &why));
  assert_error(cla_record_block_parse(&block, &(cla_sequence_options){0}, &why), CLA_ERROR_OPTION,
               "known alphabet");
  OWNED(free_sequence) cla_sequence *sequence = NULL;
  assert_ok(cla_record_block_read(&sequence, &block, 0, NULL, &why));
  cr_expect_eq(cla_sequence_alphabet(sequence), CLA_ALPHABET_DNA);
  cla_record_block_free(&block);
  cla_record_blocks_close(blocks);
}
