#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "../support/made_alignment.h"
#include "write/alignment_codec.h"
#include "write/alignment_facts.h"
#include "write/alignment_file.h"

static char *folder, *path;

static void set_up(void) {
  folder = made_folder();
  path = made_path(folder, "a.cla");
}

static void tear_down(void) {
  made_folder_remove(folder);
  free(path);
}

TestSuite(alignment_file, .init = set_up, .fini = tear_down);

static made_alignment example(void) {
  return made_alignment_make("TTACGTACGTTACGT", "GGACGTGACGTACGT", CLA_MODE_LOCAL, 2, 2, "4P1T4P1Q4P");
}

static void save(const cla_alignment *alignment) {
  cla_error error = {.message = ""};
  cr_assert_eq(cla_alignment_save(path, &alignment, 1, &error), CLA_OK, "%s", error.message);
}

static void expect_rejected(const char *part) {
  cla_alignment **loaded = (cla_alignment **)&folder; /* must be overwritten */
  size_t count = 7;
  cla_error error = {.message = ""};
  cr_assert_eq(cla_alignment_load(&loaded, &count, path, &error), CLA_ERROR_INPUT, "expected: %s", part);
  cr_assert_null(loaded);
  cr_assert_eq(count, 0);
  cr_assert(strstr(error.message, path), "no path in: %s", error.message);
  cr_assert(strstr(error.message, part), "message: %s; expected in it: %s", error.message, part);
  cr_assert_null(strchr(error.message, '\n'));
}

/* A file around any payload, with right sizes and digest. */
static void write_container(const void *payload, size_t length, size_t payload_bytes, uint32_t count,
                            alignment_file_coding coding) {
  byte_sink sink = {0};
  XXH128_canonical_t digest;
  byte_sink_put(&sink, ALIGNMENT_FILE_MAGIC, ALIGNMENT_FILE_MAGIC_BYTES);
  byte_sink_put_fixed(&sink, ALIGNMENT_FILE_VERSION, 4);
  byte_sink_put_fixed(&sink, count, 4);
  byte_sink_put_fixed(&sink, coding, 4);
  byte_sink_put_fixed(&sink, 0, 4);
  byte_sink_put_fixed(&sink, payload_bytes, 8);
  byte_sink_put_fixed(&sink, length, 8);
  byte_sink_put(&sink, payload, (int64_t)length);
  XXH128_canonicalFromHash(&digest, XXH3_128bits(sink.bytes, (size_t)sink.length));
  byte_sink_put(&sink, digest.digest, ALIGNMENT_FILE_DIGEST_BYTES);
  made_write(path, sink.bytes, (size_t)sink.length);
  free(sink.bytes);
}

static void expect_round_trip(const cla_alignment *const *alignments, size_t count, const char *what) {
  cla_alignment **loaded = NULL;
  size_t loaded_count = 0;
  cla_error error = {.message = ""};
  cr_assert_eq(cla_alignment_save(path, alignments, count, &error), CLA_OK, "%s: %s", what, error.message);
  cr_assert_eq(cla_alignment_load(&loaded, &loaded_count, path, &error), CLA_OK, "%s: %s", what,
               error.message);
  cr_assert_eq(loaded_count, count);
  for (size_t index = 0; index < count; index++) {
    cr_assert(made_alignment_same(alignments[index], loaded[index]), "%s: alignment %zu", what, index);
    cr_assert_eq(loaded[index]->metrics.cells, 0);
  }
  cla_alignments_free(loaded, loaded_count);
}

Test(alignment_file, gives_back_random_alignments) {
  for (uint64_t seed = 1; seed <= 300; seed++) {
    char what[64];
    made_alignment made = made_alignment_random(seed, seed % 10 == 0 ? 5000 : 40);
    const cla_alignment *alignment = made.alignment;
    snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
    expect_round_trip(&alignment, 1, what);
    made_alignment_free(&made);
  }
}

Test(alignment_file, holds_several_alignments_matrices_and_score_only_results) {
  made_alignment first = example(), matrix = example(), bare = example();
  cla_scoring *scoring = &matrix.alignment->scoring;
  scoring->matrix_size = 5;
  strcpy(scoring->letters, "ACGT*");
  for (int row = 0; row < 5; row++)
    for (int column = 0; column < 5; column++)
      scoring->matrix[row * CLA_MATRIX_STRIDE + column] = 100000 * (row - 2) - 77 * column;
  free(matrix.alignment->query.location);
  matrix.alignment->query.location = strdup("some folder/genome.fa.gz:chr1:3-17");
  bare.alignment->has_path = false;
  bare.alignment->run_count = 0;
  free(bare.alignment->runs);
  bare.alignment->runs = NULL;
  bare.alignment->query.start = bare.alignment->target.start = -1;
  const cla_alignment *alignments[] = {first.alignment, matrix.alignment, bare.alignment};
  expect_round_trip(alignments, 3, "three");
  made_alignment_free(&first);
  made_alignment_free(&matrix);
  made_alignment_free(&bare);
}

/* A program that knows version 1 only goes on reading what it can understand. */
Test(alignment_file, has_the_lowest_version_that_holds_its_alignments) {
  static const char versions[] = {1, 2, 4};
  made_alignment plain = example(), protein = example(), halves = example();
  const cla_alignment *alignments[] = {plain.alignment, protein.alignment, halves.alignment};
  cla_scoring *scoring = &protein.alignment->scoring;
  protein.alignment->alphabet = CLA_ALPHABET_PROTEIN;
  scoring->matrix_size = 1;
  strcpy(scoring->letters, "A");
  memset(scoring->matrix_name, 'm', sizeof scoring->matrix_name - 1);
  halves.alignment->scoring.units = 2;
  for (size_t count = 1; count <= 3; count++) {
    size_t length = 0;
    expect_round_trip(alignments, count, "version");
    char *bytes = made_read(path, &length);
    cr_expect_eq(bytes[ALIGNMENT_FILE_MAGIC_BYTES], versions[count - 1]);
    free(bytes);
  }
  made_alignment_free(&plain);
  made_alignment_free(&protein);
  made_alignment_free(&halves);
}

Test(alignment_file, tells_how_the_gaps_were_placed) {
  made_alignment left = example(), right = example();
  const cla_alignment *alignments[] = {left.alignment, right.alignment};
  left.alignment->gap_placement = CLA_GAPS_LEFT;
  right.alignment->gap_placement = CLA_GAPS_RIGHT;
  expect_round_trip(alignments, 2, "placement");
  made_alignment_free(&left);
  made_alignment_free(&right);
}

Test(alignment_file, keeps_both_pieces_of_gap_costs) {
  made_alignment two = example(), flat = example(), wrong = example();
  const cla_alignment *alignments[] = {two.alignment, flat.alignment};
  two.alignment->scoring.gap_first2 = flat.alignment->scoring.gap_first2 =
      two.alignment->scoring.gap_first + 7;
  two.alignment->scoring.gap_ext2 = two.alignment->scoring.gap_ext - 1;
  expect_round_trip(alignments, 2, "two pieces");
  wrong.alignment->scoring.gap_ext2 = 1; /* no first letter */
  cla_error error = {.message = ""};
  alignments[0] = wrong.alignment;
  cr_expect_neq(cla_alignment_save(path, alignments, 1, &error), CLA_OK);
  made_alignment_free(&two);
  made_alignment_free(&flat);
  made_alignment_free(&wrong);
}

Test(alignment_file, tells_the_rotation_of_either_sequence) {
  made_alignment query = example(), target = example();
  const cla_alignment *alignments[] = {query.alignment, target.alignment};
  query.alignment->query.rotation = 1;
  target.alignment->target.rotation = 3;
  expect_round_trip(alignments, 2, "rotation");
  target.alignment->target.rotation = target.alignment->target.length;
  cla_error error = {.message = ""};
  cr_expect_neq(cla_alignment_save(path, alignments, 2, &error), CLA_OK);
  made_alignment_free(&query);
  made_alignment_free(&target);
}

Test(alignment_file, keeps_the_order_of_touching_gaps) {
  static const char *const paths[] = {"1P2Q3T2P", "1P3T2Q2P", "3T1Q2P1Q", "1Q2T1Q3P1T1Q1P", "2Q3T3P"};
  for (size_t index = 0; index < sizeof paths / sizeof paths[0]; index++) {
    /* Lengths follow from the path: letters are A throughout. */
    char query[32] = "", target[32] = "";
    for (const char *at = paths[index]; *at; at += 2) {
      if (at[1] != 'T') strncat(query, "AAAAAAAA", (size_t)(at[0] - '0'));
      if (at[1] != 'Q') strncat(target, "AAAAAAAA", (size_t)(at[0] - '0'));
    }
    made_alignment made = made_alignment_make(query, target, CLA_MODE_GLOBAL, 0, 0, paths[index]);
    const cla_alignment *alignment = made.alignment;
    expect_round_trip(&alignment, 1, paths[index]);
    made_alignment_free(&made);
  }
}

Test(alignment_file, holds_coordinates_and_scores_up_to_63_bits) {
  made_alignment made = example();
  const cla_alignment *alignment = made.alignment;
  cla_side *query = &made.alignment->query;
  query->length = query->end = INT64_MAX;
  query->begin = query->start = INT64_MAX - 20;
  query->stop = query->start + 13;
  made.alignment->score = INT64_MAX;
  expect_round_trip(&alignment, 1, "large");
  made_alignment_free(&made);
}

Test(alignment_file, has_the_same_bytes_whatever_the_metrics) {
  made_alignment made = example();
  size_t length = 0, again_length = 0;
  save(made.alignment);
  char *bytes = made_read(path, &length);
  made.alignment->metrics = (cla_metrics){.cells = 5, .seconds = 1.5, .device = "some device"};
  save(made.alignment);
  char *again = made_read(path, &again_length);
  cr_assert_eq(length, again_length);
  cr_expect_arr_eq(bytes, again, length);
  free(bytes);
  free(again);
  made_alignment_free(&made);
}

Test(alignment_file, takes_a_few_bytes_a_gap) {
  enum { GAPS = 20000 };
  int64_t length = 50 * GAPS + GAPS;
  char *letters = malloc((size_t)length + 1);
  memset(letters, 'A', (size_t)length);
  letters[length] = 0;
  made_alignment made = made_alignment_make(letters, letters, CLA_MODE_LOCAL, 0, 0, "");
  cla_alignment *alignment = made.alignment;
  alignment->runs = calloc(2 * GAPS + 1, sizeof(cla_run));
  for (int gap = 0; gap < GAPS; gap++) {
    int64_t pairs = 20 + (gap * 7919) % 31;
    alignment->runs[alignment->run_count++] = (cla_run){.length = pairs, .kind = CLA_RUN_PAIR};
    alignment->runs[alignment->run_count++] =
        (cla_run){.length = 1, .kind = gap % 3 ? CLA_RUN_QUERY : CLA_RUN_TARGET};
    alignment->query.stop += pairs + (gap % 3 != 0);
    alignment->target.stop += pairs + (gap % 3 == 0);
  }
  alignment->runs[alignment->run_count++] = (cla_run){.length = 1, .kind = CLA_RUN_PAIR};
  alignment->query.stop++;
  alignment->target.stop++;
  alignment->score = 1;
  const cla_alignment *view = alignment;
  struct stat state;
  expect_round_trip(&view, 1, "many gaps");
  cr_assert_eq(stat(path, &state), 0);
  cr_expect_lt(state.st_size, 3 * GAPS + 300);
  free(letters);
  made_alignment_free(&made);
}

Test(alignment_file, stores_plainly_what_would_be_compressed_too_much) {
  enum { GAPS = 600000 }; /* all alike: a payload of 1.8 MB that zstd would shrink to nearly nothing */
  made_alignment made = made_alignment_make("A", "A", CLA_MODE_GLOBAL, 0, 0, "1P");
  cla_alignment *alignment = made.alignment;
  free(alignment->runs);
  alignment->runs = calloc(2 * GAPS, sizeof(cla_run));
  alignment->run_count = 2 * GAPS;
  for (int gap = 0; gap < GAPS; gap++) {
    alignment->runs[2 * gap] = (cla_run){.length = 1, .kind = CLA_RUN_PAIR};
    alignment->runs[2 * gap + 1] = (cla_run){.length = 1, .kind = CLA_RUN_QUERY};
  }
  alignment->query.length = alignment->query.end = alignment->query.stop = 2 * GAPS;
  alignment->target.length = alignment->target.end = alignment->target.stop = GAPS;
  const cla_alignment *view = alignment;
  struct stat state;
  expect_round_trip(&view, 1, "uniform gaps");
  cr_assert_eq(stat(path, &state), 0);
  cr_expect_gt(state.st_size, 3 * GAPS);
  made_alignment_free(&made);
}

Test(alignment_file, is_rejected_when_truncated_at_any_byte) {
  made_alignment made = example();
  size_t length = 0;
  save(made.alignment);
  char *bytes = made_read(path, &length);
  for (size_t kept = 0; kept < length; kept++) {
    made_write(path, bytes, kept);
    expect_rejected(kept == 0 ? "is empty" : "is truncated");
  }
  free(bytes);
  made_alignment_free(&made);
}

Test(alignment_file, is_rejected_when_any_bit_is_altered) {
  made_alignment made = example();
  size_t length = 0;
  save(made.alignment);
  char *bytes = made_read(path, &length);
  for (size_t bit = 0; bit < 8 * length; bit++) {
    bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
    made_write(path, bytes, length);
    expect_rejected("");
    bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
  }
  free(bytes);
  made_alignment_free(&made);
}

Test(alignment_file, is_rejected_with_bytes_after_its_end) {
  made_alignment made = example();
  size_t length = 0;
  save(made.alignment);
  char *bytes = made_read(path, &length);
  made_write(path, bytes, length + 1); /* the zero after the bytes */
  expect_rejected("goes on after its");
  free(bytes);
  made_alignment_free(&made);
}

Test(alignment_file, of_a_newer_version_names_both_versions) {
  made_alignment made = example();
  size_t length = 0;
  save(made.alignment);
  char *bytes = made_read(path, &length);
  bytes[ALIGNMENT_FILE_MAGIC_BYTES] = 5;
  made_write(path, bytes, length);
  expect_rejected("format version 5, this program knows versions up to 4");
  free(bytes);
  made_alignment_free(&made);
}

/* Further facts: one, key 4, value 2 ("01 04 04"). */
Test(alignment_file, with_facts_that_make_no_sense_is_rejected) {
  static const struct {
    uint8_t bytes[3];
    const char *fault;
  } cases[] = {{{1, 99, 4}, "fact 99 is unknown"},
               {{1, 4, 0}, "fact 4 is unknown"},
               {{1, 4, 3}, "without a sensible value"},
               {{1, 6, 6}, "fact 6 is unknown, repeated or without a sensible value"}};
  static const uint8_t facts[] = {1, 4, 4};
  made_alignment made = example();
  byte_sink sink = {0};
  made.alignment->scoring.units = 2;
  alignment_encode(&sink, made.alignment, ALIGNMENT_FILE_VERSION, false);
  uint8_t *found = memmem(sink.bytes, (size_t)sink.length, facts, sizeof facts);
  cr_assert_not_null(found);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    memcpy(found, cases[i].bytes, sizeof facts);
    write_container(sink.bytes, (size_t)sink.length, (size_t)sink.length, 1, ALIGNMENT_FILE_PLAIN);
    expect_rejected(cases[i].fault);
  }
  free(sink.bytes);
  made_alignment_free(&made);
}

Test(alignment_file, a_band_below_zero_is_no_sensible_fact) {
  static const int64_t bands[] = {INT64_MIN, -1, 0};
  for (size_t i = 0; i < sizeof bands / sizeof bands[0]; i++) {
    cla_alignment alignment = {0};
    byte_sink sink = {0};
    bool has_work = false;
    uint64_t key = 0;
    byte_sink_put_unsigned(&sink, 1);
    byte_sink_put_unsigned(&sink, 7); /* the band, stored as one more than it is */
    byte_sink_put_signed(&sink, bands[i]);
    byte_source source = {.at = sink.bytes, .end = sink.bytes + sink.length};
    cr_expect(!alignment_facts_take(&alignment, &has_work, &source, &key), "%" PRId64, bands[i]);
    cr_expect_eq(key, 7);
    free(sink.bytes);
  }
}

Test(alignment_file, that_is_none_is_rejected) {
  expect_rejected("No such file");
  made_write(path, "", 0);
  expect_rejected("is empty");
  made_write(path, ">q\nACGT\n", 8);
  expect_rejected("is not a binary alignment");
  made_write(path, "\x89PNG\r\n\x1a\n and more", 17);
  expect_rejected("is not a binary alignment");
  cr_assert_eq(remove(path), 0);
  cr_assert_eq(mkdir(path, 0700), 0);
  expect_rejected("is a directory");
}

Test(alignment_file, with_absurd_sizes_is_rejected_without_memory_for_them) {
  static const uint64_t sizes[] = {1u << 30, UINT64_MAX, INT64_MAX, UINT64_MAX - 55, (uint64_t)1 << 40};
  made_alignment made = example();
  size_t length = 0;
  save(made.alignment);
  char *bytes = made_read(path, &length);
  for (size_t index = 0; index < sizeof sizes / sizeof sizes[0]; index++)
    for (size_t field = 24; field <= 32; field += 8) { /* payload bytes, stored bytes */
      char *copy = malloc(length);
      memcpy(copy, bytes, length);
      for (size_t byte = 0; byte < 8; byte++) copy[field + byte] = (char)(sizes[index] >> (8 * byte));
      made_write(path, copy, length);
      expect_rejected(path);
      free(copy);
    }
  /* A right digest around a frame that would grow 20,000 times over. */
  size_t large = 64u << 20;
  char *zeros = calloc(large, 1), *packed = malloc(ZSTD_compressBound(large));
  size_t packed_bytes = ZSTD_compress(packed, ZSTD_compressBound(large), zeros, large, 1);
  write_container(packed, packed_bytes, large, 1, ALIGNMENT_FILE_ZSTD);
  expect_rejected("impossible values");
  write_container(packed, packed_bytes, 1000, 1, ALIGNMENT_FILE_ZSTD);
  expect_rejected("cannot be decompressed");
  free(zeros);
  free(packed);
  free(bytes);
  made_alignment_free(&made);
}

Test(alignment_file, with_impossible_header_values_is_rejected_under_a_right_checksum) {
  static const struct {
    size_t offset;
    uint8_t value;
  } cases[] = {{8, 0}, {12, 0}, {14, 1}, {16, 2}, {20, 1}, {23, 1}};
  made_alignment made = example();
  size_t length = 0;
  save(made.alignment);
  char *bytes = made_read(path, &length);
  size_t covered = length - ALIGNMENT_FILE_DIGEST_BYTES;
  for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) {
    XXH128_canonical_t digest;
    char kept = bytes[cases[index].offset];
    bytes[cases[index].offset] = (char)cases[index].value;
    XXH128_canonicalFromHash(&digest, XXH3_128bits(bytes, covered));
    memcpy(bytes + covered, digest.digest, sizeof digest.digest);
    made_write(path, bytes, length);
    expect_rejected("impossible values");
    bytes[cases[index].offset] = kept;
  }
  free(bytes);
  made_alignment_free(&made);
}

Test(alignment_file, with_less_data_than_announced_is_rejected) {
  char zeros[1000] = "", packed[1000];
  size_t packed_bytes = ZSTD_compress(packed, sizeof packed, zeros, sizeof zeros, 1);
  write_container(packed, packed_bytes, sizeof zeros + 1, 1, ALIGNMENT_FILE_ZSTD);
  expect_rejected("cannot be decompressed");
}

/* A payload of one global alignment of 10 query and 8 target letters, up to its gap lists. */
static byte_sink open_payload(int64_t query_start, int64_t query_stop) {
  made_alignment made = made_alignment_make("AAAAAAAAAA", "AAAAAAAA", CLA_MODE_GLOBAL, 0, 0, "8P2Q");
  byte_sink sink = {0};
  made.alignment->query.start = query_start;
  made.alignment->query.stop = query_stop;
  alignment_encode(&sink, made.alignment, ALIGNMENT_FILE_VERSION, false);
  sink.length -= 1 + 1 + 3; /* no gap in the query; one in the target */
  made_alignment_free(&made);
  return sink;
}

/* `numbers` are the two lists as the file has them; -1 ends them. */
static void expect_lists(const int64_t *numbers, const char *part) {
  byte_sink sink = open_payload(0, 10);
  for (; *numbers >= 0; numbers++) byte_sink_put_unsigned(&sink, (uint64_t)*numbers);
  write_container(sink.bytes, (size_t)sink.length, (size_t)sink.length, 1, ALIGNMENT_FILE_PLAIN);
  if (part) {
    expect_rejected(part);
  } else {
    cla_alignment **loaded = NULL;
    size_t count = 0;
    cr_assert_eq(cla_alignment_load(&loaded, &count, path, NULL), CLA_OK);
    cr_expect_eq(loaded[0]->run_count, 2);
    cla_alignments_free(loaded, count);
  }
  free(sink.bytes);
}

Test(alignment_file, with_gap_lists_that_do_not_fit_is_rejected) {
  expect_lists((int64_t[]){0, 1, 8, 8, 2, -1}, NULL);
  expect_lists((int64_t[]){0, 1, 8, 7, 2, -1}, "does not fit the path");
  expect_lists((int64_t[]){0, 1, 8, 8, 1, -1}, "do not lead to the alignment's stop");
  expect_lists((int64_t[]){0, 1, 8, 8, 3, -1}, "do not lead to the alignment's stop");
  expect_lists((int64_t[]){0, 1, 9, 9, 1, -1}, "do not lead to the alignment's stop");
  expect_lists((int64_t[]){0, 2, 8, 8, 2, 0, 0, 0, -1}, "has the length 0");
  expect_lists((int64_t[]){0, 2, 8, 8, 1, 0, 0, 1, -1}, "same kind");
  expect_lists((int64_t[]){1, 4, 4, 0, 1, 8, 8, 2, -1}, "has the length 0");
  expect_lists((int64_t[]){0, 1, 8, 8, INT64_MAX, -1}, "does not fit the path");
  expect_lists((int64_t[]){0, 1, INT64_MAX, INT64_MAX, 2, -1}, "does not fit the path");
  expect_lists((int64_t[]){0, 2, 8, 8, 2, INT64_MAX, INT64_MAX, 1, -1}, "does not fit the path");
  expect_lists((int64_t[]){0, 0, -1}, "do not lead to the alignment's stop");
  expect_lists((int64_t[]){0, 1, 8, 8, -1}, "gaps in the target ends too early");
  expect_lists((int64_t[]){INT64_MAX, 1, 8, 8, 2, -1}, "gaps in the query ends too early");
  expect_lists((int64_t[]){0, -1}, "gaps in the target ends too early");
  expect_lists((int64_t[]){0, 1, 8, 8, 2, 0, -1}, "go on after the last alignment");
}

Test(alignment_file, with_a_number_that_is_longer_than_needed_is_rejected) {
  static const uint8_t two_ways[][7] = {{0, 1, 8, 8, 2}, {0, 1, 8, 8, 0x82, 0}};
  for (int way = 0; way < 2; way++) {
    cla_alignment **loaded = NULL;
    size_t count = 0;
    byte_sink sink = open_payload(0, 10);
    byte_sink_put(&sink, two_ways[way], way == 0 ? 5 : 6);
    write_container(sink.bytes, (size_t)sink.length, (size_t)sink.length, 1, ALIGNMENT_FILE_PLAIN);
    cr_expect_eq(cla_alignment_load(&loaded, &count, path, NULL), way == 0 ? CLA_OK : CLA_ERROR_INPUT);
    cla_alignments_free(loaded, count);
    free(sink.bytes);
  }
}

Test(alignment_file, with_impossible_coordinates_is_rejected) {
  static const struct {
    int64_t start, stop;
  } cases[] = {{-1, 10}, {INT64_MIN, 10}, {1, 10}, {11, 10}, {0, 11}, {0, 0}, {INT64_MAX, INT64_MAX}};
  for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) {
    byte_sink sink = open_payload(cases[index].start, cases[index].stop);
    for (const char *at = "\x00\x01\x08\x08\x02", *end = at + 5; at < end; at++) byte_sink_put(&sink, at, 1);
    write_container(sink.bytes, (size_t)sink.length, (size_t)sink.length, 1, ALIGNMENT_FILE_PLAIN);
    expect_rejected("is damaged: in alignment 1 of 1");
    free(sink.bytes);
  }
}

Test(alignment_file, with_any_altered_payload_byte_never_gives_an_inconsistent_alignment) {
  made_alignment made = example();
  byte_sink sink = {0};
  alignment_encode(&sink, made.alignment, ALIGNMENT_FILE_VERSION, false);
  for (int64_t byte = 0; byte < sink.length; byte++)
    for (int value = 0; value < 256; value += byte < 2 ? 1 : 5) {
      uint8_t kept = sink.bytes[byte];
      cla_alignment **loaded = NULL;
      size_t count = 0;
      sink.bytes[byte] = (uint8_t)value;
      write_container(sink.bytes, (size_t)sink.length, (size_t)sink.length, 1, ALIGNMENT_FILE_PLAIN);
      cla_status status = cla_alignment_load(&loaded, &count, path, NULL);
      cr_assert(status == CLA_OK || status == CLA_ERROR_INPUT);
      if (status == CLA_OK) {
        const cla_alignment *view = loaded[0];
        cr_assert_eq(cla_alignment_save(path, &view, 1, NULL), CLA_OK, "byte %lld value %d", (long long)byte,
                     value);
      }
      cla_alignments_free(loaded, count);
      sink.bytes[byte] = kept;
    }
  free(sink.bytes);
  made_alignment_free(&made);
}

Test(alignment_file, is_not_written_from_an_inconsistent_alignment) {
  made_alignment made = example();
  const cla_alignment *alignment = made.alignment;
  cla_error error;
  made.alignment->runs[0].length++;
  cr_expect_eq(cla_alignment_save(path, &alignment, 1, &error), CLA_ERROR_VERIFICATION);
  cr_expect(
      strstr(error.message, "passes the query's stop") || strstr(error.message, "passes the target's stop"),
      "%s", error.message);
  cr_expect_eq(cla_alignment_save(path, &alignment, 0, &error), CLA_ERROR_OPTION);
  cr_expect_eq(made_folder_entries(folder), 0);
  made_alignment_free(&made);
}

/* Their scores would be means over no pairs at all. */
Test(alignment_file, of_proteins_with_scores_of_ambiguous_nucleotides_is_neither_written_nor_read) {
  made_alignment made = example();
  const cla_alignment *alignment = made.alignment;
  byte_sink sink = {0};
  cla_error error = {.message = ""};
  made.alignment->alphabet = CLA_ALPHABET_PROTEIN;
  made.alignment->scoring.ambiguity = CLA_AMBIGUITY_EXPECTED;
  cr_expect_eq(cla_alignment_save(path, &alignment, 1, &error), CLA_ERROR_VERIFICATION);
  cr_expect(strstr(error.message, "ambiguous nucleotides"), "%s", error.message);
  alignment_encode(&sink, alignment, ALIGNMENT_FILE_VERSION, false);
  write_container(sink.bytes, (size_t)sink.length, (size_t)sink.length, 1, ALIGNMENT_FILE_PLAIN);
  expect_rejected("ambiguous nucleotides");
  free(sink.bytes);
  made_alignment_free(&made);
}

Test(alignment_file, in_a_missing_folder_is_an_output_error) {
  made_alignment made = example();
  const cla_alignment *alignment = made.alignment;
  char *missing = made_path(folder, "no/a.cla");
  cla_error error;
  cr_expect_eq(cla_alignment_save(missing, &alignment, 1, &error), CLA_ERROR_OUTPUT);
  cr_expect(strstr(error.message, missing) && strstr(error.message, "create the folder"), "%s",
            error.message);
  free(missing);
  made_alignment_free(&made);
}
