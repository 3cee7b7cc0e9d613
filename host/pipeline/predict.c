/* The plan of a run that is not made: printed, or as a prediction. */

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "pipeline/pipeline.h"
#include "pipeline/pipeline_internal.h"
#include "pipeline/strand_internal.h"
#include "seq/sequence.h"

/* Sequences have a letter at least, and no more than memory can hold. */
#define LETTERS_LIMIT INT64_C(3000000000)

static cla_status check_letters(int64_t letters, const char *which, cla_error *error) {
  if (letters >= 1 && letters <= LETTERS_LIMIT) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION, "a %s of %lld letters cannot be predicted; give 1 to %lld", which,
                   (long long)letters, (long long)LETTERS_LIMIT);
}

/* What a plan says of its own time. CLA_ERROR_DEVICE if no record has timed its kernel. */
static cla_status prediction_make(cla_prediction *out, const plan *whole, const plan_input *input,
                                  cla_error *error) {
  memset(out, 0, sizeof *out);
  if (whole->predicted.sweep_seconds < 0)
    return error_set(error, CLA_ERROR_DEVICE,
                     "no tuning record has timed kernel %s with these parameters%s on %.255s (%s); %srun "
                     "'%s' first",
                     whole->sweep.variant->name,
                     input->table->needs_lookup ? " and scores that are looked up" : "", input->device->name,
                     whole->reason, input->settings ? "leave --set out, or " : "", plan_tune_command(input));
  out->computed_share = whole->prune ? whole->prune_share : 1;
  out->sweep_seconds = whole->predicted.sweep_seconds;
  out->traceback_seconds = whole->predicted.traceback_seconds;
  snprintf(out->kernel, sizeof out->kernel, "%s", whole->sweep.variant->name);
  snprintf(out->reason, sizeof out->reason, "%s", whole->reason);
  return CLA_OK;
}

/* Both strands are swept, and one of them, of which nothing is known beforehand, is traced. */
static void add_other_strand(cla_prediction *sum, const cla_prediction *other) {
  sum->bound_seconds += other->bound_seconds;
  sum->sweep_seconds += other->sweep_seconds;
  sum->computed_share = (sum->computed_share + other->computed_share) / 2;
}

cla_status cla_predict(cla_prediction *out, const cla_device *device, int64_t query_letters,
                       int64_t target_letters, const cla_align_options *options, cla_error *error) {
  const cla_device_info *info = cla_device_describe(device);
  cla_align_options one = *options;
  plan_input input;
  score_table table;
  plan whole;
  one.partner_count = 0;
  if (options->strand == CLA_STRAND_BOTH) one.strand = CLA_STRAND_FORWARD;
  cla_status status = check_letters(query_letters, "query", error);
  if (status == CLA_OK) status = check_letters(target_letters, "target", error);
  if (status == CLA_OK)
    status =
        align_input_make(&input, &table, info, (const int64_t[]){query_letters, target_letters}, &one, error);
  if (status == CLA_OK && one.scoring.matrix_size > 0) input.alphabet = cla_scoring_alphabet(&one.scoring);
  if (status == CLA_OK) status = plan_make(&whole, &input, error);
  if (status == CLA_OK) status = prediction_make(out, &whole, &input, error);
  if (status == CLA_OK && options->strand == CLA_STRAND_BOTH) {
    const cla_prediction other = *out;
    add_other_strand(out, &other);
  }
  return status;
}

/* CLA_OK unless there is no single sweep to plan. */
static cla_status check_single_sweep(const align_job *job, cla_error *error) {
  if (empty_pair(job->query, job->target))
    return error_set(error, CLA_ERROR_INPUT, "of a sequence without letters there is nothing to plan");
  if (job->options->circular == CLA_CIRCULAR_NONE) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "how many rotations of a circular sequence will be aligned is not known beforehand; leave "
                   "circular out for the plan of one of them");
}

/* All that is known before anything is computed; ends with strand_work_free, also after an error. */
static cla_status look_ahead(strand_work *r, cla_error *error) {
  const cla_sequence *strand = NULL;
  cla_status status = strand_work_check(r, &strand, error);
  if (status == CLA_OK) status = check_single_sweep(r->job, error);
  if (status == CLA_OK) status = strand_work_plan(r, strand, error);
  return status == CLA_OK ? strand_work_bound(r, error) : status;
}

cla_status cla_explain(char **out, const cla_device *device, const cla_sequence *query,
                       const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  /* The call's own device is only looked at. */
  const cla_align_options settled = align_options_for(options, query, target);
  const align_job job = {
      .device = (cla_device *)device, .query = query, .target = target, .options = &settled};
  strand_work r = {.job = &job};
  *out = NULL;
  cla_status status = look_ahead(&r, error);
  if (status == CLA_OK) status = strand_work_team(&r, error);
  if (status == CLA_OK) status = strand_work_explain(out, &r, error);
  strand_work_free(&r);
  return status;
}

/* cla_predict_pair for one strand, which passes over what cannot reach the rival's score, if one is given. A
 * better score that this strand is known to reach becomes the rival's. */
static cla_status predict_strand(cla_prediction *out, const align_job *job, cla_strand strand,
                                 cla_error *error) {
  strand_rival *rival = job->rival;
  cla_align_options alone = *job->options;
  align_job one = *job;
  strand_work r = {.job = &one};
  memset(out, 0, sizeof *out);
  one.options = &alone;
  alone.strand = strand;
  alone.partner_count = 0;
  cla_status status = look_ahead(&r, error);
  if (status == CLA_OK) status = prediction_make(out, &r.sweep.plan, &r.sweep.input, error);
  out->bound_seconds = r.bound.seconds;
  const bool known = r.bound.source != LOWER_BOUND_NONE;
  if (known && (!rival->given || r.bound.score >= rival->least))
    *rival = (strand_rival){.given = true, .least = r.bound.score + 1};
  strand_work_free(&r);
  return status;
}

cla_status cla_predict_pair(cla_prediction *out, const cla_device *device, const cla_sequence *query,
                            const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  strand_rival rival = {0};
  const cla_align_options settled = align_options_for(options, query, target);
  const align_job job = {.device = (cla_device *)device, /* it is only looked at */
                         .query = query,
                         .target = target,
                         .options = &settled,
                         .rival = &rival};
  cla_prediction reverse;
  if (options->strand != CLA_STRAND_BOTH) return predict_strand(out, &job, options->strand, error);
  cla_status status = sequence_strand_check(query, error);
  if (status == CLA_OK) status = predict_strand(out, &job, CLA_STRAND_FORWARD, error);
  if (status == CLA_OK) status = predict_strand(&reverse, &job, CLA_STRAND_REVERSE, error);
  if (status == CLA_OK) add_other_strand(out, &reverse);
  return status;
}
