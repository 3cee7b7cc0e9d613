#ifndef HOST_PIPELINE_ALIGN_BANDED_H
#define HOST_PIPELINE_ALIGN_BANDED_H

#include "pipeline/pipeline.h"

/* What --band asks for: the best alignment of a band of diagonals (trace/banded.h), which is no proof for
 * the whole matrix. The host computes it; of the device only the name of the option is of use. */

/* CLA_OK unless options->has_band and something else are both asked for that do not go together, or the band
 * cannot be: CLA_ERROR_OPTION. */
cla_status align_banded_check(const cla_align_options *options, cla_error *error);

/* The alignment, not yet verified; the job's query is on the strand that is aligned. As pipeline_align_strand
 * for the rest. */
cla_status align_banded(cla_alignment **out, const align_job *job, cla_error *error);

#endif
