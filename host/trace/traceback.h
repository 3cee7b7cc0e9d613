#ifndef HOST_TRACE_TRACEBACK_H
#define HOST_TRACE_TRACEBACK_H

#include "dp/path.h"
#include "plan/plan.h"
#include "region/wavefront.h"
#include "rows/special_rows.h"
#include "trace/band_goals.h"
#include "trace/far_bands.h"

/* The stages after the forward sweep: the start search, blocks between kept rows, small blocks.
 *
 * The work goes upwards from the end cell. The block between the path's last known node and the nearest kept
 * row above is computed again, and keeps rows of its own. Only columns that an optimal path can use are
 * computed. The blocks between these rows are treated in the same way, until a block is small enough for
 * direction bits. All stages compute forward from exact values, so the kept rows do not influence how ties
 * are decided (docs/internals/exactness.md). */
typedef struct traceback {
  wavefront *engine;
  const plan *plan;
  const plan_input *input;
  pair_problem problem; /* letters of the two ranges, and the scheme */
  row_worth worth;      /* set and freed by traceback_run */
  region_tick tick;     /* called with the cells of the whole traceback, or NULL */
  void *tick_user;
  /* Called with the region's scheme before a region is solved, to build and test its kernel. NULL: all
   * kernels are ready. */
  cla_status (*kernel)(void *user, wavefront *engine, const kernel_config *config, const path_scheme *scheme,
                       cla_error *error);
  void *kernel_user;
  double kernel_seconds; /* duration of these calls, not included in any stage's seconds */
  /* Called when the path from `point` down is certain; `stage` is the stage that has traced that path. NULL:
   * no call. */
  cla_status (*save)(void *user, const trace_point *point, const path *steps, const char *stage,
                     cla_error *error);
  void *save_user;
  /* Begins the work of other processes, before the first bands ahead of the path. The traceback owns *out,
   * and calls calls->end. NULL: there are no other processes. */
  cla_status (*begin_far)(far_bands **out, const struct traceback *t, cla_error *error);
  const void *far_user;     /* for begin_far */
  far_bands *far;           /* bands of other processes, or NULL; set by traceback_run */
  int64_t end_row;          /* last row of the path; set by traceback_run */
  int64_t ahead, far_ahead; /* passed blocks that were computed ahead of the path; by other processes */
  const lower_bound *bound; /* a bound whose path shows where to search first, or NULL */
  int64_t cells_most;       /* for verifying a score: limit of the cells; 0: trace to the start */
  bool stopped;             /* tracing has stopped, because the next block might exceed cells_most */
  int64_t cells;            /* computed cells so far */
  int64_t bytes_left;       /* memory for rows and borders of blocks; set by traceback_run from the plan */
  cla_stage search, blocks,
      bands;         /* work of the start search, of blocks on the device, of bands on the host */
  trace_point point; /* the highest known point of the path; at first the end cell */
  const char *stage; /* the stage that traced the path to the point */
  path steps;        /* the path, after the steps of a saved run; free with path_free or path_finish */
} traceback;

/* Traces from t->point to the path's start, and sets t->point to the start. With cells_most the trace runs on
 * the host only, and may stop before the start. `kept` has the sweep's kept rows, which are freed from below
 * as they are used; or NULL. Errors: CLA_ERROR_MEMORY, CLA_ERROR_DEVICE, and the tick's. */
cla_status traceback_run(traceback *t, special_rows *kept, cla_error *error);

/* Solves a region of the traceback, without finding a best cell, with the kernel for the region's width.
 * Errors as wavefront_solve, and those of t->kernel. */
cla_status traceback_solve(region_result *out, traceback *t, const region *what, cla_error *error);

/* Divisor of a block's rows: the start search in local mode covers at most this part of a block between kept
 * rows, so that a failed search costs little. The search sweeps plan->search_rows rows back from the end
 * cell, then twice as many, and so on. */
#define SEARCH_SHARE 4

/* True if a start search is allowed when the nearest kept row is `rows` rows above. */
static inline bool start_search_applies(const plan *whole, const plan_input *input, int64_t rows) {
  return input->ends.floor && rows / SEARCH_SHARE >= whole->search_rows;
}

#endif
