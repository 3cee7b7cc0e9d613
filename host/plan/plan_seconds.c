/* Predicts how long the stages of a plan take. */

#include "plan/plan_internal.h"

/* Returns the seconds that the whole matrix takes as one block. If no record timed the blocks' kernel, this
 * is the sweep's time multiplied by the ratio of the lane widths. */
static double block_seconds(const plan *p, const plan_input *input) {
  const double timed = kernel_choice_seconds(&p->blocks, input, input->rows, input->columns, true);
  if (timed >= 0) return timed;
  const double wider = (double)p->blocks.variant->lane_bits / p->sweep.variant->lane_bits;
  const double swept = kernel_choice_seconds(&p->sweep, input, input->rows, input->columns, true);
  return (swept >= 0 ? swept : p->predicted.sweep_seconds) * wider;
}

/* Returns the rows of a band: the interval of the sweep's kept rows or, if the sweep keeps no rows, the
 * interval within the whole matrix as one block. */
static int64_t band_rows(const plan *p, const plan_input *input) {
  if (p->row_interval > 0) return p->row_interval;
  const int64_t interval = plan_block_interval(p, input->rows, INT64_MAX);
  return interval > 0 ? interval : input->rows;
}

/* The work of the traceback. The device computes the whole matrix again if the sweep keeps no row, and
 * computes again the blocks whose bands would be too large. */
typedef struct traceback_work {
  int64_t interval; /* rows of a band */
  double band_cells, device_cells;
} traceback_work;

static traceback_work traceback_work_of(const plan *p, const plan_input *input) {
  const int64_t whole = input->rows;
  traceback_work out = {.interval = band_rows(p, input)};
  if (p->row_interval == 0 && out.interval < whole) out.device_cells = (double)p->predicted.sweep_cells;
  for (;;) {
    out.band_cells = plan_band_cells(p, input, out.interval);
    const double width = out.band_cells / (double)whole;
    const int64_t closer = plan_block_interval(p, out.interval, INT64_MAX);
    if (width * (double)out.interval <= PLAN_BAND_CELLS_MOST || closer <= 0 || closer >= out.interval)
      return out;
    out.device_cells += (double)whole * width;
    out.interval = closer;
  }
}

/* Returns the seconds of the traceback. Also predicts the bands; a band's upper row has about twice as many
 * nodes as its middle row. */
static double traceback_seconds(plan *p, const plan_input *input) {
  const traceback_work work = traceback_work_of(p, input);
  const double matrix = (double)input->rows * (double)input->columns;
  p->predicted.bands = (input->rows + work.interval - 1) / work.interval;
  p->predicted.band_seconds = work.band_cells / (PLAN_BAND_RATE * p->trace.threads) +
                              (plan_unlike(input) ? PLAN_FOLLOW_SECONDS * (double)input->rows : 0);
  p->predicted.band_bytes = (int64_t)(2 * work.band_cells / (double)input->rows) * (int64_t)sizeof(int64_t) *
                            gap_lines(input->scoring);
  if (work.device_cells == 0) return p->predicted.band_seconds;
  return p->predicted.band_seconds + block_seconds(p, input) * work.device_cells / matrix;
}

static void set_traceback_cells(plan *p, const plan_input *input) {
  const traceback_work work = traceback_work_of(p, input);
  p->predicted.block_cells = work.device_cells;
  p->predicted.traceback_cells = work.band_cells + work.device_cells;
}

void plan_set_seconds(plan *p, const plan_input *input, double sweep_seconds) {
  p->predicted.sweep_seconds = sweep_seconds;
  p->predicted.traceback_seconds = -1;
  p->predicted.traceback_cells = p->predicted.block_cells = 0;
  if (!input->score_only) set_traceback_cells(p, input);
  if (sweep_seconds < 0) return;
  p->predicted.traceback_seconds = input->score_only ? 0 : traceback_seconds(p, input);
}
