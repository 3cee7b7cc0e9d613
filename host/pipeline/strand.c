/* Aligns one strand: chooses how to align it, runs the stages, and verifies the result. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "device/device_use.h"
#include "pipeline/kept_matrix.h"
#include "pipeline/pipeline_internal.h"
#include "pipeline/strand_internal.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "sweep/device_team.h"

/* Passes the plan to callbacks.explain. */
static cla_status tell_plan(const strand_work *r, cla_error *error) {
  char *text = NULL;
  if (!r->job->options->callbacks.explain) return CLA_OK;
  cla_status status = strand_work_explain(&text, r, error);
  if (status == CLA_OK) r->job->options->callbacks.explain(text, r->job->options->callbacks.explain_user);
  free(text);
  return status;
}

/* Sets the metrics that are known before anything is computed. */
static void describe_run(cla_metrics *metrics, const plan *what, const cla_device_info *device) {
  metrics->cells = what->predicted.sweep_cells;
  metrics->pruned = what->prune;
  metrics->lower_bound = what->bound;
  snprintf(metrics->device, sizeof metrics->device, "%s", device->name);
  snprintf(metrics->kernel, sizeof metrics->kernel, "%s", what->sweep.variant->name);
  metrics->lanes = what->sweep.lanes;
  metrics->lane_rows = what->sweep.alpha;
  metrics->tile_columns = what->sweep.tile_columns;
}

/* After a run on several devices, sets the names of the devices that were used and of those that failed. */
static void describe_devices(cla_metrics *metrics, const device_team *team) {
  bool any = false;
  if (team->count == 0) return;
  for (int i = 0; i < team->count; i++) any |= team->members[i].worked && !team->members[i].lost;
  /* The first device computes the traceback's cells and everything except a sweep on several devices. */
  team->members[team->first].worked |= !any || metrics->search.cells + metrics->blocks.cells > 0;
  device_team_names(metrics->device, sizeof metrics->device, team, false);
  device_team_names(metrics->lost_devices, sizeof metrics->lost_devices, team, true);
}

/* Changes the error of a failed verification so that it names the stage that computed the wrong value. */
static void blame(cla_error *error, const strand_work *r, const cla_alignment *alignment) {
  const claimed_path traced = {.runs = alignment->runs,
                               .run_count = alignment->run_count,
                               .row = r->start_row,
                               .column = r->start_column,
                               .problem = r->sweep.problem};
  if (r->claims.count > 0) path_claims_blame(error, &r->claims, &traced);
}

/* Converts an alignment of the reverse complement to an alignment of the record. */
static void turn(cla_alignment *alignment, const cla_sequence *query) {
  side_turn(&alignment->query, path_is_nowhere(alignment));
  alignment->strand = CLA_STRAND_REVERSE;
  cla_sequence_checksum(query, alignment->query.checksum);
}

/* Verifies an alignment with its path, then keeps its score only. */
static cla_status keep_score(cla_alignment *alignment, const align_job *aligned, cla_error *error) {
  cla_status status = cla_alignment_verify(alignment, aligned->query, aligned->target, error);
  alignment->metrics.verified = CLA_VERIFIED_PATH;
  free(alignment->runs);
  alignment->runs = NULL;
  alignment->run_count = 0;
  alignment->has_path = false;
  alignment->query.start = alignment->target.start = -1;
  return status;
}

/* Makes plan, lower bound and potential for `device`: the job's device, or a guess of it. */
static cla_status prepare(strand_work *r, plan *unpruned, const cla_device_info *device, cla_error *error) {
  const cla_align_options *options = r->job->options;
  sweep_work *s = &r->sweep;
  cla_status status = strand_work_plan(r, device, error);
  *unpruned = s->plan;
  /* A finished sweep needs no bound, but a claim must still be checked. */
  const bool swept = (r->checkpoint && checkpoint_end(r->checkpoint, NULL)) || kept_matrix_serves(r);
  if (status == CLA_OK && (!swept || options->lower_bound.kind == CLA_LOWER_BOUND_SCORE)) {
    status = strand_work_bound(r, error);
    if (status == CLA_OK) strand_work_prune(r);
  }
  if (status == CLA_OK && options->keep_work && !s->notes)
    status = work_notes_create(&s->notes, s->input.rows, s->input.columns, error);
  /* Even if a potential saves no time with a GPU, it may save time with a CPU. */
  const cla_device_info *guess = r->job->late ? &r->job->late->guess : NULL;
  const bool guessed_wrong = guess && guess->kind == CLA_DEVICE_GPU && device->kind == CLA_DEVICE_CPU;
  const bool refused = r->levels.count > 0 && !r->spare && !guessed_wrong;
  return status == CLA_OK && !swept && !refused ? strand_band_plan(r, unpruned, error) : status;
}

static cla_status begin_alignment(cla_alignment **out, const strand_work *r, cla_error *error) {
  const cla_align_options *options = r->job->options;
  cla_status status =
      alignment_create(out, r->aligned.query, r->aligned.target, options->mode, &options->scoring, error);
  if (status == CLA_OK) (*out)->free_ends = options->free_ends;
  return status;
}

/* Aligns in the potential's band. *done is false if memory is too small. */
static cla_status align_in_band(bool *done, strand_work *r, cla_alignment *alignment, cla_error *error) {
  cla_metrics *metrics = &alignment->metrics;
  const int threads = r->sweep.input.threads;
  cla_status status = strand_band_align(done, r, alignment, error);
  if (status != CLA_OK || !*done) return status;
  metrics->cells = r->sweep.plan.predicted.sweep_cells;
  snprintf(metrics->kernel, sizeof metrics->kernel, "band");
  if (threads > 1)
    snprintf(metrics->device, sizeof metrics->device, "%d threads of the host", threads);
  else
    snprintf(metrics->device, sizeof metrics->device, ALIGN_ON_HOST);
  if (r->job->rival) r->job->rival->metrics = *metrics;
  return r->job->options->score_only ? keep_score(alignment, &r->aligned, error) : CLA_OK;
}

/* Returns the device for which the strand is planned: the job's device or, until it is open, a guess. */
static const cla_device_info *planned_device(const align_job *job) {
  const cla_device *device = align_job_device(job);
  if (device) return cla_device_describe(device);
  if (job->late->host_seconds <= 0) device_guess(&job->late->guess, job->options->budgets.threads);
  return &job->late->guess;
}

/* True for errors that may come from the guess of the device: too little memory, or no kernel. Only the
 * real device can show whether they occur. */
static bool is_of_guess(cla_status status) {
  return status == CLA_ERROR_OPTION || status == CLA_ERROR_MEMORY;
}

/* Aligns in a band on the host, if that takes less time than opening a device. The time is the predicted
 * time of this band plus that of earlier strands' bands. Otherwise, *done is false, and bound and potential
 * are kept. */
static cla_status align_before_device(bool *done, cla_alignment **out, strand_work *r, cla_error *error) {
  late_device *late = r->job->late;
  cla_error unfit = {.status = CLA_OK};
  plan unpruned;
  const cla_device_info *guess = planned_device(r->job);
  r->opening_seconds = align_opening_seconds(guess->kind) - late->host_seconds;
  if (r->opening_seconds <= 0 || r->job->rest || r->job->adjust || r->checkpoint) return CLA_OK;
  cla_status status = prepare(r, &unpruned, guess, &unfit);
  if (is_of_guess(status)) return CLA_OK;
  if (status != CLA_OK) return error_set(error, status, "%s", unfit.message);
  if (!r->potential) return CLA_OK;
  status = tell_plan(r, error);
  if (status == CLA_OK) status = begin_alignment(out, r, error);
  if (status == CLA_OK) status = align_in_band(done, r, *out, error);
  late->host_seconds += r->band_seconds;
  return status;
}

/* Aligns the whole matrix on one host thread. *done is false if a device is available and the thread's
 * lines cannot hold the scores, or memory cannot hold the lines. */
static cla_status align_all_on_host(bool *done, cla_alignment **out, const align_job *aligned,
                                    cla_error *error) {
  cla_error refused;
  const cla_status status = align_on_host(out, aligned, &refused);
  *done = !((aligned->device || aligned->late) && (status == CLA_ERROR_OPTION || status == CLA_ERROR_MEMORY));
  if (!*done) return CLA_OK;
  if (status != CLA_OK) return error_set(error, status, "%s", refused.message);
  if (aligned->rival && aligned->rival->lost) return CLA_OK;
  return aligned->options->score_only ? keep_score(*out, aligned, error) : CLA_OK;
}

/* Calls align_all_on_host if this is predicted to take no longer than opening a device. */
static cla_status align_small_on_host(bool *done, cla_alignment **out, const strand_work *r,
                                      cla_error *error) {
  cla_align_options options = *r->job->options;
  align_job small = r->aligned;
  small.options = &options;
  if (options.host_cells > 0) options.host_cells = align_cells_meanwhile(r->opening_seconds);
  if (*out || !align_suits_host(&small)) return CLA_OK;
  cla_status status = align_all_on_host(done, out, &small, error);
  if (*done && status == CLA_OK)
    r->job->late->host_seconds += (double)(*out)->metrics.cells / ALIGN_HOST_RATE;
  return status;
}

/* Aligns a pair that is not empty, over the whole matrix, on the device. */
static cla_status align_on_device(cla_alignment **out, strand_work *r, cla_error *error) {
  const align_job *job = r->job;
  const cla_align_options *options = job->options;
  sweep_work *s = &r->sweep;
  plan unpruned;
  bool done = false;
  cla_status status = CLA_OK;
  if (options->run.directory) status = checkpoint_open(&r->checkpoint, job, error);
  if (status == CLA_OK && !align_job_device(job)) {
    status = align_before_device(&done, out, r, error);
    if (status == CLA_OK && !done) status = align_small_on_host(&done, out, r, error);
    if (status == CLA_OK && !done) status = late_device_open(job->late, error);
    r->opening_seconds = 0;
  }
  if (status != CLA_OK || done) return status;
  cla_device *device = align_job_device(job);
  status = prepare(r, &unpruned, cla_device_describe(device), error);
  if (status != CLA_OK) return status;
  kept_matrix_choose(r, &unpruned);
  if (job->adjust) job->adjust(&s->plan);
  kept_matrix_fit(r);
  status = strand_work_team(r, error);
  if (status == CLA_OK) status = tell_plan(r, error);
  if (status == CLA_OK && !*out) status = begin_alignment(out, r, error);
  if (status == CLA_OK && r->potential) status = align_in_band(&done, r, *out, error);
  double build_seconds = 0;
  if (status == CLA_OK && !done) status = sweep_engines(s, device, &build_seconds, error);
  if (status != CLA_OK || done) return status;
  kept_matrix_fit(r); /* a device may have failed */
  describe_run(&(*out)->metrics, &s->plan, cla_device_describe(device));
  (*out)->metrics.build_seconds = build_seconds;
  status = strand_work_stages(r, *out, error);
  describe_devices(&(*out)->metrics, &s->team);
  if (job->rival) job->rival->metrics = (*out)->metrics;
  return status;
}

/* Aligns on the host if the pair is small and no option prevents this, otherwise on the device. */
static cla_status align_whole(cla_alignment **out, strand_work *r, cla_error *error) {
  bool done = false;
  cla_status status =
      align_suits_host(&r->aligned) ? align_all_on_host(&done, out, &r->aligned, error) : CLA_OK;
  return status == CLA_OK && !done ? align_on_device(out, r, error) : status;
}

/* True if a device will probably compute the strand: neither a band nor the host is likely to. False is no
 * proof that the host can compute the strand. */
static bool is_for_device(const strand_work *r) {
  return !empty_pair(&r->aligned) && !r->aligned.options->has_band && !align_suits_host(&r->aligned);
}

cla_status strand_work_look(strand_work *r, cla_error *error) {
  const bool guessed = !align_job_device(r->job);
  cla_error unfit = {.status = CLA_OK};
  cla_status status = strand_work_turn(r, error);
  if (status != CLA_OK || !is_for_device(r)) return status;
  status = strand_work_plan(r, planned_device(r->job), &unfit);
  if (guessed && is_of_guess(status)) return CLA_OK;
  if (status != CLA_OK) return error_set(error, status, "%s", unfit.message);
  return strand_work_bound(r, error);
}

cla_status strand_work_align(cla_alignment **out, strand_work *r, cla_error *error) {
  const align_job *job = r->job;
  const cla_align_options *options = job->options;
  const cla_device *device = align_job_device(job);
  cla_alignment *alignment = NULL;
  bool empty = false;
  *out = NULL;
  cla_status status = r->aligned.query ? CLA_OK : strand_work_turn(r, error);
  if (status != CLA_OK) goto done;
  empty = empty_pair(&r->aligned);
  if (empty)
    status = empty_pair_align(&alignment, device ? cla_device_describe(device) : NULL, &r->aligned, error);
  else if (options->has_band)
    status = align_banded(&alignment, &r->aligned, error);
  else
    status = align_whole(&alignment, r, error);
  if (status == CLA_OK && job->rival && job->rival->lost && r->checkpoint)
    status = checkpoint_end_run(r->checkpoint, error);
  if (status != CLA_OK || (job->rival && job->rival->lost)) goto done;
  if (r->turned) turn(alignment, job->query);
  if (empty || !options->score_only) {
    status = cla_alignment_verify(alignment, job->query, job->target, error);
    alignment->metrics.verified = CLA_VERIFIED_PATH;
  }
  if (status == CLA_ERROR_VERIFICATION) blame(error, r, alignment);
  if (status == CLA_ERROR_VERIFICATION && r->checkpoint) checkpoint_forget_path(r->checkpoint);
  if (status == CLA_OK && r->checkpoint) status = checkpoint_finish(r->checkpoint, alignment, error);

done:
  device = align_job_device(job);
  if (status != CLA_OK && device && r->sweep.plan.sweep.variant)
    wrong_value_add_device(error, cla_device_describe(device)->name, r->sweep.plan.sweep.variant->name);
  strand_work_free(r);
  checkpoint_close(r->checkpoint, status, error);
  *r = (strand_work){.job = job};
  if (status == CLA_OK && !(job->rival && job->rival->lost))
    *out = alignment;
  else
    cla_alignment_free(alignment);
  return status;
}

cla_status pipeline_align_strand(cla_alignment **out, const align_job *job, cla_error *error) {
  strand_work r = {.job = job};
  return strand_work_align(out, &r, error);
}

static void add_stage(cla_stage *sum, const cla_stage *more) {
  sum->cells += more->cells;
  sum->seconds += more->seconds;
}

void pipeline_add_work(cla_metrics *sum, const cla_metrics *more) {
  sum->cells_computed += more->cells_computed;
  sum->seconds += more->seconds;
  sum->sweep_seconds += more->sweep_seconds;
  sum->build_seconds += more->build_seconds;
  add_stage(&sum->bounds, &more->bounds);
  add_stage(&sum->search, &more->search);
  add_stage(&sum->blocks, &more->blocks);
  add_stage(&sum->bands, &more->bands);
  device_names_add(sum->device, sizeof sum->device, more->device);
  device_names_add(sum->lost_devices, sizeof sum->lost_devices, more->lost_devices);
}
