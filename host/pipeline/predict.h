#ifndef HOST_PIPELINE_PREDICT_H
#define HOST_PIPELINE_PREDICT_H

#include "clalign/align.h"
#include "pipeline/pipeline.h"
#include "plan/plan.h"

/* What a plan says of its own time. CLA_ERROR_DEVICE if no record has timed its kernel. */
cla_status prediction_make(cla_prediction *out, const plan *whole, const plan_input *input, cla_error *error);

/* cla_predict_pair for one strand, which passes over what cannot reach the rival's score, if one is given. A
 * better score that this strand is known to reach becomes the rival's. */
cla_status pipeline_predict_strand(cla_prediction *out, strand_rival *rival, const cla_device *device,
                                   const cla_sequence *query, const cla_sequence *target,
                                   const cla_align_options *options, cla_error *error);

#endif
