#include "sweep/sweep.h"

#include "base/error.h"
#include "base/extremes.h"

/* Returns the start of a sweep below kept row `row`, without the row's values. */
static sweep_start start_at(const special_rows *rows, int64_t row) {
  const kept_row *kept = special_rows_find(rows, row);
  return (sweep_start){.row = row,
                       .best_score = kept->best_score,
                       .best_row = kept->best_row,
                       .best_column = kept->best_column,
                       .seconds = kept->seconds};
}

cla_status sweep_start_below(sweep_start *out, const special_rows *rows, int64_t row, int64_t matrix_columns,
                             const cla_scoring *scoring, cla_error *error) {
  *out = start_at(rows, row);
  cla_status status =
      row_values_make(&out->top, matrix_columns + 1, scoring, "the sweep's upper border", error);
  if (status == CLA_OK) special_rows_read(rows, row, 0, matrix_columns + 1, out->top);
  return status;
}

void sweep_start_free(sweep_start *start) {
  row_values_free(&start->top);
  start->rows = NULL;
}

region_row_part sweep_start_part(const sweep_start *start, const region_row_part *part) {
  region_row_part moved = *part;
  moved.row += start->row;
  moved.best_row += start->row;
  if (start->best_score >= moved.best_score) { /* of equally good cells, the upper one is canonical */
    moved.best_score = start->best_score;
    moved.best_row = start->best_row;
    moved.best_column = start->best_column;
  }
  return moved;
}

static cla_status put_sweep_row(void *user, const region_row_part *part, cla_error *error) {
  sweep_work *s = user;
  const region_row_part moved = sweep_start_part(&s->start, part);
  return special_rows_put(s->kept, &moved, error);
}

static void read_start(void *user, int64_t node, int64_t count, row_values into) {
  const sweep_work *s = user;
  special_rows_read(s->start.rows, s->start.row, node, count, into);
}

static void note_strip(void *user, const region_strip *strip) {
  sweep_work *s = user;
  work_notes_strip(s->notes, strip, s->start.row);
}

row_shape sweep_row_shape(const sweep_work *s) {
  return (row_shape){.nodes = s->input.columns + 1,
                     .largest_score = s->table.maximum,
                     .scoring = &s->options->scoring,
                     .floor = s->input.ends.floor};
}

int64_t sweep_reached(const sweep_work *s) {
  if (path_ends_best(&s->input.ends) == BEST_NONE) return s->plan.bound;
  return larger(s->plan.bound, s->start.best_score);
}

region sweep_region(const sweep_work *s, int64_t row, int64_t end, int64_t bound) {
  const cla_scoring *scoring = &s->options->scoring;
  const path_ends *ends = &s->input.ends;
  const border_rule zero = {0};
  return (region){.row = row,
                  .rows = end - row,
                  .rows_beyond = s->input.rows - end,
                  .columns = s->input.columns,
                  .floor = ends->floor,
                  .best = path_ends_best(ends),
                  .prune = s->plan.prune,
                  .depths = s->input.nesting + 1,
                  .bound = bound,
                  .windows = s->windows.count > 0 && bound >= s->plan.bound ? &s->windows : NULL,
                  .down_ext = path_ends_down_ext(ends, scoring),
                  .across_ext = path_ends_across_ext(ends, scoring),
                  .left = ends->query_start ? zero : border_of_gap(scoring, row),
                  .top = ends->target_start ? zero : border_of_gap(scoring, 0)};
}

cla_status sweep_tick(void *user, int64_t cells, cla_error *error) {
  sweep_work *s = user;
  return progress_tick(&s->progress, &s->plan, cells, error);
}

cla_status sweep_to(sweep_work *s, region_result *result, int64_t end, int64_t row_interval, int64_t *bottom,
                    cla_error *error) {
  region part = sweep_region(s, s->start.row, end, sweep_reached(s));
  part.corner = s->start.top.h ? s->start.top.h[0] : 0;
  if (s->start.rows) special_rows_read(s->start.rows, s->start.row, 0, 1, (row_values){.h = &part.corner});
  part.above = s->start.top;
  part.bottom = bottom;
  part.row_interval = row_interval;
  part.panel_rows = s->plan.panel_rows;
  part.calls = (region_calls){.top = s->start.rows ? read_start : NULL,
                              .sink = put_sweep_row,
                              .sink_threads = s->on_disk ? s->plan.rows_at_once : s->plan.trace.threads,
                              .strips = s->notes ? note_strip : NULL,
                              .tick = sweep_tick,
                              .passed_over = &s->progress.passed_over,
                              .user = s};
  s->progress.stage_before = s->start.row * s->input.columns;
  if (s->team.count > 0) s->team.members[s->team.first].worked = true;
  cla_status status = wavefront_solve(result, s->engine, &part, &s->plan.sweep, error);
  if (s->start.rows && s->on_disk) special_rows_stow(s->kept, s->start.row);
  return status;
}

cla_status sweep_go_below(sweep_work *s, int64_t row, cla_error *error) {
  sweep_start_free(&s->start);
  if (special_rows_above(s->kept, row + 1) != row)
    return error_set(
        error, CLA_ERROR_OUTPUT,
        "row %lld of the run cannot be read again after it was kept; use another folder or machine",
        (long long)row);
  if (!s->plan.prune && s->team.count == 0) {
    s->start = start_at(s->kept, row);
    s->start.rows = s->kept;
    return CLA_OK;
  }
  cla_status status =
      sweep_start_below(&s->start, s->kept, row, s->input.columns, &s->options->scoring, error);
  if (status == CLA_OK && s->on_disk) special_rows_stow(s->kept, row);
  return status;
}

void sweep_follow(sweep_work *s) {
  const team_member *first = s->team.members + s->team.first;
  s->plan = first->plan;
  s->input = first->input;
  s->engine = first->engine;
  device_team_predict(&s->plan, &s->team);
}

cla_status sweep_lose_first(sweep_work *s, cla_status status, const cla_error *reason, cla_error *error) {
  if (s->team.count == 0 || !device_team_can_do_without(status))
    return error_set(error, status, "%s", reason->message);
  status = device_team_lose(&s->team, s->team.members + s->team.first, reason, s->options, error);
  if (status == CLA_OK) sweep_follow(s);
  return status;
}

void sweep_end_begin(sweep_start *start, const plan_input *input) {
  const best_kind best = path_ends_best(&input->ends);
  if (start->row > 0) return;
  start->best_score = REGION_NO_BEST(best);
  start->best_row = start->best_column = 0;
  if (best != BEST_LAST_COLUMN) return;
  start->best_score = path_ends_top_h(&input->ends, input->scoring, input->columns);
  start->best_column = input->columns;
}

/* Replaces *end by the given node if that node is better. */
static void offer(trace_point *end, int64_t row, int64_t column, int64_t value) {
  if (path_end_is_better((path_end){value, row, column}, (path_end){end->value, end->row, end->column}))
    *end = (trace_point){.row = row, .column = column, .value = value};
}

trace_point sweep_end(const sweep_start *start, const plan_input *input, const region_result *result,
                      const int64_t *bottom) {
  const best_kind best = path_ends_best(&input->ends);
  trace_point end = {.row = input->rows, .column = input->columns, .value = INT64_MIN};
  if (best != BEST_NONE)
    end = (trace_point){.row = start->best_row, .column = start->best_column, .value = start->best_score};
  if (best != BEST_NONE && result->best_score > REGION_NO_BEST(best))
    offer(&end, start->row + result->best_row, result->best_column, result->best_score);
  if (!path_ends_in_last_row(&input->ends)) return end;
  const int64_t first = input->ends.target_end ? 0 : input->columns;
  for (int64_t j = larger(first, result->bottom_first); j <= result->bottom_last; j++)
    offer(&end, input->rows, j, bottom[j]);
  return end;
}

static int share_none(const char **why, const cla_align_options *options, int64_t rows, int64_t columns,
                      const plan *planned) {
  (void)options;
  (void)rows;
  (void)columns;
  (void)planned;
  *why = NULL;
  return 1;
}

const sweep_peers sweep_alone = {.share = share_none};
