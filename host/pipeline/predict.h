#ifndef HOST_PIPELINE_PREDICT_H
#define HOST_PIPELINE_PREDICT_H

#include "clalign/align.h"
#include "plan/plan.h"

/* What a plan says of its own time. CLA_ERROR_DEVICE if no record has timed its kernel. */
cla_status prediction_make(cla_prediction *out, const plan *whole, const plan_input *input, cla_error *error);

#endif
