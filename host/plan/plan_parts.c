#include "plan/plan_parts.h"

#include <math.h>

#include "base/extremes.h"
#include "plan/plan_rows.h"
#include "scoring/lane_width.h"

/* Unlike sequences score so much by chance, and H is not looked at in every node: rows after which what has
 * begun by chance is below the bound, at a score of 1 a pair. */
#define ROWS_OF_CHANCE 256.0
/* A launch by diagonals has tiles of so many strips for each compute unit of a GPU, when all are busy. */
#define STRIPS_PER_UNIT_GPU 4
/* Strips of kernels that find out themselves where to end look at every so many columns
 * (cl/nvidia16_runs.clh). */
#define RUN_STEP 256.0
/* By one part, at least so many times more must be computed. */
#define GAIN_LEAST 1.5

void plan_start_area(double *rows, double *columns, const plan_input *input, int64_t bound) {
  const double pairs = (double)bound / (double)larger(input->table->maximum, 1);
  *rows = fmax((double)input->rows - pairs, 0);
  *columns = fmax((double)input->columns - pairs, 0);
}

/* Strips that run at once when the device is full. */
static double strips_at_once(const plan *pruned, const plan_input *input) {
  if (pruned->sweep.launch == KERNEL_PERSISTENT) return pruned->sweep.groups;
  return (double)input->device->compute_units *
         (input->device->kind == CLA_DEVICE_CPU ? 1 : STRIPS_PER_UNIT_GPU);
}

/* Cells that one part computes for want of knowing that strips end: each is a tile, or a step, shorter than
 * the one above. */
static double cells_for_nothing(const plan *pruned, const plan_input *input, double columns, double first) {
  const double strip_rows = (double)kernel_strip_rows(&pruned->sweep);
  const double step = pruned->sweep.variant->run_columns ? RUN_STEP : (double)pruned->sweep.tile_columns;
  const double falls = step / strip_rows; /* columns a row */
  const double rows = fmin(columns / falls, (double)input->rows - first);
  return rows * (columns - rows * falls / 2);
}

/* Rows of the first part, a multiple of the strip's rows; 0 where one part is better. */
static int64_t first_rows(const plan *pruned, const plan_input *input) {
  const int64_t strip_rows = kernel_strip_rows(&pruned->sweep), interval = pruned->row_interval;
  const double largest = (double)larger(input->table->maximum, 1);
  double rows, columns;
  if (!input->ends.floor && !input->ends.target_start) return 0;
  plan_start_area(&rows, &columns, input, pruned->bound);
  const double wanted = rows + ROWS_OF_CHANCE / largest;
  if (wanted >= (double)input->rows) return 0;
  const int64_t unit = interval > 0 && wanted > (double)interval ? interval : strip_rows;
  const int64_t first = (int64_t)ceil(wanted / (double)unit) * unit;
  if (first >= input->rows) return 0;
  /* The first part's strips are few: what the device could compute meanwhile. */
  const double rounds = ceil((double)first / (double)strip_rows / strips_at_once(pruned, input));
  const double idle = columns * ((double)strip_rows * rounds * strips_at_once(pruned, input) - (double)first);
  const double saved = cells_for_nothing(pruned, input, columns, (double)first);
  const double needed =
      columns * (double)first + pruned->prune_share * (double)input->rows * (double)input->columns;
  return saved > idle && saved + needed > GAIN_LEAST * (idle + needed) ? first : 0;
}

/* The second part's upper border is a kept row, below which lanes hold less. */
static bool lanes_hold(const plan *pruned, const plan_input *input) {
  const int nesting = (int)larger(input->nesting, LANE_WIDTH_BELOW_ROW) + 1;
  return kernel_tile_limit(&pruned->sweep, input->scoring, input->table, nesting) >=
         pruned->sweep.tile_columns;
}

void plan_parts(plan *pruned, const plan_input *input) {
  plan parts = *pruned;
  cla_error unfit = {0};
  pruned->first_rows = 0;
  if (!lanes_hold(pruned, input)) return;
  parts.first_rows = first_rows(pruned, input);
  if (parts.first_rows == 0 || plan_rows(&parts, input, &unfit) != CLA_OK) return;
  if (parts.row_interval == pruned->row_interval) *pruned = parts;
}
