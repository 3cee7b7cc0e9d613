/* The whole pipeline with score matrices and all kinds of letters, on every device against the oracle. */

#include "support/build_kinds.h"
#include "support/cases/pair_case.h"
#include "support/small_plans.h"
#include "support/test.h"
#include "support/test_devices.h"

/* Whether the kernel may be asked for: it runs on the device and its lanes hold the scores. */
static bool is_allowed(const kernel_variant *variant, cla_device *device, const pair_case *one) {
  const cla_device_info *info = cla_device_describe(device);
  const cla_scoring *scoring = &one->pair.scoring;
  kernel_config config = {.variant = variant};
  char reason[160];
  variant->choose(&config, info, one->pair.query_length, one->pair.target_length);
  config.alpha = variant->alphas[0]; /* as the plan does where scores are large */
  return kernel_runs_on(&config, info, reason, sizeof reason) &&
         kernel_takes_scheme(variant, scoring, &one->table, reason, sizeof reason) &&
         kernel_tile_limit(&config, scoring, &one->table, 0) >= config.lanes;
}

static void make(pair_case *one, uint64_t seed, int64_t letters) {
  lettered_pair pair;
  lettered_pair_make(&pair, seed, letters);
  pair_case_begin_lettered(one, &pair);
}

/* With the kernel that the plan chooses, and one in three with another one, each in its turn. CPUs take long
 * to compile kernels for GPUs: every day only for local alignments. Returns whether narrow lanes have looked
 * up scores. */
static long long check_letters(cla_device *device, pair_case *one) {
  const uint64_t seed = one->pair.seed;
  const kernel_variant *other = kernel_variants[seed / 3 % (uint64_t)kernel_variant_count];
  void (*const adjust)(plan * whole) = seed % 2 ? small_plan : NULL;
  if (!pair_is_tested(PART_CHOSEN, &one->pair.scoring, &one->table, &one->ends, false)) return 0;
  pair_case_check(one, device, adjust, "any letters");
  const bool slow = cla_device_describe(device)->kind == CLA_DEVICE_CPU && !other->for_cpus;
  const bool few = slow && !build_kinds_all() && one->pair.mode != CLA_MODE_LOCAL;
  if (seed % 3 > 0 || few || !is_allowed(other, device, one)) return 0;
  one->options.kernel.name = other->name;
  if (slow && !build_kinds_all()) one->options.kernel.settings = "launch=diagonals";
  pair_case_check(one, device, adjust, "any letters");
  return one->table.needs_lookup && other->lane_bits < 32;
}

static void narrow_lanes_were_met(long long sum, long long count) {
  cr_assert(sum > 0 || count < 100, "no pair met lanes of 8 or 16 bits");
}

VARIATION(matrices_align, equals_the_oracle_with_every_kind_of_letters_and_scores,
          .count_name = "CLALIGN_TEST_MATRICES", .count = 250, .seed = 7000000, .letters = 300, .make = make,
          .check = check_letters, .judge = narrow_lanes_were_met)

/* Where a matrix scores the letters that occur as match and mismatch do, the kernels of these may run. */
Test(matrices_align, looks_nothing_up_where_that_is_not_needed) {
  const char *letters = "ACGTTGCAACGGTACCATGACGATCGATTAGC";
  OWNED(free_sequence) cla_sequence *plain = NULL, *ambiguous = NULL;
  cla_align_options options;
  cla_align_options_init(&options);
  assert_ok(cla_scoring_set_matrix(&options.scoring, "EDNAFULL", &why));
  assert_ok(cla_sequence_from_letters(&plain, "plain", letters, 32, &why));
  assert_ok(cla_sequence_from_letters(&ambiguous, "ambiguous", "ACGTTGCNACGGTACC", 16, &why));
  OWNED(close_device) cla_device *device = test_device_open(0);
  const cla_sequence *targets[] = {plain, ambiguous};
  for (int i = 0; i < 2; i++) {
    cla_alignment *got = NULL;
    assert_ok(cla_align(&got, device, plain, targets[i], &options, &why));
    cr_expect_eq(got->score, 2 * (i == 0 ? 32 * 5 : 15 * 5 - 2)); /* in halves of a point */
    cla_alignment_free(got);
    OWNED(free_memory) char *text = NULL;
    assert_ok(cla_explain(&text, device, plain, targets[i], &options, &why));
    cr_expect_eq(strstr(text, "nothing to look up") != NULL, i == 0, "%s", text);
  }
}

Test(matrices_align, refuses_letters_that_do_not_go_together) {
  OWNED(free_sequence) cla_sequence *dna = NULL, *protein = NULL, *own = NULL, *other = NULL;
  cla_align_options options;
  cla_alignment *got = NULL;
  cla_align_options_init(&options);
  assert_ok(cla_sequence_from_letters(&dna, "d", "ACGTN", 5, &why));
  assert_ok(cla_sequence_from_letters(&protein, "p", "MKVLE", 5, &why));
  assert_ok(cla_sequence_from_letters_with(
      &own, "o", "HPH", 3, &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_OWN, .own = "HP"},
      &why));
  assert_ok(cla_sequence_from_letters_with(
      &other, "o", "HPH", 3,
      &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_OWN, .own = "PH"}, &why));
  OWNED(close_device) cla_device *device = test_device_open(0);
  assert_error(cla_align(&got, device, dna, protein, &options, &why), CLA_ERROR_INPUT,
               "the query's letters are DNA, the target's protein");
  cr_expect_eq(cla_align(&got, device, own, other, &options, &why), CLA_ERROR_INPUT);
  assert_error(cla_align(&got, device, own, own, &options, &why), CLA_ERROR_OPTION,
               "read the sequences with the matrix' letters");
  options.scoring.ambiguity = CLA_AMBIGUITY_NEUTRAL;
  cr_expect_eq(cla_align(&got, device, protein, protein, &options, &why), CLA_ERROR_OPTION);
  cla_scoring_init(&options.scoring);
  options.scoring.matrix_size = 4;
  strcpy(options.scoring.letters, "ACGT");
  strcpy(options.scoring.matrix_name, "mine");
  assert_error(cla_align(&got, device, dna, dna, &options, &why), CLA_ERROR_INPUT,
               "the query has 'N' at position 5, which the score matrix mine has not");
  cr_expect_null(got);
}

static void expect_score(cla_device *device, const cla_sequence *const pair[2],
                         const cla_align_options *options, int64_t score) {
  OWNED(free_alignment) cla_alignment *got = NULL;
  assert_ok(cla_align(&got, device, pair[0], pair[1], options, &why));
  cr_expect_eq(got->score, score, "%lld", (long long)got->score);
  cr_expect_not(got->scoring.by_letters);
}

/* BLOSUM62 gives M M 5, K R 2, V V 4, L L 4, E E 5, W W 11; match 1 and mismatch -3 only V to W's 4. */
Test(matrices_align, scores_by_the_letters_where_no_scheme_is_chosen) {
  OWNED(free_sequence) cla_sequence *dna = NULL, *protein = NULL, *other = NULL;
  cla_align_options options;
  cla_alignment *got = NULL;
  assert_ok(cla_sequence_from_letters(&dna, "d", "ACGTACGT", 8, &why));
  assert_ok(cla_sequence_from_letters(&protein, "p", "MKVLEW", 6, &why));
  assert_ok(cla_sequence_from_letters(&other, "o", "MRVLEW", 6, &why));
  OWNED(close_device) cla_device *device = test_device_open(0);
  const cla_sequence *const nucleotides[] = {dna, dna}, *const proteins[] = {protein, other};
  cla_align_options_init(&options);
  expect_score(device, nucleotides, &options, 8);
  expect_score(device, proteins, &options, 31);
  OWNED(free_memory) char *text = NULL;
  assert_ok(cla_explain(&text, device, protein, other, &options, &why));
  cr_expect_not_null(strstr(text, "BLOSUM62"), "%s", text);
  options.scoring.match = 2;
  expect_score(device, nucleotides, &options, 16);
  assert_error(cla_align(&got, device, protein, other, &options, &why), CLA_ERROR_OPTION,
               "choose one of proteins with cla_scoring_init_for");
  assert_error(cla_explain(&text, device, protein, other, &options, &why), CLA_ERROR_OPTION,
               "choose one of proteins with cla_scoring_init_for");
  cla_scoring_init(&options.scoring);
  expect_score(device, proteins, &options, 4);
  cla_scoring_init_for(&options.scoring, CLA_ALPHABET_PROTEIN);
  options.scoring.gap_first = 15;
  expect_score(device, proteins, &options, 31);
}
