/* Runs the stages of a run in order. */

#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "pipeline/kept_matrix.h"
#include "pipeline/strand_internal.h"
#include "trace/traceback.h"

static cla_status open_rows(strand_work *r, cla_error *error) {
  const row_shape shape = sweep_row_shape(&r->sweep);
  if (r->checkpoint)
    return checkpoint_rows(&r->sweep.kept, r->checkpoint, &shape, r->sweep.plan.rows_at_once, error);
  if (r->keeps || (r->sweep.plan.row_interval == 0 && r->sweep.plan.first_rows == 0)) return CLA_OK;
  return special_rows_create(&r->sweep.kept, &shape, error);
}

/* Starts the sweep at the top, or below the last row of a run directory. */
static cla_status begin_sweep(strand_work *r, cla_error *error) {
  const int64_t row = r->checkpoint ? checkpoint_sweep_row(r->checkpoint, r->sweep.kept) : 0;
  r->sweep.start = (sweep_start){0};
  cla_status status = row > 0 ? sweep_go_below(&r->sweep, row, error) : CLA_OK;
  if (status != CLA_OK) return status;
  r->sweep.progress.began -= r->sweep.start.seconds;
  if (r->checkpoint) special_rows_set_begin(r->sweep.kept, r->sweep.progress.began);
  sweep_end_begin(&r->sweep.start, &r->sweep.input);
  work_notes_begin(r->sweep.notes, r->sweep.start.row);
  r->sweep.progress.stage = "forward sweep";
  return CLA_OK;
}

/* Replaces the first of several devices after it failed. Returns CLA_OK if another device can do its work. */
static cla_status lose_first(strand_work *r, cla_status status, const cla_error *reason, cla_error *error) {
  status = sweep_lose_first(&r->sweep, status, reason, error);
  if (status == CLA_OK) kept_matrix_fit(r);
  return status;
}

/* Sweeps the first of a sweep's two parts (plan/plan_prune.c). The second part starts below the first
 * part's last row. That row may be missing, for instance if nothing reaches the bound. Then there is no
 * second part: *goes_on is false, and *result is the result of the whole sweep. */
static cla_status sweep_first_rows(strand_work *r, region_result *result, bool *goes_on, cla_metrics *metrics,
                                   cla_error *error) {
  const int64_t rows = r->sweep.plan.first_rows;
  const bool keeps = r->sweep.plan.row_interval > 0 || r->checkpoint;
  cla_status status = sweep_to(&r->sweep, result, rows, plan_first_interval(&r->sweep.plan), NULL, error);
  if (status == CLA_OK) status = special_rows_flush(r->sweep.kept, error);
  if (status != CLA_OK) return status;
  metrics->cells_computed = result->cells;
  r->sweep.progress.passed_before = r->sweep.progress.passed_over;
  const int64_t kept = special_rows_count(r->sweep.kept);
  *goes_on = kept > 0 && special_rows_at(r->sweep.kept, kept - 1) == rows;
  result->bottom_first = 0;
  result->bottom_last = -1;
  if (!*goes_on) return CLA_OK;
  status = sweep_go_below(&r->sweep, rows, error);
  if (status == CLA_OK && !keeps) special_rows_drop_from(r->sweep.kept, 0);
  return status;
}

/* Sweeps the first part, if there is one. If the first of several devices fails, the next device sweeps it.
 */
static cla_status sweep_first_part(strand_work *r, region_result *result, bool *goes_on, cla_metrics *metrics,
                                   cla_error *error) {
  cla_status status = CLA_OK;
  *goes_on = true;
  while (status == CLA_OK && r->sweep.start.row == 0 && r->sweep.plan.first_rows > 0 &&
         r->sweep.plan.first_rows < r->sweep.input.rows) {
    cla_error reason = {.status = CLA_OK};
    status = sweep_first_rows(r, result, goes_on, metrics, &reason);
    if (status == CLA_OK) break;
    status = lose_first(r, status, &reason, error);
    if (r->sweep.kept) special_rows_drop_from(r->sweep.kept, 0);
  }
  return status;
}

/* Sweeps the remaining rows, on one device or several. */
static cla_status sweep_rest(strand_work *r, region_result *result, int64_t *cells, int64_t *bottom,
                             cla_error *error) {
  const device_team *team = &r->sweep.team;
  if (team->shared)
    return align_peers(r->job->options)->sweep->blocks(result, cells, &r->sweep, bottom, error);
  if (team->count > 0) return sweep_blocks(result, cells, &r->sweep, bottom, error);
  cla_status status =
      sweep_to(&r->sweep, result, r->sweep.input.rows, r->sweep.plan.row_interval, bottom, error);
  *cells = result->cells;
  return status;
}

/* Runs the forward sweep, which finds score, end cell and special rows. */
static cla_status sweep(strand_work *r, trace_point *end, cla_metrics *metrics, cla_error *error) {
  int64_t *bottom = NULL, cells = 0;
  bool goes_on = true;
  region_result result;
  cla_status status = CLA_OK;
  if (path_ends_in_last_row(&r->sweep.input.ends))
    status = ALLOCATE_ARRAY(&bottom, r->sweep.input.columns + 1, "the last row", error);
  if (status == CLA_OK) status = begin_sweep(r, error);
  if (status == CLA_OK) status = sweep_first_part(r, &result, &goes_on, metrics, error);
  if (status == CLA_OK && goes_on) {
    status = sweep_rest(r, &result, &cells, bottom, error);
    metrics->cells_computed += cells;
  }
  if (status != CLA_OK) goto done;
  metrics->sweep_seconds = machine_seconds() - r->sweep.progress.began;
  *end = sweep_end(&r->sweep.start, &r->sweep.input, &result, bottom);
  if (r->checkpoint) status = checkpoint_swept(r->checkpoint, r->sweep.kept, end, metrics, error);

done:
  sweep_start_free(&r->sweep.start);
  free(bottom);
  return status;
}

static path_mark mark_path(const trace_point *point, const path *steps) {
  return (path_mark){.point = *point,
                     .runs = steps->count,
                     .last_length = steps->count > 0 ? steps->runs[steps->count - 1].length : 0};
}

/* Stores a point from which the path is certain. */
static cla_status pass_point(void *user, const trace_point *point, const path *steps, const char *stage,
                             cla_error *error) {
  strand_work *r = user;
  r->traced = mark_path(point, steps);
  const cla_status status = path_claims_add(&r->claims, point, stage, error);
  if (!point->at_start) work_notes_crosspoint(r->sweep.notes, point->row, point->column);
  if (status != CLA_OK || !r->checkpoint) return status;
  return checkpoint_save_path(r->checkpoint, point, steps, error);
}

/* Resets the traceback to the mark, with another engine. Steps added after the mark are not certain. */
static void go_back_to(traceback *t, const path_mark *mark, wavefront *engine) {
  t->engine = engine;
  t->point = mark->point;
  t->steps.count = mark->runs;
  if (mark->runs > 0) t->steps.runs[mark->runs - 1].length = mark->last_length;
}

static void begin_traceback(strand_work *r) {
  device_team_swept(&r->sweep.team);
  r->sweep.progress.done_before = r->sweep.plan.predicted.sweep_cells;
  r->sweep.progress.stage_before = r->sweep.progress.passed_before = r->sweep.progress.passed_over = 0;
  r->sweep.progress.stage = "traceback";
}

/* Reports to callbacks.explain how much other ranks have traced. */
static void tell_traced(const strand_work *r, const traceback *t) {
  const cla_callbacks *calls = &r->job->options->callbacks;
  char text[160];
  if (!t->begin_far || t->ahead == 0 || !calls->explain) return;
  snprintf(text, sizeof text, "traced by  other ranks: %lld of %lld blocks computed ahead of the path\n",
           (long long)t->far_ahead, (long long)t->ahead);
  calls->explain(text, calls->explain_user);
}

static cla_status trace(strand_work *r, cla_alignment *alignment, const trace_point *end, cla_error *error) {
  traceback t = {.engine = r->sweep.engine,
                 .plan = &r->sweep.plan,
                 .input = &r->sweep.input,
                 .problem = r->sweep.problem,
                 .tick = sweep_tick,
                 .tick_user = &r->sweep,
                 .kernel = sweep_kernel,
                 .kernel_user = &r->sweep,
                 .save = pass_point,
                 .save_user = r,
                 .far_user = r->job->options->ranks,
                 .bound = r->bound.has_path ? &r->bound : NULL,
                 .point = *end};
  if (r->sweep.team.shared) t.begin_far = align_peers(r->job->options)->begin_far;
  begin_traceback(r);
  const double began = machine_seconds();
  cla_status status = r->checkpoint ? checkpoint_load_path(r->checkpoint, &t.point, &t.steps, error) : CLA_OK;
  r->traced = mark_path(&t.point, &t.steps);
  if (status == CLA_OK) status = path_claims_add(&r->claims, end, "forward sweep", error);
  while (status == CLA_OK) {
    cla_error reason = {.status = CLA_OK};
    status = traceback_run(&t, r->sweep.kept, &reason);
    if (status == CLA_OK) break;
    status = lose_first(r, status, &reason, error);
    go_back_to(&t, &r->traced, r->sweep.engine);
  }
  t.bands.seconds = machine_seconds() - began - t.kernel_seconds - t.search.seconds - t.blocks.seconds;
  r->sweep.progress.began += t.kernel_seconds; /* the run's seconds exclude the building of kernels */
  alignment->metrics.build_seconds += t.kernel_seconds;
  if (status == CLA_OK) tell_traced(r, &t);
  alignment->metrics.cells_computed += t.cells;
  alignment->metrics.search = t.search;
  alignment->metrics.blocks = t.blocks;
  alignment->metrics.bands = t.bands;
  if (status == CLA_OK) {
    path_finish(&t.steps, &alignment->runs, &alignment->run_count);
    r->start_row = t.point.row;
    r->start_column = t.point.column;
    alignment->has_path = true;
    alignment->query.start = alignment->query.begin + t.point.row;
    alignment->target.start = alignment->target.begin + t.point.column;
  }
  path_free(&t.steps);
  return status;
}

static cla_status verify_score(strand_work *r, cla_alignment *alignment, const trace_point *end,
                               cla_error *error) {
  cla_metrics *metrics = &alignment->metrics;
  begin_traceback(r);
  metrics->bands.cells = metrics->cells_computed;
  cla_status status = score_check(&metrics->verified, r, end, &metrics->bands, error);
  metrics->cells_computed += metrics->bands.cells;
  return status;
}

/* Sweeps a kept matrix on the first device. If this device fails, the next one starts again, perhaps
 * without keeping the matrix. */
static cla_status sweep_kept(strand_work *r, trace_point *end, cla_metrics *metrics, cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && r->sweep.plan.matrix_block_rows > 0) {
    cla_error reason = {.status = CLA_OK};
    status = kept_matrix_sweep(r, end, metrics, &reason);
    if (status == CLA_OK) return CLA_OK;
    special_rows_free(r->sweep.kept); /* frees the rows of the failed block */
    r->sweep.kept = NULL;
    sweep_start_free(&r->sweep.start);
    r->sweep.start = (sweep_start){0};
    if (r->sweep.team.shared) return error_set(error, status, "%s", reason.message);
    status = lose_first(r, status, &reason, error);
  }
  if (status != CLA_OK) return status;
  r->keeps = false;
  status = open_rows(r, error);
  return status == CLA_OK ? sweep(r, end, metrics, error) : status;
}

/* Refuses an end cell outside the matrix. */
static cla_status check_end(const strand_work *r, const trace_point *end, cla_error *error) {
  if (end->row >= 0 && end->row <= r->sweep.input.rows && end->column >= 0 &&
      end->column <= r->sweep.input.columns)
    return CLA_OK;
  return error_set(
      error, CLA_ERROR_DEVICE,
      "wrong value: the forward sweep gave the score %lld at (%lld, %lld), outside of the matrix of %lld x "
      "%lld letters; " WRONG_VALUE_REMEDY,
      (long long)end->value, (long long)end->row, (long long)end->column, (long long)r->sweep.input.rows,
      (long long)r->sweep.input.columns);
}

/* Adds to the metrics the work of the lower bound and the levels. */
static void count_work(const strand_work *r, cla_metrics *metrics) {
  metrics->seconds = machine_seconds() - r->sweep.progress.began + r->bound.seconds + r->levels_seconds;
  metrics->cells_computed += r->levels.cells;
  strand_bounds_count(metrics, r);
}

cla_status strand_work_stages(strand_work *r, cla_alignment *alignment, cla_error *error) {
  trace_point end = {0};
  r->sweep.progress.began = r->sweep.progress.reported = machine_seconds();
  const trace_point *known = r->checkpoint ? checkpoint_end(r->checkpoint, &alignment->metrics) : NULL;
  cla_status status = open_rows(r, error);
  if (known)
    end = *known;
  else if (status == CLA_OK)
    status = r->keeps ? sweep_kept(r, &end, &alignment->metrics, error)
                      : sweep(r, &end, &alignment->metrics, error);
  if (status == CLA_OK) status = check_end(r, &end, error);
  if (status == CLA_OK) work_notes_rows(r->sweep.notes, r->sweep.kept);
  if (status == CLA_OK && strand_bound_lost(&r->bound, r->job->rival, end.value)) {
    r->job->rival->lost = true;
    count_work(r, &alignment->metrics);
    return CLA_OK;
  }
  if (status == CLA_OK) status = lower_bound_check(&r->bound, end.value, &r->job->options->scoring, error);
  if (status != CLA_OK) return status;
  if (known) r->sweep.progress.began -= alignment->metrics.seconds;
  alignment->score = end.value;
  const bool empty = r->sweep.input.ends.floor && end.value == 0;
  alignment->query.stop = empty ? 0 : alignment->query.begin + end.row;
  alignment->target.stop = empty ? 0 : alignment->target.begin + end.column;
  if (empty && !r->job->options->score_only) {
    alignment->has_path = true;
    alignment->query.start = alignment->target.start = 0;
  } else if (!r->job->options->score_only) {
    status = trace(r, alignment, &end, error);
  } else if (!empty) {
    status = verify_score(r, alignment, &end, error);
  }
  count_work(r, &alignment->metrics);
  return status == CLA_OK ? work_notes_finish(&alignment->work, r->sweep.notes, error) : status;
}
