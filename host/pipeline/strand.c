/* One strand: which way, all stages in their order, verification. */

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "pipeline/kept_matrix.h"
#include "pipeline/pipeline_internal.h"
#include "pipeline/strand_internal.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "team/device_team.h"

/* Tells the plan to those who asked for it. */
static cla_status tell_plan(const strand_work *r, cla_error *error) {
  char *text = NULL;
  if (!r->job->options->callbacks.explain) return CLA_OK;
  cla_status status = strand_work_explain(&text, r, error);
  if (status == CLA_OK) r->job->options->callbacks.explain(text, r->job->options->callbacks.explain_user);
  free(text);
  return status;
}

/* What the metrics say before anything is computed. */
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

/* And afterwards, of several devices: those that took part, and those that failed. */
static void describe_devices(cla_metrics *metrics, const device_team *team) {
  bool any = false;
  if (team->count == 0) return;
  for (int i = 0; i < team->count; i++) any |= team->members[i].worked && !team->members[i].lost;
  /* The first one computes again what the traceback needs, and everything that is not a sweep of several. */
  team->members[team->first].worked |= !any || metrics->search.cells + metrics->blocks.cells > 0;
  device_team_names(metrics->device, sizeof metrics->device, team, false);
  device_team_names(metrics->lost_devices, sizeof metrics->lost_devices, team, true);
}

/* The stage whose value is wrong, where the path does not have the score. */
static void blame(cla_error *error, const strand_work *r, const cla_alignment *alignment) {
  const claimed_path traced = {.runs = alignment->runs,
                               .run_count = alignment->run_count,
                               .row = r->start_row,
                               .column = r->start_column,
                               .problem = r->sweep.problem};
  if (r->claims.count > 0) path_claims_blame(error, &r->claims, &traced);
}

/* The alignment is of the reverse complement; what it says becomes what holds for the record. */
static void turn(cla_alignment *alignment, const cla_sequence *query) {
  side_turn(&alignment->query, path_is_nowhere(alignment));
  alignment->strand = CLA_STRAND_REVERSE;
  cla_sequence_checksum(query, alignment->query.checksum);
}

/* Of an alignment with its path, whose score that verifies. */
static cla_status keep_score(cla_alignment *alignment, const cla_sequence *query, const cla_sequence *target,
                             cla_error *error) {
  cla_status status = cla_alignment_verify(alignment, query, target, error);
  alignment->metrics.verified = CLA_VERIFIED_PATH;
  free(alignment->runs);
  alignment->runs = NULL;
  alignment->run_count = 0;
  alignment->has_path = false;
  alignment->query.start = alignment->target.start = -1;
  return status;
}

/* A pair with letters, all of the matrix: what the device is for. `strand` is of the query, the one that is
 * aligned; the alignment is of it. */
static cla_status align_on_device(cla_alignment **out, strand_work *r, const cla_sequence *strand,
                                  cla_error *error) {
  const align_job *job = r->job;
  const cla_align_options *options = job->options;
  sweep_work *s = &r->sweep;
  cla_status status = CLA_OK;
  if (options->run.directory)
    status = checkpoint_open(&r->checkpoint, job->query, job->target, options, error);
  if (status == CLA_OK) status = strand_work_plan(r, strand, error);
  const plan unpruned = s->plan;
  /* A sweep that is done needs no bound, but what was claimed is still to be proven. */
  const bool swept = (r->checkpoint && checkpoint_end(r->checkpoint, NULL)) || kept_matrix_serves(r);
  if (status == CLA_OK && (!swept || options->lower_bound.kind == CLA_LOWER_BOUND_SCORE))
    status = strand_work_bound(r, error);
  if (status == CLA_OK && options->keep_work)
    status = work_notes_create(&s->notes, s->input.rows, s->input.columns, error);
  if (status == CLA_OK && !swept) status = strand_band_plan(r, &unpruned, error);
  if (status != CLA_OK) return status;
  kept_matrix_choose(r, &unpruned);
  if (job->adjust) job->adjust(&s->plan);
  kept_matrix_fit(r);
  status = strand_work_team(r, error);
  if (status == CLA_OK) status = tell_plan(r, error);
  if (status != CLA_OK) return status;
  status = alignment_create(out, strand, job->target, options->mode, &options->scoring, error);
  if (status == CLA_OK) (*out)->free_ends = options->free_ends;
  bool done = false;
  if (status == CLA_OK && r->potential) {
    describe_run(&(*out)->metrics, &s->plan, cla_device_describe(job->device));
    status = strand_band_align(&done, r, *out, error);
    snprintf((*out)->metrics.kernel, sizeof(*out)->metrics.kernel, "%s", done ? "band" : "");
  }
  if (done && status == CLA_OK && options->score_only) status = keep_score(*out, strand, job->target, error);
  double build_seconds = 0;
  if (status == CLA_OK && !done) status = sweep_engines(s, job->device, &build_seconds, error);
  if (status != CLA_OK || done) return status;
  kept_matrix_fit(r); /* a device may have been lost */
  describe_run(&(*out)->metrics, &s->plan, cla_device_describe(job->device));
  (*out)->metrics.build_seconds = build_seconds;
  status = strand_work_stages(r, *out, error);
  describe_devices(&(*out)->metrics, &s->team);
  if (job->rival) job->rival->metrics = (*out)->metrics;
  return status;
}

/* On the host where it is small and nothing is in the way, else on the device. */
static cla_status align_whole(cla_alignment **out, strand_work *r, const align_job *turned,
                              cla_error *error) {
  cla_error refused;
  if (!align_suits_host(turned)) return align_on_device(out, r, turned->query, error);
  const cla_status status = align_on_host(out, turned, &refused);
  if (turned->device && (status == CLA_ERROR_OPTION || status == CLA_ERROR_MEMORY))
    return align_on_device(out, r, turned->query, error);
  if (status != CLA_OK) return error_set(error, status, "%s", refused.message);
  if (turned->rival && turned->rival->lost) return CLA_OK;
  return turned->options->score_only ? keep_score(*out, turned->query, turned->target, error) : CLA_OK;
}

cla_status pipeline_align_strand(cla_alignment **out, const align_job *job, cla_error *error) {
  const cla_align_options *options = job->options;
  const cla_device_info *device = job->device ? cla_device_describe(job->device) : NULL;
  strand_work r = {.job = job};
  const cla_sequence *strand = NULL;
  cla_alignment *alignment = NULL;
  *out = NULL;
  cla_status status = strand_work_check(&r, &strand, error);
  if (status != CLA_OK) goto done;
  align_job turned = *job;
  turned.query = strand;
  const bool empty = empty_pair(strand, job->target);
  if (empty)
    status = empty_pair_align(&alignment, device, &turned, error);
  else if (options->has_band)
    status = align_banded(&alignment, &turned, error);
  else
    status = align_whole(&alignment, &r, &turned, error);
  if (status != CLA_OK || (job->rival && job->rival->lost)) goto done;
  if (r.turned) turn(alignment, job->query);
  if (empty || !options->score_only) {
    status = cla_alignment_verify(alignment, job->query, job->target, error);
    alignment->metrics.verified = CLA_VERIFIED_PATH;
  }
  if (status == CLA_ERROR_VERIFICATION) blame(error, &r, alignment);
  if (status == CLA_ERROR_VERIFICATION && r.checkpoint) checkpoint_forget_path(r.checkpoint);
  if (status == CLA_OK && r.checkpoint) status = checkpoint_finish(r.checkpoint, alignment, error);

done:
  if (status != CLA_OK && r.sweep.plan.sweep.variant)
    wrong_value_add_device(error, device->name, r.sweep.plan.sweep.variant->name);
  strand_work_free(&r);
  checkpoint_close(r.checkpoint, status, error);
  if (status == CLA_OK && !(job->rival && job->rival->lost))
    *out = alignment;
  else
    cla_alignment_free(alignment);
  return status;
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
