#include "trace/known_end.h"

#include "base/error.h"
#include "dp/small_block.h"
#include "trace/live_band.h"

typedef struct trace {
  const pair_problem *problem;
  row_values top; /* of the matrix' upper row */
  row_worth worth;
  path steps;
  int64_t score, cells;
  int64_t bytes_most; /* of memory that the path may take */
} trace;

static cla_status prepare(trace *t, cla_error *error) {
  const pair_problem *problem = t->problem;
  const known_row upper = {.scheme = &problem->scheme};
  const int64_t count = problem->columns + 1;
  cla_status status = row_values_make(&t->top, count, problem->scheme.scoring, "a block\'s border", error);
  if (status != CLA_OK) return status;
  known_row_read(&upper, 0, count, t->top);
  return row_worth_make(&t->worth, problem->query, problem->rows, problem->scheme.table, error);
}

/* Begins the path, which has been followed to the node, at its start. */
static cla_status begin_path(known_end_path *out, trace *t, band_node node, cla_error *error) {
  cla_status status = live_band_finish(&node, &t->steps, &t->problem->scheme.ends, error);
  out->start_row = node.row;
  out->start_column = node.column;
  return status;
}

static cla_status no_such_path(const trace *t, cla_error *error) {
  return error_set(
      error, CLA_ERROR_DEVICE,
      "wrong value: a pair has the score %lld at (%lld, %lld), and no path has it; " WRONG_VALUE_REMEDY,
      (long long)t->score, (long long)t->problem->rows, (long long)t->problem->columns);
}

/* Follows the path in a live band. *done is false if the band does not fit in memory. */
static cla_status trace_band(bool *done, known_end_path *out, trace *t, cla_error *error) {
  const pair_problem *problem = t->problem;
  band_node node = {.row = problem->rows, .column = problem->columns, .value = t->score};
  live_band_input input = {.problem = problem,
                           .worth = &t->worth,
                           .top = t->top,
                           .cells_limit = INT64_MAX,
                           .bytes_limit = t->bytes_most};
  band_goals goals;
  live_band *band = NULL;
  live_band_outcome outcome;
  bool ended = false;
  band_goals_set_node(&goals, &node, &t->worth, problem->scheme.scoring);
  if (!live_band_look(&input, &goals)) return no_such_path(t, error);
  cla_status status = live_band_create(&band, &outcome, &input, &goals, error);
  if (status == CLA_OK && outcome == LIVE_BAND_EMPTY) status = no_such_path(t, error);
  while (status == CLA_OK && outcome == LIVE_BAND_READY && !ended)
    status = live_band_trace(&node, &ended, &t->steps, &outcome, band, error);
  if (band) t->cells += live_band_cells(band);
  live_band_free(band);
  *done = status == CLA_OK && ended;
  return *done ? begin_path(out, t, node, error) : status;
}

/* Traces with the directions of all cells. */
static cla_status trace_block(known_end_path *out, trace *t, cla_error *error) {
  const pair_problem *problem = t->problem;
  const path_scheme *scheme = &problem->scheme;
  const small_block block = {
      .problem = problem,
      .top = t->top,
      .left = scheme->ends.query_start ? (border_rule){0} : border_of_gap(scheme->scoring, 0)};
  trace_point point = {.row = problem->rows, .column = problem->columns, .value = t->score};
  const int64_t bytes = small_block_bytes(problem->rows, problem->columns, scheme->scoring);
  path_free(&t->steps);
  if (bytes > t->bytes_most)
    return error_set(error, CLA_ERROR_MEMORY,
                     "the path of a pair of %lld and %lld letters takes %lld bytes, of %lld that it may",
                     (long long)problem->rows, (long long)problem->columns, (long long)bytes,
                     (long long)t->bytes_most);
  cla_status status = small_block_trace(&point, &t->steps, &block, &t->cells, error);
  if (status == CLA_OK && !point.at_start)
    return begin_path(out, t, (band_node){.row = point.row, .column = point.column, .state = STATE_H}, error);
  out->start_row = point.row;
  out->start_column = point.column;
  return status;
}

cla_status known_end_trace(known_end_path *out, const pair_problem *problem, int64_t score,
                           int64_t path_bytes, cla_error *error) {
  trace t = {.problem = problem, .score = score, .bytes_most = path_bytes};
  bool done = false;
  *out = (known_end_path){0};
  cla_status status = prepare(&t, error);
  if (status == CLA_OK) status = trace_band(&done, out, &t, error);
  if (status == CLA_OK && !done) status = trace_block(out, &t, error);
  out->cells = t.cells;
  if (status == CLA_OK)
    path_finish(&t.steps, &out->runs, &out->run_count);
  else
    path_free(&t.steps);
  row_values_free(&t.top);
  row_worth_free(&t.worth);
  return status;
}
