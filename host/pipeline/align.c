#include "clalign/align.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "pipeline/align_banded.h"
#include "pipeline/empty_pair.h"
#include "pipeline/kept_matrix.h"
#include "pipeline/strand_run.h"
#include "result/alignment_create.h"
#include "result/path_check.h"
#include "result/strand_view.h"

void cla_align_options_init(cla_align_options *options) {
  memset(options, 0, sizeof *options);
  cla_scoring_init(&options->scoring);
  options->mode = CLA_MODE_LOCAL;
  options->special_rows = -1;
}

/* Tells the plan to those who asked for it. */
static cla_status tell_plan(const strand_run *r, cla_error *error) {
  char *text = NULL;
  if (!r->options->explain) return CLA_OK;
  cla_status status = strand_run_explain(&text, r, error);
  if (status == CLA_OK) r->options->explain(text, r->options->explain_user);
  free(text);
  return status;
}

/* What the metrics say before anything is computed. */
static void describe_run(cla_metrics *metrics, const plan *what, const cla_device_info *device) {
  metrics->cells = what->sweep_cells;
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
static void blame(cla_error *error, const strand_run *r, const cla_alignment *alignment) {
  const claimed_path traced = {.runs = alignment->runs,
                               .run_count = alignment->run_count,
                               .row = r->start_row,
                               .column = r->start_column,
                               .problem = {.query = r->query,
                                           .target = r->target,
                                           .scheme = {&r->options->scoring, &r->table, r->input.ends}}};
  if (r->claims.count > 0) path_claims_blame(error, &r->claims, &traced);
}

/* The alignment is of the reverse complement; what it says becomes what holds for the record. */
static void turn(cla_alignment *alignment, const cla_sequence *query) {
  side_turn(&alignment->query, path_is_nowhere(alignment));
  alignment->strand = CLA_STRAND_REVERSE;
  cla_sequence_checksum(query, alignment->query.checksum);
}

/* A pair with letters, all of the matrix: what the device is for. `strand` is of the query, the one that is
 * aligned; the alignment is of it. */
static cla_status align_on_device(cla_alignment **out, strand_run *r, cla_device *device,
                                  const cla_sequence *query, const cla_sequence *strand,
                                  const cla_sequence *target, void (*adjust)(plan *whole), cla_error *error) {
  const cla_align_options *options = r->options;
  const cla_device_info *facts = cla_device_describe(device);
  cla_status status = CLA_OK;
  if (options->run_dir) status = checkpoint_open(&r->checkpoint, query, target, options, error);
  if (status == CLA_OK) status = strand_run_plan(r, facts, strand, target, error);
  const plan unpruned = r->plan;
  /* A sweep that is done needs no bound, but what was claimed is still to be proven. */
  const bool swept = (r->checkpoint && checkpoint_end(r->checkpoint, NULL)) || kept_matrix_serves(r);
  if (status == CLA_OK && (!swept || options->lower_bound.kind == CLA_LOWER_BOUND_SCORE))
    status = strand_run_bound(r, error);
  if (status != CLA_OK) return status;
  kept_matrix_choose(r, &unpruned);
  if (adjust) adjust(&r->plan);
  kept_matrix_fit(r);
  status = device_team_plan(&r->team, device, &r->input, &r->plan, options, adjust, error);
  if (status == CLA_OK) {
    device_team_predict(&r->plan, &r->team);
    status = tell_plan(r, error);
  }
  if (status != CLA_OK) return status;
  status = alignment_create(out, strand, target, options->mode, &options->scoring, error);
  if (status == CLA_OK) (*out)->free_ends = options->free_ends;
  if (status == CLA_OK && options->keep_work)
    status = work_notes_create(&r->notes, r->input.rows, r->input.columns, error);
  if (status == CLA_OK) status = strand_run_engines(r, device, error);
  if (status != CLA_OK) return status;
  describe_run(&(*out)->metrics, &r->plan, facts);
  status = strand_run_stages(r, *out, error);
  describe_devices(&(*out)->metrics, &r->team);
  if (r->rival) r->rival->metrics = (*out)->metrics;
  return status;
}

cla_status pipeline_align_strand(cla_alignment **out, cla_device *device, const cla_sequence *query,
                                 const cla_sequence *target, const cla_align_options *options,
                                 strand_rival *rival, strand_rest *rest, void (*adjust)(plan *whole),
                                 cla_error *error) {
  strand_run r = {.rival = rival, .rest = rest};
  const cla_sequence *strand = NULL;
  cla_alignment *alignment = NULL;
  *out = NULL;
  cla_status status = strand_run_check(&r, &strand, query, target, options, error);
  if (status != CLA_OK) goto done;
  const bool empty = empty_pair(strand, target);
  if (empty)
    status = empty_pair_align(&alignment, cla_device_describe(device), strand, target, options, rival, error);
  else if (options->has_band)
    status = align_banded(&alignment, strand, target, options, rival, error);
  else
    status = align_on_device(&alignment, &r, device, query, strand, target, adjust, error);
  if (status != CLA_OK || (rival && rival->lost)) goto done;
  if (r.turned) turn(alignment, query);
  if (empty || !options->score_only) {
    status = cla_alignment_verify(alignment, query, target, error);
    alignment->metrics.verified = CLA_VERIFIED_PATH;
  }
  if (status == CLA_ERROR_VERIFICATION) blame(error, &r, alignment);
  if (status == CLA_ERROR_VERIFICATION && r.checkpoint) checkpoint_forget_path(r.checkpoint);
  if (status == CLA_OK && r.checkpoint) status = checkpoint_finish(r.checkpoint, alignment, error);

done:
  if (status != CLA_OK && r.plan.sweep.variant)
    wrong_value_add_device(error, cla_device_describe(device)->name, r.plan.sweep.variant->name);
  strand_run_free(&r);
  checkpoint_close(r.checkpoint, status, error);
  if (status == CLA_OK && !(rival && rival->lost))
    *out = alignment;
  else
    cla_alignment_free(alignment);
  return status;
}
