#ifndef HOST_PIPELINE_TIME_LEFT_H
#define HOST_PIPELINE_TIME_LEFT_H

#include "clalign/align.h"
#include "plan/plan.h"

/* Sets the fraction of the work that is done and the seconds left, from the plan, the cells done in all
 * stages, and progress->seconds. Where a record has a time model the estimate begins with it, and what is
 * seen of the run takes its place during the first part; else it follows from what is seen, once there is
 * something. */
void time_left(cla_progress *progress, const plan *whole, int64_t cells);

#endif
