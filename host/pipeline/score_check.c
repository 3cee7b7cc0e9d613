#include "pipeline/strand_internal.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "dp/small_block.h"
#include "result/path_check.h"
#include "trace/traceback.h"

/* Limits on the cells that a check computes on the host. While a host core computes one cell of a band, a
 * core used as a device computes ten to thirty cells, and a GPU some thousands. */
#define CELLS_ALWAYS (INT64_C(1) << 20) /* cells that a check may always compute */
/* a longer check may compute 1 / CELLS_SHARE_CPU of the cells that a CPU has computed */
#define CELLS_SHARE_CPU 256
/* a longer check may compute 1 / CELLS_SHARE_GPU of the cells that a GPU has computed */
#define CELLS_SHARE_GPU 8192
#define WINDOW_LEAST 64  /* minimum letters of a window above the end cell */
#define WINDOW_MOST 1024 /* maximum letters of a window */
#define WINDOW_LETTERS 4 /* letters of a window per pair that the score requires */

static int64_t cells_most(const strand_work *r, int64_t computed) {
  const bool gpu = r->sweep.input.device->kind == CLA_DEVICE_GPU;
  return larger(CELLS_ALWAYS, computed / (gpu ? CELLS_SHARE_GPU : CELLS_SHARE_CPU));
}

/* In local mode, searches for a short path in a window that ends in the end cell. Every path in the window is
 * also a path in the matrix. */
static cla_status check_window(traceback *t, cla_error *error) {
  const int64_t most = t->input->table->maximum > 0 ? t->input->table->maximum : 1;
  const int64_t wanted = larger(WINDOW_LEAST, WINDOW_LETTERS * (t->point.value / most));
  const int64_t rows = smaller(wanted, t->point.row), columns = smaller(wanted, t->point.column);
  if (wanted > WINDOW_MOST) return CLA_OK;
  /* The window's upper border has values like the matrix' border, where paths may start. */
  const small_block window = {.problem = &t->problem,
                              .row = t->point.row - rows,
                              .column = t->point.column - columns,
                              .read_top = border_read_top,
                              .top_row = &t->problem.scheme,
                              .part = rows < t->point.row || columns < t->point.column};
  return small_block_trace(&t->point, &t->steps, &window, &t->cells, error);
}

/* Checks the score of the path that was found, letter by letter. */
static cla_status check_path(const strand_work *r, traceback *t, int64_t score, cla_error *error) {
  cla_run *runs = NULL;
  size_t count = 0;
  int64_t got = 0, at = 0;
  path_finish(&t->steps, &runs, &count);
  const pair_problem pair = {.query = r->sweep.problem.query + t->point.row,
                             .target = r->sweep.problem.target + t->point.column,
                             .scheme = {.scoring = &r->job->options->scoring, .table = &r->sweep.table}};
  const bool fits = path_score(&got, &at, runs, count, &pair);
  free(runs);
  if (fits && got == score) return CLA_OK;
  return error_set(error, CLA_ERROR_VERIFICATION,
                   "wrong value: the forward sweep's score is %lld, but the path to its end cell scores "
                   "%lld; " WRONG_VALUE_REMEDY,
                   (long long)score, (long long)got);
}

cla_status score_check(cla_verified *out, strand_work *r, const trace_point *end, cla_stage *bands,
                       cla_error *error) {
  const double began = machine_seconds();
  traceback t = {.plan = &r->sweep.plan,
                 .input = &r->sweep.input,
                 .problem = r->sweep.problem,
                 .tick = sweep_tick,
                 .tick_user = &r->sweep,
                 .point = *end,
                 .cells_most = cells_most(r, bands->cells)};
  bands->cells = 0;
  *out = CLA_VERIFIED_NOT;
  if (r->bound.has_path && r->bound.path_score == end->value) *out = CLA_VERIFIED_PATH;
  if (*out == CLA_VERIFIED_PATH || !r->sweep.plan.verifies) return CLA_OK;
  const bool rows = r->sweep.kept && special_rows_above(r->sweep.kept, end->row) > 0;
  cla_status status = r->sweep.input.ends.floor && !rows ? check_window(&t, error) : CLA_OK;
  if (status == CLA_OK && !t.point.at_start) status = traceback_run(&t, r->sweep.kept, error);
  if (status == CLA_OK && t.point.at_start) status = check_path(r, &t, end->value, error);
  if (status == CLA_OK)
    *out = t.point.at_start ? CLA_VERIFIED_PATH : t.steps.count > 0 ? CLA_VERIFIED_END : CLA_VERIFIED_NOT;
  *bands = (cla_stage){.cells = t.cells, .seconds = machine_seconds() - began};
  path_free(&t.steps);
  return status;
}
