#ifndef HOST_PIPELINE_ALIGN_SETTLE_H
#define HOST_PIPELINE_ALIGN_SETTLE_H

#include "pipeline/pipeline.h"

/* A job with all options and the pair checked, and a scheme for the pair's letters. The stages take `job` and
 * check nothing again. It must not move, because the job points to the options. */
typedef struct settled_job {
  align_job job;
  cla_align_options options;
} settled_job;

/* Settles a caller's job; `asked` need not have a device. CLA_ERROR_OPTION for options that are impossible or
 * do not go together; CLA_ERROR_INPUT for a pair that does not fit them. */
cla_status align_settle(settled_job *out, const align_job *asked, cla_error *error);

/* Checks options without a pair. CLA_ERROR_OPTION. */
cla_status align_options_check(const cla_align_options *options, cla_error *error);

/* True if the job uses a device. Otherwise the calling thread computes it. */
bool settled_needs_device(const settled_job *settled);

#endif
