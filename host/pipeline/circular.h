#ifndef HOST_PIPELINE_CIRCULAR_H
#define HOST_PIPELINE_CIRCULAR_H

#include "pipeline/pipeline.h"

/* Alignments of a circular sequence: of all its rotations the best (docs/internals/exactness.md, "Circular
 * sequences").
 */

/* CLA_OK unless options->circular cannot be: CLA_ERROR_OPTION (another mode than local and global, a run
 * directory, a bound that is given, a range of the circular record). */
cla_status circular_check(const cla_sequence *query, const cla_sequence *target,
                          const cla_align_options *options, cla_error *error);

/* As pipeline_align_strand, for options->circular. */
cla_status circular_align_strand(cla_alignment **out, const align_job *job, cla_error *error);

#endif
