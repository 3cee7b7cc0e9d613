/* Which config a plan takes: a record's entry, or the rule. */

#include "plan/plan.h"
#include "scoring/lane_width.h"
#include "seq/alphabet.h"
#include "support/cases/plan_case.h"
#include "support/test.h"

TestSuite(kernel_choice, .init = tuned_plan_begin, .fini = tuned_plan_end);

Test(kernel_choice, takes_the_entry_of_the_nearest_size) {
  const kernel_config large = {&kernel_vector16, 32, 16, 2048, KERNEL_PERSISTENT, 5, 0};
  const kernel_config small = {&kernel_vector16, 8, 2, 64, KERNEL_DIAGONALS, 0, 0};
  tuned_plan_expect(large, "user record /home/someone/records/a.txt, size 1000000");
  tuned_plan_size_is(110000, 110000);
  tuned_plan_expect(large, "size 1000000");
  tuned_plan_size_is(90000, 90000);
  tuned_plan_expect(small, "size 10000");
  tuned_plan_size_is(10000, 100000000);
  tuned_plan_expect(small, "size 10000");
  tuned_plan_size_is(100000000, 10000);
  tuned_plan_expect(small, "size 10000");
  tuned_plan_size_is(1, 1);
  tuned_plan_expect(small, "size 10000");
  tuned.x.input.ends = path_ends_make(CLA_MODE_GLOBAL, 0);
  tuned_plan_expect((kernel_config){&kernel_vector16, 16, 4, 128, KERNEL_DIAGONALS, 0, 0}, "size 100000");
}

Test(kernel_choice, an_entry_that_is_the_rule_leaves_other_sizes_to_the_rule) {
  const kernel_config at_class = tuned_plan_rule_for(20000, 20000),
                      at_size = tuned_plan_rule_for(15000, 15000);
  cr_assert_neq(at_class.tile_columns, at_size.tile_columns);
  tuned_plan_put(true, 20000, at_class, (time_model){.per_cell = 1e-9});
  tuned_plan_size_is(15000, 15000);
  tuned_plan_expect(at_size, "size 20000: the default");
  cr_expect(tuned.made.predicted.sweep_seconds > 0.22 && tuned.made.predicted.sweep_seconds < 0.23, "%g",
            tuned.made.predicted.sweep_seconds);
  tuned_plan_size_is(1000000, 1000000);
  tuned_plan_expect((kernel_config){&kernel_vector16, 32, 16, 2048, KERNEL_PERSISTENT, 5, 0}, "size 1000000");
}

Test(kernel_choice, score_matrices_take_entries_of_their_own_and_tell_their_time) {
  char *text = NULL;
  assert_ok(cla_scoring_set_matrix(&tuned.x.scoring, "BLOSUM62", &why));
  score_table_build(&tuned.x.table, &tuned.x.scoring, alphabet_protein.letters, alphabet_protein.unambiguous);
  tuned.x.input.alphabet = CLA_ALPHABET_PROTEIN;
  assert_ok(plan_make(&tuned.made, &tuned.x.input, &why));
  cr_expect(strstr(tuned.made.reason, "default"), "%s", tuned.made.reason);
  cr_expect_lt(tuned.made.predicted.sweep_seconds, 0);
  cr_assert_eq(plan_explain(&text, &tuned.made, &tuned.x.input, NULL), CLA_OK);
  cr_expect(strstr(text, "'clalign tune --matrix BLOSUM62'"), "%s", text);
  free(text);
  tuned.x.input.alphabet = CLA_ALPHABET_DNA;
  cr_expect_str_eq(plan_tune_command(&tuned.x.input), "clalign tune --matrix EDNAFULL");
  const kernel_config own = {&kernel_vector16, 16, 4, 64, KERNEL_DIAGONALS, 0, 0};
  const tuning_entry entry = {
      .local = true, .matrix = true, .length = 1000000, .config = own, .model = {.per_cell = 5e-11}};
  assert_ok(tuning_record_put(&tuned.source.record, &entry, &why));
  tuned_plan_expect(own, "user record /home/someone/records/a.txt, size 1000000");
  cr_expect_float_eq(tuned.made.predicted.sweep_seconds, 50, 1e-9);
  cla_scoring_init(&tuned.x.scoring);
  plan_case_rescore(&tuned.x, 1, 5, 2);
  tuned_plan_expect((kernel_config){&kernel_vector16, 32, 16, 2048, KERNEL_PERSISTENT, 5, 0}, "size 1000000");
  cr_expect_str_eq(plan_tune_command(&tuned.x.input), "clalign tune");
}

Test(kernel_choice, two_pieces_of_gap_costs_take_entries_of_their_own) {
  tuned.x.scoring.gap_first2 = 24;
  tuned.x.scoring.gap_ext2 = 1;
  plan_case_rescore(&tuned.x, 1, 5, 2);
  tuned_plan_expect((kernel_config){&kernel_vector16, 32, 16, 2048, KERNEL_PERSISTENT, 5, 0}, "size 1000000");
  cr_expect_str_eq(plan_tune_command(&tuned.x.input), "clalign tune --gap-first2 24 --gap-ext2 1");
  const kernel_config own = {&kernel_vector16, 16, 4, 64, KERNEL_DIAGONALS, 0, 0};
  const tuning_entry entry = {
      .local = true, .two_pieces = true, .length = 3000000, .config = own, .model = {.per_cell = 5e-11}};
  assert_ok(tuning_record_put(&tuned.source.record, &entry, &why));
  tuned_plan_expect(own, "size 3000000");
  cr_expect_float_eq(tuned.made.predicted.sweep_seconds, 50, 1e-9);
  tuned.x.scoring.gap_first2 = tuned.x.scoring.gap_ext2 = 0;
  plan_case_rescore(&tuned.x, 1, 5, 2);
  tuned_plan_expect((kernel_config){&kernel_vector16, 32, 16, 2048, KERNEL_PERSISTENT, 5, 0}, "size 1000000");
}

Test(kernel_choice, passes_over_what_the_scheme_does_not_allow_and_says_so) {
  plan_case_rescore(&tuned.x, 2000, 4000, 1000);
  tuned_plan_expect((kernel_config){&kernel_vector32, 16, 4, 512, KERNEL_DIAGONALS, 0, 0}, "user record");
  cr_expect(strstr(tuned.made.reason, "16-bit"), "%s", tuned.made.reason);
  tuned.x.input.ends = path_ends_make(CLA_MODE_GLOBAL, 0); /* the record has no such entry */
  assert_ok(plan_make(&tuned.made, &tuned.x.input, &why));
  cr_expect_eq(tuned.made.sweep.variant, &kernel_vector32);
  cr_expect(strstr(tuned.made.reason, "default"), "%s", tuned.made.reason);
}

Test(kernel_choice, passes_over_what_the_device_does_not_run) {
  tuned.x.device.counters = CLA_COUNTERS_NONE; /* no persistent launch */
  tuned_plan_expect((kernel_config){&kernel_vector32, 16, 4, 512, KERNEL_DIAGONALS, 0, 0}, "persistent");
}

Test(kernel_choice, makes_tiles_narrower_where_the_scores_demand_it) {
  plan_case_rescore(&tuned.x, 10, 20, 5);
  assert_ok(plan_make(&tuned.made, &tuned.x.input, &why));
  cr_expect(tuned.made.sweep.variant == &kernel_vector16 && tuned.made.sweep.lanes == 32 &&
            tuned.made.sweep.alpha == 16);
  const int64_t limit = kernel_tile_limit(&tuned.made.sweep, &tuned.x.scoring, &tuned.x.table, 0);
  cr_assert_lt(limit, 2048);
  cr_expect(tuned.made.sweep.tile_columns <= limit && tuned.made.sweep.tile_columns > limit - 32 &&
            tuned.made.sweep.tile_columns % 32 == 0);
  cr_expect(strstr(tuned.made.reason, "narrower"), "%s", tuned.made.reason);
  cr_expect_lt(tuned.made.predicted.sweep_seconds, 0, "a time is given for tiles that were not timed");
}

Test(kernel_choice, without_a_record_it_follows_the_rule_and_knows_no_time) {
  tuned.x.input.tuning = NULL;
  assert_ok(plan_make(&tuned.made, &tuned.x.input, &why));
  cr_expect_eq(tuned.made.sweep.variant, &kernel_vector8);
  cr_expect(strstr(tuned.made.reason, "default: the fastest"), "%s", tuned.made.reason);
  cr_expect(tuned.made.predicted.sweep_seconds < 0 && tuned.made.predicted.traceback_seconds < 0);
}

Test(kernel_choice, targets_too_long_for_counters_go_by_diagonals_in_every_stage) {
  tuned.x.input.tuning = NULL;
  for (int gpu = 0; gpu <= 1; gpu++) {
    tuned.x.device.kind = gpu ? CLA_DEVICE_GPU : CLA_DEVICE_CPU;
    tuned_plan_size_is(100000, INT64_C(100000));
    assert_ok(plan_make(&tuned.made, &tuned.x.input, &why));
    cr_assert_eq(tuned.made.sweep.launch, KERNEL_PERSISTENT);
    cr_assert_eq(tuned.made.blocks.launch, KERNEL_PERSISTENT);
    tuned_plan_size_is(100000, INT64_C(1) << 31);
    assert_ok(plan_make(&tuned.made, &tuned.x.input, &why));
    cr_assert_eq(tuned.made.sweep.launch, KERNEL_DIAGONALS);
    cr_assert_eq(tuned.made.blocks.launch, KERNEL_DIAGONALS);
    cr_assert(strstr(tuned.made.reason, "too long for a persistent launch's counters"), "%s",
              tuned.made.reason);
  }
}

Test(kernel_choice, the_record_tells_the_time_of_the_whole) {
  char *text = NULL;
  tuned.x.input.score_only = true;
  cr_assert_eq(plan_make(&tuned.made, &tuned.x.input, NULL), CLA_OK);
  cr_expect_float_eq(tuned.made.predicted.sweep_seconds, 30, 1e-9);
  cr_expect_eq(tuned.made.predicted.traceback_seconds, 0);
  cr_assert_eq(plan_explain(&text, &tuned.made, &tuned.x.input, NULL), CLA_OK);
  cr_expect(strstr(text, "sweep 30 s\n"), "%s", text);
  free(text);
  tuned.x.input.score_only = false;
  cr_assert_eq(plan_make(&tuned.made, &tuned.x.input, NULL), CLA_OK);
  cr_expect_float_eq(tuned.made.predicted.sweep_seconds, 30, 1e-9);
  cr_expect(tuned.made.predicted.traceback_seconds > 0 && tuned.made.predicted.traceback_seconds < 10, "%g",
            tuned.made.predicted.traceback_seconds);
  cr_assert_eq(plan_explain(&text, &tuned.made, &tuned.x.input, NULL), CLA_OK);
  cr_expect(strstr(text, "sweep 30 s, traceback about "), "%s", text);
  free(text);
  tuned.x.input.settings = "tile=256";
  cr_assert_eq(plan_make(&tuned.made, &tuned.x.input, NULL), CLA_OK);
  cr_expect(tuned.made.predicted.sweep_seconds < 0 && tuned.made.predicted.traceback_seconds < 0);
  cr_assert_eq(plan_explain(&text, &tuned.made, &tuned.x.input, NULL), CLA_OK);
  cr_expect(strstr(text, "time       not known") && strstr(text, "clalign tune"), "%s", text);
  free(text);
}
