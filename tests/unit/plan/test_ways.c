/* The way that is chosen for a pair, by what bounds leave and what a machine takes. No device is needed. */

#include <math.h>

#include "plan/ways.h"
#include "support/test.h"

/* A pair, what bounds leave of it, and the seconds and the way before rates were a machine's own. */
typedef struct known_choice {
  bool gpu;
  int compute_units, threads;
  double rows, columns, sweep_seconds, sweep_share, opening_seconds;
  double area, windows, expected, spread;
  double band_takes, windows_take, sweep_takes;
  plan_way chosen;
} known_choice;

static const known_choice choices[] = {
    {false, 2, 2, 1e5, 1e5, -1, 1, 0, 3e6, 4e6, 2e6, 1e4, 0.0099827, 0.03, 0.291778, WAY_BAND},
    {false, 2, 2, 1e6, 1e6, -1, 0.06, 0, 2e8, 2.6e8, 1.1e8, 1e6, 0.111211, 0.3, 1.80667, WAY_BAND},
    {false, 2, 2, 3e5, 3e5, 1.2, 0.2, 0, 2e9, 3e9, 9e8, 6e8, 1.254, 0.142, 1.242, WAY_WINDOWS},
    {false, 16, 16, 2.8e6, 2.8e6, -1, 0.4, 0, 6e10, 7e10, 4e10, 2.5e9, 36.504, 0.497, 10.9379, WAY_WINDOWS},
    {true, 64, 16, 1e6, 1e6, 0.2, 1, 0, 1.5e8, 2e8, 1e8, 1e6, 0.0147927, 0.37, 0.26, WAY_BAND},
    {true, 64, 16, 2.8e6, 2.8e6, 2.1, 1, 0, 6e10, 7e10, 4e10, 2.5e9, 36.504, 1.036, 2.268, WAY_WINDOWS},
    {true, 64, 1, 1e6, 1e6, -1, 1, 0.3, 8e9, 9e9, 6e9, 1e6, 4.86, 0.67, 0.61, WAY_SWEEP},
    {true, 64, 16, 2e7, 2e7, -1, 1, 0, 4e10, 5e10, 3e10, 4e8, 0.772364, 7.4, 101.2, WAY_BAND},
    {true, 64, 16, 3e5, 3e5, 0.02, 1, 0, 5e9, 8e9, 4e9, 1e6, 0.222109, 0.111, 0.045, WAY_SWEEP},
};
#define CHOICES (sizeof choices / sizeof *choices)

static ways_input input_of(const known_choice *x) {
  char from[64];
  ways_input in = {.gpu = x->gpu,
                   .compute_units = x->compute_units,
                   .threads = x->threads,
                   .rows = x->rows,
                   .columns = x->columns,
                   .sweep_seconds = x->sweep_seconds,
                   .sweep_share = x->sweep_share,
                   .opening_seconds = x->opening_seconds,
                   .may_band = true,
                   .area = x->area,
                   .windows = x->windows,
                   .expected = x->expected,
                   .spread = x->spread};
  tuning_rates_find(&in.rates, from, sizeof from, NULL, x->gpu ? CLA_DEVICE_GPU : CLA_DEVICE_CPU);
  return in;
}

static void expect_near(double found, double known, const char *what, size_t i) {
  cr_expect(fabs(found - known) <= 1e-5 * known, "choice %zu, %s: %g and not %g", i, what, found, known);
}

Test(ways, are_chosen_as_ever_by_the_defaults) {
  for (size_t i = 0; i < CHOICES; i++) {
    const known_choice *x = &choices[i];
    const ways_input in = input_of(x);
    const way_seconds found = ways_choose(&in);
    expect_near(found.band, x->band_takes, "band", i);
    expect_near(found.windows, x->windows_take, "windows", i);
    expect_near(found.sweep, x->sweep_takes, "sweep", i);
    cr_expect_eq(found.chosen, x->chosen, "choice %zu", i);
  }
}

Test(ways, are_ruled_out_by_hand_by_options_and_by_memory) {
  char text[128];
  ways_input in = input_of(&choices[0]);
  way_seconds found = ways_choose(&in);
  ways_describe(text, &found, &in);
  cr_expect_str_eq(text, "a band, which takes least");
  in.may_band = false;
  found = ways_choose(&in);
  cr_expect_eq(found.chosen, WAY_WINDOWS);
  ways_describe(text, &found, &in);
  cr_expect_str_eq(text, "windows, as options, scores or memory allow no band");
  in.bounds = PLAN_BOUNDS_SWEEP;
  cr_expect_eq(ways_choose(&in).chosen, WAY_WINDOWS);
  in = input_of(&choices[8]);
  in.bounds = PLAN_BOUNDS_BAND; /* by hand, whatever it takes */
  found = ways_choose(&in);
  cr_expect_eq(found.chosen, WAY_BAND);
  ways_describe(text, &found, &in);
  cr_expect_str_eq(text, "a band, as --set asks");
  in.bounds = PLAN_BOUNDS_SWEEP;
  in.may_band = false;
  cr_expect_eq(ways_choose(&in).chosen, WAY_WINDOWS);
  in.bounds = PLAN_BOUNDS_CHOSEN;
  found = ways_choose(&in);
  ways_describe(text, &found, &in);
  cr_expect_str_eq(text, "a sweep without bounds, which takes least");
  in.rates.of[RATE_WINDOWS_TRACE_LINE] =
      0; /* windows of all cells take less, but are not worth their making */
  in.windows = 2 * 9e10;
  found = ways_choose(&in);
  cr_expect(found.windows < found.sweep && found.chosen == WAY_SWEEP);
  ways_describe(text, &found, &in);
  cr_expect_str_eq(text, "a sweep without bounds, as windows spare too few cells");
}

/* A machine's own rates change the choice: where cells of a band take ten times as long, windows are better.
 */
Test(ways, follow_the_rates) {
  ways_input in = input_of(&choices[1]);
  cr_expect_eq(ways_choose(&in).chosen, WAY_BAND);
  in.rates.of[RATE_BAND_CELL] *= 20;
  cr_expect_eq(ways_choose(&in).chosen, WAY_WINDOWS);
  in.rates.of[RATE_SWEEP_LINE] *= 100;
  cr_expect_eq(ways_choose(&in).chosen, WAY_BAND);
}

/* A pair of 4.4 Mbp with long gaps, on 16 threads beside a GPU. Parts of a band that are shorter than two
 * rows that are left do not agree, so few threads share it, or one computes it all. The GPU takes less. */
Test(ways, leave_a_band_that_threads_cannot_share_for_a_gpu) {
  const known_choice bacteria = {.gpu = true,
                                 .threads = 16,
                                 .rows = 4.4e6,
                                 .columns = 4.4e6,
                                 .sweep_seconds = 5,
                                 .sweep_share = 1,
                                 .area = 2e10,
                                 .windows = 2.2e10,
                                 .expected = 9e9};
  ways_input in = input_of(&bacteria);
  way_seconds found = ways_choose(&in);
  cr_expect(found.parts == 0 && found.band < 1 && found.chosen == WAY_BAND);
  in.widest = 45833; /* 64 parts of three rows */
  cr_expect_eq(ways_choose(&in).parts, 0);
  in.widest = 800000;
  found = ways_choose(&in);
  cr_expect(found.parts == 3 && found.band > 1.6 && found.windows < 1.7 && found.chosen == WAY_WINDOWS);
  in.widest = 3e6;
  found = ways_choose(&in);
  cr_expect(found.parts == 1 && found.band > 8 && found.chosen == WAY_WINDOWS);
  /* Bounds leave more than four times what exact values are expected to leave: one thread, too. */
  in = input_of(&bacteria);
  in.expected = 1.5e9;
  found = ways_choose(&in);
  cr_expect(found.parts == 1 && found.band > 8 && found.chosen == WAY_WINDOWS);
}

/* Beside a GPU, windows may take more than a sweep without bounds. Then a band is held against that. */
Test(ways, hold_a_band_against_a_sweep_without_bounds) {
  const known_choice pair = {.gpu = true,
                             .threads = 1,
                             .rows = 4.4e6,
                             .columns = 4.4e6,
                             .sweep_seconds = 0.5,
                             .sweep_share = 1,
                             .area = 1e9,
                             .windows = 2e9,
                             .expected = 9e8};
  const ways_input in = input_of(&pair);
  const way_seconds found = ways_choose(&in);
  cr_expect(found.band < found.windows && found.band > found.sweep && found.chosen == WAY_SWEEP);
}

static void expect_no_less(const way_seconds *more, const way_seconds *less, const char *what) {
  cr_expect_geq(more->band, less->band, "%s", what);
  cr_expect_geq(more->windows, less->windows, "%s", what);
  cr_expect_geq(more->sweep, less->sweep, "%s", what);
}

/* Twice the cells, letters or spread never take less, and each rate that rises never makes a way faster. */
Test(ways, take_no_less_for_more) {
  for (size_t i = 0; i < CHOICES; i++) {
    const ways_input in = input_of(&choices[i]);
    const way_seconds once = ways_choose(&in);
    for (double times = 1; times < 40; times *= 1.3) {
      ways_input more = in;
      more.area *= times;
      more.windows *= times;
      const way_seconds wider = ways_choose(&more);
      expect_no_less(&wider, &once, "area");
      more = in;
      more.widest = 1000 * times * times;
      const way_seconds uneven = ways_choose(&more);
      expect_no_less(&uneven, &once, "widest row");
      more = in;
      more.spread *= times;
      const way_seconds spread = ways_choose(&more);
      expect_no_less(&spread, &once, "spread");
    }
    for (int rate = 0; rate < RATE_COUNT; rate++) {
      ways_input slower = in;
      slower.rates.of[rate] *= rate == RATE_BAND_THREAD ? 0.5 : 2; /* a gain, not a time */
      const way_seconds taken = ways_choose(&slower);
      expect_no_less(&taken, &once, tuning_rate_rows[rate].name);
    }
  }
}

Test(ways, levels_may_take_a_part_of_what_a_sweep_takes) {
  ways_input in = input_of(&choices[4]);
  cr_expect_float_eq(ways_work_most(&in) * in.rates.of[RATE_FIT_CELL], 0.6 * ways_sweep_seconds(&in), 1e-9);
  cr_expect_float_eq(ways_left_work(&in) * in.rates.of[RATE_FIT_CELL], ways_choose(&in).band, 1e-9);
  cr_expect_gt(ways_levels_seconds(&in, true), ways_levels_seconds(&in, false));
  cr_expect_eq(ways_spread_most(&in), 50 * 2e6);
  in.bounds = PLAN_BOUNDS_SWEEP;
  cr_expect_eq(ways_work_most(&in), INFINITY);
  cr_expect_eq(ways_spread_most(&in), INFINITY);
}
