#include "trace/traceback.h"

#include <stdlib.h>

#include "base/extremes.h"
#include "base/machine.h"
#include "dp/small_block.h"
#include "trace/speculation.h"
#include "trace/upper_row.h"

/* User data of a block's region. The callbacks convert the region's coordinates to those of the matrix. */
typedef struct block_rows {
  special_rows *rows;
  const known_row *upper;
  int64_t row, column;
  traceback *t;
} block_rows;

static cla_status put_row(void *user, const region_row_part *part, cla_error *error) {
  const block_rows *block = user;
  region_row_part moved = *part;
  moved.row += block->row;
  moved.column += block->column;
  return special_rows_put(block->rows, &moved, error);
}

static cla_status tick_block(void *user, int64_t cells, cla_error *error) {
  return traceback_tick(((block_rows *)user)->t, cells, error);
}

/* Returns the left border of a block with its corner in `column` of `row`. In column 0, this is the matrix'
 * border. Elsewhere, its values are attainable, but no optimal path uses the border. */
static border_rule left_border(const traceback *t, int64_t row, int64_t column) {
  if (column == 0 && t->problem.scheme.ends.query_start) return (border_rule){0};
  return border_of_gap(t->problem.scheme.scoring, column == 0 ? row : 0);
}

static void read_top(void *user, int64_t node, int64_t count, row_values into) {
  const block_rows *block = user;
  known_row_read(block->upper, block->column + node, count, into);
}

static known_row row_of(const traceback *t, const special_rows *rows, int64_t row) {
  return (known_row){.rows = rows, .row = row, .scheme = &t->problem.scheme};
}

/* A block's geometry and its upper border. */
typedef struct block {
  int64_t row, column, rows, columns;
  const known_row *upper;
  row_values top; /* values of the upper border; NULL if there is not enough memory */
} block;

static cla_status open_block(block *b, const traceback *t, const known_row *upper, cla_error *error) {
  const cla_scoring *scoring = t->problem.scheme.scoring;
  *b = (block){.row = upper->row, .rows = t->point.row - upper->row, .upper = upper};
  cla_status status = upper_row_window(&b->column, t, upper, error);
  if (status != CLA_OK) return status;
  b->columns = t->point.column - b->column;
  const int64_t line_bytes = (b->columns + 1) * (int64_t)sizeof *b->top.h;
  if (gap_lines(scoring) * line_bytes > t->bytes_left) return CLA_OK;
  status = row_values_make(&b->top, b->columns + 1, scoring, "a block\'s border", error);
  if (status == CLA_OK) known_row_read(upper, b->column, b->columns + 1, b->top);
  return status;
}

/* The row_reader for a known_row. */
static void read_known_row(const void *row, int64_t column, int64_t count, row_values into) {
  known_row_read(row, column, count, into);
}

static cla_status trace_small(traceback *t, const block *b, cla_error *error) {
  const small_block small = {.problem = &t->problem,
                             .row = b->row,
                             .column = b->column,
                             .read_top = read_known_row,
                             .top_row = b->upper,
                             .left = left_border(t, b->row, b->column),
                             .tick = t->tick,
                             .tick_user = t->tick_user};
  const int64_t before = t->cells;
  t->stage = "small block";
  cla_status status = small_block_trace(&t->point, &t->steps, &small, &t->cells, error);
  t->bands.cells += t->cells - before;
  return status == CLA_OK && t->tick ? t->tick(t->tick_user, t->cells, error) : status;
}

/* Speed of the device for a block, which has few strips at a time. Measured: 11e9 cells per second on two
 * cores, 160e9 to 340e9 on an H200, plus 0.5 to 1 ms for launches and rows. Tracing through the rows kept
 * inside the block takes additional time. */
#define BLOCK_RATE_CPU 6e9     /* cells per second of a core */
#define BLOCK_RATE_GPU 1e11    /* cells per second of a GPU */
#define BLOCK_SECONDS_GPU 6e-4 /* fixed seconds of a block on a GPU */

static double device_rate(const traceback *t) {
  const cla_device_info *device = t->input->device;
  return device->kind == CLA_DEVICE_CPU ? BLOCK_RATE_CPU * device->compute_units : BLOCK_RATE_GPU;
}

static band_node node_of_point(const trace_point *point) {
  return (band_node){.row = point->row,
                     .column = point->column,
                     .value = point->value,
                     .state = query_gap_state(point->in_query_gap)};
}

static trace_point point_of_node(const band_node *node) {
  return (trace_point){.row = node->row,
                       .column = node->column,
                       .value = node->value,
                       .in_query_gap = query_gap_of(node->state)};
}

static void count_band(traceback *t, int64_t cells) {
  t->cells += cells;
  t->bands.cells += cells;
}

/* Computes the band and traces the path in the band. If a limit is exceeded, *done is false and the path is
 * unchanged. */
static cla_status trace_in_band(bool *done, traceback *t, const live_band_input *input,
                                const band_goals *goals, cla_error *error) {
  band_node node = node_of_point(&t->point);
  live_band *band = NULL;
  live_band_outcome outcome;
  path steps = {0};
  cla_status status = live_band_create(&band, &outcome, input, goals, error);
  if (status == CLA_OK && outcome == LIVE_BAND_EMPTY) return upper_row_contradiction(t, input->row, error);
  if (status != CLA_OK || !band) return status;
  while (status == CLA_OK && outcome == LIVE_BAND_READY && !*done)
    status = live_band_trace(&node, done, &steps, &outcome, band, error);
  count_band(t, live_band_cells(band));
  live_band_free(band);
  if (status == CLA_OK && *done) {
    t->point = point_of_node(&node);
    t->stage = "band";
    status = path_add_all(&t->steps, &steps, error);
  }
  path_free(&steps);
  return status == CLA_OK && *done && t->tick ? t->tick(t->tick_user, t->cells, error) : status;
}

/* Traces the block in its live band if the band is small compared to the block. Otherwise *done is false and
 * the path is unchanged. */
static cla_status trace_band(bool *done, traceback *t, const block *b, bool small, cla_error *error) {
  const band_node node = node_of_point(&t->point);
  live_band_input input = {.problem = &t->problem,
                           .worth = &t->worth,
                           .row = b->row,
                           .column = b->column,
                           .top = b->top,
                           .bytes_limit = t->plan->trace.band_bytes,
                           .line_interval = t->plan->trace.band_interval};
  band_goals goals;
  *done = false;
  band_goals_set_node(&goals, &node, &t->worth, t->problem.scheme.scoring);
  if (b->rows < t->plan->trace.band_rows_least || !b->top.h) return CLA_OK;
  if (!live_band_look(&input, &goals)) return upper_row_contradiction(t, b->row, error);
  input.cells_limit = b->rows * (b->columns + 1);
  if (!small) {
    const int value_bytes = input.extent.value_bytes;
    const double share = band_seconds(device_rate(t), value_bytes);
    const bool gpu = t->input->device->kind == CLA_DEVICE_GPU;
    const double seconds = gpu ? BLOCK_SECONDS_GPU : 0;
    input.cells_limit = (int64_t)((double)input.cells_limit / share + seconds / band_seconds(1, value_bytes));
    if (input.cells_limit > PLAN_BAND_CELLS_MOST) input.cells_limit = PLAN_BAND_CELLS_MOST;
  }
  if (t->cells_most > 0) input.cells_limit = smaller(input.cells_limit, t->cells_most - t->cells);
  if (b->rows * (input.extent.last - input.extent.first + 1) / 2 > input.cells_limit) return CLA_OK;
  return trace_in_band(done, t, &input, &goals, error);
}

/* Computes the block on the device and keeps every `interval`-th of its rows. */
static cla_status keep_rows(special_rows **out, traceback *t, const block *b, int64_t interval,
                            cla_error *error) {
  block_rows into = {.upper = b->upper, .row = b->row, .column = b->column, .t = t};
  region_result result;
  int64_t corner = 0;
  const row_shape shape = {.column = b->column,
                           .nodes = b->columns + 1,
                           .largest_score = t->problem.scheme.table->maximum,
                           .scoring = t->problem.scheme.scoring,
                           .floor = t->problem.scheme.ends.floor};
  cla_status status = special_rows_create(out, &shape, error);
  if (status != CLA_OK) return status;
  into.rows = *out;
  known_row_read(b->upper, b->column, 1, (row_values){.h = &corner});
  const region what = {.row = b->row,
                       .column = b->column,
                       .rows = (b->rows - 1) / interval * interval,
                       .columns = b->columns,
                       .floor = t->problem.scheme.ends.floor,
                       .corner = corner,
                       .left = left_border(t, b->row, b->column),
                       .row_interval = interval,
                       .calls = {.top = read_top, .sink = put_row, .tick = tick_block, .user = &into}};
  const double began = machine_seconds() - t->kernel_seconds;
  status = traceback_solve(&result, t, &what, error);
  t->blocks.seconds += machine_seconds() - t->kernel_seconds - began;
  if (status != CLA_OK) return status;
  t->blocks.cells += result.cells;
  t->cells += result.cells;
  return status;
}

/* Completes the path if no further block is needed: adds the steps along the matrix' border. */
static cla_status finish_on_border(traceback *t, cla_error *error) {
  trace_point *p = &t->point;
  cla_status status = CLA_OK;
  if (p->at_start) return status;
  const path_ends *ends = &t->problem.scheme.ends;
  if (ends->floor) {
    p->at_start = p->value == 0 && !p->in_query_gap;
  } else if ((ends->target_start && p->row == 0) || (ends->query_start && p->column == 0)) {
    p->at_start = !p->in_query_gap;
  } else if (p->row == 0 || p->column == 0) {
    status = path_add(&t->steps, CLA_RUN_QUERY, p->row, error);
    if (status == CLA_OK) status = path_add(&t->steps, CLA_RUN_TARGET, p->column, error);
    *p = (trace_point){.at_start = true};
  }
  return status;
}

static cla_status trace_to(traceback *t, const known_row *upper, cla_error *error);

/* Kept rows through which a path is traced. Freeing a row adds row_bytes to bytes_left. */
typedef struct passed_rows {
  special_rows *kept;
  int64_t row_bytes;
} passed_rows;

static cla_status trace_through(traceback *t, const passed_rows *rows, const known_row *upper,
                                cla_error *error);

/* True if tracing has stopped, or cells_most cells have been computed. */
static bool is_stopped(const traceback *t) {
  return t->stopped || (t->cells_most > 0 && t->cells >= t->cells_most);
}

/* True if tracing the block as a small block could exceed the limit cells_most. */
static bool is_too_much(const traceback *t, const block *b) {
  const int64_t left = t->cells_most - t->cells;
  return t->cells_most > 0 &&
         (left <= 0 || b->rows > left / 2 / (b->columns + 1)); /* small blocks are computed twice */
}

/* Traces from t->point up to row `upper`, or to the path's start. */
static cla_status trace_to(traceback *t, const known_row *upper, cla_error *error) {
  special_rows *kept = NULL;
  block b = {0};
  cla_status status = finish_on_border(t, error);
  if (status != CLA_OK || t->point.at_start) return status;
  status = open_block(&b, t, upper, error);
  if (status != CLA_OK) goto done;
  const int64_t row_bytes = plan_row_bytes(t->input, b.columns + 1);
  const int64_t interval = plan_block_interval(t->plan, b.rows, t->bytes_left / row_bytes);
  const bool small = t->cells_most > 0 || interval == 0 || b.columns == 0 ||
                     b.rows <= t->plan->trace.small_block_cells / b.columns;
  bool done = false;
  status = trace_band(&done, t, &b, small, error);
  t->stopped = status == CLA_OK && !done && is_too_much(t, &b);
  if (status == CLA_OK && small && !done && !t->stopped) status = trace_small(t, &b, error);
  if (status != CLA_OK || t->stopped) goto done;
  if (small || done) {
    status = finish_on_border(t, error);
    if (status == CLA_OK && t->save) status = t->save(t->save_user, &t->point, &t->steps, t->stage, error);
    goto done;
  }
  row_values_free(&b.top);
  status = keep_rows(&kept, t, &b, interval, error);
  if (status != CLA_OK) goto done;
  t->bytes_left -= special_rows_count(kept) * row_bytes;
  status = trace_through(t, &(passed_rows){kept, row_bytes}, upper, error);
  t->bytes_left += special_rows_count(kept) * row_bytes;

done:
  row_values_free(&b.top);
  special_rows_free(kept);
  return status;
}

/* Continues the path from t->point through a block that other threads have computed. If the path does not
 * lead through their band, traces without it. */
static cla_status pass_block(bool *led, traceback *t, band_block *b, special_rows *kept, cla_error *error) {
  band_node node = node_of_point(&t->point);
  cla_status status = b->owner > 0 ? t->far->calls->take(led, &node, &t->steps, t->far, b, error)
                                   : band_block_take(led, &node, &t->steps, b, error);
  count_band(t, b->cells);
  t->ahead++;
  t->far_ahead += b->owner > 0;
  if (status != CLA_OK) return status;
  if (!*led) {
    const known_row upper = row_of(t, b->upper > 0 ? kept : NULL, b->upper);
    return trace_to(t, &upper, error);
  }
  t->point = point_of_node(&node);
  t->stage = "band ahead of the path";
  status = finish_on_border(t, error);
  if (status == CLA_OK && t->save) status = t->save(t->save_user, &t->point, &t->steps, t->stage, error);
  return status == CLA_OK && t->tick ? t->tick(t->tick_user, t->cells, error) : status;
}

/* Returns the maximum number of blocks at other processes. For known blocks, rows on disk are loaded into
 * memory. So the memory limits the number of blocks. */
static int64_t more_blocks(const traceback *t, const special_rows *kept) {
  const int64_t left = t->input->memory_bytes - t->plan->predicted.host_bytes;
  return special_rows_on_disk(kept) ? larger(left, 0) / plan_row_bytes(t->input, t->input->columns + 1)
                                    : INT64_MAX;
}

/* Returns the minimum number of rows of a block with wide goals. A band to many goals takes longer than a
 * band to a known node. So with only one thread, no block has wide goals. */
static int64_t wide_rows_least(const traceback *t) {
  return t->plan->trace.threads > 1 || t->far ? t->plan->trace.wide_rows_least : INT64_MAX;
}

/* Traces through the kept rows. Meanwhile, threads compute the blocks between these rows ahead of the path.
 */
static cla_status trace_ahead(traceback *t, const passed_rows *rows, const known_row *upper,
                              cla_error *error) {
  cla_status status = t->begin_far && !t->far ? t->begin_far(&t->far, t, error) : CLA_OK;
  if (status != CLA_OK) return status;
  const speculation_input input = {.all = {.problem = &t->problem,
                                           .worth = &t->worth,
                                           .bytes_limit = t->plan->trace.band_bytes,
                                           .line_interval = t->plan->trace.band_interval,
                                           .wide_rows_least = wide_rows_least(t),
                                           .threads = t->plan->trace.threads,
                                           .device_rate = device_rate(t)},
                                   .kept = rows->kept,
                                   .end = node_of_point(&t->point),
                                   .bound = t->bound,
                                   .upper = upper->row,
                                   .threads = t->plan->trace.threads,
                                   .blocks = t->plan->trace.blocks_ahead,
                                   .more_blocks = more_blocks(t, rows->kept),
                                   .far = t->far};
  speculation *ahead = NULL;
  status = speculation_create(&ahead, &input, error);
  while (status == CLA_OK && !t->point.at_start && !speculation_ended(ahead)) {
    band_block *next = NULL;
    bool led = false;
    status = speculation_wait(&next, ahead, error);
    if (status == CLA_OK && !next && t->tick) status = t->tick(t->tick_user, t->cells, error);
    if (status != CLA_OK || !next) continue;
    status = pass_block(&led, t, next, rows->kept, error);
    const band_node at = node_of_point(&t->point);
    const int64_t count = special_rows_count(rows->kept);
    speculation_pass(ahead, &at, led);
    t->bytes_left += (count - special_rows_count(rows->kept)) * rows->row_bytes;
    if (is_stopped(t)) break;
  }
  speculation_free(ahead);
  return status;
}

/* Frees the rows from `row` on. */
static void drop_rows(traceback *t, const passed_rows *rows, int64_t row) {
  const int64_t count = special_rows_count(rows->kept);
  special_rows_drop_from(rows->kept, row);
  t->bytes_left += (count - special_rows_count(rows->kept)) * rows->row_bytes;
}

/* Traces through the kept rows, then to row `upper`. Frees each row after the path has passed it. */
static cla_status trace_through(traceback *t, const passed_rows *rows, const known_row *upper,
                                cla_error *error) {
  special_rows *kept = rows->kept;
  cla_status status = CLA_OK;
  const int64_t nearest = kept ? special_rows_above(kept, t->point.row) : -1;
  const bool ahead =
      t->cells_most == 0 || t->plan->prune; /* with a limit of cells, only pruned bands are narrow enough */
  if (ahead && nearest > upper->row && t->plan->trace.band_bytes > 0 &&
      t->point.row - upper->row >= t->plan->trace.ahead_rows_least)
    status = trace_ahead(t, rows, upper, error);
  while (status == CLA_OK && !t->point.at_start && t->point.row > upper->row && !is_stopped(t)) {
    const int64_t above = kept ? special_rows_above(kept, t->point.row) : -1;
    const known_row next = above > upper->row ? row_of(t, kept, above) : *upper;
    status = trace_to(t, &next, error);
    if (kept && above > upper->row) drop_rows(t, rows, status == CLA_OK ? above : above + 1);
  }
  return status;
}

static cla_status run(traceback *t, special_rows *kept, cla_error *error) {
  int64_t fresh = -1;
  const int64_t above = kept ? special_rows_above(kept, t->point.row) : -1;
  cla_status status = finish_on_border(t, error);
  if (status != CLA_OK || t->point.at_start) return status;
  const double began = machine_seconds() - t->kernel_seconds;
  const int64_t cells = t->cells;
  if (t->steps.count == 0 && t->cells_most == 0)
    status = start_search(&fresh, t, larger(above, 0), error); /* only at the end cell */
  t->search =
      (cla_stage){.cells = t->cells - cells, .seconds = machine_seconds() - t->kernel_seconds - began};
  if (status != CLA_OK) return status;
  const known_row top = row_of(t, NULL, larger(fresh, 0));
  const bool whole = kept && !t->plan->prune && !special_rows_on_disk(kept);
  const passed_rows rows = {kept, whole ? plan_row_bytes(t->input, t->input->columns + 1) : 0};
  return fresh >= 0 ? trace_to(t, &top, error) : trace_through(t, &rows, &top, error);
}

cla_status traceback_run(traceback *t, special_rows *kept, cla_error *error) {
  t->end_row = t->point.row;
  cla_status status = row_worth_make(&t->worth, t->problem.query, t->end_row, t->problem.scheme.table, error);
  t->bytes_left = t->plan->trace.block_bytes;
  if (status == CLA_OK) status = run(t, kept, error);
  if (t->far) t->far->calls->end(t->far);
  t->far = NULL;
  row_worth_free(&t->worth);
  return status;
}
