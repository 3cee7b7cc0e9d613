/* Makes a potential and the windows of a sweep. With plan/ways.h, chooses a band on the host, the sweep in
 * windows, or the whole sweep. Aligns in the band. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "bounds/potential.h"
#include "pipeline/strand_internal.h"
#include "result/alignment.h"
#include "trace/whole_band.h"

#define COSTS_MOST (INT64_C(1) << 23) /* maximum number of buckets of the windows' costs */
/* minimum rows for chunks of the usual size; only if the user asks for a potential */
#define ROWS_BY_HAND 16384
/* True if bounds may be made: the scheme allows them, neither a rival nor further alignments prevent them,
 * and the lower bound is positive if ends are free. */
static bool may_know(const strand_work *r) {
  const align_job *job = r->job;
  const plan_input *input = &r->sweep.input;
  const bool corner = !input->ends.anywhere && !input->ends.query_end && !input->ends.target_end;
  const bool rival = job->rival && job->rival->given && job->rival->least > r->bound.score;
  return r->sweep.plan.bounds != PLAN_BOUNDS_OFF && !job->rest && !rival &&
         (corner || r->bound.score > 0 || !r->bound.has_path) && potential_possible(&r->sweep.problem);
}

/* Returns the limit on the host memory of a band, in bytes. */
static int64_t band_bytes(const strand_work *r) {
  return r->sweep.input.memory_bytes / 2;
}

static bool is_chosen(const strand_work *r) {
  return r->sweep.plan.bounds == PLAN_BOUNDS_CHOSEN;
}

/* True if a band may replace the sweep. Options about a kernel or about kept rows require the device. If
 * scores are looked up, a band is slower than windows: 1.6 s instead of 0.9 s for 1 Mbp at 5 % with 20
 * ambiguous letters. */
static bool may_band(const strand_work *r) {
  const plan_input *input = &r->sweep.input;
  if (r->checkpoint || r->job->adjust || r->sweep.plan.bounds == PLAN_BOUNDS_SWEEP) return false;
  if (r->sweep.table.needs_lookup) return false;
  if (is_chosen(r) && whole_band_bytes(&r->sweep.problem) > band_bytes(r)) return false;
  return r->sweep.plan.bounds == PLAN_BOUNDS_BAND || (!input->kernel && !r->sweep.plan.kernel_set);
}

ways_input strand_band_ways(const strand_work *r) {
  const plan_input *input = &r->sweep.input;
  const plan *whole = &r->sweep.plan;
  char from[64];
  ways_input in = {.bounds = whole->bounds,
                   .gpu = input->device->kind == CLA_DEVICE_GPU,
                   .compute_units = input->device->compute_units,
                   .threads = input->threads,
                   .rows = (double)input->rows,
                   .columns = (double)input->columns,
                   .sweep_seconds = whole->predicted.sweep_seconds,
                   .sweep_share = whole->prune ? whole->prune_share : 1,
                   .opening_seconds = r->opening_seconds,
                   .may_band = may_band(r)};
  tuning_rates_find(&in.rates, from, sizeof from, input->tuning, input->device->kind);
  return in;
}

/* True if the user asks for a potential of a short pair. Its chunks are then small. */
static bool is_short_by_hand(const strand_work *r) {
  return !is_chosen(r) && r->sweep.input.rows < ROWS_BY_HAND;
}

bool strand_band_possible(const strand_work *r) {
  const ways_input in = strand_band_ways(r);
  return may_know(r) && (!is_chosen(r) || ways_sweep_seconds(&in) > ways_levels_seconds(&in, false));
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

/* Sets the windows to the columns that the potential does not exclude. Sweeps require that no end moves
 * left from one step to the next, and that each window touches the window above. Returns the number of
 * cells in the windows. */
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

/* Sets *first and *last to the first and last bucket of a step that get costs: the buckets that are not
 * excluded, and one more on either side. */
static void cost_buckets(int64_t *first, int64_t *last, const strand_work *r, int64_t step) {
  const row_windows *windows = &r->sweep.windows;
  const row_costs *costs = &windows->costs;
  const int64_t row = step * windows->rows + 1;
  int64_t first_column, last_column;
  potential_row(r->potential, row, &first_column, &last_column);
  /* The columns end at the matrix' borders, but the step's diagonals do not. So the range is wider on both
   * sides, by the number of rows of a step. */
  *first = larger((first_column - row - windows->rows + costs->diagonals) / costs->bucket - 1, 0);
  *last = (last_column - row + windows->rows + costs->diagonals) / costs->bucket + 1;
}

static cla_status make_cost_rows(row_costs *costs, int64_t count, cla_error *error) {
  int64_t **const by_step[] = {&costs->at, &costs->first, &costs->start_first, &costs->start_last};
  cla_status status = CLA_OK;
  for (size_t i = 0; i < sizeof by_step / sizeof *by_step && status == CLA_OK; i++)
    status = ALLOCATE_ARRAY(by_step[i], count + 1, "windows", error);
  return status;
}

/* Computes the costs by step and bucket. Buckets are widened until there are at most COSTS_MOST. */
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
  status = ALLOCATE_ARRAY(&costs->least, count, "windows", error);
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
  cla_status status = ALLOCATE_ARRAY(&windows->first, count, "windows", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&windows->last, count, "windows", error);
  if (status == CLA_OK) windows->count = count;
  if (status == CLA_OK) *cells = set_windows(windows, r);
  return status == CLA_OK ? make_costs(r, error) : status;
}

/* Returns the maximum number of bytes of the windows' costs on the device. The device needs three times as
 * many numbers as the host: a strip that lies in two steps has a line of its own. */
static int64_t windows_bytes(const row_windows *windows) {
  return 3 * windows->costs.at[windows->count] * (int64_t)sizeof *windows->costs.least;
}

/* Plans the sweep again, with windows. A plan that does not prune cannot use windows. Then the plan stays
 * unchanged. */
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

/* Estimates the work after a level, for potential_input.left_work. */
static double left_work(const void *user, const potential *p, double area, double expected) {
  ways_input in = strand_band_ways(user);
  in.area = in.windows = area;
  in.expected = expected;
  in.spread = potential_spread(p);
  return ways_left_work(&in);
}

/* Chooses between a band, the sweep in windows and the whole sweep. */
static cla_status use_potential(strand_work *r, const plan *unpruned, cla_error *error) {
  ways_input in = strand_band_ways(r);
  in.area = (double)potential_area(r->potential);
  in.expected = (double)potential_expected(r->potential);
  in.spread = potential_spread(r->potential);
  cla_status status = make_windows(&in.windows, r, error);
  if (status != CLA_OK) return status;
  in.widest = (double)row_windows_widest(&r->sweep.windows, r->sweep.windows.rows);
  r->ways = ways_choose(&in);
  const bool windows = r->ways.chosen == WAY_WINDOWS && r->opening_seconds <= 0;
  r->band_seconds = ways_levels_seconds(&in, false) + r->ways.band;
  if (r->ways.chosen != WAY_BAND) {
    if (r->opening_seconds > 0)
      r->spare = r->potential;
    else
      potential_free(r->potential);
    r->potential = NULL;
  }
  if (windows)
    plan_again(r, unpruned, r->ways.share);
  else
    free_windows(&r->sweep.windows);
  return CLA_OK;
}

/* Sets the progress' stage to the current level, and the fraction of the matrix that this level examines. */
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
  const ways_input in = strand_band_ways(r);
  bound_stop stop = {.tick = report, .user = r, .error = error};
  const bound_pair pair = {.problem = r->sweep.problem, .stop = &stop, .ticks = true};
  const potential_input wanted = {
      .pair = &pair,
      .bound = &r->bound,
      .threads = input->threads,
      .work_most = (int64_t)fmin(ways_work_most(&in), (double)(INT64_MAX / 2)),
      .bytes_most = input->memory_bytes / 4,
      .left_work = is_short_by_hand(r) ? NULL : left_work,
      .spread_most = ways_spread_most(&in),
      .edits = !is_chosen(r) || ways_sweep_seconds(&in) > ways_levels_seconds(&in, true),
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
    first = larger(first - 1, 0); /* converts nodes to cells */
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
  const whole_band_input whole = {.problem = problem,
                                  .potential = r->potential,
                                  .worth = &worth,
                                  .bound = &r->bound,
                                  .threads = r->sweep.input.threads,
                                  .bytes_limit = band_bytes(r),
                                  .tick = tick,
                                  .tick_user = &r->sweep,
                                  .parts = r->ways.parts};
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
