/* The strands of the query on every device against the oracle. */

#include "seq/sequence.h"
#include "support/build_kinds.h"
#include "support/cases/pair_case.h"
#include "support/small_plans.h"
#include "support/test.h"
#include "support/test_devices.h"

/* Every other pair with its query turned around, so that both strands have something to find. */
static void make(pair_case *one, uint64_t seed, int64_t letters) {
  random_pair *pair = &one->pair;
  random_pair_make(pair, seed, letters);
  if (seed % 2) {
    uint8_t *turned = malloc((size_t)pair->query_length);
    cr_assert_not_null(turned);
    reverse_complement_codes(turned, pair->query, pair->query_length);
    free(pair->query);
    pair->query = turned;
  }
  pair_case_begin(one);
}

/* What the oracle says of the other strand, in its positions. */
static void align_reverse(reference_alignment *out, const pair_case *one) {
  OWNED(free_memory) uint8_t *turned = malloc((size_t)one->pair.query_length);
  cr_assert_not_null(turned);
  reverse_complement_codes(turned, one->pair.query, one->pair.query_length);
  pair_case_reference(out, one, turned, one->pair.target, NULL);
}

/* `reverse`: of the strand that must be found; NULL: the forward one. */
static void expect_result(pair_case *one, cla_device *device, cla_strand strand,
                          const reference_alignment *reverse) {
  static const char *const names[] = {"forward", "reverse", "both strands"};
  one->options.strand = strand;
  cla_alignment *got =
      pair_case_align(one, device, one->pair.seed % 4 < 2 ? small_plan : NULL, names[strand]);
  cr_assert_eq(got->strand, reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD, "%s: %s", names[strand],
               one->text);
  pair_case_compare(one, got, reverse ? reverse : &one->want, names[strand]);
}

/* A claim holds for the better strand: at its score there is a result, one above it there is none. */
static void check_claims(pair_case *one, cla_device *device, const reference_alignment *reverse) {
  cla_alignment *got = NULL;
  one->options.lower_bound.kind = CLA_LOWER_BOUND_SCORE;
  one->options.lower_bound.score = reverse ? reverse->score : one->want.score;
  expect_result(one, device, CLA_STRAND_BOTH, reverse);
  one->options.lower_bound.score++;
  cr_expect_eq(cla_align(&got, device, one->query, one->target, &one->options, &why), CLA_ERROR_OPTION);
  cr_expect_null(got);
}

static long long check_strands(cla_device *device, pair_case *one) {
  const int part = one->pair.seed % 3 ? PART_CHOSEN : PART_VECTOR32;
  reference_alignment reverse;
  if (!random_pair_is_tested(&one->pair, part, false)) return 0;
  one->options.kernel.name = part == PART_CHOSEN ? NULL : "vector32";
  align_reverse(&reverse, one);
  const bool better = reverse.score > one->want.score;
  expect_result(one, device, CLA_STRAND_REVERSE, &reverse);
  expect_result(one, device, CLA_STRAND_BOTH, better ? &reverse : NULL);
  check_claims(one, device, better ? &reverse : NULL);
  reference_alignment_free(&reverse);
  return better;
}

VARIATION(strands, equal_the_oracle_of_the_reverse_complement, .count_name = "CLALIGN_TEST_STRANDS",
          .count = 30, .of_kinds = true, .seed = 7000000, .letters = 300, .make = make,
          .check = check_strands, .judge = variation_some_but_not_all)

Test(strands, of_a_path_that_is_a_bound_must_be_the_one_that_is_aligned) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  OWNED(pair_case_end) pair_case one = {0};
  OWNED(reference_alignment_free) reference_alignment reverse;
  make(&one, 7000001, 300);
  align_reverse(&reverse, &one);
  for (int strand = CLA_STRAND_FORWARD; strand <= CLA_STRAND_REVERSE; strand++) {
    const reference_alignment *of = strand == CLA_STRAND_REVERSE ? &reverse : &one.want;
    const cla_path path = {.strand = (cla_strand)strand,
                           .query_start = of->query_start,
                           .target_start = of->target_start,
                           .runs = of->runs,
                           .run_count = of->run_count};
    for (int aligned = CLA_STRAND_FORWARD; aligned <= CLA_STRAND_BOTH; aligned++) {
      one.options.lower_bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_PATH, .path = &path};
      const bool better = reverse.score > one.want.score;
      const bool back = aligned == CLA_STRAND_REVERSE || (aligned == CLA_STRAND_BOTH && better);
      expect_result(&one, device, (cla_strand)aligned, back ? &reverse : NULL);
    }
  }
}
