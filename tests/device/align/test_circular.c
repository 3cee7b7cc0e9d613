/* Circular sequences on the first device against the oracle of every rotation. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/align.h"
#include "reference/reference.h"
#include "seq/random_stream.h"
#include "seq/reverse_complement.h"
#include "support/build_kinds.h"
#include "support/random_pairs.h"
#include "support/reference_difference.h"
#include "support/test_devices.h"

/* What must come out: the first rotation of those with the best score, and its alignment. */
typedef struct expected {
  int64_t score, rotation;
  reference_alignment alignment;
} expected;

static void rotate_codes(uint8_t *out, const uint8_t *codes, int64_t length, int64_t rotation) {
  for (int64_t i = 0; i < length; i++) out[i] = codes[(i + rotation) % length];
}

/* On the query's strand as it is given in `query`. */
static void best_rotation(expected *out, const random_pair *pair, const uint8_t *query,
                          bool query_is_circle) {
  const int64_t rows = pair->query_length, columns = pair->target_length;
  const int64_t letters = query_is_circle ? rows : columns;
  const uint8_t *circle = query_is_circle ? query : pair->target;
  uint8_t *rotated = malloc((size_t)letters);
  cla_error error = {.message = ""};
  score_table table;
  cr_assert_not_null(rotated);
  score_table_build(&table, &pair->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  memset(out, 0, sizeof *out);
  for (int64_t rotation = 0; rotation < letters; rotation++) {
    reference_alignment one;
    rotate_codes(rotated, circle, letters, rotation);
    cr_assert_eq(reference_align(&one, query_is_circle ? rotated : query, rows,
                                 query_is_circle ? pair->target : rotated, columns, &table, &pair->scoring,
                                 path_ends_make(pair->mode, 0), &error),
                 CLA_OK, "%s", error.message);
    if (rotation == 0 || one.score > out->score) {
      if (rotation > 0) reference_alignment_free(&out->alignment);
      *out = (expected){.score = one.score, .rotation = rotation, .alignment = one};
    } else {
      reference_alignment_free(&one);
    }
  }
  free(rotated);
}

static const char *difference(const cla_alignment *got, const expected *want, bool query_is_circle,
                              bool reverse) {
  const int64_t letters = got->query.length;
  int64_t rotation = want->rotation;
  if (query_is_circle && reverse) rotation = (letters - rotation) % letters;
  if (got->strand != (reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD)) return "strand";
  if (got->query.rotation != (query_is_circle ? rotation : 0)) return "the query's rotation";
  if (got->target.rotation != (query_is_circle ? 0 : rotation)) return "the target's rotation";
  return reference_difference(got, &want->alignment);
}

static void check_pair(cla_device *device, const random_pair *pair, bool query_is_circle, cla_strand strand,
                       int64_t *rotated) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  cla_error error = {.message = ""};
  cla_alignment *got = NULL;
  expected forward, reverse;
  uint8_t *turned = malloc((size_t)pair->query_length);
  cr_assert_not_null(turned);
  reverse_complement_codes(turned, pair->query, pair->query_length);
  best_rotation(&forward, pair, pair->query, query_is_circle);
  best_rotation(&reverse, pair, turned, query_is_circle);
  cla_sequence *query = random_pair_sequence("query", pair->query, pair->query_length);
  cla_sequence *target = random_pair_sequence("target", pair->target, pair->target_length);
  const bool back =
      strand == CLA_STRAND_REVERSE || (strand == CLA_STRAND_BOTH && reverse.score > forward.score);
  const expected *want = back ? &reverse : &forward;
  cla_align_options options;
  cla_align_options_init(&options);
  options.mode = pair->mode;
  options.scoring = pair->scoring;
  options.strand = strand;
  options.circular = query_is_circle ? CLA_CIRCULAR_QUERY : CLA_CIRCULAR_TARGET;
  cr_assert_eq(cla_align(&got, device, query, target, &options, &error), CLA_OK, "%s: %s",
               random_pair_text(pair, text), error.message);
  const char *differs = difference(got, want, query_is_circle, back);
  cr_assert_null(differs, "%s, circular %s, strand %d: %s differs", random_pair_text(pair, text),
                 query_is_circle ? "query" : "target", (int)strand, differs);
  *rotated += want->rotation > 0;
  /* The score itself is reached, one unit more is not. */
  cla_alignment_free(got);
  options.has_min_score = true;
  options.min_score = want->score + 1;
  cr_assert_eq(cla_align(&got, device, query, target, &options, &error), CLA_OK, "%s", error.message);
  cr_assert_null(got, "%s", random_pair_text(pair, text));
  reference_alignment_free(&forward.alignment);
  reference_alignment_free(&reverse.alignment);
  cla_sequence_free(query);
  cla_sequence_free(target);
  free(turned);
}

/* Every other pair with its target rotated, so that there is a rotation to find. */
Test(circular, equals_the_oracle_of_every_rotation, .timeout = 1200) {
  const long long count = test_count("CLALIGN_TEST_CIRCLES", 25);
  cla_device *device = test_device_open(0);
  int64_t rotated = 0;
  for (long long i = 0; i < count * build_kinds_drawn(); i++) {
    const uint64_t seed = 9100000 + (uint64_t)i;
    random_pair pair;
    random_stream stream;
    random_pair_make(&pair, seed, 24);
    if (!random_pair_is_tested(&pair, PART_CHOSEN, false)) {
      random_pair_free(&pair);
      continue;
    }
    random_stream_init(&stream, seed, 5);
    uint8_t *turned = malloc((size_t)pair.target_length);
    cr_assert_not_null(turned);
    rotate_codes(turned, pair.target, pair.target_length,
                 i % 2 ? (int64_t)random_stream_below(&stream, (uint64_t)pair.target_length) : 0);
    memcpy(pair.target, turned, (size_t)pair.target_length);
    free(turned);
    check_pair(device, &pair, i % 4 < 2, (cla_strand)(i % 3), &rotated);
    random_pair_free(&pair);
  }
  printf("about %lld pairs, %lld rotated, seeds from 9100000\n", count, (long long)rotated);
  if (count >= 20) cr_expect(rotated > 0 && rotated < count);
  cla_device_close(device);
}

Test(circular, refuses_what_it_cannot_be) {
  cla_device *device = test_device_open(0);
  cla_error error = {.message = ""};
  cla_sequence *query = NULL, *target = NULL;
  cla_alignment *got = NULL;
  cr_assert_eq(cla_sequence_from_letters(&query, "q", "ACGTACGT", 8, &error), CLA_OK);
  cr_assert_eq(cla_sequence_from_letters(&target, "t", "ACGTTACGT", 9, &error), CLA_OK);
  for (int i = 0; i < 4; i++) {
    cla_align_options options;
    cla_align_options_init(&options);
    options.circular = i == 0 ? (cla_circular)3 : CLA_CIRCULAR_TARGET;
    if (i == 1) options.mode = CLA_MODE_EXTEND;
    if (i == 2) options.run_dir = "folder";
    if (i == 3) options.lower_bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_SCORE, .score = 1};
    cr_expect_eq(cla_align(&got, device, query, target, &options, &error), CLA_ERROR_OPTION, "%d", i);
    cr_expect_null(got);
  }
  cla_sequence_free(query);
  cla_sequence_free(target);
  cla_device_close(device);
}
