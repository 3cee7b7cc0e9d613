/* One strand of the query, or both and the better one. */

#include "base/error.h"
#include "clalign/align.h"
#include "pipeline/pipeline.h"
#include "pipeline/pipeline_internal.h"
#include "seq/sequence.h"

/* The progress of two strands as that of one run: half of it each. */
typedef struct shared_progress {
  const cla_align_options *options;
  bool second;
  double first_seconds; /* that the first strand had taken when it was last heard of */
} shared_progress;

static bool report(const cla_progress *progress, void *user) {
  shared_progress *shared = user;
  cla_progress of_both = *progress;
  of_both.fraction = (shared->second ? 0.5 : 0) + progress->fraction / 2;
  if (shared->second)
    of_both.seconds += shared->first_seconds;
  else
    shared->first_seconds = progress->seconds;
  /* The second strand takes about as long as the first one, unless its bound is good. */
  if (!shared->second && progress->seconds_left >= 0)
    of_both.seconds_left = 2 * progress->seconds_left + progress->seconds;
  return shared->options->callbacks.progress(&of_both, shared->options->callbacks.progress_user);
}

/* Adds up two strands: work and matrices. */
static void add_metrics(cla_metrics *sum, const cla_metrics *more) {
  pipeline_add_work(sum, more);
  sum->cells += more->cells;
  /* What was passed over in one matrix or both cannot reach the higher of the bounds. */
  if (more->pruned && (!sum->pruned || more->lower_bound > sum->lower_bound))
    sum->lower_bound = more->lower_bound;
  sum->pruned |= more->pruned;
}

bool pipeline_asks_for_score(const cla_align_options *options) {
  return options->has_min_score && (options->mode != CLA_MODE_LOCAL || options->min_score > 0);
}

static bool claims_score(const cla_align_options *options) {
  const cla_lower_bound *bound = &options->lower_bound;
  return bound->kind == CLA_LOWER_BOUND_SCORE && (options->mode != CLA_MODE_LOCAL || bound->score > 0);
}

/* What a strand must reach for its alignment to be of any interest, whatever the other one has: the larger of
 * what is claimed and what is asked for. Only the claim is an error where no strand reaches it. */
static strand_rival needed_score(const cla_align_options *options) {
  const bool claimed = claims_score(options), asked = pipeline_asks_for_score(options);
  strand_rival needed = {.given = claimed || asked};
  if (claimed) needed.least = options->lower_bound.score;
  if (asked && (!claimed || options->min_score > needed.least)) needed.least = options->min_score;
  return needed;
}

/* Whether an alignment that reaches what is claimed is one that is asked for. */
bool pipeline_claim_is_least(const cla_align_options *options) {
  return claims_score(options) &&
         (!pipeline_asks_for_score(options) || options->lower_bound.score >= options->min_score);
}

/* One strand of linear or circular sequences. */
static cla_status align_strand(cla_alignment **out, const align_job *job, strand_rival *rival,
                               cla_error *error) {
  align_job one = *job;
  one.rival = rival;
  return job->options->circular != CLA_CIRCULAR_NONE ? circular_align_strand(out, &one, error)
                                                     : pipeline_align_strand(out, &one, error);
}

/* One strand. A claim is checked as it always is, unless more is asked for. A run directory keeps an
 * alignment that can be resumed whatever is asked for next time. */
static cla_status align_one(cla_alignment **out, const align_job *job, cla_error *error) {
  const cla_align_options *options = job->options;
  strand_rival needed = needed_score(options);
  const bool asked =
      pipeline_asks_for_score(options) && !pipeline_claim_is_least(options) && !options->run.directory;
  cla_status status = align_strand(out, job, asked ? &needed : NULL, error);
  if (status != CLA_OK || !*out || !pipeline_asks_for_score(options) || (*out)->score >= options->min_score)
    return status;
  cla_alignment_free(*out);
  *out = NULL;
  return CLA_OK;
}

cla_status pipeline_wrong_claim(int64_t claim, const cla_scoring *scoring, cla_error *error) {
  char text[CLA_SCORE_TEXT_SIZE];
  cla_score_text(text, claim, scoring);
  return error_set(error, CLA_ERROR_OPTION,
                   "the lower bound %s is above the optimum of both strands: no alignment scores that much; "
                   "give a lower one, or leave it to be found (auto)",
                   text);
}

static cla_status align_both(cla_alignment **out, const align_job *both, cla_error *error) {
  const cla_align_options *options = both->options;
  align_job job = *both;
  const strand_rival needed = needed_score(options);
  shared_progress shared = {.options = options};
  strand_rival forward_must = needed;
  cla_alignment *forward = NULL, *reverse = NULL;
  cla_align_options one = *options;
  job.options = &one;
  one.strand = CLA_STRAND_FORWARD;
  if (options->callbacks.progress) {
    one.callbacks.progress = report;
    one.callbacks.progress_user = &shared;
  }
  cla_status status = align_strand(&forward, &job, &forward_must, error);
  if (status != CLA_OK) return status;
  /* At equal scores the forward strand is the result, so the reverse one must reach one more. */
  strand_rival reverse_must = needed;
  if (forward) reverse_must = (strand_rival){.given = true, .least = forward->score + 1};
  shared.second = true;
  one.strand = CLA_STRAND_REVERSE;
  status = align_strand(&reverse, &job, &reverse_must, error);
  if (status != CLA_OK || reverse) cla_alignment_free(forward);
  if (status != CLA_OK) return status;
  cla_alignment *better = reverse ? reverse : forward;
  if (!better && !pipeline_claim_is_least(options)) return CLA_OK;
  if (!better) return pipeline_wrong_claim(options->lower_bound.score, &options->scoring, error);
  add_metrics(&better->metrics, reverse ? &forward_must.metrics : &reverse_must.metrics);
  *out = better;
  return CLA_OK;
}

cla_status pipeline_align(cla_alignment **out, const align_job *job, cla_error *error) {
  *out = NULL;
  return job->options->strand == CLA_STRAND_BOTH ? align_both(out, job, error) : align_one(out, job, error);
}

cla_status pipeline_place_gaps(cla_alignment **alignment, const cla_sequence *query,
                               const cla_sequence *target, const cla_align_options *options,
                               cla_error *error) {
  if (!*alignment || options->gap_placement == CLA_GAPS_CANONICAL) return CLA_OK;
  cla_status status = cla_alignment_place_gaps(*alignment, options->gap_placement, query, target, error);
  if (status == CLA_OK) status = cla_alignment_verify(*alignment, query, target, error);
  if (status == CLA_OK) return CLA_OK;
  cla_alignment_free(*alignment);
  *alignment = NULL;
  return status;
}

cla_status pipeline_align_placed(cla_alignment **out, const align_job *job, cla_error *error) {
  cla_status status = pipeline_align(out, job, error);
  return status == CLA_OK ? pipeline_place_gaps(out, job->query, job->target, job->options, error) : status;
}
