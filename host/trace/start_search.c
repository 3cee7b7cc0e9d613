#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "trace/traceback.h"

/* Reverse sweeps look at plan->search_rows rows at first, then at twice as many, and never at more than a
 * quarter of what a block between kept rows has: a failed search costs little against that block. */
#define SEARCH_SHARE 4

bool start_search_applies(const plan *whole, const plan_input *input, int64_t rows) {
  return input->ends.floor && rows / SEARCH_SHARE >= whole->search_rows;
}

/* Columns within which a reverse path of `rows` rows can still have a value of zero or more. */
static int64_t search_columns(const traceback *t, int64_t rows) {
  const int64_t match = t->input->table->maximum > 0 ? t->input->table->maximum : 0;
  const int64_t ext = gap_least_ext(t->input->scoring);
  if (ext == 0) return t->point.column;
  const int64_t columns = rows + match * rows / ext + 2;
  return columns < t->point.column ? columns : t->point.column;
}

/* Sweeps `rows` rows up from the point. *beyond tells whether an optimal path may go on above them.
 *
 * An optimal path's part from a node x to the end is worth best - H(x), which is never negative, because no
 * H exceeds the best. So where the reverse value of every node of a row is negative, no optimal path
 * crosses that row; the values of F there are no larger. */
static cla_status sweep_up(bool *beyond, traceback *t, int64_t rows, cla_error *error) {
  const cla_scoring *scoring = t->input->scoring;
  const border_rule gap = border_of_gap(scoring, 0);
  const int64_t columns = search_columns(t, rows);
  int64_t *bottom = NULL;
  region_result result;
  cla_status status =
      allocate_array((void **)&bottom, columns + 1, sizeof *bottom, "the start search", error);
  if (status != CLA_OK) return status;
  const region up = {.row = t->point.row,
                     .column = t->point.column,
                     .rows = rows,
                     .columns = columns,
                     .reverse = true,
                     .left = gap,
                     .top = gap,
                     .bottom = bottom,
                     .tick = traceback_tick,
                     .user = t};
  const kernel_config config = plan_region(t->plan, t->input, columns);
  status = wavefront_solve(&result, t->engine, &up, &config, error);
  *beyond = false;
  for (int64_t i = 0; status == CLA_OK && i <= columns; i++)
    if (bottom[i] >= 0) *beyond = true;
  if (status == CLA_OK) t->cells += result.cells;
  free(bottom);
  return status;
}

cla_status start_search(int64_t *row, traceback *t, const upper_row *upper, cla_error *error) {
  const int64_t block = larger(t->point.row - upper->row, smaller(t->plan->row_interval, t->point.row));
  const int64_t most = block / SEARCH_SHARE;
  const int64_t match = t->input->table->maximum > 0 ? t->input->table->maximum : 1;
  const int64_t fewest = t->point.value / match; /* no path of this value has fewer rows */
  *row = -1;
  if (!start_search_applies(t->plan, t->input, block)) return CLA_OK;
  int64_t rows = t->plan->search_rows;
  while (rows < fewest + fewest / 4) rows *= 2;
  for (; rows <= most; rows *= 2) {
    bool beyond = true;
    cla_status status = sweep_up(&beyond, t, rows, error);
    if (status != CLA_OK) return status;
    if (!beyond) {
      *row = t->point.row - rows;
      return CLA_OK;
    }
  }
  return CLA_OK;
}
