#include "plan/ways.h"

#include <math.h>
#include <stdio.h>

/* Maximum number of cells of a line that fits in the first-level cache. */
#define WIDE_LINE 1000
/* Maximum number of diagonals per line that may stay because of unlike stretches of the bound's path. With
 * more, the cells of a band are not predictable, and its parts do not join. On a GPU, windows then save no
 * time either. Measured: S. aureus N315 x USA300 460 globally and 90 locally, all other pairs below 10. */
#define SPREAD_MOST 50
/* Maximum number of cells that the levels leave, as a multiple of the cells expected to remain once values
 * are exact. If they leave more, the bound's path is far from the optimum: a band would compute all these
 * cells, and its parts would not join. Measured: 300 kbp at 1 to 15 % 1.3 to 3.1, M. tuberculosis x BCG 6. */
#define AREA_MOST 4
/* Minimum number of lines of a band's part, as a multiple of the widest window's columns. Shorter parts do
 * not join. Then the band is computed again, in the end by one thread. Measured on 300 kbp with one gap of
 * 10 to 40 kbp and on satellites: parts join at 2.3 times the widest window and more, not at 1.5 times and
 * less. */
#define PART_WIDTHS 3
#define PARTS_OF_THREAD 4 /* number of a band's parts per thread, if lines suffice (trace/band_parts.c) */
/* Maximum time of a potential, as a fraction of the sweep's time without bounds. */
#define POTENTIAL_PART 0.6
/* Fraction of the windows' cells that a sweep computes; exact values exclude the other cells. */
#define WINDOWS_COMPUTED 0.5
#define WINDOWS_WORTH 0.8 /* windows are used if they have at most this fraction of a whole sweep's cells */
/* Cells of a sweep in windows, per cell expected to remain once values are exact. Measured: S. aureus N315 x
 * USA300 2.1 to 2.7. */
#define EXPECTED_SPARE 2.5
/* Cells of a band, per cell expected to remain once values are exact. Measured: 1 Mbp at 1 to 20 % 0.7 to 1,
 * 20 Mbp 1.8. */
#define BAND_SPARE 1.3

static double lines(const ways_input *in) {
  return in->rows + in->columns;
}

/* Returns the seconds that the cells of a sweep without windows take. */
static double cells_seconds(const ways_input *in) {
  if (in->sweep_seconds >= 0) return in->sweep_seconds;
  return in->rows * in->columns * in->sweep_share * in->rates.of[RATE_SWEEP_CELL] /
         (in->gpu ? 1 : in->compute_units);
}

/* Returns the seconds of a sweep that computes the fraction `part` of its cells, and of its traceback at rate
 * `trace`. */
static double sweep_takes(const ways_input *in, double part, tuning_rate trace) {
  const double least = lines(in) * in->rates.of[RATE_SWEEP_LINE];
  return in->opening_seconds + fmax(cells_seconds(in) * part, least) +
         lines(in) * in->rates.of[trace] / (in->gpu ? 1 : in->threads);
}

double ways_sweep_seconds(const ways_input *in) {
  return sweep_takes(in, 1, RATE_SWEEP_TRACE_LINE);
}

double ways_levels_seconds(const ways_input *in, bool edits) {
  const double *rates = in->rates.of + (edits ? RATE_EDITS_LINE : RATE_LEVELS_LINE);
  return lines(in) * (rates[0] + rates[1] / in->threads);
}

double ways_spread_most(const ways_input *in) {
  return in->gpu && in->bounds == PLAN_BOUNDS_CHOSEN ? SPREAD_MOST * lines(in) : INFINITY;
}

double ways_work_most(const ways_input *in) {
  return in->bounds == PLAN_BOUNDS_CHOSEN
             ? ways_sweep_seconds(in) * POTENTIAL_PART / in->rates.of[RATE_FIT_CELL]
             : INFINITY;
}

/* Returns way_seconds.parts. */
static int band_parts(const ways_input *in) {
  const double wanted = PARTS_OF_THREAD * in->threads;
  if (in->spread > SPREAD_MOST * lines(in) || in->area > AREA_MOST * in->expected) return 1;
  if (PART_WIDTHS * in->widest * wanted <= lines(in)) return 0;
  return (int)fmax(lines(in) / (PART_WIDTHS * in->widest), 1);
}

/* Returns the seconds of a band and its traceback. */
static double band_takes(const ways_input *in, int parts) {
  const double *rates = in->rates.of;
  const double cells = parts == 1 ? in->area : fmin(in->area, BAND_SPARE * in->expected);
  const double cell = rates[cells > WIDE_LINE * lines(in) ? RATE_BAND_WIDE_CELL : RATE_BAND_CELL];
  const double threads = parts == 0 ? in->threads : fmin(in->threads, parts);
  return (cells * cell + lines(in) * (rates[RATE_BAND_LINE] + rates[RATE_BAND_TRACE_LINE])) /
         (1 + (threads - 1) * rates[RATE_BAND_THREAD]);
}

/* Returns way_seconds.part. On a GPU, `expected` does not limit the cells, because its kernels do not use a
 * potential's costs. */
static double windows_part(const ways_input *in) {
  const double most = in->gpu ? INFINITY : EXPECTED_SPARE * in->expected;
  return fmin(WINDOWS_COMPUTED * in->windows, most) / (in->rows * in->columns) / in->sweep_share;
}

static plan_way choose(const way_seconds *ways, const ways_input *in) {
  if (in->bounds != PLAN_BOUNDS_CHOSEN) return in->may_band ? WAY_BAND : WAY_WINDOWS;
  if (in->may_band && ways->band <= fmin(ways->windows, ways->sweep)) return WAY_BAND;
  return ways->part < WINDOWS_WORTH && ways->windows < ways->sweep ? WAY_WINDOWS : WAY_SWEEP;
}

way_seconds ways_choose(const ways_input *in) {
  way_seconds ways = {.known = true, .sweep = ways_sweep_seconds(in), .part = windows_part(in)};
  ways.share = ways.part * in->sweep_share / WINDOWS_COMPUTED;
  ways.parts = band_parts(in);
  ways.band = band_takes(in, ways.parts);
  ways.windows = sweep_takes(in, fmin(ways.part, 1), RATE_WINDOWS_TRACE_LINE);
  ways.chosen = choose(&ways, in);
  return ways;
}

double ways_left_work(const ways_input *in) {
  const way_seconds ways = ways_choose(in);
  double least = in->may_band ? ways.band : INFINITY;
  if (in->bounds != PLAN_BOUNDS_BAND) least = fmin(least, ways.windows);
  if (in->bounds == PLAN_BOUNDS_CHOSEN) least = fmin(least, ways.sweep);
  return least / in->rates.of[RATE_FIT_CELL];
}

void ways_describe(char text[128], const way_seconds *ways, const ways_input *in) {
  static const char *const names[] = {"a band", "windows", "a sweep without bounds"};
  const double taken[] = {ways->band, ways->windows, ways->sweep};
  const char *reason = "as options, scores or memory allow no band";
  if (in->bounds != PLAN_BOUNDS_CHOSEN)
    reason = "as --set asks";
  else if (taken[ways->chosen] <= fmin(fmin(ways->band, ways->windows), ways->sweep))
    reason = "which takes least";
  else if (ways->chosen == WAY_SWEEP && ways->windows < ways->sweep)
    reason = "as windows spare too few cells";
  snprintf(text, 128, "%s, %s", names[ways->chosen], reason);
}
