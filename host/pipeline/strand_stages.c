/* The stages of a run, in their order. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "pipeline/align_bound.h"
#include "pipeline/kept_matrix.h"
#include "pipeline/self_test.h"
#include "pipeline/strand_run.h"
#include "pipeline/sweep_end.h"
#include "pipeline/traceback.h"

static cla_status put_sweep_row(void *user, const region_row_part *part, cla_error *error) {
  strand_run *r = user;
  const region_row_part moved = sweep_start_part(&r->start, part);
  return special_rows_put(r->kept, &moved, error);
}

static void note_strip(void *user, const region_strip *strip) {
  strand_run *r = user;
  region_strip moved = *strip;
  moved.row += r->start.row;
  work_notes_strip(r->notes, &moved);
}

static cla_status open_rows(strand_run *r, cla_error *error) {
  const row_shape shape = {.nodes = r->input.columns + 1,
                           .largest_score = r->table.maximum,
                           .scoring = &r->options->scoring,
                           .floor = r->input.ends.floor};
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

cla_status strand_run_sweep_to(strand_run *r, region_result *result, int64_t end, int64_t row_interval,
                               int64_t *bottom, cla_error *error) {
  const cla_scoring *scoring = &r->options->scoring;
  const path_ends *ends = &r->input.ends;
  const best_kind best = path_ends_best(ends);
  const border_rule gap = border_of_gap(scoring, 0), zero = {0};
  const region part = {
      .row = r->start.row,
      .rows = end - r->start.row,
      .rows_beyond = r->input.rows - end,
      .columns = r->input.columns,
      .floor = ends->floor,
      .best = best,
      .prune = r->plan.prune,
      .bound = best == BEST_NONE ? r->plan.bound : larger(r->plan.bound, r->start.best_score),
      .down_ext = path_ends_down_ext(ends, scoring),
      .across_ext = path_ends_across_ext(ends, scoring),
      .corner = r->start.top_h ? r->start.top_h[0] : 0,
      .left = ends->query_start ? zero : border_of_gap(scoring, r->start.row),
      .top = ends->target_start ? zero : gap,
      .top_h = r->start.top_h,
      .top_f = r->start.top_f,
      .top_f2 = r->start.top_f2,
      .bottom = bottom,
      .row_interval = row_interval,
      .sink = put_sweep_row,
      .sink_threads = r->checkpoint ? 1 : r->plan.threads,
      .strips = r->notes ? note_strip : NULL,
      .tick = strand_run_tick,
      .passed_over = &r->passed_over,
      .user = r};
  r->stage_before = r->start.row * r->input.columns;
  return wavefront_solve(result, r->engine, &part, &r->plan.sweep, error);
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
  sweep_start_free(&r->start);
  if (special_rows_above(r->kept, rows + 1) != rows)
    return error_set(
        error, CLA_ERROR_OUTPUT,
        "row %lld of the run cannot be read again after it was kept; use another folder or machine",
        (long long)rows);
  status = sweep_start_below(&r->start, r->kept, rows, r->input.columns, &r->options->scoring, error);
  if (status != CLA_OK) return status;
  if (r->checkpoint) special_rows_stow(r->kept, rows);
  if (!keeps) special_rows_drop_from(r->kept, 0);
  return CLA_OK;
}

/* The forward sweep: score, end cell and special rows. */
static cla_status sweep(strand_run *r, trace_point *end, cla_metrics *metrics, cla_error *error) {
  int64_t *bottom = NULL;
  region_result result;
  cla_status status = CLA_OK;
  if (path_ends_in_last_row(&r->input.ends))
    status = allocate_array((void **)&bottom, r->input.columns + 1, sizeof *bottom, "the last row", error);
  if (status == CLA_OK) status = begin_sweep(r, error);
  const bool in_parts = r->plan.first_rows > 0 && r->plan.first_rows < r->input.rows;
  bool goes_on = true;
  if (status == CLA_OK && r->start.row == 0 && in_parts)
    status = sweep_first_rows(r, &result, &goes_on, metrics, error);
  if (status == CLA_OK && goes_on) {
    status = strand_run_sweep_to(r, &result, r->input.rows, r->plan.row_interval, bottom, error);
    metrics->cells_computed += result.cells;
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

/* The path is known down from here. */
static cla_status pass_point(void *user, const trace_point *point, const path *steps, cla_error *error) {
  strand_run *r = user;
  if (!point->at_start) work_notes_crosspoint(r->notes, point->row, point->column);
  return r->checkpoint ? checkpoint_save_path(r->checkpoint, point, steps, error) : CLA_OK;
}

static cla_status trace(strand_run *r, cla_alignment *alignment, const trace_point *end, cla_error *error) {
  traceback t = {.engine = r->engine,
                 .plan = &r->plan,
                 .input = &r->input,
                 .query = r->query,
                 .target = r->target,
                 .tick = strand_run_tick,
                 .tick_user = r,
                 .save = r->checkpoint || r->notes ? pass_point : NULL,
                 .save_user = r,
                 .point = *end};
  r->done_before = r->plan.sweep_cells;
  r->stage_before = r->passed_before = r->passed_over = 0;
  r->stage = "traceback";
  const double began = machine_seconds();
  cla_status status = r->checkpoint ? checkpoint_load_path(r->checkpoint, &t.point, &t.steps, error) : CLA_OK;
  if (status == CLA_OK) status = traceback_run(&t, r->kept, error);
  t.bands.seconds = machine_seconds() - began - t.search.seconds - t.blocks.seconds;
  alignment->metrics.cells_computed += t.cells;
  alignment->metrics.search = t.search;
  alignment->metrics.blocks = t.blocks;
  alignment->metrics.bands = t.bands;
  if (status == CLA_OK) {
    path_finish(&t.steps, &alignment->runs, &alignment->run_count);
    alignment->has_path = true;
    alignment->query.start = alignment->query.begin + t.point.row;
    alignment->target.start = alignment->target.begin + t.point.column;
  }
  path_free(&t.steps);
  return status;
}

/* Whether two configs are built from the same source in the same way. */
static bool same_build(const kernel_config *a, const kernel_config *b) {
  return a->variant == b->variant && a->lanes == b->lanes && a->alpha == b->alpha && a->launch == b->launch;
}

cla_status strand_run_kernels(strand_run *r, cla_device *device, cla_error *error) {
  /* A run that goes on may have lost rows. */
  const bool all_rows = r->plan.row_interval > 0 && !r->options->resume;
  const int64_t block = all_rows ? r->plan.row_interval : r->input.rows;
  const cla_scoring *scoring = &r->options->scoring;
  const kernel_config *sweep = &r->plan.sweep, *blocks = &r->plan.blocks;
  const path_ends *ends = &r->input.ends, fixed = {0};
  const best_kind best = path_ends_best(ends);
  cla_status status = self_test(device, sweep, scoring, &r->table, ends, best, r->plan.prune, error);
  if (status == CLA_OK && !r->input.score_only && plan_block_interval(&r->plan, block) > 0 &&
      (best != BEST_NONE || !same_build(sweep, blocks)))
    status = self_test(device, blocks, scoring, &r->table, ends, BEST_NONE, false, error);
  if (status == CLA_OK && !r->input.score_only && start_search_applies(&r->plan, &r->input, block))
    status = self_test(device, blocks, scoring, &r->table, &fixed, BEST_NONE, false, error);
  if (status == CLA_OK) wavefront_save_programs(r->engine);
  return status;
}

cla_status strand_run_stages(strand_run *r, cla_alignment *alignment, cla_error *error) {
  trace_point end = {0};
  r->began = r->progress.passed = machine_seconds();
  const trace_point *known = r->checkpoint ? checkpoint_end(r->checkpoint, &alignment->metrics) : NULL;
  cla_status status = open_rows(r, error);
  if (known)
    end = *known;
  else if (status == CLA_OK)
    status = r->keeps ? kept_matrix_sweep(r, &end, &alignment->metrics, error)
                      : sweep(r, &end, &alignment->metrics, error);
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
  }
  alignment->metrics.seconds = machine_seconds() - r->began + r->bound.seconds;
  return status == CLA_OK ? work_notes_finish(&alignment->work, r->notes, error) : status;
}
