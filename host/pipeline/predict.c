#include "pipeline/predict.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "pipeline/align_input.h"
#include "seq/reverse_complement.h"

/* Sequences have a letter at least, and no more than memory can hold. */
#define LETTERS_LIMIT INT64_C(3000000000)

static cla_status check_letters(int64_t letters, const char *which, cla_error *error) {
  if (letters >= 1 && letters <= LETTERS_LIMIT) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION, "a %s of %lld letters cannot be predicted; give 1 to %lld", which,
                   (long long)letters, (long long)LETTERS_LIMIT);
}

cla_status prediction_make(cla_prediction *out, const plan *whole, const plan_input *input,
                           cla_error *error) {
  memset(out, 0, sizeof *out);
  if (whole->sweep_seconds < 0)
    return error_set(error, CLA_ERROR_DEVICE,
                     "no tuning record has timed kernel %s with these parameters%s on %.255s (%s); %srun "
                     "'%s' first",
                     whole->sweep.variant->name,
                     input->table->needs_lookup ? " and scores that are looked up" : "", input->device->name,
                     whole->reason, input->settings ? "leave --set out, or " : "", plan_tune_command(input));
  out->computed_share = whole->prune ? whole->prune_share : 1;
  out->sweep_seconds = whole->sweep_seconds;
  out->traceback_seconds = whole->traceback_seconds;
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
    status = align_input_make(&input, &table, info, query_letters, target_letters, &one, error);
  if (status == CLA_OK && one.scoring.matrix_size > 0) input.alphabet = cla_scoring_alphabet(&one.scoring);
  if (status == CLA_OK) status = plan_make(&whole, &input, error);
  if (status == CLA_OK) status = prediction_make(out, &whole, &input, error);
  if (status == CLA_OK && options->strand == CLA_STRAND_BOTH) {
    const cla_prediction other = *out;
    add_other_strand(out, &other);
  }
  return status;
}

cla_status cla_predict_pair(cla_prediction *out, const cla_device *device, const cla_sequence *query,
                            const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  strand_rival rival = {0};
  cla_align_options one = *options;
  cla_prediction reverse;
  if (options->strand != CLA_STRAND_BOTH)
    return pipeline_predict_strand(out, &rival, device, query, target, options, error);
  cla_status status = sequence_strand_check(query, error);
  one.strand = CLA_STRAND_FORWARD;
  if (status == CLA_OK) status = pipeline_predict_strand(out, &rival, device, query, target, &one, error);
  one.strand = CLA_STRAND_REVERSE;
  if (status == CLA_OK)
    status = pipeline_predict_strand(&reverse, &rival, device, query, target, &one, error);
  if (status == CLA_OK) add_other_strand(out, &reverse);
  return status;
}
