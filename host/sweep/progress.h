#ifndef HOST_SWEEP_PROGRESS_H
#define HOST_SWEEP_PROGRESS_H

#include "clalign/align.h"
#include "plan/plan.h"

/* The progress of one strand, for reports to the user's callback. */
typedef struct strand_progress {
  const cla_align_options *options;
  double reported; /* time of the last report */
  const char *stage;
  double began, bound_seconds; /* time when the sweep started; seconds of the search for a bound before it */
  int64_t done_before;         /* number of cells in the stages that have ended */
  int64_t stage_before;        /* number of this stage's cells above the part that is being computed */
  /* Number of cells skipped in the current region, and in earlier regions of the stage. */
  int64_t passed_over, passed_before;
} strand_progress;

/* Sets the fraction done and the seconds left of a run whose stages have computed `cells` cells. */
void progress_time_left(cla_progress *progress, const plan *whole, int64_t cells);

/* True if there is a callback and the last report is at least CLA_PROGRESS_SECONDS old. */
bool progress_is_due(const strand_progress *run, double now);

/* Calls the callback. Fails with CLA_ERROR_INTERRUPTED if the callback ends the run. */
cla_status progress_report(strand_progress *run, const cla_progress *progress, double now, cla_error *error);

#define PROGRESS_COMPILING "kernel compilation, once for this machine"

/* Reports immediately that a kernel is being compiled, with an unknown time left. Can be used as a
 * device_compiling (device/device_use.h); `run` is the strand_progress. */
cla_status progress_compiling(void *run, cla_error *error);

/* If a report is due, reports `cells` cells as done in this stage, with the time left according to the
 * plan. */
cla_status progress_tick(strand_progress *run, const plan *whole, int64_t cells, cla_error *error);

#endif
