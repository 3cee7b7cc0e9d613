#ifndef HOST_PIPELINE_PIPELINE_H
#define HOST_PIPELINE_PIPELINE_H

#include "clalign/align.h"
#include "plan/plan.h"

/* cla_align with a hand in the plan: `adjust`, unless NULL, may change it before anything runs. For tests
 * that force many small blocks, other strips or tiles; whatever it sets must be legal for the scheme. */
cla_status pipeline_align(cla_alignment **out, cla_device *device, const cla_sequence *query,
                          const cla_sequence *target, const cla_align_options *options,
                          void (*adjust)(plan *whole), cla_error *error);

#endif
