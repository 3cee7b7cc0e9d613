/* The whole pipeline with score matrices and all kinds of letters, on every device against the oracle. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/pipeline.h"
#include "reference/reference.h"
#include "seq/sequence.h"
#include "support/build_kinds.h"
#include "support/lettered_pairs.h"
#include "support/reference_difference.h"
#include "support/small_plans.h"
#include "support/test_devices.h"

static void compare(cla_device *device, const lettered_pair *pair, const reference_alignment *want,
                    const char *kernel, const char *settings) {
  cla_align_options options;
  cla_alignment *got = NULL;
  cla_error error = {.message = ""};
  cla_align_options_init(&options);
  options.mode = pair->mode;
  options.scoring = pair->scoring;
  options.kernel = kernel;
  options.settings = settings;
  const cla_status status = pipeline_align(&got, device, pair->query, pair->target, &options,
                                           pair->seed % 2 ? small_plan : NULL, &error);
  cr_assert_eq(status, CLA_OK, "seed %llu, %s: %s", (unsigned long long)pair->seed, pair->scheme,
               error.message);
  cr_assert(got->has_path && !reference_difference(got, want),
            "seed %llu, %s, kernel %s: score %lld, the oracle has %lld", (unsigned long long)pair->seed,
            pair->scheme, got->metrics.kernel, (long long)got->score, (long long)want->score);
  cla_alignment_free(got);
}

/* Whether the kernel may be asked for: it runs on the device and its lanes hold the scores. */
static bool is_allowed(const kernel_variant *variant, cla_device *device, const lettered_pair *pair,
                       const score_table *table) {
  const cla_device_info *info = cla_device_describe(device);
  kernel_config config = {.variant = variant};
  char reason[160];
  variant->choose(&config, info, cla_sequence_length(pair->query), cla_sequence_length(pair->target));
  config.alpha = variant->alphas[0]; /* as the plan does where scores are large */
  return kernel_runs_on(&config, info, reason, sizeof reason) &&
         kernel_takes_scheme(variant, &pair->scoring, table, reason, sizeof reason) &&
         kernel_tile_limit(&config, &pair->scoring, table, 0) >= config.lanes;
}

/* With the kernel that the plan chooses, and one in three with another one, each in its turn. CPUs take long
 * to compile kernels for GPUs: every day only for local alignments. */
static void check_pair(cla_device *device, const lettered_pair *pair, int *narrow) {
  const kernel_variant *other = kernel_variants[pair->seed / 3 % (uint64_t)kernel_variant_count];
  const letter_set *set = sequence_alphabet(pair->query);
  reference_alignment want = {0};
  score_table table;
  cla_error error = {.message = ""};
  const path_ends ends = path_ends_make(pair->mode, 0);
  score_table_build(&table, &pair->scoring, set->letters, set->unambiguous);
  if (!pair_is_tested(PART_CHOSEN, &pair->scoring, &table, &ends, false)) return;
  cr_assert_eq(reference_align(&want, sequence_codes(pair->query), cla_sequence_length(pair->query),
                               sequence_codes(pair->target), cla_sequence_length(pair->target), &table,
                               &pair->scoring, ends, &error),
               CLA_OK, "%s", error.message);
  compare(device, pair, &want, NULL, NULL);
  const bool slow = cla_device_describe(device)->kind == CLA_DEVICE_CPU && !other->for_cpus;
  const bool few = slow && !build_kinds_all() && pair->mode != CLA_MODE_LOCAL;
  if (pair->seed % 3 == 0 && !few && is_allowed(other, device, pair, &table)) {
    compare(device, pair, &want, other->name, slow && !build_kinds_all() ? "launch=diagonals" : NULL);
    if (table.needs_lookup && other->lane_bits < 32) *narrow += 1;
  }
  reference_alignment_free(&want);
}

Test(matrices_align, equals_the_oracle_with_every_kind_of_letters_and_scores, .timeout = 7200) {
  const long long count = test_count("CLALIGN_TEST_MATRICES", 250);
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    int narrow = 0;
    for (long long i = 0; i < count; i++) {
      lettered_pair pair;
      lettered_pair_make(&pair, 7000000 + (uint64_t)i, 300);
      check_pair(device, &pair, &narrow);
      lettered_pair_free(&pair);
    }
    printf("%s: %lld pairs of up to 300 letters, seeds from 7000000; %d looked up in 8 or 16 bits\n",
           cla_device_describe(device)->name, count, narrow);
    cr_assert(narrow > 0 || count < 100, "no pair met lanes of 8 or 16 bits");
    cla_device_close(device);
  }
}

/* Where a matrix scores the letters that occur as match and mismatch do, the kernels of these may run. */
Test(matrices_align, looks_nothing_up_where_that_is_not_needed) {
  const char *letters = "ACGTTGCAACGGTACCATGACGATCGATTAGC";
  cla_sequence *plain = NULL, *ambiguous = NULL;
  cla_align_options options;
  cla_error error = {.message = ""};
  cla_align_options_init(&options);
  cr_assert_eq(cla_scoring_set_matrix(&options.scoring, "EDNAFULL", &error), CLA_OK);
  cr_assert_eq(cla_sequence_from_letters(&plain, "plain", letters, 32, &error), CLA_OK);
  cr_assert_eq(cla_sequence_from_letters(&ambiguous, "ambiguous", "ACGTTGCNACGGTACC", 16, &error), CLA_OK);
  cla_device *device = test_device_open(0);
  const cla_sequence *targets[] = {plain, ambiguous};
  for (int i = 0; i < 2; i++) {
    cla_alignment *got = NULL;
    cr_assert_eq(cla_align(&got, device, plain, targets[i], &options, &error), CLA_OK, "%s", error.message);
    cr_expect_eq(got->score, 2 * (i == 0 ? 32 * 5 : 15 * 5 - 2)); /* in halves of a point */
    cla_alignment_free(got);
    char *text = NULL;
    cr_assert_eq(cla_explain(&text, device, plain, targets[i], &options, &error), CLA_OK, "%s",
                 error.message);
    cr_expect_eq(strstr(text, "nothing to look up") != NULL, i == 0, "%s", text);
    free(text);
  }
  cla_device_close(device);
  cla_sequence_free(plain);
  cla_sequence_free(ambiguous);
}

Test(matrices_align, refuses_letters_that_do_not_go_together) {
  cla_sequence *dna = NULL, *protein = NULL, *own = NULL, *other = NULL;
  cla_align_options options;
  cla_alignment *got = NULL;
  cla_error error = {.message = ""};
  cla_align_options_init(&options);
  cr_assert_eq(cla_sequence_from_letters(&dna, "d", "ACGTN", 5, NULL), CLA_OK);
  cr_assert_eq(cla_sequence_from_letters(&protein, "p", "MKVLE", 5, NULL), CLA_OK);
  cr_assert_eq(cla_sequence_from_letters_as(&own, "o", "HPH", 3, CLA_ALPHABET_OWN, "HP", NULL), CLA_OK);
  cr_assert_eq(cla_sequence_from_letters_as(&other, "o", "HPH", 3, CLA_ALPHABET_OWN, "PH", NULL), CLA_OK);
  cla_device *device = test_device_open(0);
  cr_expect_eq(cla_align(&got, device, dna, protein, &options, &error), CLA_ERROR_INPUT);
  cr_expect(strstr(error.message, "the query's letters are DNA, the target's protein"), "%s", error.message);
  cr_expect_eq(cla_align(&got, device, own, other, &options, &error), CLA_ERROR_INPUT);
  cr_expect_eq(cla_align(&got, device, own, own, &options, &error), CLA_ERROR_OPTION);
  cr_expect(strstr(error.message, "read the sequences with the matrix' letters"), "%s", error.message);
  options.scoring.ambiguity = CLA_AMBIGUITY_NEUTRAL;
  cr_expect_eq(cla_align(&got, device, protein, protein, &options, &error), CLA_ERROR_OPTION);
  cla_scoring_init(&options.scoring);
  options.scoring.matrix_size = 4;
  strcpy(options.scoring.letters, "ACGT");
  strcpy(options.scoring.matrix_name, "mine");
  cr_expect_eq(cla_align(&got, device, dna, dna, &options, &error), CLA_ERROR_INPUT);
  cr_expect(strstr(error.message, "the query has 'N' at position 5, which the score matrix mine has not"),
            "%s", error.message);
  cr_expect_null(got);
  cla_device_close(device);
  cla_sequence_free(dna);
  cla_sequence_free(protein);
  cla_sequence_free(own);
  cla_sequence_free(other);
}
