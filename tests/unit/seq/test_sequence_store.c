/* Many records of few files: each as cla_sequence_read_with reads it, in any order and from any kind of file.
 */

#include "clalign/sequence_file.h"
#include "seq/sequence.h"
#include "support/made_alignment.h"
#include "support/sequence_files.h"
#include "support/test.h"

TestSuite(sequence_store, .init = sequence_files_set_up, .fini = sequence_files_tear_down);

#define RECORDS 60

static uint64_t random_state;

static int draw(int below) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (int)((random_state >> 33) % (unsigned)below);
}

static void seed(void) {
  const char *given = getenv("CLALIGN_TEST_SEED");
  random_state = given ? strtoull(given, NULL, 10) : 1;
  fprintf(stderr, "seed %llu\n", (unsigned long long)random_state);
}

/* Makes records of up to some thousand letters in lines of any length, with either kind of line end. Many lie
 * across the borders of pieces that are read at once. */
static char *make_file(size_t *length, bool crlf, bool with_faults) {
  char *text = NULL;
  FILE *file = open_memstream(&text, length);
  for (int record = 0; record < RECORDS; record++) {
    const int letters = with_faults && record % 11 == 5 ? 0 : 1 + draw(9000), line = 1 + draw(200);
    fprintf(file, ">r%d some words%s", with_faults && record == 30 ? 29 : record, crlf ? "\r\n" : "\n");
    for (int i = 0; i < letters; i++) {
      fputc(with_faults && record % 13 == 7 && i == letters / 2 ? '!' : "ACGTacgtN"[draw(9)], file);
      if (i % line == line - 1) fputs(crlf ? "\r\n" : "\n", file);
    }
    fputs(crlf ? "\r\n" : "\n", file);
    if (draw(4) == 0) fputs(crlf ? "\r\n\r\n" : "\n\n", file);
  }
  fclose(file);
  return text;
}

static void expect_same(const cla_sequence *a, const cla_sequence *b) {
  uint8_t sums[2][16];
  cr_assert_str_eq(cla_sequence_name(a), cla_sequence_name(b));
  cr_assert_eq(cla_sequence_length(a), cla_sequence_length(b));
  cr_assert_eq(cla_sequence_begin(a), cla_sequence_begin(b));
  cr_assert_eq(cla_sequence_end(a), cla_sequence_end(b));
  cr_assert_eq(cla_sequence_alphabet(a), cla_sequence_alphabet(b));
  cla_sequence_checksum(a, sums[0]);
  cla_sequence_checksum(b, sums[1]);
  cr_assert_arr_eq(sums[0], sums[1], 16);
  for (int64_t i = 0; i < cla_sequence_length(a); i += 97)
    cr_assert_eq(cla_sequence_letter(a, i), cla_sequence_letter(b, i));
}

/* What the store gives is what reading gives, errors and their words included. */
static void compare(cla_sequence_store *store, const char *selection, const cla_sequence_options *options) {
  OWNED(free_sequence) cla_sequence *stored = NULL, *read = NULL;
  cla_error errors[2] = {{.message = ""}, {.message = ""}};
  const char *location = location_of(selection);
  const cla_status status = cla_sequence_store_read(&stored, store, location, options, &errors[0]);
  cr_assert_eq(status, cla_sequence_read_with(&read, location, options, &errors[1]), "%s: %s, not: %s",
               selection, errors[0].message, errors[1].message);
  cr_assert_str_eq(errors[0].message, errors[1].message);
  if (status == CLA_OK) {
    expect_same(stored, read);
    cr_assert_str_eq(cla_sequence_location(stored), location);
  }
}

static void compare_many(int64_t bytes) {
  cla_sequence_store *store = NULL;
  char selection[64];
  assert_ok(cla_sequence_store_open(&store, bytes, &why));
  for (int i = 0; i < 150; i++) {
    const int record = draw(RECORDS + 2), from = 1 + draw(3000);
    const cla_sequence_options options = {.known = draw(3) == 0,
                                          .alphabet = draw(2) ? CLA_ALPHABET_DNA : CLA_ALPHABET_PROTEIN,
                                          .allow_empty = draw(2) == 0};
    switch (draw(6)) {
      case 0: snprintf(selection, sizeof selection, ":r%d:%d-%d", record, from, from + draw(4000)); break;
      case 1: snprintf(selection, sizeof selection, ":r%d:%d-", record, from); break;
      case 2: snprintf(selection, sizeof selection, "%s", draw(2) ? "" : ":5-9"); break;
      default: snprintf(selection, sizeof selection, ":r%d", record);
    }
    compare(store, selection, &options);
  }
  cla_sequence_store_close(store);
}

Test(sequence_store, gives_what_reading_gives_from_every_kind_of_file) {
  seed();
  for (int kind = 0; kind < 8; kind++) {
    size_t length;
    OWNED(free_memory) char *text = make_file(&length, kind & 1, kind & 2);
    if (kind & 4)
      write_compressed(kind & 1 ? "w" : "wg", text, (int64_t)length);
    else
      write_bytes(text, (int64_t)length);
    compare_many(kind % 3 == 0 ? 0 : kind % 3 == 1 ? 20000 : INT64_MAX);
  }
}

Test(sequence_store, gives_the_only_record_of_a_file_and_its_ranges) {
  cla_sequence_store *store = NULL;
  const cla_sequence_options options = {0};
  const char *const selections[] = {"", ":x", ":2-3", ":x:2-3", ":y", ":x:9-10", ":0-1"};
  assert_ok(cla_sequence_store_open(&store, 1000, &why));
  write_text(">x\nACGT\n");
  for (size_t i = 0; i < sizeof selections / sizeof *selections; i++) compare(store, selections[i], &options);
  cla_sequence_store_close(store);
}

Test(sequence_store, keeps_sequences_that_outlive_it) {
  cla_sequence_store *store = NULL;
  cla_sequence *sequences[3] = {NULL};
  write_text(">a\nACGT\n>b\nGGTT\n");
  assert_ok(cla_sequence_store_open(&store, 0, &why));
  const char *const selections[] = {":a", ":a:2-3", ":b"};
  for (int i = 0; i < 3; i++)
    assert_ok(cla_sequence_store_read(&sequences[i], store, location_of(selections[i]), NULL, &why));
  cla_sequence_store_close(store);
  cla_sequence_free(sequences[0]);
  cr_expect_eq(cla_sequence_letter(sequences[1], 3), 'T');
  cr_expect_eq(cla_sequence_begin(sequences[1]), 1);
  cr_expect_eq(cla_sequence_letter(sequences[2], 0), 'G');
  cla_sequence_free(sequences[1]);
  cla_sequence_free(sequences[2]);
}

/* The record of that number in the order of the file, or NULL at the end. */
static cla_sequence *record_at(cla_sequence_file *file, int64_t number) {
  cla_sequence *sequence = NULL;
  assert_ok(cla_sequence_file_read(&sequence, file, number, NULL, &why));
  return sequence;
}

Test(sequence_file, gives_records_in_their_order_and_by_their_numbers, .init = sequence_files_set_up,
     .fini = sequence_files_tear_down) {
  size_t length;
  seed();
  char *text = make_file(&length, false, false);
  for (int packed = 0; packed < 2; packed++) {
    cla_sequence *all[RECORDS + 1];
    cla_sequence_file *in_order = NULL, *by_number = NULL;
    int64_t count = 0;
    if (packed)
      write_compressed("wg", text, (int64_t)length);
    else
      write_bytes(text, (int64_t)length);
    assert_ok(cla_sequence_file_open(&in_order, location_of(""), &why));
    assert_ok(cla_sequence_file_open(&by_number, location_of(""), &why));
    for (int i = 0; i <= RECORDS; i++) assert_ok(cla_sequence_file_next(&all[i], in_order, NULL, &why));
    cr_assert_null(all[RECORDS]);
    cr_assert_not_null(all[RECORDS - 1]);
    for (int i = 0; i < 200; i++) {
      const int number = draw(RECORDS + 3);
      cla_sequence *one = record_at(by_number, number);
      cr_assert_eq(one != NULL, number < RECORDS);
      if (one) expect_same(one, all[number]);
      cla_sequence_free(one);
      if (i == 50) assert_ok(cla_sequence_file_count(&count, by_number, &why));
    }
    cr_expect_eq(count, RECORDS);
    for (int i = 0; i < RECORDS; i++) cla_sequence_free(all[i]);
    cla_sequence_file_close(in_order);
    cla_sequence_file_close(by_number);
  }
  free(text);
}

/* The record of a block, as a text of its letters. */
static void expect_record(const cla_record_block *block, int64_t index, const cla_sequence *want) {
  const int64_t *offset = block->offsets + index;
  const int64_t begin = cla_sequence_begin(want), letters = cla_sequence_end(want) - begin;
  cr_assert_eq(offset[1] - offset[0], letters);
  for (int64_t i = 0; i < letters; i++)
    cr_expect_eq(SEQUENCE_LETTERS[block->codes[offset[0] + i]], cla_sequence_letter(want, begin + i));
  cr_expect_str_eq(block->names + block->name_offsets[index], cla_sequence_name(want));
}

/* Whether the file is in memory or not, records and ranges are those that are read. */
Test(sequence_store, finds_what_it_reads, .init = sequence_files_set_up, .fini = sequence_files_tear_down) {
  static const char *const selections[] = {":y",         ":x",     ":y:2-3", ":#2",  ":x",
                                           ":twice:1-2", ":twice", ":none",  ":y:9-"};
  const cla_sequence_options how = {.known = true, .alphabet = CLA_ALPHABET_DNA};
  const char *text = ">x first\nACGTACGTAC\nNNA\n>y\nGGG\n>twice:1-2\nCCCC\n>twice\nA\n>twice\nT\n";
  for (int round = 0; round < 6; round++) {
    OWNED(cla_record_block_free) cla_record_block block = {.count = 0};
    cla_sequence_store *store = NULL;
    if (round % 3 > 0)
      write_compressed(round % 3 == 1 ? "w" : "wg", text, (int64_t)strlen(text));
    else
      write_text(text);
    assert_ok(cla_sequence_store_open(&store, round < 3 ? 0 : 1 << 20, &why));
    for (size_t i = 0; i < sizeof selections / sizeof *selections; i++) {
      cla_sequence *want = NULL;
      cla_record_source source;
      cla_error other = {.message = ""};
      const cla_status status = cla_sequence_store_read(&want, store, location_of(selections[i]), &how, &why);
      cr_expect_eq(cla_sequence_store_find(&source, store, location_of(selections[i]), &how, &other), status);
      if (status != CLA_OK) {
        cr_expect_str_eq(other.message, why.message);
        continue;
      }
      if (round >= 3 && i < 2) cr_expect_not_null(source.block);
      assert_ok(cla_record_block_add(&block, &source, CLA_OK, &why));
      expect_record(&block, block.count - 1, want);
      cla_sequence_free(want);
    }
    cr_expect_eq(block.count, 6);
    assert_ok(cla_record_block_add(&block, NULL, CLA_ERROR_INPUT, &why));
    cr_expect_eq(block.status[6], CLA_ERROR_INPUT);
    cr_expect_eq(block.offsets[7], block.offsets[6]);
    cla_record_block_clear(&block);
    cr_expect_eq(block.count, 0);
    cla_sequence_store_close(store);
  }
}

/* A file whose name goes on behind the colon is another one. */
Test(sequence_store, knows_files_with_colons, .init = sequence_files_set_up,
     .fini = sequence_files_tear_down) {
  cla_sequence_store *store = NULL;
  const cla_sequence_options how = {.known = true, .alphabet = CLA_ALPHABET_DNA};
  cla_record_source source;
  char other[4096];
  write_text(">x\nACGT\n>y\nGG\n");
  snprintf(other, sizeof other, "%s", location_of(":x"));
  FILE *file = fopen(other, "w");
  cr_assert_not_null(file);
  fputs(">whole\nTTTTT\n", file);
  fclose(file);
  assert_ok(cla_sequence_store_open(&store, 1 << 20, &why));
  assert_ok(cla_sequence_store_find(&source, store, location_of(":y"), &how, &why));
  assert_ok(cla_sequence_store_find(&source, store, location_of(":x"), &how, &why));
  cr_assert_not_null(source.sequence);
  cr_expect_str_eq(cla_sequence_name(source.sequence), "whole");
  cla_sequence_free(source.sequence);
  cla_sequence_store_close(store);
  remove(other);
}

Test(sequence_file, goes_on_after_a_record_that_cannot_be, .init = sequence_files_set_up,
     .fini = sequence_files_tear_down) {
  cla_sequence_file *file = NULL;
  cla_sequence *sequence = NULL;
  write_text(">a\nACGT\n>b\nAC!T\n>c\n>d\nGG\n");
  assert_ok(cla_sequence_file_open(&file, location_of(""), &why));
  assert_ok(cla_sequence_file_next(&sequence, file, NULL, &why));
  cr_expect(strstr(cla_sequence_location(sequence), "s.fa:a"));
  cla_sequence_free(sequence);
  assert_error(cla_sequence_file_next(&sequence, file, NULL, &why), CLA_ERROR_INPUT, "'!' at position 3");
  cr_expect_eq(cla_sequence_file_next(&sequence, file, NULL, &why), CLA_ERROR_INPUT);
  assert_ok(cla_sequence_file_next(&sequence, file, NULL, &why));
  cr_expect_str_eq(cla_sequence_name(sequence), "d");
  cla_sequence_free(sequence);
  assert_ok(cla_sequence_file_next(&sequence, file, NULL, &why));
  cr_expect_null(sequence);
  cla_sequence_file_close(file);
}
