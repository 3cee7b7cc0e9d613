#ifndef HOST_PIPELINE_ALIGN_SETTLE_H
#define HOST_PIPELINE_ALIGN_SETTLE_H

#include "pipeline/pipeline.h"

/* A job of which all is checked, with a scheme for the pair's letters. The stages take `job` and look at
 * nothing again. It stays where it was made, because the job points to the options. */
typedef struct settled_job {
  align_job job;
  cla_align_options options;
} settled_job;

/* Settles what a caller asks for; `asked` need not have a device. CLA_ERROR_OPTION for options that cannot
 * be, or do not go together; CLA_ERROR_INPUT for a pair that they cannot be of. */
cla_status align_settle(settled_job *out, const align_job *asked, cla_error *error);

/* The part of it that is about options alone, for those that have no pair yet. CLA_ERROR_OPTION. */
cla_status align_options_check(const cla_align_options *options, cla_error *error);

/* Whether the job uses a device; if not, the calling thread computes all of it. */
bool settled_needs_device(const settled_job *settled);

#endif
