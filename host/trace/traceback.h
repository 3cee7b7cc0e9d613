#ifndef HOST_TRACE_TRACEBACK_H
#define HOST_TRACE_TRACEBACK_H

#include "dp/path.h"
#include "plan/plan.h"
#include "region/wavefront.h"
#include "rows/special_rows.h"
#include "trace/band_goals.h"
#include "trace/far_bands.h"

/* The stages after the forward sweep: the start search, blocks between kept rows, small blocks. The
 * traceback works upwards from the end cell. It computes again the block between the path's highest known
 * node and the nearest kept row above, and keeps more rows inside that block. Only columns that an optimal
 * path can use are computed. The smaller blocks between the new rows are treated in the same way, until a
 * block is small enough to store directions. All stages compute forward from exact values. So the choice
 * among paths of equal score does not depend on which rows were kept (docs/internals/exactness.md). */
typedef struct traceback {
  wavefront *engine;
  const plan *plan;
  const plan_input *input;
  pair_problem problem; /* letters of both ranges, and the scheme */
  row_worth worth;      /* set and freed by traceback_run */
  region_tick tick;     /* called with the number of cells of the whole traceback so far; NULL: no call */
  void *tick_user;
  /* Called before a region is solved, with the region's scheme, to build and test the kernel. NULL: all
   * kernels are ready. */
  cla_status (*kernel)(void *user, wavefront *engine, const kernel_config *config, const path_scheme *scheme,
                       cla_error *error);
  void *kernel_user;
  double kernel_seconds; /* total duration of the calls of `kernel`; no stage's seconds include it */
  /* Called when the path from `point` to its end is certain. `stage`: the stage that traced it to `point`.
   * NULL: no call. */
  cla_status (*save)(void *user, const trace_point *point, const path *steps, const char *stage,
                     cla_error *error);
  void *save_user;
  /* Starts the work of other processes, before the first bands ahead of the path are computed. The traceback
   * owns *out and ends it. NULL: there are no other processes. */
  cla_status (*begin_far)(far_bands **out, const struct traceback *t, cla_error *error);
  const void *far_user;     /* data for begin_far */
  far_bands *far;           /* bands of other processes, or NULL; set by traceback_run */
  int64_t end_row;          /* last row of the path; set by traceback_run */
  int64_t ahead, far_ahead; /* number of passed blocks that were computed ahead of the path: in all, and by
                               other processes */
  const lower_bound *bound; /* a bound whose path shows where to search first, or NULL */
  int64_t
      cells_most; /* for verifying a score: maximum number of cells; 0: no limit, trace to the path's start */
  bool stopped;   /* tracing has stopped, because the next block might exceed cells_most */
  int64_t cells;  /* computed cells so far */
  int64_t bytes_left; /* memory for rows and borders of blocks; set by traceback_run from the plan */
  cla_stage search, blocks,
      bands;         /* work of the start search, of blocks on the device, and of bands on the host */
  trace_point point; /* the highest known point of the path; at first the end cell */
  const char *stage; /* the stage that traced the path to `point` */
  path steps; /* the path, including the steps of a saved run; the caller calls path_free or path_finish */
} traceback;

/* Traces from t->point to the path's start, and sets t->point to the start. If cells_most is set, the trace
 * runs on the host only, and may stop before the start. `kept` contains the sweep's kept rows, or is NULL;
 * each row is freed after its use, from the lowest row upwards. Errors: CLA_ERROR_MEMORY, CLA_ERROR_DEVICE,
 * and errors of the tick. */
cla_status traceback_run(traceback *t, special_rows *kept, cla_error *error);

/* Computes a region of the traceback with the kernel for the region's width, without searching for a best
 * cell. Errors: those of wavefront_solve and of t->kernel. */
cla_status traceback_solve(region_result *out, traceback *t, const region *what, cla_error *error);

/* A region's tick that calls the tick of the traceback `user`. */
cla_status traceback_tick(void *user, int64_t cells, cla_error *error);

/* Divisor of the rows between two kept rows. In local mode, the start search covers at most rows /
 * SEARCH_SHARE, so that a failed search costs little. The search sweeps plan->search_rows rows back from the
 * end cell, then twice as many, and so on. */
#define SEARCH_SHARE 4

/* True if a start search is worth trying when the nearest kept row above is `rows` rows away. */
static inline bool start_search_applies(const plan *whole, const plan_input *input, int64_t rows) {
  return input->ends.floor && rows / SEARCH_SHARE >= whole->search_rows;
}

#endif
