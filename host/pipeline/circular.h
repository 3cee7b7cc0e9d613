#ifndef HOST_PIPELINE_CIRCULAR_H
#define HOST_PIPELINE_CIRCULAR_H

#include "pipeline/pipeline.h"

/* Alignments of a circular sequence: of all its rotations the best (docs/internals/exactness.md, "Circular sequences").
 */

/* CLA_OK unless options->circular cannot be: CLA_ERROR_OPTION (another mode than local and global, a run
 * directory, a bound that is given, a range of the circular record). */
cla_status circular_check(const cla_sequence *query, const cla_sequence *target,
                          const cla_align_options *options, cla_error *error);

/* CLA_OK unless there is no single sweep to plan: CLA_ERROR_OPTION for a circular sequence, CLA_ERROR_INPUT
 * for one without letters. */
cla_status circular_plan_check(const cla_sequence *query, const cla_sequence *target,
                               const cla_align_options *options, cla_error *error);

/* As pipeline_align_strand, for options->circular. */
cla_status circular_align_strand(cla_alignment **out, cla_device *device, const cla_sequence *query,
                                 const cla_sequence *target, const cla_align_options *options,
                                 strand_rival *rival, void (*adjust)(plan *whole), cla_error *error);

#endif
