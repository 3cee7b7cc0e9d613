#ifndef HOST_TRACE_TRACEBACK_H
#define HOST_TRACE_TRACEBACK_H

#include "plan/plan.h"
#include "store/special_rows.h"
#include "trace/band_goals.h"
#include "trace/path.h"
#include "trace/ranks_trace.h"
#include "wavefront/wavefront.h"

/* The stages after the forward sweep: where the path may start, splitting into blocks, small blocks.
 *
 * All of them work forward from exact values, so that ties are decided by docs/internals/exactness.md alone,
 * whatever rows were kept. From the end cell upwards, the block between the path's last known node and the
 * nearest kept row above it is computed again, in the window of columns that any optimal path can use, and
 * keeps rows of its own; then the same within it, until a block is small enough for direction bits. */
typedef struct traceback {
  wavefront *engine;
  const plan *plan;
  const plan_input *input;
  pair_problem problem; /* of the two ranges */
  row_worth worth;      /* set and freed by traceback_run */
  region_tick tick;     /* NULL: none; gets the cells of the whole traceback */
  void *tick_user;
  /* Called before the engine solves a region with the kernel, which is built and tested then if it was not
   * before; NULL: all kernels are. `scheme` is that of the region. */
  cla_status (*kernel)(void *user, wavefront *engine, const kernel_config *config, const path_scheme *scheme,
                       cla_error *error);
  void *kernel_user;
  double kernel_seconds; /* that these calls have taken, in no stage's seconds */
  /* Called where `point` and `steps` are what has been traced for certain, by `stage`; NULL: none. */
  cla_status (*save)(void *user, const trace_point *point, const path *steps, const char *stage,
                     cla_error *error);
  void *save_user;
  const cla_ranks *ranks; /* whose threads compute bands, too; NULL: none */
  rank_traces *traces;    /* theirs; of traceback_run, as the next */
  int64_t end_row;        /* of the path */
  int64_t ahead, far;     /* blocks computed ahead of the path that it has come to; of them by other ranks */
  const lower_bound *bound; /* whose path tells where to look first; NULL: none is known */
  int64_t
      cells_most; /* to verify a score: stops where the next block might take more; 0: goes on to the start */
  bool stopped;   /* that was so */
  int64_t cells;  /* computed so far */
  int64_t bytes_left;              /* for rows and borders of blocks; set by traceback_run, from the plan */
  cla_stage search, blocks, bands; /* of them: the start search, blocks on the device, bands on the host */
  trace_point point;               /* set to the end cell before traceback_run */
  const char *stage;               /* that has led to the point */
  path steps; /* the result, with what a saved run had before; free with path_free or path_finish */
} traceback;

/* Traces from t->point to the path's start. With cells_most it stays on the host, and may stop before. `kept`
 * are the sweep's special rows, or NULL; they are freed from below as they are used. On CLA_OK t->point is
 * the start node. Errors: CLA_ERROR_MEMORY, CLA_ERROR_DEVICE, and what tick returns. */
cla_status traceback_run(traceback *t, special_rows *kept, cla_error *error);

/* Solves a region of the traceback, which looks for no best cell, with the kernel for regions of so many
 * columns. Errors as wavefront_solve, and what `kernel` returns. */
cla_status traceback_solve(region_result *out, traceback *t, const region *what, cla_error *error);

/* In local mode a reverse sweep from the end cell looks at plan->search_rows rows at first, then at twice as
 * many, and never at more than a quarter of what a block between kept rows has: a failed search costs little
 * against that block. */
#define SEARCH_SHARE 4

/* Whether it may sweep at all with `rows` rows up to the nearest kept one. */
static inline bool start_search_applies(const plan *whole, const plan_input *input, int64_t rows) {
  return input->ends.floor && rows / SEARCH_SHARE >= whole->search_rows;
}

#endif
