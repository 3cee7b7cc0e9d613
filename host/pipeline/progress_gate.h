#ifndef HOST_PIPELINE_PROGRESS_GATE_H
#define HOST_PIPELINE_PROGRESS_GATE_H

#include "clalign/align.h"

/* The way to the user's progress callback, which is called a few times a second at most. */
typedef struct progress_gate {
  const cla_align_options *options;
  double passed; /* time of the last call */
} progress_gate;

/* Whether there is a callback and it is time for it. */
bool progress_gate_open(const progress_gate *gate, double now);

/* Calls it; CLA_ERROR_INTERRUPTED if it says so. */
cla_status progress_gate_pass(progress_gate *gate, const cla_progress *progress, double now,
                              cla_error *error);

#endif
