/* When NVIDIA's kernels are taken, with which rows a lane, and what a record makes of their times. */

#include "plan/plan.h"
#include "seq/alphabet.h"
#include "support/cases/plan_case.h"
#include "support/test.h"

TestSuite(kernel_choice_nvidia, .init = tuned_plan_begin, .fini = tuned_plan_end);

/* A GPU of 132 units works on 528 strips of 64 lanes at once. One strip more takes another round, which a
 * record of another size cannot know. */
Test(kernel_choice_nvidia, times_of_nvidia16_grow_by_rounds) {
  plan_case_take_gpu(&tuned.x);
  const kernel_config at_class = tuned_plan_rule_for(1000000, 1000000);
  cr_assert_eq(at_class.variant, &kernel_nvidia16);
  tuned_plan_put(true, 1000000, at_class, (time_model){.per_cell = 2.5e-13});
  tuned.x.input.kernel = "nvidia16";
  tuned_plan_size_is(1000000, 1000000);
  assert_ok(plan_make(&tuned.made, &tuned.x.input, &why));
  cr_expect(tuned.made.predicted.sweep_seconds > 0.2499 && tuned.made.predicted.sweep_seconds < 0.2501, "%g",
            tuned.made.predicted.sweep_seconds);
  double seconds[2];
  tuned.x.input.settings = "alpha=16";
  for (int more = 0; more < 2; more++) {
    tuned_plan_size_is(2 * 528 * 1024 + more * 1024, 1000000);
    assert_ok(plan_make(&tuned.made, &tuned.x.input, &why));
    seconds[more] = tuned.made.predicted.sweep_seconds;
  }
  cr_expect_eq(at_class.alpha, 16);
  cr_expect(seconds[0] > 0 && seconds[1] > 1.4 * seconds[0] && seconds[1] < 1.51 * seconds[0], "%g %g",
            seconds[0], seconds[1]);
}

/* The profile holds scores of 7 bits with a gap's first cost added, which must not make one negative. */
Test(kernel_choice_nvidia, score_matrices_take_nvidia16m_where_their_scores_fit_its_bytes) {
  plan_case_take_gpu(&tuned.x);
  assert_ok(cla_scoring_set_matrix(&tuned.x.scoring, "BLOSUM62", &why));
  tuned.x.scoring.gap_first = 11;
  tuned.x.scoring.gap_ext = 1;
  score_table_build(&tuned.x.table, &tuned.x.scoring, alphabet_protein.letters, alphabet_protein.unambiguous);
  cr_expect_eq(tuned_plan_rule_for(200000, 200000).variant, &kernel_nvidia16m);
  cr_expect_eq(kernel_group_items(&tuned.made.sweep), 32);
  for (const int *alpha = kernel_nvidia16m.alphas; *alpha; alpha++) { /* as many rows a lane as are legal */
    char reason[160];
    tuned.made.sweep.alpha = *alpha;
    cr_expect(kernel_runs_on(&tuned.made.sweep, &tuned.x.device, reason, sizeof reason), "%d rows: %s",
              *alpha, reason);
  }
  tuned.x.scoring.gap_first = 3;
  cr_expect_eq(tuned_plan_rule_for(200000, 200000).variant, &kernel_wave32);
  cr_expect(strstr(tuned.made.reason, "nvidia16m takes pair scores from -3 to 124 only"), "%s",
            tuned.made.reason);
  plan_case_rescore(&tuned.x, 1, 5, 2);
}

/* The times of nvidia16's steps differ by the kind of gap costs, and so do the rows a lane that fill the
 * rounds best. A record, which is made with affine gaps, tells how fast the device is. */
Test(kernel_choice_nvidia, nvidia16_knows_the_times_of_linear_and_of_two_piece_gaps) {
  plan_case_take_gpu(&tuned.x);
  const kernel_config affine = tuned_plan_rule_for(1000000, 1000000);
  tuned_plan_put(true, 1000000, affine, (time_model){.per_cell = 2.5e-13});
  tuned.x.scoring.gap_first2 = 24;
  tuned.x.scoring.gap_ext2 = 1;
  const kernel_config two = tuned_plan_rule_for(1000000, 1000000);
  cr_expect_eq(two.variant, &kernel_nvidia16); /* without being asked for */
  cr_expect_eq(tuned_plan_rule_for(8000000, 8000000).variant, &kernel_nvidia16);
  cr_expect_leq(tuned.made.sweep.alpha, 16); /* more are slower, row by row */
  tuned.x.input.kernel = "nvidia16";
  tuned_plan_size_is(1000000, 1000000);
  tuned_plan_expect(two, "size 1000000: the default");
  cr_expect(
      tuned.made.predicted.sweep_seconds > 1.3 * 0.25 && tuned.made.predicted.sweep_seconds < 1.9 * 0.25,
      "%g", tuned.made.predicted.sweep_seconds);
  tuned.x.scoring.gap_first2 = tuned.x.scoring.gap_ext2 = 0;
  tuned_plan_expect(affine, "size 1000000: the default");
  cr_expect(tuned.made.predicted.sweep_seconds > 0.2499 && tuned.made.predicted.sweep_seconds < 0.2501, "%g",
            tuned.made.predicted.sweep_seconds);
  tuned.x.scoring.gap_ext = tuned.x.scoring.gap_first;
  const kernel_config linear = tuned_plan_rule_for(1000000, 1000000);
  tuned_plan_expect(linear, "size 1000000: the default");
  cr_expect(
      tuned.made.predicted.sweep_seconds > 0.5 * 0.25 && tuned.made.predicted.sweep_seconds < 0.9 * 0.25,
      "%g", tuned.made.predicted.sweep_seconds);
}
