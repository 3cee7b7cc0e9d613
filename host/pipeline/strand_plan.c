/* What is known of a run before anything is computed: its plan and its lower bound. */

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "pipeline/kept_matrix.h"
#include "pipeline/pipeline_internal.h"
#include "pipeline/strand_internal.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"

cla_status strand_work_check(strand_work *r, const cla_sequence **strand, cla_error *error) {
  const cla_align_options *options = r->job->options;
  const cla_sequence *query = r->job->query, *target = r->job->target;
  cla_status status = cla_scoring_check(&options->scoring, error);
  *strand = query;
  r->sweep.options = r->sweep.progress.options = options;
  if (status == CLA_OK) status = empty_pair_check(query, target, options, error);
  if (status == CLA_OK) status = align_strand_check(options->strand, error);
  if (status == CLA_OK) status = align_banded_check(options, error);
  if (status == CLA_OK && options->strand == CLA_STRAND_REVERSE) {
    status = sequence_reverse_complement(&r->turned, query, error);
    *strand = r->turned;
  }
  return status == CLA_OK ? pair_letters_check(&options->scoring, *strand, target, error) : status;
}

cla_status strand_work_plan(strand_work *r, const cla_sequence *strand, cla_error *error) {
  const cla_align_options *options = r->job->options;
  const cla_sequence *target = r->job->target;
  sweep_work *s = &r->sweep;
  s->on_disk = r->checkpoint != NULL;
  r->query_begin = cla_sequence_begin(strand);
  r->target_begin = cla_sequence_begin(target);
  const int64_t letters[] = {sequence_range_letters(strand), sequence_range_letters(target)};
  const char *const locations[] = {cla_sequence_location(r->job->query), cla_sequence_location(target)};
  cla_status status = align_cells_check(letters, locations, error);
  if (status != CLA_OK) return status;
  status =
      align_input_make(&s->input, &s->table, cla_device_describe(r->job->device), letters, options, error);
  s->input.alphabet = cla_sequence_alphabet(strand);
  s->input.reverse = options->strand == CLA_STRAND_REVERSE;
  s->problem = (pair_problem){.query = sequence_codes(strand) + cla_sequence_begin(strand),
                              .target = sequence_codes(target) + cla_sequence_begin(target),
                              .rows = s->input.rows,
                              .columns = s->input.columns,
                              .scheme = {&options->scoring, &s->table, s->input.ends}};
  if (status == CLA_OK) pair_letters_table(&s->table, &options->scoring, strand, target);
  if (status == CLA_OK && r->job->rest && r->job->rest->used)
    score_table_use(&s->table, &options->scoring, r->job->rest->used);
  return status == CLA_OK ? plan_make(&s->plan, &s->input, error) : status;
}

cla_status strand_work_team(strand_work *r, cla_error *error) {
  sweep_work *s = &r->sweep;
  const team_request wanted = {
      .input = &s->input, .first = &s->plan, .options = s->options, .adjust = r->job->adjust};
  cla_status status = device_team_plan(&s->team, r->job->device, &wanted, error);
  if (status == CLA_OK) device_team_predict(&s->plan, &s->team);
  return status;
}

cla_status strand_work_explain(char **out, const strand_work *r, cla_error *error) {
  char *whole = NULL, *team = NULL, left[160] = "";
  *out = NULL;
  if (r->potential)
    snprintf(left, sizeof left,
             "bounds: leave at most %.3g %% of the cells, for a band on the host; no device sweeps\n",
             100.0 * (double)potential_area(r->potential) / (double)r->sweep.input.rows /
                 (double)r->sweep.input.columns);
  if (r->sweep.windows.count > 0)
    snprintf(left, sizeof left, "bounds: windows of the sweep, %.3g %% of the cells\n",
             100.0 * r->sweep.input.windows.share);
  cla_status status = plan_explain(&whole, &r->sweep.plan, &r->sweep.input, error);
  if (status == CLA_OK) status = device_team_explain(&team, &r->sweep.team, error);
  if (status == CLA_OK && asprintf(out, "%s%s%s", whole, team, left) < 0) {
    *out = NULL;
    status = error_set(error, CLA_ERROR_MEMORY, "cannot allocate the text of a plan; free some memory");
  }
  free(whole);
  free(team);
  return status;
}

void strand_work_free(strand_work *r) {
  if (r->sweep.team.count > 0)
    device_team_free(&r->sweep.team); /* with all engines */
  else
    wavefront_free(r->sweep.engine);
  if (!r->keeps || r->sweep.kept != r->job->rest->matrix->rows) special_rows_free(r->sweep.kept);
  work_notes_free(r->sweep.notes);
  path_claims_free(&r->claims);
  lower_bound_free(&r->bound);
  strand_band_free(r);
  cla_sequence_free(r->turned);
}
