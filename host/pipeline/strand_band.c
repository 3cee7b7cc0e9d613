/* Chooses between a band on the host, a sweep in windows and the whole sweep, by what a potential leaves.
 * Aligns in the band. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "bound/potential.h"
#include "pipeline/strand_internal.h"
#include "result/alignment.h"
#include "trace/whole_band.h"

/* A line is an anti-diagonal. Times of a band are for one thread. Measured on a core with AVX-512, 1 Mbp at 1
 * to 20 % divergence; with AVX2 a cell takes 1.5 times as long. */
#define LINE_SECONDS 5e-8       /* seconds per line of a band's sweep, beside its cells */
#define CELL_SECONDS 1.8e-10    /* seconds per cell of a band */
#define LINE_TRACE_SECONDS 4e-8 /* seconds per line of a band's traceback */
/* Longer lines leave the first cache. Measured on S. aureus N315 x USA300 and on 20 Mbp. */
#define WIDE_LINE 1000          /* cells of the longest line that stays in the first cache */
#define WIDE_CELL_SECONDS 6e-10 /* seconds per cell of longer lines */
/* Most diagonals per line that unlike stretches of the bound's path leave. With more, a band's cells are not
 * predictable and its parts do not agree, so one thread sweeps it. Beside a GPU, windows do not pay either.
 * Measured: S. aureus N315 x USA300 460 globally and 90 locally, all other pairs below 10. */
#define SPREAD_MOST 50
/* Most times that the area left may exceed what exact values are expected to leave. Beyond, the bound's path
 * is far from the optimum: a band computes the whole area, and its parts do not agree. Measured: 300 kbp at 1
 * to 15 % 1.3 to 3.1, M. tuberculosis x BCG 6. */
#define AREA_MOST 4
#define THREAD_PART 0.85 /* gain of each further thread of a band, as a part of the first one's speed */
/* A sweep on a CPU, pruned or in windows. Strips wait for each other, so a line takes a least time. */
#define SWEEP_LINE_SECONDS 8e-8    /* least seconds per line of the sweep */
#define SWEEP_TRACE_SECONDS 1.4e-7 /* seconds per line of its traceback by one thread */
/* A sweep on a GPU. Measured on an H100 with 16 cores, 1 Mbp at 1 to 20 %: sweep 0.09 s, traceback 0.05 to
 * 0.07 s. */
#define SWEEP_LINE_SECONDS_GPU 4.5e-8 /* least seconds per line of the sweep */
#define SWEEP_TRACE_SECONDS_GPU 3e-8  /* seconds per line of its traceback */
/* Seconds per line of the traceback after windows on a GPU. Measured on S. aureus N315 x USA300: 0.8 s, 0.4 s
 * without windows. */
#define WINDOWS_TRACE_SECONDS_GPU 1.4e-7
/* Levels by seeds, with a band. Measured on 10 kbp to 1 Mbp at 1 to 10 %, and on 20 Mbp with 16 cores. */
#define LEVELS_LINE_SECONDS 2e-8  /* seconds per line that threads do not share */
#define LEVELS_LINE_SHARED 1.2e-7 /* seconds per line that threads share */
/* Levels by edits, with a band. Measured on 30 kbp to 1 Mbp at 15 and 20 %. */
#define EDITS_LINE_SECONDS 4e-7  /* seconds per line that threads do not share */
#define EDITS_LINE_SHARED 1.2e-6 /* seconds per line that threads share */
#define WORK_SECONDS 1.2e-10     /* seconds per cell of a fit */
#define POTENTIAL_PART 0.6       /* most time of a potential, as a part of the time without one */
#define WINDOWS_COMPUTED 0.5     /* part of the windows' cells that a sweep computes, by exact values */
#define WINDOWS_WORTH 0.8        /* most cells in windows, as a part of those of a sweep without windows */
#define COSTS_MOST (INT64_C(1) << 23) /* most buckets of the windows' costs */
/* Cells of a sweep in windows per cell that exact values are expected to leave. Measured: S. aureus N315 x
 * USA300 2.1 to 2.7. */
#define EXPECTED_SPARE 2.5
/* Cells of a band per cell that exact values are expected to leave. Measured: 1 Mbp at 1 to 20 % 0.7 to 1, 20
 * Mbp 1.8.
 */
#define BAND_SPARE 1.3
#define ROWS_BY_HAND 16384 /* least rows with the usual chunks, if a potential is asked for by hand */
/* Cells per second if no record has timed the kernel. */
#define CORE_RATE 1.8e10 /* a core of a CPU */
#define GPU_RATE 4e12

static bool on_gpu(const strand_work *r) {
  return r->sweep.input.device->kind == CLA_DEVICE_GPU;
}

static double matrix_cells(const strand_work *r) {
  return (double)r->sweep.input.rows * (double)r->sweep.input.columns;
}

/* The part of the matrix that a sweep without windows computes. */
static double sweep_share(const strand_work *r) {
  return r->sweep.plan.prune ? r->sweep.plan.prune_share : 1;
}

static double lines(const strand_work *r) {
  return (double)(r->sweep.input.rows + r->sweep.input.columns);
}

/* Seconds of the device's sweep without windows, by its cells alone. */
static double cells_seconds(const strand_work *r) {
  const double predicted = r->sweep.plan.predicted.sweep_seconds;
  const double rate = on_gpu(r) ? GPU_RATE : CORE_RATE * (double)r->sweep.input.device->compute_units;
  return predicted >= 0 ? predicted : matrix_cells(r) * sweep_share(r) / rate;
}

static double trace_seconds(const strand_work *r) {
  const double on_cpu = SWEEP_TRACE_SECONDS / r->sweep.input.threads;
  return lines(r) * (on_gpu(r) ? SWEEP_TRACE_SECONDS_GPU : on_cpu);
}

/* Seconds of a sweep that computes `part` of what it computes without a potential. */
static double sweep_seconds(const strand_work *r, double part) {
  const double line = on_gpu(r) ? SWEEP_LINE_SECONDS_GPU : SWEEP_LINE_SECONDS;
  return r->opening_seconds + fmax(cells_seconds(r) * part, lines(r) * line);
}

/* Seconds of sweep and traceback without a potential. */
static double without_seconds(const strand_work *r) {
  return sweep_seconds(r, 1) + trace_seconds(r);
}

/* Least seconds of levels by seeds and a band. */
static double levels_least(const strand_work *r) {
  return lines(r) * (LEVELS_LINE_SECONDS + LEVELS_LINE_SHARED / r->sweep.input.threads);
}

/* Least seconds of levels by edits and a band. */
static double edits_least(const strand_work *r) {
  return lines(r) * (EDITS_LINE_SECONDS + EDITS_LINE_SHARED / r->sweep.input.threads);
}

/* True if bounds may be made: the scheme fits, no rival and no further alignments are in the way, and where
 * ends are free the lower bound is positive. */
static bool may_know(const strand_work *r) {
  const align_job *job = r->job;
  const plan_input *input = &r->sweep.input;
  const bool corner = !input->ends.anywhere && !input->ends.query_end && !input->ends.target_end;
  const bool rival = job->rival && job->rival->given && job->rival->least > r->bound.score;
  return r->sweep.plan.bounds != PLAN_BOUNDS_OFF && !job->rest && !rival &&
         (corner || r->bound.score > 0 || !r->bound.has_path) && potential_possible(&r->sweep.problem);
}

/* True if a band may replace the sweep. Options for a kernel or for kept rows need the device. Scores that
 * are looked up make a band slower than windows: 1.6 s against 0.9 s for 1 Mbp at 5 % with 20 ambiguous
 * letters. */
static bool may_band(const strand_work *r) {
  const plan_input *input = &r->sweep.input;
  if (r->checkpoint || r->job->adjust || r->sweep.plan.bounds == PLAN_BOUNDS_SWEEP) return false;
  if (r->sweep.table.needs_lookup) return false;
  return r->sweep.plan.bounds == PLAN_BOUNDS_BAND || (!input->kernel && !r->sweep.plan.kernel_set);
}

static bool is_chosen(const strand_work *r) {
  return r->sweep.plan.bounds == PLAN_BOUNDS_CHOSEN;
}

static int64_t work_most(const strand_work *r) {
  const double work = without_seconds(r) * POTENTIAL_PART / WORK_SECONDS;
  return is_chosen(r) && work < 1e18 ? (int64_t)work : INT64_MAX / 2;
}

/* True for a short pair whose potential was asked for by hand. Its chunks are small. */
static bool is_short_by_hand(const strand_work *r) {
  return !is_chosen(r) && r->sweep.input.rows < ROWS_BY_HAND;
}

bool strand_band_possible(const strand_work *r) {
  return may_know(r) && (!is_chosen(r) || without_seconds(r) > levels_least(r));
}

const char *strand_band_hindrance(const strand_work *r) {
  if (r->sweep.plan.bounds == PLAN_BOUNDS_OFF) return "--set leaves them out";
  if (!potential_possible(&r->sweep.problem))
    return "they are for matches that all score the same, and more than other pairs";
  if (!r->bound.has_path) return "no alignment is known beforehand";
  if (!may_know(r)) return "an alignment of the other strand, or one before, asks for more";
  return strand_band_possible(r) ? NULL : "the sweep takes less time than they would";
}

static potential_shape shape_by_hand(const strand_work *r) {
  const int64_t rows = r->sweep.input.rows;
  if (!is_short_by_hand(r)) return (potential_shape){0};
  return (potential_shape){
      .chunk_rows = larger(rows / 16, 24), .bucket = 4, .word_least = 3, .word_most = 8, .turns = 1};
}

static void free_windows(row_windows *windows) {
  free(windows->first);
  free(windows->last);
  free(windows->costs.at);
  free(windows->costs.first);
  free(windows->costs.least);
  free(windows->costs.start_first);
  free(windows->costs.start_last);
  *windows = (row_windows){0};
}

/* Sets the windows to the columns that the potential leaves. Neither end falls from step to step, and each
 * window touches the one above, as sweeps need it. Returns the cells in them. */
static double set_windows(row_windows *windows, const strand_work *r) {
  const int64_t rows = r->sweep.input.rows, columns = r->sweep.input.columns;
  double cells = 0;
  for (int64_t step = 0; step < windows->count; step++) {
    const int64_t above = step * windows->rows, end = smaller(above + windows->rows, rows);
    int64_t unused;
    potential_row(r->potential, above + 1, &windows->first[step], &unused);
    potential_row(r->potential, end, &unused, &windows->last[step]);
    windows->last[step] =
        smaller(larger(windows->last[step], step > 0 ? windows->last[step - 1] : 0), columns);
  }
  for (int64_t step = windows->count - 1; step >= 0; step--) {
    const bool last = step == windows->count - 1;
    windows->first[step] =
        larger(smaller(windows->first[step], last ? columns : windows->first[step + 1]), 0);
    windows->last[step] = larger(windows->last[step], last ? 0 : windows->first[step + 1]);
    cells += (double)windows->rows * (double)(windows->last[step] - windows->first[step] + 1);
  }
  return cells;
}

/* Sets the buckets of a step that get costs: those that are left, and one more on either side. */
static void cost_buckets(int64_t *first, int64_t *last, const strand_work *r, int64_t step) {
  const row_windows *windows = &r->sweep.windows;
  const row_costs *costs = &windows->costs;
  const int64_t row = step * windows->rows + 1;
  int64_t first_column, last_column;
  potential_row(r->potential, row, &first_column, &last_column);
  /* The columns are cut at the matrix' borders, the step's diagonals are not. So a step's rows are added on
   * both sides. */
  *first = larger((first_column - row - windows->rows + costs->diagonals) / costs->bucket - 1, 0);
  *last = (last_column - row + windows->rows + costs->diagonals) / costs->bucket + 1;
}

static cla_status make_cost_rows(row_costs *costs, int64_t count, cla_error *error) {
  int64_t **const by_step[] = {&costs->at, &costs->first, &costs->start_first, &costs->start_last};
  cla_status status = CLA_OK;
  for (size_t i = 0; i < sizeof by_step / sizeof *by_step && status == CLA_OK; i++)
    status = allocate_array((void **)by_step[i], count + 1, sizeof **by_step[i], "windows", error);
  return status;
}

/* Makes the costs by step and bucket. Buckets grow until there are at most COSTS_MOST. */
static cla_status make_costs(strand_work *r, cla_error *error) {
  row_windows *windows = &r->sweep.windows;
  row_costs *costs = &windows->costs;
  const int64_t rows = r->sweep.input.rows, columns = r->sweep.input.columns;
  int64_t last = 0, count = 0;
  *costs = (row_costs){.bucket = ROW_COSTS_BUCKET / 2,
                       .diagonals = rows,
                       .letters = rows + columns,
                       .score = r->bound.path_score};
  cla_status status = make_cost_rows(costs, windows->count, error);
  if (status != CLA_OK) return status;
  do {
    costs->bucket *= 2;
    count = 0;
    for (int64_t step = 0; step < windows->count; step++) {
      costs->at[step] = count;
      cost_buckets(&costs->first[step], &last, r, step);
      count += last - costs->first[step] + 1;
    }
    costs->at[windows->count] = count;
  } while (count > COSTS_MOST);
  status = allocate_array((void **)&costs->least, count, sizeof *costs->least, "windows", error);
  for (int64_t step = 0; step < windows->count && status == CLA_OK; step++) {
    const int64_t row = step * windows->rows + 1;
    potential_starts(r->potential, row, &costs->start_first[step], &costs->start_last[step]);
    for (int64_t i = costs->at[step]; i < costs->at[step + 1]; i++) {
      const int64_t diagonal = (costs->first[step] + i - costs->at[step]) * costs->bucket - costs->diagonals;
      costs->least[i] =
          potential_cost(r->potential, row, diagonal - costs->bucket, diagonal + 2 * costs->bucket - 1);
    }
  }
  return status;
}

static cla_status make_windows(double *cells, strand_work *r, cla_error *error) {
  row_windows *windows = &r->sweep.windows;
  windows->rows = potential_chunk_rows(r->potential);
  const int64_t count = (r->sweep.input.rows + windows->rows - 1) / windows->rows;
  cla_status status =
      allocate_array((void **)&windows->first, count, sizeof *windows->first, "windows", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&windows->last, count, sizeof *windows->last, "windows", error);
  if (status == CLA_OK) windows->count = count;
  if (status == CLA_OK) *cells = set_windows(windows, r);
  return status == CLA_OK ? make_costs(r, error) : status;
}

/* Most bytes of the windows' costs on the device. Three times the host's, because a strip across steps has a
 * line of its own. */
static int64_t windows_bytes(const row_windows *windows) {
  return 3 * windows->costs.at[windows->count] * (int64_t)sizeof *windows->costs.least;
}

/* Plans the sweep again, with windows. Without pruning there are none: the plan stays as it was. */
static void plan_again(strand_work *r, const plan *unpruned, double share) {
  const plan before = r->sweep.plan;
  const int64_t strip_rows = larger(kernel_strip_rows(&unpruned->sweep), kernel_strip_rows(&before.sweep));
  r->sweep.input.windows = (plan_windows){.share = share,
                                          .bytes = windows_bytes(&r->sweep.windows),
                                          .columns = row_windows_widest(&r->sweep.windows, strip_rows)};
  r->sweep.plan = *unpruned;
  plan_prune(&r->sweep.plan, &r->sweep.input, r->bound.score);
  if (r->sweep.plan.prune) return;
  r->sweep.plan = before;
  r->sweep.input.windows = (plan_windows){0};
  free_windows(&r->sweep.windows);
}

/* Cells of a sweep in windows of `area` cells, as a part of the cells of a sweep without windows. Kernels for
 * GPUs know no costs, so `expected` does not limit theirs. */
static double windows_worth(const strand_work *r, double area, double expected) {
  const double most = on_gpu(r) ? INFINITY : EXPECTED_SPARE * expected;
  return fmin(WINDOWS_COMPUTED * area, most) / matrix_cells(r) / sweep_share(r);
}

/* Most bytes of host memory for a band. */
static int64_t band_bytes(const strand_work *r) {
  return r->sweep.input.memory_bytes / 2;
}

/* Seconds after dividing among threads. */
static double shared(const strand_work *r, double seconds) {
  return seconds / (1 + (r->sweep.input.threads - 1) * THREAD_PART);
}

/* True if a band's cells are predictable and its parts agree, so that threads can share it. */
static bool parts_agree(const strand_work *r, const potential *p, double area, double expected) {
  return potential_spread(p) <= SPREAD_MOST * lines(r) && area <= AREA_MOST * expected;
}

/* Seconds of a band and its traceback. */
static double band_takes(const strand_work *r, const potential *p, double area, double expected) {
  const bool agrees = parts_agree(r, p, area, expected);
  const double cells = agrees ? fmin(area, BAND_SPARE * expected) : area;
  const double cell = cells > WIDE_LINE * lines(r) ? WIDE_CELL_SECONDS : CELL_SECONDS;
  const double seconds = cells * cell + lines(r) * (LINE_SECONDS + LINE_TRACE_SECONDS);
  return agrees ? shared(r, seconds) : seconds;
}

/* Seconds of a sweep in windows and its traceback. worth: the result of windows_worth. */
static double windows_take(const strand_work *r, double worth) {
  const double trace = on_gpu(r) ? lines(r) * WINDOWS_TRACE_SECONDS_GPU : trace_seconds(r);
  return sweep_seconds(r, fmin(worth, 1)) + trace;
}

/* Seconds of each way if the levels leave `area` cells. */
static way_seconds ways_take(const strand_work *r, const potential *p, double area, double expected) {
  return (way_seconds){.known = true,
                       .band = band_takes(r, p, area, expected),
                       .windows = windows_take(r, windows_worth(r, area, expected)),
                       .sweep = without_seconds(r)};
}

/* For potential_input.left_work: the time of the best way that may be chosen. */
static double left_work(const void *user, const potential *p, double area, double expected) {
  const strand_work *r = user;
  const way_seconds ways = ways_take(r, p, area, expected);
  double least = may_band(r) ? ways.band : INFINITY;
  if (r->sweep.plan.bounds != PLAN_BOUNDS_BAND) least = fmin(least, ways.windows);
  return (is_chosen(r) ? fmin(least, ways.sweep) : least) / WORK_SECONDS;
}

/* Chooses between a band, the sweep in windows and the whole sweep. */
static cla_status use_potential(strand_work *r, const plan *unpruned, cla_error *error) {
  double cells = 0;
  cla_status status = make_windows(&cells, r, error);
  const double expected = (double)potential_expected(r->potential);
  const double worth = windows_worth(r, cells, expected), computed = worth * matrix_cells(r) * sweep_share(r);
  const bool chosen = is_chosen(r);
  r->ways = ways_take(r, r->potential, (double)potential_area(r->potential), expected);
  r->ways.windows = windows_take(r, worth);
  const bool fits = whole_band_bytes(&r->sweep.problem) <= band_bytes(r);
  const bool bands = may_band(r) && (!chosen || (fits && r->ways.band <= r->ways.windows));
  const bool windows = !bands && r->opening_seconds <= 0 &&
                       (!chosen || (worth < WINDOWS_WORTH && r->ways.windows < r->ways.sweep));
  const double share = computed / WINDOWS_COMPUTED / matrix_cells(r);
  r->band_seconds = levels_least(r) + r->ways.band;
  if (!bands) {
    if (r->opening_seconds > 0)
      r->spare = r->potential;
    else
      potential_free(r->potential);
    r->potential = NULL;
  }
  if (!windows) free_windows(&r->sweep.windows);
  if (status == CLA_OK && windows) plan_again(r, unpruned, share);
  return status;
}

/* Names the current level as the stage of the progress, with the part of the matrix that it looks at. */
static void name_level(strand_work *r) {
  const potential_levels *levels = &r->levels;
  const cla_bound_level *at = levels->count > 0 ? &levels->at[levels->count - 1] : NULL;
  r->sweep.progress.stage = r->level_text;
  if (!at || at->seconds >= 0)
    snprintf(r->level_text, sizeof r->level_text, "bounds");
  else if (levels->count == 1)
    snprintf(r->level_text, sizeof r->level_text, "bounds, %s level", work_level_size_name(at->size));
  else
    snprintf(r->level_text, sizeof r->level_text, "bounds, %s level in %.3g %%",
             work_level_size_name(at->size), 100 * at[-1].left);
}

static cla_status report(void *user, cla_error *error) {
  strand_work *r = user;
  name_level(r);
  return sweep_tick(&r->sweep, 0, error);
}

static void note_left(void *user, const potential_part *part) {
  const strand_work *r = user;
  const work_level_part noted = {.level = part->level,
                                 .number = part->number,
                                 .row = part->row,
                                 .rows = part->rows,
                                 .low = part->first,
                                 .high = part->last};
  work_notes_level(r->sweep.notes, &noted);
}

cla_status strand_band_plan(strand_work *r, const plan *unpruned, cla_error *error) {
  const plan_input *input = &r->sweep.input;
  bound_stop stop = {.tick = report, .user = r, .error = error};
  const bound_pair pair = {.problem = r->sweep.problem, .stop = &stop, .ticks = true};
  const potential_input wanted = {
      .pair = &pair,
      .bound = &r->bound,
      .threads = input->threads,
      .work_most = work_most(r),
      .bytes_most = input->memory_bytes / 4,
      .left_work = is_short_by_hand(r) ? NULL : left_work,
      .spread_most = on_gpu(r) && is_chosen(r) ? SPREAD_MOST * lines(r) : INFINITY,
      .edits = !is_chosen(r) || without_seconds(r) > edits_least(r),
      .left = r->sweep.notes ? note_left : NULL,
      .user = r,
      .shape = shape_by_hand(r)};
  if (!strand_band_possible(r) || !r->bound.has_path) return CLA_OK;
  name_level(r);
  const double began = machine_seconds();
  cla_status status = CLA_OK;
  r->potential = r->spare;
  r->spare = NULL;
  if (!r->potential) status = potential_make(&r->potential, &r->levels, &wanted, error);
  if (status == CLA_OK) status = (cla_status)atomic_load(&stop.status);
  if (status == CLA_OK && r->potential) status = use_potential(r, unpruned, error);
  if (!r->potential && !r->spare && r->sweep.windows.count == 0) work_notes_drop_levels(r->sweep.notes);
  r->levels_seconds += machine_seconds() - began;
  return status;
}

void strand_bounds_count(cla_metrics *metrics, const strand_work *r) {
  metrics->bounds = (cla_stage){.cells = r->levels.cells, .seconds = r->bound.seconds + r->levels_seconds};
  metrics->level_count = r->levels.count;
  memcpy(metrics->levels, r->levels.at, sizeof metrics->levels);
}

void strand_band_free(strand_work *r) {
  potential_free(r->potential);
  potential_free(r->spare);
  free_windows(&r->sweep.windows);
}

static cla_status tick(void *user, int64_t cells, cla_error *error) {
  return sweep_tick(user, cells, error);
}

static void note_work(strand_work *r) {
  work_notes_begin(r->sweep.notes, 0);
  for (int64_t row = 0; row < r->sweep.input.rows && r->sweep.notes; row++) {
    int64_t first, last;
    potential_row(r->potential, row + 1, &first, &last);
    first = larger(first - 1, 0); /* from nodes to cells */
    if (first >= last) continue;
    const region_strip strip = {.row = row, .rows = 1, .column = first, .columns = last - first};
    work_notes_strip(r->sweep.notes, &strip, 0);
  }
}

cla_status strand_band_align(bool *done, strand_work *r, cla_alignment *alignment, cla_error *error) {
  const pair_problem *problem = &r->sweep.problem;
  row_worth worth = {0};
  whole_band *band = NULL;
  path steps = {0};
  path_end end;
  live_band_outcome outcome = LIVE_BAND_EMPTY;
  const bool agrees = parts_agree(r, r->potential, (double)potential_area(r->potential),
                                  (double)potential_expected(r->potential));
  const whole_band_input whole = {.problem = problem,
                                  .potential = r->potential,
                                  .worth = &worth,
                                  .bound = &r->bound,
                                  .threads = r->sweep.input.threads,
                                  .bytes_limit = band_bytes(r),
                                  .tick = tick,
                                  .tick_user = &r->sweep,
                                  .parts = agrees ? 0 : 1};
  r->sweep.progress.stage = "band";
  r->sweep.progress.began = r->sweep.progress.reported = machine_seconds();
  cla_status status = row_worth_make(&worth, problem->query, problem->rows, problem->scheme.table, error);
  if (status == CLA_OK) status = whole_band_sweep(&band, &outcome, &end, &whole, error);
  const double swept = machine_seconds();
  const int64_t swept_cells = band ? whole_band_cells(band) : 0;
  if (status == CLA_OK && outcome == LIVE_BAND_EMPTY)
    status = error_set(error, CLA_ERROR_VERIFICATION,
                       "wrong value: the bounds of the sweep exclude the alignment found beforehand, whose "
                       "score is %lld; " WRONG_VALUE_REMEDY,
                       (long long)r->bound.path_score);
  if (status == CLA_OK && outcome == LIVE_BAND_READY)
    status = lower_bound_check(&r->bound, end.score, problem->scheme.scoring, error);
  if (status == CLA_OK && outcome == LIVE_BAND_READY)
    status = whole_band_trace(&r->start_row, &r->start_column, &steps, &outcome, band, error);
  *done = status == CLA_OK && outcome == LIVE_BAND_READY;
  if (*done) {
    cla_metrics *metrics = &alignment->metrics;
    const double now = machine_seconds();
    metrics->pruned = true;
    metrics->lower_bound = r->bound.score;
    alignment->score = end.score;
    alignment->query.stop = alignment->query.begin + end.row;
    alignment->target.stop = alignment->target.begin + end.column;
    path_finish(&steps, &alignment->runs, &alignment->run_count);
    alignment->has_path = true;
    alignment->query.start = alignment->query.begin + r->start_row;
    alignment->target.start = alignment->target.begin + r->start_column;
    metrics->bands = (cla_stage){.cells = whole_band_cells(band) - swept_cells, .seconds = now - swept};
    metrics->sweep_seconds = swept - r->sweep.progress.began;
    strand_bounds_count(metrics, r);
    metrics->cells_computed = r->levels.cells + whole_band_cells(band);
    metrics->seconds = r->bound.seconds + r->levels_seconds + now - r->sweep.progress.began;
    note_work(r);
    status = work_notes_finish(&alignment->work, r->sweep.notes, error);
  }
  path_free(&steps);
  whole_band_free(band);
  row_worth_free(&worth);
  return status;
}
