#ifndef HOST_PIPELINE_PIPELINE_INTERNAL_H
#define HOST_PIPELINE_PIPELINE_INTERNAL_H

#include "pipeline/pipeline.h"

/* The devices of a call (call_devices.c). Several threads may call simultaneously, because each device is
 * taken for one call at a time. */

/* Fails with CLA_ERROR_OPTION if a device is named twice. */
cla_status call_devices_check(const align_job *job, cla_error *error);

/* Takes the job's device and partners. Fails like device_take. */
cla_status call_devices_take(const align_job *job, cla_error *error);
void call_devices_give_back(const align_job *job);

/* Opens the job's late device, unless it is open, and takes it for the call. Fails like the callback and
 * device_take. */
cla_status late_device_open(late_device *late, cla_error *error);

/* Pairs that are not aligned by a single sweep on a device: empty, in a band, on the host, split,
 * circular. */

/* True if a sequence of the pair has no letters. The matrix then has only borders, and needs no device. */
bool empty_pair(const align_job *job);

/* Refuses an empty pair: fails with CLA_ERROR_INPUT without allow_empty, or with CLA_ERROR_OPTION with a run
 * directory. */
cla_status empty_pair_check(const align_job *job, cla_error *error);

/* Aligns an empty pair, without verifying. The job's query is on the strand that is aligned. `device` may be
 * NULL; its name is used only for the metrics. Otherwise like pipeline_align_strand. */
cla_status empty_pair_align(cla_alignment **out, const cla_device_info *device, const align_job *job,
                            cla_error *error);

/* Alignment with --band: the best alignment within a band of diagonals (trace/banded.h), which proves nothing
 * about the whole matrix. The host computes the band. */

/* Fails with CLA_ERROR_OPTION if the band is invalid, or cannot be combined with other options. */
cla_status align_banded_check(const cla_align_options *options, cla_error *error);

/* Aligns in the band, without verifying. The job's query is on the strand that is aligned. Otherwise like
 * pipeline_align_strand. */
cla_status align_banded(cla_alignment **out, const align_job *job, cla_error *error);

/* Cells per second of a host thread that aligns a whole pair, including the path. */
#define ALIGN_HOST_RATE 1.5e8

/* Returns the seconds that it takes to load a driver and to create its device's context and kernels. Measured
 * on an H100's host, and with PoCL on 2 cores. */
static inline double align_opening_seconds(cla_device_kind kind) {
  return kind == CLA_DEVICE_GPU ? 0.3 : 0.1;
}

/* Returns the number of cells that a host thread computes in `seconds`. */
static inline int64_t align_cells_meanwhile(double seconds) {
  return seconds > 0 ? (int64_t)(seconds * ALIGN_HOST_RATE) : 0;
}

/* True if the host computes the whole matrix. With a matrix this small, a device would save less time than
 * its kernels take to compile (options->host_cells). */
bool align_suits_host(const align_job *job);

/* True if the host's lines along the anti-diagonals can hold the scores of both strands. */
bool align_host_holds(const align_job *job);

/* Like align_suits_host, for a pair of which only the lengths, >= 1, are known. */
bool align_lengths_suit_host(const cla_align_options *options, int64_t rows, int64_t columns);

/* Aligns with a path on the host, without verifying. Fails with CLA_ERROR_OPTION if the lines along the
 * anti-diagonals cannot hold the scores, or with CLA_ERROR_MEMORY if memory cannot hold the lines. Otherwise
 * like align_banded. */
cla_status align_on_host(cla_alignment **out, const align_job *job, cla_error *error);

/* Fail with CLA_ERROR_OPTION if options->several, or several.split, is invalid or cannot be combined with
 * other options. */
cla_status several_check(const cla_align_options *options, cla_error *error);
cla_status split_check(const cla_align_options *options, cla_error *error);

/* Finds the pieces of the best alignment, for options->several.split, in the order of cla_align_several. If
 * both strands are wanted, also finds pieces of the other strand between these pieces. Before the call, the
 * caller sets *out to NULL and *count to 0. */
cla_status pipeline_align_split(cla_alignment ***out, size_t *count, const align_job *job, cla_error *error);

/* Circular sequences. The result is the best alignment of all rotations (docs/internals/exactness.md,
 * "Circular sequences"). */

/* Fails with CLA_ERROR_OPTION if options->circular is combined with a mode that frees only one end of the
 * circle, with a run directory, or with a given bound. */
cla_status circular_options_check(const cla_align_options *options, cla_error *error);

/* Fails with CLA_ERROR_OPTION if the circular record has a range. */
cla_status circular_check(const align_job *job, cla_error *error);

/* Like pipeline_align_strand, for options->circular. */
cla_status circular_align_strand(cla_alignment **out, const align_job *job, cla_error *error);

#endif
