#include "pipeline/pipeline_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "device/device_use.h"
#include "pipeline/pipeline.h"
#include "result/alignment.h"
#include "rows/work_notes.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"
#include "sweep/progress.h"
#include "trace/banded.h"

cla_status align_banded_check(const cla_align_options *options, cla_error *error) {
  if (!options->has_band) return CLA_OK;
  if (options->band < 0)
    return error_set(error, CLA_ERROR_OPTION, "a band of %lld diagonals cannot be; give 0 or more",
                     (long long)options->band);
  if (options->run.directory)
    return error_set(error, CLA_ERROR_OPTION, "a run directory keeps no band of diagonals; leave one out");
  if (options->circular != CLA_CIRCULAR_NONE)
    return error_set(
        error, CLA_ERROR_OPTION,
        "a band of diagonals is for linear sequences: every rotation has other diagonals; leave one out");
  if (options->lower_bound.kind == CLA_LOWER_BOUND_SCORE || options->lower_bound.kind == CLA_LOWER_BOUND_PATH)
    return error_set(
        error, CLA_ERROR_OPTION,
        "what the whole matrix reaches says nothing of a band of diagonals; leave the lower bound out");
  return CLA_OK;
}

/* Progress of a band. The cells of its sweep are counted beforehand, those of its traceback cannot be. */
typedef struct band_run {
  strand_progress progress;
  double began, cells; /* time when the sweep started; number of its cells */
} band_run;

static cla_status report(void *user, int64_t cells, cla_error *error) {
  band_run *r = user;
  const double now = machine_seconds();
  if (!progress_is_due(&r->progress, now)) return CLA_OK;
  const double part = (double)cells / r->cells, fraction = part < 1 ? part / 1.5 : 1 - 1 / (3 * part * part);
  const cla_progress progress = {.stage = part < 1 ? "forward sweep" : "traceback",
                                 .fraction = fraction,
                                 .cells_done = cells,
                                 .seconds = now - r->began,
                                 .seconds_left = -1};
  return progress_report(&r->progress, &progress, now, error);
}

static void put_result(cla_alignment *alignment, const banded_result *result, path *steps) {
  cla_side *query = &alignment->query, *target = &alignment->target;
  const bool nowhere = alignment->mode == CLA_MODE_LOCAL && result->end.score == 0;
  alignment->score = result->end.score;
  query->stop = nowhere ? 0 : query->begin + result->end.row;
  target->stop = nowhere ? 0 : target->begin + result->end.column;
  if (!alignment->has_path) return;
  query->start = nowhere ? 0 : query->begin + result->start_row;
  target->start = nowhere ? 0 : target->begin + result->start_column;
  path_finish(steps, &alignment->runs, &alignment->run_count);
}

/* Records the band's cells for options->keep_work. */
static cla_status note_band(cla_alignment *alignment, const banded_input *input, cla_error *error) {
  const int64_t corners = input->problem.columns - input->problem.rows;
  work_notes *notes = NULL;
  cla_status status = work_notes_create(&notes, input->problem.rows, input->problem.columns, error);
  work_notes_begin(notes, 0);
  work_notes_diagonals(notes, smaller(corners, 0) - input->band, larger(corners, 0) + input->band);
  if (status == CLA_OK) status = work_notes_finish(&alignment->work, notes, error);
  work_notes_free(notes);
  return status;
}

/* Returns the input for a band of `band` diagonals on either side; if `band` is negative, for the whole
 * matrix. */
static banded_input make_input(const align_job *job, const score_table *table, int64_t band) {
  const cla_align_options *options = job->options;
  const path_scheme scheme = {.scoring = &options->scoring,
                              .table = table,
                              .ends = path_ends_make(options->mode, options->free_ends)};
  banded_input input = {.problem = pair_problem_of(job->query, job->target, scheme),
                        .band = band,
                        .score_only = options->score_only && band >= 0,
                        .memory_bytes = align_memory_budget(options)};
  if (band < 0) input.band = larger(input.problem.rows, input.problem.columns);
  return input;
}

static cla_status align_lines(cla_alignment **out, const align_job *job, int64_t band, cla_error *error) {
  const cla_align_options *options = job->options;
  const cla_sequence *query = job->query, *target = job->target;
  strand_rival *rival = job->rival;
  cla_alignment *alignment = NULL;
  score_table table;
  banded_result result;
  path steps = {0};
  band_run run = {.progress = {.options = options}, .began = machine_seconds()};
  *out = NULL;
  pair_letters_table(&table, &options->scoring, query, target);
  banded_input input = make_input(job, &table, band);
  input.tick = report;
  input.tick_user = &run;
  run.cells = (double)banded_cells(&input);
  cla_status status = alignment_create(&alignment, query, target, options->mode, &options->scoring, error);
  if (status == CLA_OK && options->keep_work) status = note_band(alignment, &input, error);
  if (status == CLA_OK) status = banded_align(&result, &steps, &input, error);
  if (status != CLA_OK) goto done;
  alignment->has_path = !input.score_only;
  alignment->free_ends = options->free_ends;
  alignment->has_band = band >= 0;
  alignment->band = larger(band, 0);
  put_result(alignment, &result, &steps);
  cla_metrics *metrics = &alignment->metrics;
  metrics->cells = input.problem.rows * input.problem.columns;
  metrics->cells_computed = result.cells;
  metrics->seconds = machine_seconds() - run.began;
  metrics->sweep_seconds = result.sweep_seconds;
  metrics->bands = (cla_stage){.cells = result.cells - result.sweep_cells,
                               .seconds = metrics->seconds - metrics->sweep_seconds};
  snprintf(metrics->device, sizeof metrics->device, ALIGN_ON_HOST);
  snprintf(metrics->kernel, sizeof metrics->kernel, "%s", band >= 0 ? "band" : "host");
  if (rival) {
    rival->metrics = *metrics;
    rival->lost = rival->given && result.end.score < rival->least;
  }
  *out = alignment;
  alignment = NULL;

done:
  path_free(&steps);
  cla_alignment_free(alignment);
  return status;
}

cla_status align_banded(cla_alignment **out, const align_job *job, cla_error *error) {
  return align_lines(out, job, job->options->band, error);
}

bool align_lengths_suit_host(const cla_align_options *o, int64_t rows, int64_t columns) {
  const bool budgets =
      o->budgets.memory_bytes > 0 || o->budgets.device_memory_bytes > 0 || o->budgets.special_rows >= 0;
  const bool named = o->kernel.name || o->kernel.settings || o->partner_count > 0;
  const bool more = o->keep_work || o->run.directory || o->lower_bound.kind != CLA_LOWER_BOUND_AUTO;
  const bool shared = align_processes(o, rows, columns) > 1;
  return !budgets && !named && !more && !shared && rows <= o->host_cells / columns;
}

bool align_suits_host(const align_job *job) {
  return !job->rest && !job->adjust &&
         align_lengths_suit_host(job->options, sequence_range_letters(job->query),
                                 sequence_range_letters(job->target));
}

bool align_host_holds(const align_job *job) {
  score_table table; /* for all letters, so it fits both strands */
  /* An invalid scheme needs no device, because its error can be reported without one. */
  if (pair_letters_any_table(&table, &job->options->scoring, NULL) != CLA_OK) return true;
  const banded_input input = make_input(job, &table, -1);
  return banded_holds(&input);
}

/* Passes a text about the host's computation to callbacks.explain, as there is no plan. */
static cla_status tell_host(const align_job *job, cla_error *error) {
  const cla_align_options *options = job->options;
  const int64_t letters[] = {sequence_range_letters(job->query), sequence_range_letters(job->target)};
  score_table table;
  plan_input input;
  char *text = NULL;
  if (!options->callbacks.explain) return CLA_OK;
  cla_device_info guess;
  device_guess(&guess, options->budgets.threads);
  cla_status status = align_input_make(&input, &table, &guess, letters, options, error);
  if (status != CLA_OK) return status;
  input.alphabet = cla_sequence_alphabet(job->query);
  input.reverse = options->strand == CLA_STRAND_REVERSE;
  pair_letters_table(&table, &options->scoring, job->query, job->target);
  status = plan_explain_host(
      &text, &input, "one thread of the host computes so few cells sooner than a kernel is compiled", error);
  if (status == CLA_OK) options->callbacks.explain(text, options->callbacks.explain_user);
  free(text);
  return status;
}

cla_status align_on_host(cla_alignment **out, const align_job *job, cla_error *error) {
  const cla_status status = align_lines(out, job, -1, error);
  return status == CLA_OK ? tell_host(job, error) : status;
}
