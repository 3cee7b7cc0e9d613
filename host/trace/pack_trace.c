#include <stdlib.h>

#include "base/error.h"
#include "base/extremes.h"
#include "dp/small_block.h"
#include "packs/packs.h"
#include "trace/live_band.h"
#include "trace/pack_corridor.h"
#include "trace/pack_reach.h"

/* Most nodes that are gone through row by row. Beyond, bands along anti-diagonals (trace/live_band.h) are
 * faster. REACH_KNOWN holds if few nodes are known to be needed. */
#define REACH_UNKNOWN (INT64_C(1) << 14)
#define REACH_KNOWN (INT64_C(1) << 22)
/* A local alignment has few nodes near it if it scores less than this part of the most that the ranges before
 * its end could. */
#define WHOLE_SHARE 0.6
/* Default memory of a path. If a band needs more, the whole block is computed, with a direction byte per cell
 * in panels of 1 MiB. */
#define PATH_BYTES (INT64_C(512) << 20)

typedef struct trace {
  const path_scheme *scheme;
  const pack_pair *pair;
  pair_problem problem; /* of the part before the end */
  row_values top;       /* of the matrix' upper row */
  path steps;
  int64_t cells;
  int64_t bytes_most; /* of memory that the path may take */
} trace;

static cla_status make_top(trace *t, cla_error *error) {
  const known_row upper = {.scheme = &t->problem.scheme};
  const int64_t count = t->pair->end_target + 1;
  cla_status status = row_values_make(&t->top, count, t->scheme->scoring, "a block\'s border", error);
  if (status == CLA_OK) known_row_read(&upper, 0, count, t->top);
  return status;
}

/* Begins the path, which has been followed to the node. On the upper row or the left border it may start
 * there, or leads along the border to the corner. */
static cla_status begin_path(pack_path *out, trace *t, int64_t row, int64_t column, bool started,
                             cla_error *error) {
  const path_ends *ends = &t->scheme->ends;
  out->start_query = row;
  out->start_target = column;
  if (started || ends->floor) return CLA_OK;
  if (row == 0 && column > 0 && !ends->target_start) {
    out->start_target = 0;
    return path_add(&t->steps, CLA_RUN_TARGET, column, error);
  }
  if (column == 0 && row > 0 && !ends->query_start) {
    out->start_query = 0;
    return path_add(&t->steps, CLA_RUN_QUERY, row, error);
  }
  return CLA_OK;
}

static cla_status no_such_path(const pack_pair *pair, cla_error *error) {
  return error_set(error, CLA_ERROR_DEVICE,
                   "wrong value: a pack gave a pair the score %lld at (%lld, %lld), and no path has "
                   "it; " WRONG_VALUE_REMEDY,
                   (long long)pair->score, (long long)pair->end_query, (long long)pair->end_target);
}

/* Follows the path within its reach. *done is false where that is not few nodes, or is not sure to be. */
static cla_status trace_short(bool *done, pack_path *out, trace *t, cla_error *error) {
  const pack_pair *pair = t->pair;
  const int64_t possible = smaller(pair->end_query, pair->end_target) * t->scheme->table->maximum;
  const bool few = t->scheme->ends.floor && (double)pair->score < WHOLE_SHARE * (double)possible;
  const bool small = pair->end_query * pair->end_target <= REACH_UNKNOWN;
  pack_reach reach;
  *done = false;
  if ((!pair->rows.most && !few && !small) || !pack_reach_takes(t->scheme, pair->end_query, pair->end_target))
    return CLA_OK;
  cla_status status = pack_reach_trace(&reach, &t->steps, t->scheme, pair,
                                       pair->rows.most || few ? REACH_KNOWN : REACH_UNKNOWN, error);
  t->cells += reach.cells;
  *done = reach.done;
  if (status != CLA_OK || !reach.done) return status;
  return reach.met ? begin_path(out, t, reach.row, reach.column, false, error) : no_such_path(pair, error);
}

/* Follows it in a narrow corridor, if the pair is a related one. */
static cla_status trace_corridor(bool *done, pack_path *out, trace *t, cla_error *error) {
  const pack_pair *pair = t->pair;
  corridor_start start = {0};
  *done = false;
  if (pair->end_query * pair->end_target <= REACH_UNKNOWN) return CLA_OK;
  cla_status status = pack_corridor_trace(done, &start, &t->steps, t->scheme, pair, error);
  t->cells += start.cells;
  return status == CLA_OK && *done ? begin_path(out, t, start.row, start.column, false, error) : status;
}

/* Follows the path in a live band. *done is false if the band does not fit in memory. */
static cla_status trace_band(bool *done, pack_path *out, trace *t, const row_worth *worth, cla_error *error) {
  const pack_pair *pair = t->pair;
  band_node node = {.row = pair->end_query, .column = pair->end_target, .value = pair->score};
  live_band_input input = {.problem = &t->problem,
                           .worth = worth,
                           .top = t->top,
                           .cells_limit = INT64_MAX,
                           .bytes_limit = t->bytes_most};
  band_goals goals;
  live_band *band = NULL;
  live_band_outcome outcome;
  bool ended = false;
  band_goals_set_node(&goals, &node, worth, t->scheme->scoring);
  if (!live_band_look(&input, &goals)) return no_such_path(pair, error);
  cla_status status = live_band_create(&band, &outcome, &input, &goals, error);
  if (status == CLA_OK && outcome == LIVE_BAND_EMPTY) status = no_such_path(pair, error);
  while (status == CLA_OK && outcome == LIVE_BAND_READY && !ended)
    status = live_band_trace(&node, &ended, &t->steps, &outcome, band, error);
  if (band) t->cells += live_band_cells(band);
  live_band_free(band);
  *done = status == CLA_OK && ended;
  return *done ? begin_path(out, t, node.row, node.column, false, error) : status;
}

/* Traces with the directions of all cells. */
static cla_status trace_block(pack_path *out, trace *t, cla_error *error) {
  const pack_pair *pair = t->pair;
  const small_block block = {
      .problem = &t->problem,
      .top = t->top,
      .left = t->scheme->ends.query_start ? (border_rule){0} : border_of_gap(t->scheme->scoring, 0)};
  trace_point point = {.row = pair->end_query, .column = pair->end_target, .value = pair->score};
  const int64_t bytes =
      small_block_bytes(pair->end_query, pair->end_target, gap_two_pieces(t->scheme->scoring));
  path_free(&t->steps);
  if (bytes > t->bytes_most)
    return error_set(error, CLA_ERROR_MEMORY,
                     "the path of a pair of %lld and %lld letters takes %lld bytes, of %lld that it may",
                     (long long)pair->end_query, (long long)pair->end_target, (long long)bytes,
                     (long long)t->bytes_most);
  cla_status status = small_block_trace(&point, &t->steps, &block, &t->cells, error);
  return status == CLA_OK ? begin_path(out, t, point.row, point.column, point.at_start, error) : status;
}

/* Whether the path is empty: paths start in the end node. */
static bool is_empty(const path_scheme *scheme, const pack_pair *pair) {
  const path_ends *ends = &scheme->ends;
  if (ends->floor) return pair->score == 0;
  return (pair->end_query == 0 && (pair->end_target == 0 || ends->target_start)) ||
         (pair->end_target == 0 && (pair->end_query == 0 || ends->query_start));
}

cla_status pack_trace(pack_path *out, const path_scheme *scheme, const pack_pair *pair, int64_t path_bytes,
                      cla_error *error) {
  trace t = {.scheme = scheme,
             .pair = pair,
             .bytes_most = path_bytes > 0 ? path_bytes : PATH_BYTES,
             .problem = {.query = pair->query,
                         .target = pair->target,
                         .rows = pair->end_query,
                         .columns = pair->end_target,
                         .scheme = *scheme}};
  row_worth worth = {0};
  bool done = false;
  *out = (pack_path){.start_query = pair->end_query, .start_target = pair->end_target};
  if (is_empty(scheme, pair)) return CLA_OK;
  cla_status status = CLA_OK;
  if (pair->end_query == 0 || pair->end_target == 0) { /* a gap along a border */
    status = begin_path(out, &t, pair->end_query, pair->end_target, false, error);
    goto done;
  }
  /* If rows are known, so few nodes matter that a corridor takes two to four times as long. */
  if (!pair->rows.most) status = trace_corridor(&done, out, &t, error);
  if (status == CLA_OK && !done) status = trace_short(&done, out, &t, error);
  if (status == CLA_OK && !done && pair->rows.most) status = trace_corridor(&done, out, &t, error);
  if (status != CLA_OK || done) goto done;
  status = make_top(&t, error);
  if (status == CLA_OK) status = row_worth_make(&worth, pair->query, pair->end_query, scheme->table, error);
  if (status == CLA_OK) status = trace_band(&done, out, &t, &worth, error);
  if (status == CLA_OK && !done) status = trace_block(out, &t, error);

done:
  out->cells = t.cells;
  if (status == CLA_OK)
    path_finish(&t.steps, &out->runs, &out->run_count);
  else
    path_free(&t.steps);
  row_values_free(&t.top);
  row_worth_free(&worth);
  return status;
}
