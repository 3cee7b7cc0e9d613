/* Circular sequences on the first device against the oracle of every rotation. */

#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/build_kinds.h"
#include "support/cases/pair_case.h"
#include "support/test.h"
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
static void best_rotation(expected *out, const pair_case *one, const uint8_t *query, bool query_is_circle) {
  const int64_t letters = query_is_circle ? one->pair.query_length : one->pair.target_length;
  const uint8_t *circle = query_is_circle ? query : one->pair.target;
  OWNED(free_memory) uint8_t *rotated = malloc((size_t)letters);
  cr_assert_not_null(rotated);
  memset(out, 0, sizeof *out);
  for (int64_t rotation = 0; rotation < letters; rotation++) {
    reference_alignment of;
    rotate_codes(rotated, circle, letters, rotation);
    pair_case_reference(&of, one, query_is_circle ? rotated : query,
                        query_is_circle ? one->pair.target : rotated, NULL);
    if (rotation == 0 || of.score > out->score) {
      if (rotation > 0) reference_alignment_free(&out->alignment);
      *out = (expected){.score = of.score, .rotation = rotation, .alignment = of};
    } else {
      reference_alignment_free(&of);
    }
  }
}

static const char *difference(const cla_alignment *got, const expected *want, bool query_is_circle,
                              bool reverse) {
  const int64_t letters = got->query.length;
  int64_t rotation = want->rotation;
  if (query_is_circle && reverse) rotation = (letters - rotation) % letters;
  if (got->strand != (reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD)) return "strand";
  if (got->query.rotation != (query_is_circle ? rotation : 0)) return "the query's rotation";
  if (got->target.rotation != (query_is_circle ? 0 : rotation)) return "the target's rotation";
  return NULL;
}

/* Returns whether the best is another rotation than the one given. */
static bool check_pair(cla_device *device, pair_case *one, bool query_is_circle, cla_strand strand) {
  const char *how = query_is_circle ? "circular query" : "circular target";
  expected forward, reverse;
  uint8_t *turned = malloc((size_t)one->pair.query_length);
  cr_assert_not_null(turned);
  reverse_complement_codes(turned, one->pair.query, one->pair.query_length);
  best_rotation(&forward, one, one->pair.query, query_is_circle);
  best_rotation(&reverse, one, turned, query_is_circle);
  const bool back =
      strand == CLA_STRAND_REVERSE || (strand == CLA_STRAND_BOTH && reverse.score > forward.score);
  const expected *want = back ? &reverse : &forward;
  one->options.strand = strand;
  one->options.circular = query_is_circle ? CLA_CIRCULAR_QUERY : CLA_CIRCULAR_TARGET;
  cla_alignment *got = pair_case_align(one, device, NULL, how);
  const char *differs = difference(got, want, query_is_circle, back);
  cr_assert_null(differs, "%s, %s, strand %d: %s differs", one->text, how, (int)strand, differs);
  pair_case_compare(one, got, &want->alignment, how);
  /* The score itself is reached, one unit more is not. */
  one->options.has_min_score = true;
  one->options.min_score = want->score + 1;
  assert_ok(cla_align(&got, device, one->query, one->target, &one->options, &why));
  cr_assert_null(got, "%s", one->text);
  const bool rotated = want->rotation > 0;
  reference_alignment_free(&forward.alignment);
  reference_alignment_free(&reverse.alignment);
  free(turned);
  return rotated;
}

static long long check_rotations(cla_device *device, pair_case *one) {
  return random_pair_is_tested(&one->pair, PART_CHOSEN, false) &&
         check_pair(device, one, one->number % 4 < 2, (cla_strand)(one->number % 3));
}

/* Every other pair with its target rotated, so that there is a rotation to find. */
static void make(pair_case *one, uint64_t seed, int64_t letters) {
  random_pair *pair = &one->pair;
  random_stream stream;
  random_pair_make(pair, seed, letters);
  random_stream_init(&stream, seed, 5);
  uint8_t *turned = malloc((size_t)pair->target_length);
  cr_assert_not_null(turned);
  rotate_codes(turned, pair->target, pair->target_length,
               one->number % 2 ? (int64_t)random_stream_below(&stream, (uint64_t)pair->target_length) : 0);
  free(pair->target);
  pair->target = turned;
  pair_case_begin(one);
}

VARIATION(circular, equals_the_oracle_of_every_rotation, .count_name = "CLALIGN_TEST_CIRCLES", .count = 25,
          .of_kinds = true, .one_device = true, .seed = 9100000, .letters = 24, .make = make,
          .check = check_rotations, .judge = variation_some_but_not_all)

/* Every letter counts, the last one of the last rotation too: on every day, with kernels of one kind. */
Test(circular, the_last_rotation_is_found_like_any_other, .timeout = 600) {
  enum { LETTERS = 23 };
  OWNED(close_device) cla_device *device = test_device_open(0);
  int rotated = 0;
  for (int64_t rotation = LETTERS - 3; rotation < LETTERS; rotation++)
    for (int query_is_circle = 0; query_is_circle < 2; query_is_circle++) {
      uint8_t *circle = random_letters(LETTERS, 3), *other = random_letters(LETTERS, 3);
      OWNED(pair_case_end)
      pair_case one = {.pair = {.query = query_is_circle ? circle : other,
                                .target = query_is_circle ? other : circle,
                                .query_length = LETTERS,
                                .target_length = LETTERS,
                                .mode = CLA_MODE_LOCAL,
                                .kind = "rotated",
                                .scheme = "default"}};
      cla_scoring_init(&one.pair.scoring);
      rotate_codes(other, circle, LETTERS, rotation);
      pair_case_begin(&one);
      rotated += check_pair(device, &one, query_is_circle, CLA_STRAND_FORWARD);
    }
  cr_expect_eq(rotated, 6);
}

Test(circular, refuses_what_it_cannot_be) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  OWNED(free_sequence) cla_sequence *query = NULL, *target = NULL;
  cla_alignment *got = NULL;
  assert_ok(cla_sequence_from_letters(&query, "q", "ACGTACGT", 8, &why));
  assert_ok(cla_sequence_from_letters(&target, "t", "ACGTTACGT", 9, &why));
  for (int i = 0; i < 4; i++) {
    cla_align_options options;
    cla_align_options_init(&options);
    options.circular = i == 0 ? (cla_circular)3 : CLA_CIRCULAR_TARGET;
    if (i == 1) options.mode = CLA_MODE_EXTEND;
    if (i == 2) options.run.directory = "folder";
    if (i == 3) options.lower_bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_SCORE, .score = 1};
    cr_expect_eq(cla_align(&got, device, query, target, &options, &why), CLA_ERROR_OPTION, "%d", i);
    cr_expect_null(got);
  }
}
