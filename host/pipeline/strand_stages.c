/* The stages of a run, in their order. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "pipeline/align_bound.h"
#include "pipeline/kept_matrix.h"
#include "pipeline/score_check.h"
#include "pipeline/strand_run.h"
#include "pipeline/sweep_end.h"
#include "team/block_sweep.h"
#include "trace/traceback.h"

static cla_status put_sweep_row(void *user, const region_row_part *part, cla_error *error) {
  strand_run *r = user;
  const region_row_part moved = sweep_start_part(&r->start, part);
  return special_rows_put(r->kept, &moved, error);
}

static void note_strip(void *user, const region_strip *strip) {
  strand_run *r = user;
  work_notes_strip(r->notes, strip, r->start.row);
}

row_shape strand_run_row_shape(const strand_run *r) {
  return (row_shape){.nodes = r->input.columns + 1,
                     .largest_score = r->table.maximum,
                     .scoring = &r->options->scoring,
                     .floor = r->input.ends.floor};
}

static cla_status open_rows(strand_run *r, cla_error *error) {
  const row_shape shape = strand_run_row_shape(r);
  if (r->checkpoint) return checkpoint_rows(&r->kept, r->checkpoint, &shape, error);
  if (r->keeps || (r->plan.row_interval == 0 && r->plan.first_rows == 0)) return CLA_OK;
  return special_rows_create(&r->kept, &shape, error);
}

/* Where the sweep begins: at the top, or below the last row of a run directory. */
static cla_status begin_sweep(strand_run *r, cla_error *error) {
  cla_status status = CLA_OK;
  if (r->checkpoint)
    status =
        checkpoint_sweep_start(&r->start, r->checkpoint, r->kept, r->input.rows, r->input.columns, error);
  if (status != CLA_OK) return status;
  r->began -= r->start.seconds;
  if (r->checkpoint) special_rows_set_begin(r->kept, r->began);
  sweep_end_begin(&r->start, &r->input);
  work_notes_begin(r->notes, r->start.row);
  r->stage = "forward sweep";
  return CLA_OK;
}

int64_t strand_run_reached(const strand_run *r) {
  if (path_ends_best(&r->input.ends) == BEST_NONE) return r->plan.bound;
  return larger(r->plan.bound, r->start.best_score);
}

region strand_run_region(const strand_run *r, int64_t row, int64_t end, int64_t bound) {
  const cla_scoring *scoring = &r->options->scoring;
  const path_ends *ends = &r->input.ends;
  const border_rule zero = {0};
  return (region){.row = row,
                  .rows = end - row,
                  .rows_beyond = r->input.rows - end,
                  .columns = r->input.columns,
                  .floor = ends->floor,
                  .best = path_ends_best(ends),
                  .prune = r->plan.prune,
                  .bound = bound,
                  .down_ext = path_ends_down_ext(ends, scoring),
                  .across_ext = path_ends_across_ext(ends, scoring),
                  .left = ends->query_start ? zero : border_of_gap(scoring, row),
                  .top = ends->target_start ? zero : border_of_gap(scoring, 0)};
}

cla_status strand_run_sweep_to(strand_run *r, region_result *result, int64_t end, int64_t row_interval,
                               int64_t *bottom, cla_error *error) {
  region part = strand_run_region(r, r->start.row, end, strand_run_reached(r));
  part.corner = r->start.top_h ? r->start.top_h[0] : 0;
  part.top_h = r->start.top_h;
  part.top_f = r->start.top_f;
  part.top_f2 = r->start.top_f2;
  part.bottom = bottom;
  part.row_interval = row_interval;
  part.sink = put_sweep_row;
  part.sink_threads = r->checkpoint ? 1 : r->plan.threads;
  part.strips = r->notes ? note_strip : NULL;
  part.tick = strand_run_tick;
  part.passed_over = &r->passed_over;
  part.user = r;
  r->stage_before = r->start.row * r->input.columns;
  if (r->team.count > 0) r->team.members[r->team.first].worked = true;
  return wavefront_solve(result, r->engine, &part, &r->plan.sweep, error);
}

cla_status strand_run_go_below(strand_run *r, int64_t row, cla_error *error) {
  sweep_start_free(&r->start);
  if (special_rows_above(r->kept, row + 1) != row)
    return error_set(
        error, CLA_ERROR_OUTPUT,
        "row %lld of the run cannot be read again after it was kept; use another folder or machine",
        (long long)row);
  cla_status status =
      sweep_start_below(&r->start, r->kept, row, r->input.columns, &r->options->scoring, error);
  if (status == CLA_OK && r->checkpoint) special_rows_stow(r->kept, row);
  return status;
}

/* The first part of a sweep in two (plan/plan_parts.h); the second one begins below its last row. Where that
 * row has been passed over, as with a bound that nothing reaches, there is none, and *result is that of the
 * sweep. */
static cla_status sweep_first_rows(strand_run *r, region_result *result, bool *goes_on, cla_metrics *metrics,
                                   cla_error *error) {
  const int64_t rows = r->plan.first_rows;
  const bool keeps = r->plan.row_interval > 0 || r->checkpoint;
  cla_status status = strand_run_sweep_to(r, result, rows, plan_first_interval(&r->plan), NULL, error);
  if (status == CLA_OK) status = special_rows_flush(r->kept, error);
  if (status != CLA_OK) return status;
  metrics->cells_computed = result->cells;
  r->passed_before = r->passed_over;
  const int64_t kept = special_rows_count(r->kept);
  *goes_on = kept > 0 && special_rows_at(r->kept, kept - 1) == rows;
  result->bottom_first = 0;
  result->bottom_last = -1;
  if (!*goes_on) return CLA_OK;
  status = strand_run_go_below(r, rows, error);
  if (status == CLA_OK && !keeps) special_rows_drop_from(r->kept, 0);
  return status;
}

/* The first part where the sweep begins with one; if the first of several devices fails, on the next one. */
static cla_status sweep_first_part(strand_run *r, region_result *result, bool *goes_on, cla_metrics *metrics,
                                   cla_error *error) {
  cla_status status = CLA_OK;
  *goes_on = true;
  while (status == CLA_OK && r->start.row == 0 && r->plan.first_rows > 0 &&
         r->plan.first_rows < r->input.rows) {
    cla_error reason = {.status = CLA_OK};
    status = sweep_first_rows(r, result, goes_on, metrics, &reason);
    if (status == CLA_OK) break;
    status = strand_run_lose_first(r, status, &reason, error);
    if (r->kept) special_rows_drop_from(r->kept, 0);
  }
  return status;
}

/* The sweep from where it has come to, on one device or on several. */
static cla_status sweep_rest(strand_run *r, region_result *result, int64_t *cells, int64_t *bottom,
                             cla_error *error) {
  if (r->team.count > 0) return block_sweep(result, cells, r, bottom, error);
  cla_status status = strand_run_sweep_to(r, result, r->input.rows, r->plan.row_interval, bottom, error);
  *cells = result->cells;
  return status;
}

/* The forward sweep: score, end cell and special rows. */
static cla_status sweep(strand_run *r, trace_point *end, cla_metrics *metrics, cla_error *error) {
  int64_t *bottom = NULL, cells = 0;
  bool goes_on = true;
  region_result result;
  cla_status status = CLA_OK;
  if (path_ends_in_last_row(&r->input.ends))
    status = allocate_array((void **)&bottom, r->input.columns + 1, sizeof *bottom, "the last row", error);
  if (status == CLA_OK) status = begin_sweep(r, error);
  if (status == CLA_OK) status = sweep_first_part(r, &result, &goes_on, metrics, error);
  if (status == CLA_OK && goes_on) {
    status = sweep_rest(r, &result, &cells, bottom, error);
    metrics->cells_computed += cells;
  }
  if (status != CLA_OK) goto done;
  metrics->sweep_seconds = machine_seconds() - r->began;
  *end = sweep_end(&r->start, &r->input, &result, bottom);
  if (r->checkpoint) status = checkpoint_swept(r->checkpoint, r->kept, end, metrics, error);

done:
  sweep_start_free(&r->start);
  free(bottom);
  return status;
}

static path_mark mark_path(const trace_point *point, const path *steps) {
  return (path_mark){.point = *point,
                     .runs = steps->count,
                     .last_length = steps->count > 0 ? steps->runs[steps->count - 1].length : 0};
}

/* The path is known down from here. */
static cla_status pass_point(void *user, const trace_point *point, const path *steps, const char *stage,
                             cla_error *error) {
  strand_run *r = user;
  r->traced = mark_path(point, steps);
  const cla_status status = path_claims_add(&r->claims, point, stage, error);
  if (!point->at_start) work_notes_crosspoint(r->notes, point->row, point->column);
  if (status != CLA_OK || !r->checkpoint) return status;
  return checkpoint_save_path(r->checkpoint, point, steps, error);
}

/* Another engine goes on from the mark: what was added behind it is not certain. */
static void go_back_to(traceback *t, const path_mark *mark, wavefront *engine) {
  t->engine = engine;
  t->point = mark->point;
  t->steps.count = mark->runs;
  if (mark->runs > 0) t->steps.runs[mark->runs - 1].length = mark->last_length;
}

static void begin_traceback(strand_run *r) {
  device_team_swept(&r->team);
  r->done_before = r->plan.sweep_cells;
  r->stage_before = r->passed_before = r->passed_over = 0;
  r->stage = "traceback";
}

static cla_status trace(strand_run *r, cla_alignment *alignment, const trace_point *end, cla_error *error) {
  traceback t = {.engine = r->engine,
                 .plan = &r->plan,
                 .input = &r->input,
                 .problem = {r->query,
                             r->target,
                             r->input.rows,
                             r->input.columns,
                             {r->input.scoring, r->input.table, r->input.ends}},
                 .tick = strand_run_tick,
                 .tick_user = r,
                 .save = pass_point,
                 .save_user = r,
                 .point = *end};
  begin_traceback(r);
  const double began = machine_seconds();
  cla_status status = r->checkpoint ? checkpoint_load_path(r->checkpoint, &t.point, &t.steps, error) : CLA_OK;
  r->traced = mark_path(&t.point, &t.steps);
  if (status == CLA_OK) status = path_claims_add(&r->claims, end, "forward sweep", error);
  while (status == CLA_OK) {
    cla_error reason = {.status = CLA_OK};
    status = traceback_run(&t, r->kept, &reason);
    if (status == CLA_OK) break;
    status = strand_run_lose_first(r, status, &reason, error);
    go_back_to(&t, &r->traced, r->engine);
  }
  t.bands.seconds = machine_seconds() - began - t.search.seconds - t.blocks.seconds;
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

static cla_status verify_score(strand_run *r, cla_alignment *alignment, const trace_point *end,
                               cla_error *error) {
  cla_metrics *metrics = &alignment->metrics;
  begin_traceback(r);
  metrics->bands.cells = metrics->cells_computed;
  cla_status status = score_check(&metrics->verified, r, end, &metrics->bands, error);
  metrics->cells_computed += metrics->bands.cells;
  return status;
}

/* The sweep of a matrix that is kept, on the first device; if it fails, all again on the next one, which may
 * not be able to keep it. */
static cla_status sweep_kept(strand_run *r, trace_point *end, cla_metrics *metrics, cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && r->plan.matrix_block_rows > 0) {
    cla_error reason = {.status = CLA_OK};
    status = kept_matrix_sweep(r, end, metrics, &reason);
    if (status == CLA_OK) return CLA_OK;
    special_rows_free(r->kept); /* of the block that was swept */
    r->kept = NULL;
    sweep_start_free(&r->start);
    r->start = (sweep_start){0};
    status = strand_run_lose_first(r, status, &reason, error);
  }
  if (status != CLA_OK) return status;
  r->keeps = false;
  status = open_rows(r, error);
  return status == CLA_OK ? sweep(r, end, metrics, error) : status;
}

void strand_run_follow(strand_run *r) {
  const team_member *first = r->team.members + r->team.first;
  r->plan = first->plan;
  r->input = first->input;
  r->engine = first->engine;
  kept_matrix_fit(r);
  device_team_predict(&r->plan, &r->team);
}

cla_status strand_run_lose_first(strand_run *r, cla_status status, const cla_error *reason,
                                 cla_error *error) {
  if (r->team.count == 0 || !device_team_can_do_without(status))
    return error_set(error, status, "%s", reason->message);
  status = device_team_lose(&r->team, r->team.members + r->team.first, reason, r->options, error);
  if (status == CLA_OK) strand_run_follow(r);
  return status;
}

/* A score at a place that the matrix does not have is no score. */
static cla_status check_end(const strand_run *r, const trace_point *end, cla_error *error) {
  if (end->row >= 0 && end->row <= r->input.rows && end->column >= 0 && end->column <= r->input.columns)
    return CLA_OK;
  return error_set(
      error, CLA_ERROR_DEVICE,
      "wrong value: the forward sweep gave the score %lld at (%lld, %lld), outside of the matrix of %lld x "
      "%lld letters; " WRONG_VALUE_REMEDY,
      (long long)end->value, (long long)end->row, (long long)end->column, (long long)r->input.rows,
      (long long)r->input.columns);
}

cla_status strand_run_stages(strand_run *r, cla_alignment *alignment, cla_error *error) {
  trace_point end = {0};
  r->began = r->progress.passed = machine_seconds();
  const trace_point *known = r->checkpoint ? checkpoint_end(r->checkpoint, &alignment->metrics) : NULL;
  cla_status status = open_rows(r, error);
  if (known)
    end = *known;
  else if (status == CLA_OK)
    status = r->keeps ? sweep_kept(r, &end, &alignment->metrics, error)
                      : sweep(r, &end, &alignment->metrics, error);
  if (status == CLA_OK) status = check_end(r, &end, error);
  if (status == CLA_OK) work_notes_rows(r->notes, r->kept);
  if (status == CLA_OK && align_bound_lost(&r->bound, r->rival, end.value)) {
    r->rival->lost = true;
    alignment->metrics.seconds = machine_seconds() - r->began + r->bound.seconds;
    return CLA_OK;
  }
  if (status == CLA_OK) status = lower_bound_check(&r->bound, end.value, &r->options->scoring, error);
  if (status != CLA_OK) return status;
  if (known) r->began -= alignment->metrics.seconds;
  alignment->score = end.value;
  const bool empty = r->input.ends.floor && end.value == 0;
  alignment->query.stop = empty ? 0 : alignment->query.begin + end.row;
  alignment->target.stop = empty ? 0 : alignment->target.begin + end.column;
  if (empty && !r->options->score_only) {
    alignment->has_path = true;
    alignment->query.start = alignment->target.start = 0;
  } else if (!r->options->score_only) {
    status = trace(r, alignment, &end, error);
  } else if (!empty) {
    status = verify_score(r, alignment, &end, error);
  }
  alignment->metrics.seconds = machine_seconds() - r->began + r->bound.seconds;
  return status == CLA_OK ? work_notes_finish(&alignment->work, r->notes, error) : status;
}
