
#include "support/test.h"
#include "sweep/progress.h"

/* A sweep of 1000 cells and a traceback of 100, at a tenth of the sweep's rate. */
static plan timed(void) {
  return (plan){
      .predicted = {
          .sweep_cells = 1000, .traceback_cells = 100, .sweep_seconds = 50, .traceback_seconds = 50}};
}

static cla_progress at(const plan *whole, double seconds, int64_t cells) {
  cla_progress progress = {.seconds = seconds};
  progress_time_left(&progress, whole, cells);
  return progress;
}

Test(time_left, begins_with_the_model) {
  const plan whole = timed();
  const cla_progress first = at(&whole, 0.5, 0);
  cr_expect_eq(first.fraction, 0);
  cr_expect_eq(first.seconds_left, 100);
}

Test(time_left, is_the_models_in_every_moment_of_a_run_that_follows_it) {
  const plan whole = timed();
  for (int64_t cells = 1; cells <= 1100; cells++) {
    const double seconds = cells <= 1000 ? 0.05 * (double)cells : 50 + 0.5 * (double)(cells - 1000);
    const cla_progress now = at(&whole, seconds, cells);
    cr_assert_float_eq(now.fraction, seconds / 100, 1e-9);
    cr_assert_float_eq(now.seconds_left, 100 - seconds, 1e-6);
  }
}

Test(time_left, turns_to_what_is_seen) {
  const plan whole = timed(); /* the run takes twice as long as planned */
  cr_expect_lt(at(&whole, 2, 20).seconds_left, 110);
  cr_expect_float_eq(at(&whole, 50, 500).seconds_left, 150, 1e-6);
  cr_expect_float_eq(at(&whole, 100, 1000).seconds_left, 100, 1e-6);
  double before = 0;
  for (int64_t cells = 1; cells <= 1100; cells++) {
    const cla_progress now = at(&whole, 0.1 * (double)cells, cells);
    cr_assert_geq(now.fraction, before, "the fraction falls");
    cr_assert_geq(now.seconds_left, 0);
    before = now.fraction;
  }
}

Test(time_left, without_a_model_it_is_unknown_until_something_is_seen) {
  plan whole = timed();
  whole.predicted.sweep_seconds = whole.predicted.traceback_seconds = -1;
  cr_expect_lt(at(&whole, 3, 0).seconds_left, 0);
  cr_expect_lt(at(&whole, 3, 1).seconds_left, 0);
  const cla_progress half = at(&whole, 10, 550);
  cr_expect_float_eq(half.fraction, 0.5, 1e-9);
  cr_expect_float_eq(half.seconds_left, 10, 1e-9);
}

Test(time_left, more_cells_than_predicted_are_all_and_no_more) {
  const plan whole = timed();
  const cla_progress more = at(&whole, 200, 5000);
  cr_expect_eq(more.fraction, 1);
  cr_expect_eq(more.seconds_left, 0);
  plan score = {.predicted = {.sweep_cells = 1000, .sweep_seconds = 5}};
  cr_expect_eq(at(&score, 5, 1000).fraction, 1);
}
