#ifndef HOST_PIPELINE_EMPTY_PAIR_H
#define HOST_PIPELINE_EMPTY_PAIR_H

#include "pipeline/pipeline.h"

/* A pair of which one sequence has no letters, or both: a matrix of borders only, for which no device is
 * needed. */

/* Whether it is one. */
bool empty_pair(const cla_sequence *query, const cla_sequence *target);

/* CLA_OK unless it is one and must not be: CLA_ERROR_INPUT without options->allow_empty, CLA_ERROR_OPTION
 * with a run directory. */
cla_status empty_pair_check(const cla_sequence *query, const cla_sequence *target,
                            const cla_align_options *options, cla_error *error);

/* Its alignment, not yet verified; the job's query is on the strand that is aligned, its device is not looked
 * at. As pipeline_align_strand for the rest. */
cla_status empty_pair_align(cla_alignment **out, const cla_device_info *device, const align_job *job,
                            cla_error *error);

#endif
