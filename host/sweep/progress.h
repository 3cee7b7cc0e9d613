#ifndef HOST_SWEEP_PROGRESS_H
#define HOST_SWEEP_PROGRESS_H

#include "clalign/align.h"
#include "plan/plan.h"

/* The progress of one strand, and the way to the user's callback. */
typedef struct strand_progress {
  const cla_align_options *options;
  double reported; /* time of the last report */
  const char *stage;
  double began,
      bound_seconds;    /* time when the sweep began; seconds of the search for a lower bound before it */
  int64_t done_before;  /* cells of the stages that have ended */
  int64_t stage_before; /* cells of this stage above the part in work or the resumed rest */
  /* Cells passed over in this region, and in the stage's regions before. */
  int64_t passed_over, passed_before;
} strand_progress;

/* Sets the fraction and the seconds left of a run whose stages have computed `cells`. */
void progress_time_left(cla_progress *progress, const plan *whole, int64_t cells);

/* True if there is a callback that was not called for the reports' interval. */
bool progress_is_due(const strand_progress *run, double now);

/* Calls the callback. CLA_ERROR_INTERRUPTED if it ends the run. */
cla_status progress_report(strand_progress *run, const cla_progress *progress, double now, cla_error *error);

#define PROGRESS_COMPILING "kernel compilation, once for this machine"

/* Reports at once that a kernel is compiled. The time that takes is not known. It is a device_compiling
 * (device/device_use.h), whose `run` is the strand_progress. */
cla_status progress_compiling(void *run, cla_error *error);

/* Reports `cells` of this stage with the time left by the plan, if a report is due. */
cla_status progress_tick(strand_progress *run, const plan *whole, int64_t cells, cla_error *error);

#endif
