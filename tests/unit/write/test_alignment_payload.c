/* What stands in a binary alignment under a right checksum must make sense, too. */

#include <inttypes.h>

#include "result/alignment_codec.h"
#include "support/alignment_files.h"
#include "support/made_alignment.h"
#include "support/test.h"

TestSuite(alignment_payload, .init = alignment_file_begin, .fini = own_file_end);

/* Further facts: one, key 4, value 2 ("01 04 04"). */
Test(alignment_payload, with_facts_that_make_no_sense_is_rejected) {
  static const struct {
    uint8_t bytes[3];
    const char *fault;
  } cases[] = {{{1, 99, 4}, "fact 99 is unknown"},
               {{1, 4, 0}, "fact 4 is unknown"},
               {{1, 4, 3}, "without a sensible value"},
               {{1, 6, 8}, "fact 6 is unknown, repeated or without a sensible value"}};
  static const uint8_t facts[] = {1, 4, 4};
  OWNED_MADE made = alignment_file_example();
  byte_sink sink = {0};
  made.alignment->scoring.units = 2;
  alignment_encode(&sink, made.alignment, ALIGNMENT_CODEC_VERSION, false);
  uint8_t *found = memmem(sink.bytes, (size_t)sink.length, facts, sizeof facts);
  cr_assert_not_null(found);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    memcpy(found, cases[i].bytes, sizeof facts);
    alignment_file_wrap_one(&sink);
    alignment_file_expect_rejected(cases[i].fault);
  }
  free(sink.bytes);
}

Test(alignment_payload, a_band_below_zero_is_no_sensible_fact) {
  static const int64_t bands[] = {INT64_MIN, -1, 0};
  for (size_t i = 0; i < sizeof bands / sizeof bands[0]; i++) {
    cla_alignment alignment = {0};
    byte_sink sink = {0};
    int work_form = 0;
    uint64_t key = 0;
    byte_sink_put_unsigned(&sink, 1);
    byte_sink_put_unsigned(&sink, 7); /* the band, stored as one more than it is */
    byte_sink_put_signed(&sink, bands[i]);
    byte_source source = {.at = sink.bytes, .end = sink.bytes + sink.length};
    cr_expect(!alignment_facts_take(&alignment, &work_form, &source, &key), "%" PRId64, bands[i]);
    cr_expect_eq(key, 7);
    free(sink.bytes);
  }
}

/* A payload of one global alignment of 10 query and 8 target letters, up to its gap lists. */
static byte_sink open_payload(int64_t query_start, int64_t query_stop) {
  made_alignment made = made_alignment_make("AAAAAAAAAA", "AAAAAAAA", CLA_MODE_GLOBAL, 0, 0, "8P2Q");
  byte_sink sink = {0};
  made.alignment->query.start = query_start;
  made.alignment->query.stop = query_stop;
  alignment_encode(&sink, made.alignment, ALIGNMENT_CODEC_VERSION, false);
  sink.length -= 1 + 1 + 3; /* no gap in the query; one in the target */
  made_alignment_free(&made);
  return sink;
}

/* `numbers` are the two lists as the file has them; -1 ends them. */
static void expect_lists(const int64_t *numbers, const char *part) {
  byte_sink sink = open_payload(0, 10);
  for (; *numbers >= 0; numbers++) byte_sink_put_unsigned(&sink, (uint64_t)*numbers);
  alignment_file_wrap_one(&sink);
  if (part) {
    alignment_file_expect_rejected(part);
  } else {
    cla_alignment **loaded = NULL;
    size_t count = 0;
    assert_ok(cla_alignment_load(&loaded, &count, own_path, &why));
    cr_expect_eq(loaded[0]->run_count, 2);
    cla_alignments_free(loaded, count);
  }
  free(sink.bytes);
}

Test(alignment_payload, with_gap_lists_that_do_not_fit_is_rejected) {
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

Test(alignment_payload, with_a_number_that_is_longer_than_needed_is_rejected) {
  static const uint8_t two_ways[][7] = {{0, 1, 8, 8, 2}, {0, 1, 8, 8, 0x82, 0}};
  for (int way = 0; way < 2; way++) {
    cla_alignment **loaded = NULL;
    size_t count = 0;
    byte_sink sink = open_payload(0, 10);
    byte_sink_put(&sink, two_ways[way], way == 0 ? 5 : 6);
    alignment_file_wrap_one(&sink);
    cr_expect_eq(cla_alignment_load(&loaded, &count, own_path, NULL), way == 0 ? CLA_OK : CLA_ERROR_INPUT);
    cla_alignments_free(loaded, count);
    free(sink.bytes);
  }
}

Test(alignment_payload, with_impossible_coordinates_is_rejected) {
  static const struct {
    int64_t start, stop;
  } cases[] = {{-1, 10}, {INT64_MIN, 10}, {1, 10}, {11, 10}, {0, 11}, {0, 0}, {INT64_MAX, INT64_MAX}};
  for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) {
    byte_sink sink = open_payload(cases[index].start, cases[index].stop);
    for (const char *at = "\x00\x01\x08\x08\x02", *end = at + 5; at < end; at++) byte_sink_put(&sink, at, 1);
    alignment_file_wrap_one(&sink);
    alignment_file_expect_rejected("is damaged: in alignment 1 of 1");
    free(sink.bytes);
  }
}

Test(alignment_payload, with_any_altered_payload_byte_never_gives_an_inconsistent_alignment) {
  OWNED_MADE made = alignment_file_example();
  byte_sink sink = {0};
  alignment_encode(&sink, made.alignment, ALIGNMENT_CODEC_VERSION, false);
  for (int64_t byte = 0; byte < sink.length; byte++)
    for (int value = 0; value < 256; value += byte < 2 ? 1 : 5) {
      uint8_t kept = sink.bytes[byte];
      cla_alignment **loaded = NULL;
      size_t count = 0;
      sink.bytes[byte] = (uint8_t)value;
      alignment_file_wrap_one(&sink);
      cla_status status = cla_alignment_load(&loaded, &count, own_path, NULL);
      cr_assert(status == CLA_OK || status == CLA_ERROR_INPUT);
      if (status == CLA_OK) {
        const cla_alignment *view = loaded[0];
        assert_ok_for(cla_alignment_save(own_path, &view, 1, &why), "byte %lld value %d", (long long)byte,
                      value);
      }
      cla_alignments_free(loaded, count);
      sink.bytes[byte] = kept;
    }
  free(sink.bytes);
}

/* Their scores would be means over no pairs at all. */
Test(alignment_payload, of_proteins_with_scores_of_ambiguous_nucleotides_is_neither_written_nor_read) {
  OWNED_MADE made = alignment_file_example();
  const cla_alignment *alignment = made.alignment;
  byte_sink sink = {0};
  made.alignment->alphabet = CLA_ALPHABET_PROTEIN;
  made.alignment->scoring.ambiguity = CLA_AMBIGUITY_EXPECTED;
  assert_error(cla_alignment_save(own_path, &alignment, 1, &why), CLA_ERROR_VERIFICATION,
               "ambiguous nucleotides");
  alignment_encode(&sink, alignment, ALIGNMENT_CODEC_VERSION, false);
  alignment_file_wrap_one(&sink);
  alignment_file_expect_rejected("ambiguous nucleotides");
  free(sink.bytes);
}
