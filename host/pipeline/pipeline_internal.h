#ifndef HOST_PIPELINE_PIPELINE_INTERNAL_H
#define HOST_PIPELINE_PIPELINE_INTERNAL_H

#include "pipeline/pipeline.h"

/* The ways of a pair that are not a sweep on a device: without letters, in a band, and circular as many
 * sweeps. */

/* A pair of which one sequence has no letters, or both: a matrix of borders only, for which no device is
 * needed. */

/* Whether it is one. */
bool empty_pair(const cla_sequence *query, const cla_sequence *target);

/* CLA_OK unless it is one and must not be: CLA_ERROR_INPUT without options->allow_empty, CLA_ERROR_OPTION
 * with a run directory. */
cla_status empty_pair_check(const cla_sequence *query, const cla_sequence *target,
                            const cla_align_options *options, cla_error *error);

/* Its alignment, not yet verified; the job's query is on the strand that is aligned. `device` is whose name
 * the metrics have, NULL: none. As pipeline_align_strand for the rest. */
cla_status empty_pair_align(cla_alignment **out, const cla_device_info *device, const align_job *job,
                            cla_error *error);

/* What --band asks for: the best alignment of a band of diagonals (trace/banded.h), which is no proof for
 * the whole matrix. The host computes it; of the device only the name of the option is of use. */

/* CLA_OK unless options->has_band and something else are both asked for that do not go together, or the band
 * cannot be: CLA_ERROR_OPTION. */
cla_status align_banded_check(const cla_align_options *options, cla_error *error);

/* The alignment, not yet verified; the job's query is on the strand that is aligned. As pipeline_align_strand
 * for the rest. */
cla_status align_banded(cla_alignment **out, const align_job *job, cla_error *error);

/* Cells a second of one thread of the host, where it computes all of a pair with its path. */
#define ALIGN_HOST_RATE 1.5e8

/* Whether the whole matrix is computed that way too: it is so small that a device pays less than its kernels
 * take to compile (options->host_cells). */
bool align_suits_host(const align_job *job);

/* Whether lines along the anti-diagonals hold its scores, of either strand. */
bool align_host_holds(const align_job *job);

/* The same by lengths of 1 and more, for an alignment of the whole pair. */
bool align_lengths_suit_host(const cla_align_options *options, int64_t rows, int64_t columns);

/* The alignment, with its path, not yet verified; as align_banded for the rest. CLA_ERROR_OPTION and
 * CLA_ERROR_MEMORY where lines along the anti-diagonals do not hold the scores, or memory the lines. */
cla_status align_on_host(cla_alignment **out, const align_job *job, cla_error *error);

/* CLA_ERROR_OPTION unless options->several can be asked for, and several.split with the rest. */
cla_status several_check(const cla_align_options *options, cla_error *error);
cla_status split_check(const cla_align_options *options, cla_error *error);

/* What options->several.split asks for: the pieces of the best alignment, on both strands those between them
 * too, as cla_align_several has them; *out and *count begin as NULL and 0. */
cla_status pipeline_align_split(cla_alignment ***out, size_t *count, const align_job *job, cla_error *error);

/* Alignments of a circular sequence: of all its rotations the best (docs/internals/exactness.md, "Circular
 * sequences").
 */

/* CLA_ERROR_OPTION if options->circular cannot be: a mode that frees one end of the circle, a run directory,
 * a bound that is given. */
cla_status circular_options_check(const cla_align_options *options, cla_error *error);

/* CLA_ERROR_OPTION for a range of the circular record. */
cla_status circular_check(const cla_sequence *query, const cla_sequence *target,
                          const cla_align_options *options, cla_error *error);

/* As pipeline_align_strand, for options->circular. */
cla_status circular_align_strand(cla_alignment **out, const align_job *job, cla_error *error);

#endif
