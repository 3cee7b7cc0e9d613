#ifndef HOST_PIPELINE_PIPELINE_INTERNAL_H
#define HOST_PIPELINE_PIPELINE_INTERNAL_H

#include "pipeline/pipeline.h"

/* Devices of a call (call_devices.c). Several threads may call at once: each device is taken for one call. */

/* CLA_ERROR_OPTION if a device is named twice. */
cla_status call_devices_check(const align_job *job, cla_error *error);

/* Takes the job's device and partners. Errors: those of device_take. */
cla_status call_devices_take(const align_job *job, cla_error *error);
void call_devices_give_back(const align_job *job);

/* Opens the job's late device, unless it is open, and takes it for the call. Errors: those of the callback
 * and of device_take. */
cla_status late_device_open(late_device *late, cla_error *error);

/* Pairs that are not one sweep on a device: without letters, in a band, on the host, split, circular. */

/* True if a sequence of the pair has no letters. The matrix has borders only, and needs no device. */
bool empty_pair(const align_job *job);

/* Refuses an empty pair: CLA_ERROR_INPUT without allow_empty, CLA_ERROR_OPTION with a run directory.
 */
cla_status empty_pair_check(const align_job *job, cla_error *error);

/* Aligns an empty pair, without verifying. The job's query is on the strand that is aligned. device: its name
 * goes into the metrics, or NULL. The rest is as in pipeline_align_strand. */
cla_status empty_pair_align(cla_alignment **out, const cla_device_info *device, const align_job *job,
                            cla_error *error);

/* --band: the best alignment within a band of diagonals (trace/banded.h), which proves nothing about the
 * whole matrix. The host computes it. */

/* CLA_ERROR_OPTION for an impossible band, or for options that do not go with one. */
cla_status align_banded_check(const cla_align_options *options, cla_error *error);

/* Aligns in the band, without verifying. The job's query is on the strand that is aligned. The rest is as in
 * pipeline_align_strand. */
cla_status align_banded(cla_alignment **out, const align_job *job, cla_error *error);

/* Cells per second of a host thread that computes a whole pair with its path. */
#define ALIGN_HOST_RATE 1.5e8

/* Seconds until a driver is loaded and its device has context and kernels. Measured on an H100's host, and
 * with PoCL on 2 cores. */
static inline double align_opening_seconds(cla_device_kind kind) {
  return kind == CLA_DEVICE_GPU ? 0.3 : 0.1;
}

/* Cells that a host thread computes in so many seconds. */
static inline int64_t align_cells_meanwhile(double seconds) {
  return seconds > 0 ? (int64_t)(seconds * ALIGN_HOST_RATE) : 0;
}

/* True if the host computes the whole matrix. It is so small that a device would save less time than its
 * kernels take to compile (options->host_cells). */
bool align_suits_host(const align_job *job);

/* True if lines along the anti-diagonals hold the scores of both strands. */
bool align_host_holds(const align_job *job);

/* align_suits_host for a pair known by its lengths, >= 1, alone. */
bool align_lengths_suit_host(const cla_align_options *options, int64_t rows, int64_t columns);

/* Aligns with a path on the host, without verifying. CLA_ERROR_OPTION if lines along the anti-diagonals do
 * not hold the scores, CLA_ERROR_MEMORY if memory does not hold the lines. The rest is as in align_banded. */
cla_status align_on_host(cla_alignment **out, const align_job *job, cla_error *error);

/* CLA_ERROR_OPTION if options->several, or several.split, is impossible or does not go with other options. */
cla_status several_check(const cla_align_options *options, cla_error *error);
cla_status split_check(const cla_align_options *options, cla_error *error);

/* options->several.split: the pieces of the best alignment, in the order of cla_align_several. With both
 * strands, also reverse pieces between them. *out and *count begin as NULL and 0. */
cla_status pipeline_align_split(cla_alignment ***out, size_t *count, const align_job *job, cla_error *error);

/* Circular sequences: the best alignment of all rotations (docs/internals/exactness.md, "Circular
 * sequences"). */

/* CLA_ERROR_OPTION if options->circular meets a mode that frees one end of the circle, a run directory or a
 * given bound.
 */
cla_status circular_options_check(const cla_align_options *options, cla_error *error);

/* CLA_ERROR_OPTION for a range of the circular record. */
cla_status circular_check(const align_job *job, cla_error *error);

/* pipeline_align_strand for options->circular. */
cla_status circular_align_strand(cla_alignment **out, const align_job *job, cla_error *error);

#endif
