#ifndef HOST_TRACE_TRACEBACK_H
#define HOST_TRACE_TRACEBACK_H

#include "plan/plan.h"
#include "store/special_rows.h"
#include "trace/row_worth.h"
#include "trace/small_block.h"
#include "wavefront/wavefront.h"

/* The stages after the forward sweep: where the path may start, splitting into blocks, small blocks.
 *
 * All of them work forward from exact values, so that ties are decided by docs/internals/exactness.md alone, whatever
 * rows were kept. From the end cell upwards, the block between the path's last known node and the nearest
 * kept row above it is computed again, in the window of columns that any optimal path can use, and keeps
 * rows of its own; then the same within it, until a block is small enough for direction bits. */
typedef struct traceback {
  wavefront *engine;
  const plan *plan;
  const plan_input *input;
  const uint8_t *query, *target; /* codes of the two ranges */
  row_worth worth;               /* set and freed by traceback_run */
  region_tick tick;              /* NULL: none; gets the cells of the whole traceback */
  void *tick_user;
  /* Called where `point` and `steps` are what has been traced for certain, by `stage`; NULL: none. */
  cla_status (*save)(void *user, const trace_point *point, const path *steps, const char *stage,
                     cla_error *error);
  void *save_user;
  int64_t
      cells_most; /* to verify a score: stops where the next block might take more; 0: goes on to the start */
  bool stopped;   /* that was so */
  int64_t cells;  /* computed so far */
  cla_stage search, blocks, bands; /* of them: the start search, blocks on the device, bands on the host */
  trace_point point;               /* set to the end cell before traceback_run */
  const char *stage;               /* that has led to the point */
  path steps; /* the result, with what a saved run had before; free with path_free or path_finish */
} traceback;

/* Traces from t->point to the path's start. With cells_most it stays on the host, and may stop before. `kept`
 * are the sweep's special rows, or NULL; they are freed from below as they are used. On CLA_OK t->point is
 * the start node. Errors: CLA_ERROR_MEMORY, CLA_ERROR_DEVICE, and what tick returns. */
cla_status traceback_run(traceback *t, special_rows *kept, cla_error *error);

/* A region's tick that reports to the traceback's: `user` is the traceback. */
cla_status traceback_tick(void *user, int64_t cells, cla_error *error);

/* The upper border of a block: a kept row, the matrix' own border (row 0), or, in local mode, a row that no
 * optimal path crosses, whose cells may as well be fresh starts. */
typedef struct upper_row {
  int64_t row;
  const special_rows *rows; /* NULL: row 0 or fresh */
} upper_row;

/* H, and F entering the row below, of `count` nodes from `column` on (band_block_read); traceback_window.c.
 */
void upper_row_read(const traceback *t, const upper_row *upper, int64_t column, int64_t count, int64_t *h,
                    int64_t *f, int64_t *f2);

/* The corner column of the block between `upper` and the point: no optimal path that ends in the point
 * touches this column or one left of it, unless it is the matrix' own border 0. CLA_ERROR_DEVICE if no path
 * can reach the point's value from this row; traceback_window.c. */
cla_status upper_row_window(int64_t *column, const traceback *t, const upper_row *upper, cla_error *error);

/* The error of a point that no path from `row` reaches with its value. */
cla_status upper_row_contradiction(const traceback *t, int64_t row, cla_error *error);

/* Looks, in local mode, for a row that no optimal path to the point crosses, by a reverse sweep from the
 * point; *row is that row, or -1 if the path may well reach up to `upper`; start_search.c. */
cla_status start_search(int64_t *row, traceback *t, const upper_row *upper, cla_error *error);

/* Whether start_search may sweep at all with `rows` rows up to the nearest kept one. */
bool start_search_applies(const plan *whole, const plan_input *input, int64_t rows);

#endif
