/* Plans a run without running it, and returns the plan as text or as a prediction. */

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/extremes.h"
#include "device/device_use.h"
#include "pipeline/pipeline.h"
#include "pipeline/pipeline_internal.h"
#include "pipeline/strand_internal.h"
#include "plan/plan_blocks.h"
#include "seq/sequence.h"

/* Maximum number of letters of a sequence for which a run can be predicted. */
#define LETTERS_LIMIT INT64_C(3000000000)

static cla_status check_letters(int64_t letters, const char *which, cla_error *error) {
  if (letters >= 1 && letters <= LETTERS_LIMIT) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION, "a %s of %lld letters cannot be predicted; give 1 to %lld", which,
                   (long long)letters, (long long)LETTERS_LIMIT);
}

/* Upper limit on the memory of the host's lines, for a pair that the host computes: three arrays for every
 * 4 * sqrt(lines) lines. */
#define HOST_BYTES (INT64_C(8) << 20)

/* Predicts a pair that the host computes, without device and lower bound. Returns false if a device
 * computes the pair. If no device is open yet, the host takes pairs up to the cells that it can compute
 * while a device opens. */
static bool predict_host(cla_prediction *out, const sweep_work *s) {
  const plan_input *input = &s->input;
  const double seconds = (double)input->rows * (double)input->columns / ALIGN_HOST_RATE;
  cla_align_options options = *s->options;
  if (options.callbacks.device && options.host_cells > 0)
    options.host_cells =
        larger(options.host_cells, align_cells_meanwhile(align_opening_seconds(input->device->kind)));
  if (!align_lengths_suit_host(&options, input->rows, input->columns)) return false;
  out->rough = true;
  out->computed_share = 1;
  out->sweep_seconds = seconds / 2;
  out->traceback_seconds = seconds / 2;
  out->host_bytes = HOST_BYTES;
  snprintf(out->kernel, sizeof out->kernel, "host");
  snprintf(out->reason, sizeof out->reason,
           "one thread computes so few cells sooner than a kernel is compiled");
  return true;
}

/* Times the plan by a sample, if no record has a time of its kernel. */
static cla_status time_plan(cla_prediction *out, sweep_work *s, cla_device *device, cla_error *error) {
  double seconds = 0;
  out->rough = s->plan.predicted.sweep_seconds < 0;
  if (!out->rough) return CLA_OK;
  cla_status status = device_take(device, NULL, NULL, error);
  if (status != CLA_OK) return status;
  status = sweep_sample(&seconds, s, device, error);
  device_give_back(device);
  if (status == CLA_OK) plan_set_seconds(&s->plan, &s->input, seconds);
  return status;
}

/* Predicts the disk space and the host memory of a run directory. */
static cla_status predict_run_dir(cla_prediction *out, const plan_input *input, cla_error *error) {
  plan_input on_disk = *input;
  plan whole;
  on_disk.disk_bytes = INT64_MAX / 4;
  const cla_status status = plan_make(&whole, &on_disk, error);
  out->run_dir_bytes = whole.predicted.disk_bytes;
  out->run_dir_host_bytes = whole.predicted.host_bytes;
  return status;
}

/* Makes the prediction from a timed plan. The budgets must have been set. */
static cla_status prediction_make(cla_prediction *out, const sweep_work *s, cla_error *error) {
  const plan *whole = &s->plan;
  out->computed_share = whole->prune ? whole->prune_share : 1;
  out->sweep_seconds = whole->predicted.sweep_seconds;
  out->traceback_seconds = whole->predicted.traceback_seconds;
  out->band_seconds = whole->predicted.band_seconds;
  out->bands = whole->predicted.bands;
  out->band_bytes = whole->predicted.band_bytes;
  out->host_bytes = whole->predicted.host_bytes;
  out->device_bytes = whole->predicted.device_bytes;
  out->least_rows = plan_block_device(whole, &s->input).least_rows;
  out->border_late = plan_block_late(whole, &s->input);
  out->border_bytes = whole->sweep.variant->lane_bits / 8 * gap_lines(s->input.scoring);
  snprintf(out->kernel, sizeof out->kernel, "%s", whole->sweep.variant->name);
  snprintf(out->reason, sizeof out->reason, "%s", whole->reason);
  return predict_run_dir(out, &s->input, error);
}

static void set_budgets(cla_prediction *out, const plan_input *input) {
  if (out->host_budget_bytes > 0) return;
  out->host_budget_bytes = input->memory_bytes;
  out->device_budget_bytes = input->device_memory_bytes;
}

/* Raises the budgets with which plan_make failed to the smallest that suffice. Returns false if plan_make
 * failed for another reason. */
static bool raise_budgets(cla_align_options *options, const plan *failed, const plan_input *input) {
  const plan_prediction *least = &failed->predicted;
  if (least->host_bytes <= input->memory_bytes && least->device_bytes <= input->device_memory_bytes)
    return false;
  options->budgets.memory_bytes = larger(input->memory_bytes, least->host_bytes);
  options->budgets.device_memory_bytes = larger(input->device_memory_bytes, least->device_bytes);
  return true;
}

/* Adds the prediction of the other strand. Both strands are swept, but only one is traced. */
static void add_other_strand(cla_prediction *sum, const cla_prediction *other) {
  sum->bound_seconds += other->bound_seconds;
  sum->bounds |= other->bounds;
  sum->sweep_seconds += other->sweep_seconds;
  sum->computed_share = (sum->computed_share + other->computed_share) / 2;
}

/* Makes a plan for lengths, without sequences. Raises budgets that are too small. */
static cla_status plan_lengths(cla_prediction *out, sweep_work *s, const cla_device_info *device,
                               const int64_t letters[2], cla_align_options *options, cla_error *error) {
  s->options = s->progress.options = options;
  cla_status status = align_input_make(&s->input, &s->table, device, letters, options, error);
  if (status != CLA_OK) return status;
  if (options->scoring.matrix_size > 0) s->input.alphabet = cla_scoring_alphabet(&options->scoring);
  set_budgets(out, &s->input);
  status = plan_make(&s->plan, &s->input, error);
  if (status == CLA_ERROR_MEMORY && raise_budgets(options, &s->plan, &s->input))
    return plan_lengths(out, s, device, letters, options, error);
  return status;
}

cla_status cla_predict(cla_prediction *out, cla_device *device, int64_t query_letters, int64_t target_letters,
                       const cla_align_options *options, cla_error *error) {
  const int64_t letters[] = {query_letters, target_letters};
  cla_align_options one = *options;
  sweep_work s = {.options = &one};
  memset(out, 0, sizeof *out);
  one.partner_count = 0;
  if (options->strand == CLA_STRAND_BOTH) one.strand = CLA_STRAND_FORWARD;
  cla_status status = align_options_check(options, error);
  if (status == CLA_OK) status = check_letters(query_letters, "query", error);
  if (status == CLA_OK) status = check_letters(target_letters, "target", error);
  if (status == CLA_OK) status = plan_lengths(out, &s, cla_device_describe(device), letters, &one, error);
  const bool on_host = status == CLA_OK && predict_host(out, &s);
  if (status == CLA_OK && !on_host) status = time_plan(out, &s, device, error);
  if (status == CLA_OK)
    status = on_host ? predict_run_dir(out, &s.input, error) : prediction_make(out, &s, error);
  if (status == CLA_OK && options->strand == CLA_STRAND_BOTH) {
    const cla_prediction other = *out;
    add_other_strand(out, &other);
  }
  return status;
}

/* Refuses a job that needs more than a single sweep. */
static cla_status check_single_sweep(const align_job *job, cla_error *error) {
  if (empty_pair(job))
    return error_set(error, CLA_ERROR_INPUT, "of a sequence without letters there is nothing to plan");
  if (job->options->circular == CLA_CIRCULAR_NONE) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "how many rotations of a circular sequence will be aligned is not known beforehand; leave "
                   "circular out for the plan of one of them");
}

/* Makes the plan before the lower bound is known. The caller calls strand_work_free, also after an error. */
static cla_status plan_ahead(strand_work *r, cla_error *error) {
  cla_status status = strand_work_turn(r, error);
  if (status == CLA_OK) status = check_single_sweep(r->job, error);
  return status == CLA_OK ? strand_work_plan(r, cla_device_describe(r->job->device), error) : status;
}

cla_status cla_explain(char **out, const cla_device *device, const cla_sequence *query,
                       const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  /* the device is only described, not used */
  const align_job asked = {
      .device = (cla_device *)device, .query = query, .target = target, .options = options};
  settled_job settled;
  strand_work r = {.job = &settled.job};
  *out = NULL;
  if (options->strand == CLA_STRAND_BOTH)
    return error_set(error, CLA_ERROR_OPTION, "a plan is of one strand; use forward or reverse");
  cla_status status = align_settle(&settled, &asked, error);
  if (status == CLA_OK) status = plan_ahead(&r, error);
  if (status == CLA_OK) status = strand_work_bound(&r, error);
  if (status == CLA_OK) strand_work_prune(&r);
  if (status == CLA_OK) status = strand_work_team(&r, error);
  if (status == CLA_OK) status = strand_work_explain(out, &r, error);
  strand_work_free(&r);
  return status;
}

/* Like plan_ahead, but raises budgets that are too small. */
static cla_status plan_strand(cla_prediction *out, strand_work *r, cla_align_options *options,
                              cla_error *error) {
  const align_job *job = r->job;
  cla_status status = plan_ahead(r, error);
  if (status == CLA_OK || status == CLA_ERROR_MEMORY) set_budgets(out, &r->sweep.input);
  if (status != CLA_ERROR_MEMORY || !raise_budgets(options, &r->sweep.plan, &r->sweep.input)) return status;
  strand_work_free(r);
  *r = (strand_work){.job = job};
  return plan_ahead(r, error);
}

/* Like cla_predict_pair, for one strand. If the rival's score is given, the strand is pruned by it. For the
 * other strand's prediction, the rival's score is then raised to this strand's known score plus 1, if that
 * is higher. */
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
  cla_status status = plan_strand(out, &r, &alone, error);
  const bool on_host = status == CLA_OK && predict_host(out, &r.sweep);
  if (status == CLA_OK && !on_host) status = time_plan(out, &r.sweep, job->device, error);
  if (status == CLA_OK && !on_host) status = strand_work_bound(&r, error);
  if (status == CLA_OK && !on_host) strand_work_prune(&r);
  if (status == CLA_OK)
    status = on_host ? predict_run_dir(out, &r.sweep.input, error) : prediction_make(out, &r.sweep, error);
  out->bound_seconds = r.bound.seconds;
  out->bounds = status == CLA_OK && !on_host && !strand_band_hindrance(&r);
  const bool known = r.bound.source != LOWER_BOUND_NONE;
  if (known && (!rival->given || r.bound.score >= rival->least))
    *rival = (strand_rival){.given = true, .least = r.bound.score + 1};
  strand_work_free(&r);
  return status;
}

cla_status cla_predict_pair(cla_prediction *out, cla_device *device, const cla_sequence *query,
                            const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  strand_rival rival = {0};
  const align_job asked = {
      .device = device, .query = query, .target = target, .options = options, .rival = &rival};
  settled_job settled;
  cla_prediction reverse;
  memset(out, 0, sizeof *out);
  cla_status status = align_settle(&settled, &asked, error);
  if (status != CLA_OK) return status;
  const align_job *job = &settled.job;
  if (options->strand != CLA_STRAND_BOTH) return predict_strand(out, job, options->strand, error);
  status = predict_strand(out, job, CLA_STRAND_FORWARD, error);
  if (status == CLA_OK) status = predict_strand(&reverse, job, CLA_STRAND_REVERSE, error);
  if (status == CLA_OK) add_other_strand(out, &reverse);
  return status;
}
