/* The strands of the query on every device against the oracle. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "pipeline/pipeline.h"
#include "reference/reference.h"
#include "seq/random_stream.h"
#include "seq/reverse_complement.h"
#include "support/build_kinds.h"
#include "support/random_pairs.h"
#include "support/reference_difference.h"
#include "support/small_plans.h"
#include "support/test_devices.h"

/* A pair, and what the oracle says of its two strands, in positions of the strand. */
typedef struct strand_case {
  random_pair pair;
  cla_sequence *query, *target;
  reference_alignment forward, reverse;
} strand_case;

static void align_reference(reference_alignment *out, const random_pair *pair, const uint8_t *query) {
  cla_error error = {.message = ""};
  score_table table;
  score_table_build(&table, &pair->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  cr_assert_eq(reference_align(out, query, pair->query_length, pair->target, pair->target_length, &table,
                               &pair->scoring, path_ends_make(pair->mode, 0), &error),
               CLA_OK, "%s", error.message);
}

/* Every other pair with its query turned around, so that both strands have something to find. */
static void begin(strand_case *one, uint64_t seed) {
  random_pair_make(&one->pair, seed, 300);
  random_pair *pair = &one->pair;
  uint8_t *turned = malloc((size_t)pair->query_length);
  cr_assert_not_null(turned);
  for (int64_t i = 0; i < pair->query_length; i++)
    turned[i] = nucleotide_complement[pair->query[pair->query_length - 1 - i]];
  if (seed % 2) {
    uint8_t *swap = pair->query;
    pair->query = turned;
    turned = swap;
  }
  align_reference(&one->forward, pair, pair->query);
  align_reference(&one->reverse, pair, turned);
  free(turned);
  one->query = random_pair_sequence("query", pair->query, pair->query_length);
  one->target = random_pair_sequence("target", pair->target, pair->target_length);
}

static void end(strand_case *one) {
  reference_alignment_free(&one->forward);
  reference_alignment_free(&one->reverse);
  cla_sequence_free(one->query);
  cla_sequence_free(one->target);
  random_pair_free(&one->pair);
}

static int part_of(const strand_case *one) {
  return one->pair.seed % 3 ? PART_CHOSEN : PART_VECTOR32;
}

static cla_align_options options_of(const strand_case *one, cla_strand strand) {
  cla_align_options options;
  cla_align_options_init(&options);
  options.mode = one->pair.mode;
  options.scoring = one->pair.scoring;
  options.strand = strand;
  options.kernel = part_of(one) == PART_CHOSEN ? NULL : "vector32";
  return options;
}

static void expect_result(cla_device *device, const strand_case *one, const cla_align_options *options,
                          bool reverse) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  cla_error error = {.message = ""};
  cla_alignment *got = NULL;
  const cla_status status = pipeline_align(&got, device, one->query, one->target, options,
                                           one->pair.seed % 4 < 2 ? small_plan : NULL, &error);
  cr_assert_eq(status, CLA_OK, "%s: %s", random_pair_text(&one->pair, text), error.message);
  const char *differs = got->strand != (reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD)
                            ? "strand"
                            : reference_difference(got, reverse ? &one->reverse : &one->forward);
  cr_assert_null(differs, "strand %d: %s: %s differs", (int)options->strand,
                 random_pair_text(&one->pair, text), differs);
  cla_alignment_free(got);
}

/* A claim holds for the better strand: at its score there is a result, one above it there is none. */
static void check_claims(cla_device *device, const strand_case *one, bool reverse) {
  cla_error error = {.message = ""};
  cla_alignment *got = NULL;
  cla_align_options options = options_of(one, CLA_STRAND_BOTH);
  options.lower_bound.kind = CLA_LOWER_BOUND_SCORE;
  options.lower_bound.score = reverse ? one->reverse.score : one->forward.score;
  expect_result(device, one, &options, reverse);
  options.lower_bound.score++;
  cr_expect_eq(cla_align(&got, device, one->query, one->target, &options, &error), CLA_ERROR_OPTION);
  cr_expect_null(got);
}

Test(strands, equal_the_oracle_of_the_reverse_complement, .timeout = 1200) {
  const long long count = test_count("CLALIGN_TEST_STRANDS", 30);
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    long long reversed = 0;
    for (long long i = 0; i < count * build_kinds_drawn(); i++) {
      strand_case one = {0};
      begin(&one, 7000000 + (uint64_t)i);
      if (!random_pair_is_tested(&one.pair, part_of(&one), false)) {
        end(&one);
        continue;
      }
      const cla_align_options reverse = options_of(&one, CLA_STRAND_REVERSE);
      const cla_align_options both = options_of(&one, CLA_STRAND_BOTH);
      const bool better = one.reverse.score > one.forward.score;
      expect_result(device, &one, &reverse, true);
      expect_result(device, &one, &both, better);
      check_claims(device, &one, better);
      reversed += better;
      end(&one);
    }
    printf("%s: about %lld pairs, of %lld the reverse strand is better, seeds from 7000000\n",
           cla_device_describe(device)->name, count, reversed);
    if (count >= 20) cr_expect(reversed > 0 && reversed < count);
    cla_device_close(device);
  }
}

Test(strands, of_a_path_that_is_a_bound_must_be_the_one_that_is_aligned) {
  cla_device *device = test_device_open(0);
  strand_case one = {0};
  begin(&one, 7000001);
  for (int strand = CLA_STRAND_FORWARD; strand <= CLA_STRAND_REVERSE; strand++) {
    const reference_alignment *of = strand == CLA_STRAND_REVERSE ? &one.reverse : &one.forward;
    const cla_path path = {.strand = (cla_strand)strand,
                           .query_start = of->query_start,
                           .target_start = of->target_start,
                           .runs = of->runs,
                           .run_count = of->run_count};
    for (int aligned = CLA_STRAND_FORWARD; aligned <= CLA_STRAND_BOTH; aligned++) {
      cla_align_options options = options_of(&one, (cla_strand)aligned);
      options.lower_bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_PATH, .path = &path};
      const bool better = one.reverse.score > one.forward.score;
      expect_result(device, &one, &options,
                    aligned == CLA_STRAND_REVERSE || (aligned == CLA_STRAND_BOTH && better));
    }
  }
  end(&one);
  cla_device_close(device);
}
