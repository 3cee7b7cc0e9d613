#include "sweep/progress.h"

#include "base/error.h"
#include "base/machine.h"

/* From this fraction of the work on, the measured rate gets full weight. Before, it is too low, because the
 * first tiles use only a small part of the device. */
#define SEEN_ENOUGH 0.25
/* If no model predicts the time left, it is reported only from this fraction of the work on. */
#define SEEN_SOMETHING 0.001

/* Returns the fraction of all work that is done after `cells` cells. If the stages' seconds are known, work
 * is measured in seconds, because a cell of the traceback takes longer than a cell of the sweep. Otherwise,
 * it is measured in cells. */
static double fraction_done(const plan *whole, double cells) {
  const double sweep_cells = (double)whole->predicted.sweep_cells;
  const bool timed = whole->predicted.sweep_seconds > 0;
  const double sweep = timed ? whole->predicted.sweep_seconds : sweep_cells;
  const double traceback = timed ? whole->predicted.traceback_seconds : whole->predicted.traceback_cells;
  const double traced = cells - sweep_cells;
  double done = traced < 0 ? sweep * cells / sweep_cells : sweep;
  if (traced > 0 && whole->predicted.traceback_cells > 0)
    done += traceback * traced / whole->predicted.traceback_cells;
  return done < sweep + traceback ? done / (sweep + traceback) : 1;
}

void progress_time_left(cla_progress *progress, const plan *whole, int64_t cells) {
  const double fraction = fraction_done(whole, (double)cells), left = 1 - fraction;
  progress->fraction = fraction;
  progress->seconds_left = -1;
  const double seen = fraction > 0 ? progress->seconds * left / fraction : 0;
  if (whole->predicted.sweep_seconds > 0) {
    const double weight = fraction < SEEN_ENOUGH ? fraction / SEEN_ENOUGH : 1;
    const double model = (whole->predicted.sweep_seconds + whole->predicted.traceback_seconds) * left;
    progress->seconds_left = weight * seen + (1 - weight) * model;
  } else if (fraction > SEEN_SOMETHING) {
    progress->seconds_left = seen;
  }
}

bool progress_is_due(const strand_progress *run, double now) {
  return run->options->callbacks.progress && now - run->reported >= CLA_PROGRESS_SECONDS;
}

cla_status progress_report(strand_progress *run, const cla_progress *progress, double now, cla_error *error) {
  run->reported = now;
  if (run->options->callbacks.progress(progress, run->options->callbacks.progress_user)) return CLA_OK;
  return error_set(error, CLA_ERROR_INTERRUPTED, "interrupted during the %s%s", progress->stage,
                   run->options->run.directory ? "" : "; nothing was written");
}

cla_status progress_tick(strand_progress *run, const plan *whole, int64_t cells, cla_error *error) {
  const double now = machine_seconds();
  if (!progress_is_due(run, now)) return CLA_OK;
  cla_progress progress = {.stage = run->stage,
                           .cells_done = run->stage_before + cells,
                           .cells_passed_over = run->passed_before + run->passed_over,
                           .seconds = now - run->began + run->bound_seconds};
  progress_time_left(&progress, whole, run->done_before + run->stage_before + cells);
  return progress_report(run, &progress, now, error);
}

cla_status progress_compiling(void *run, cla_error *error) {
  strand_progress *progress = run;
  const cla_progress now = {
      .stage = PROGRESS_COMPILING, .seconds = progress->bound_seconds, .seconds_left = -1};
  if (!progress->options->callbacks.progress) return CLA_OK;
  return progress_report(progress, &now, machine_seconds(), error);
}
