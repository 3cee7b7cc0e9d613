/* What is known of a run before anything is computed: its plan and its lower bound. */

#include "base/machine.h"
#include "pipeline/align_banded.h"
#include "pipeline/align_bound.h"
#include "pipeline/align_input.h"
#include "pipeline/empty_pair.h"
#include "pipeline/kept_matrix.h"
#include "pipeline/strand_run.h"
#include "pipeline/time_left.h"
#include "scoring/pair_letters.h"
#include "seq/reverse_complement.h"
#include "seq/sequence.h"

cla_status strand_run_check(strand_run *r, const cla_sequence **strand, const cla_sequence *query,
                            const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  cla_status status = cla_scoring_check(&options->scoring, error);
  *strand = query;
  r->options = r->progress.options = options;
  if (status == CLA_OK) status = empty_pair_check(query, target, options, error);
  if (status == CLA_OK) status = align_strand_check(options->strand, error);
  if (status == CLA_OK) status = align_banded_check(options, error);
  if (status == CLA_OK && options->strand == CLA_STRAND_REVERSE) {
    status = sequence_reverse_complement(&r->turned, query, error);
    *strand = r->turned;
  }
  return status == CLA_OK ? pair_letters_check(&options->scoring, *strand, target, error) : status;
}

cla_status strand_run_plan(strand_run *r, const cla_device_info *device, const cla_sequence *query,
                           const cla_sequence *target, cla_error *error) {
  const cla_align_options *options = r->options;
  r->query = sequence_codes(query) + cla_sequence_begin(query);
  r->target = sequence_codes(target) + cla_sequence_begin(target);
  r->query_begin = cla_sequence_begin(query);
  r->target_begin = cla_sequence_begin(target);
  cla_status status = align_input_make(&r->input, &r->table, device, sequence_range_letters(query),
                                       sequence_range_letters(target), options, error);
  r->input.alphabet = cla_sequence_alphabet(query);
  r->input.reverse = options->strand == CLA_STRAND_REVERSE;
  if (status == CLA_OK) pair_letters_table(&r->table, &options->scoring, query, target);
  if (status == CLA_OK && r->rest && r->rest->used)
    score_table_use(&r->table, &options->scoring, r->rest->used);
  return status == CLA_OK ? plan_make(&r->plan, &r->input, error) : status;
}

cla_status strand_run_tick(void *user, int64_t cells, cla_error *error) {
  strand_run *r = user;
  const double now = machine_seconds();
  if (!progress_gate_open(&r->progress, now)) return CLA_OK;
  cla_progress progress = {.stage = r->stage,
                           .cells_done = r->stage_before + cells,
                           .cells_passed_over = r->passed_before + r->passed_over,
                           .seconds = now - r->began + r->bound.seconds};
  time_left(&progress, &r->plan, r->done_before + r->stage_before + cells);
  return progress_gate_pass(&r->progress, &progress, now, error);
}

static cla_status report_bound(void *user, cla_error *error) {
  return strand_run_tick(user, 0, error);
}

cla_status strand_run_bound(strand_run *r, cla_error *error) {
  const align_bound_input input = {.whole = &r->input,
                                   .options = r->options,
                                   .query = r->query,
                                   .target = r->target,
                                   .query_begin = r->query_begin,
                                   .target_begin = r->target_begin,
                                   .rival = r->rival,
                                   .tick = report_bound,
                                   .tick_user = r};
  if (!align_bound_wanted(&r->plan, &input)) return CLA_OK;
  r->stage = "lower bound search";
  r->began = r->progress.passed = machine_seconds();
  return align_bound_find(&r->bound, &r->plan, &input, error);
}

void strand_run_free(strand_run *r) {
  if (r->team.count > 0)
    device_team_free(&r->team); /* with all engines */
  else
    wavefront_free(r->engine);
  if (!r->keeps || r->kept != r->rest->matrix->rows) special_rows_free(r->kept);
  work_notes_free(r->notes);
  path_claims_free(&r->claims);
  lower_bound_free(&r->bound);
  cla_sequence_free(r->turned);
}
