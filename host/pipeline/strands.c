/* Aligns one strand of the query, or both. Of both, the result is the better one. */

#include <stdlib.h>

#include "base/error.h"
#include "clalign/align.h"
#include "pipeline/checkpoint.h"
#include "pipeline/pipeline.h"
#include "pipeline/pipeline_internal.h"
#include "pipeline/run_folder.h"
#include "pipeline/strand_internal.h"
#include "runs/run_state.h"
#include "seq/sequence.h"

/* The progress of two strands, reported as the progress of one run. Each strand is half of the run. */
typedef struct shared_progress {
  const cla_align_options *options;
  bool second;
  double first_seconds; /* duration of the first strand at its last report */
} shared_progress;

static bool report(const cla_progress *progress, void *user) {
  shared_progress *shared = user;
  cla_progress of_both = *progress;
  of_both.fraction = (shared->second ? 0.5 : 0) + progress->fraction / 2;
  if (shared->second)
    of_both.seconds += shared->first_seconds;
  else
    shared->first_seconds = progress->seconds;
  /* The second strand takes about as long as the first strand, unless its bound is good. */
  if (!shared->second && progress->seconds_left >= 0)
    of_both.seconds_left = 2 * progress->seconds_left + progress->seconds;
  return shared->options->callbacks.progress(&of_both, shared->options->callbacks.progress_user);
}

/* Adds the work of a second strand, and the cells of its matrix. */
static void add_metrics(cla_metrics *sum, const cla_metrics *more) {
  pipeline_add_work(sum, more);
  sum->cells += more->cells;
  /* The higher bound holds for both: no tile that was skipped in either matrix reaches it. */
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

/* Returns the score that a strand must reach in any case: the larger of the claim and min_score. Missing
 * only the claim is an error. With a run directory, min_score is ignored, because a resumed run may have
 * another min_score. */
static strand_rival needed_score(const cla_align_options *options) {
  const bool claimed = claims_score(options);
  const bool asked = pipeline_asks_for_score(options) && !options->run.directory;
  strand_rival needed = {.given = claimed || asked};
  if (claimed) needed.least = options->lower_bound.score;
  if (asked && (!claimed || options->min_score > needed.least)) needed.least = options->min_score;
  return needed;
}

bool pipeline_claim_is_least(const cla_align_options *options) {
  return claims_score(options) &&
         (!pipeline_asks_for_score(options) || options->lower_bound.score >= options->min_score);
}

/* Aligns one strand of linear or circular sequences. */
static cla_status align_strand(cla_alignment **out, const align_job *job, strand_rival *rival,
                               cla_error *error) {
  align_job one = *job;
  one.rival = rival;
  return job->options->circular != CLA_CIRCULAR_NONE ? circular_align_strand(out, &one, error)
                                                     : pipeline_align_strand(out, &one, error);
}

/* Drops an alignment below min_score. */
static void leave_out_low(cla_alignment **out, const cla_align_options *options) {
  if (!*out || !pipeline_asks_for_score(options) || (*out)->score >= options->min_score) return;
  cla_alignment_free(*out);
  *out = NULL;
}

/* Aligns one strand. Checks a claim, unless min_score is higher. */
static cla_status align_one(cla_alignment **out, const align_job *job, cla_error *error) {
  const cla_align_options *options = job->options;
  strand_rival needed = needed_score(options);
  const bool asked =
      pipeline_asks_for_score(options) && !pipeline_claim_is_least(options) && !options->run.directory;
  cla_status status = align_strand(out, job, asked ? &needed : NULL, error);
  if (status == CLA_OK) leave_out_low(out, options);
  return status;
}

cla_status pipeline_wrong_claim(int64_t claim, const cla_scoring *scoring, cla_error *error) {
  char text[CLA_SCORE_TEXT_SIZE];
  cla_score_text(text, claim, scoring);
  return error_set(error, CLA_ERROR_OPTION,
                   "the lower bound %s is above the optimum of both strands: no alignment scores that much; "
                   "give a lower one, or leave it to be found (auto)",
                   text);
}

/* One of two strands, with its own run. */
typedef struct one_strand {
  align_job job;
  cla_align_options options;
  strand_rival must;
  strand_work work;
  char *folder; /* owned; the strand's folder in the run directory, or NULL */
} one_strand;

static void begin_strand(one_strand *one, cla_strand strand, const align_job *both, shared_progress *shared) {
  *one = (one_strand){.job = *both, .options = *both->options, .must = needed_score(both->options)};
  one->options.strand = strand;
  one->job.options = &one->options;
  one->job.rival = &one->must;
  one->work.job = &one->job;
  if (!both->options->callbacks.progress) return;
  one->options.callbacks.progress = report;
  one->options.callbacks.progress_user = shared;
}

/* Names of the strands' folders in a run directory. The number is the place in the order in which the
 * strands are aligned. So a resumed run keeps this order, and prunes by the same scores. */
static const char *const strand_folders[2][2] = {{"1-forward", "1-reverse"}, {"2-forward", "2-reverse"}};

static cla_status set_folder(one_strand *one, int turn, const align_job *both, cla_error *error) {
  const char *whole = both->options->run.directory;
  if (!whole) return CLA_OK;
  cla_status status = path_join(&one->folder, whole, strand_folders[turn][one->options.strand], error);
  if (status != CLA_OK) return status;
  one->options.run.directory = one->folder;
  one->options.run.text = NULL;
  one->options.run.resume = run_manifest_exists(one->folder);
  return CLA_OK;
}

/* Sets *began to true if the run to resume started with the strand. */
static cla_status began_with(bool *began, cla_strand strand, const cla_run_options *run, cla_error *error) {
  char *folder = NULL;
  *began = false;
  if (!run->directory) return CLA_OK;
  cla_status status = path_join(&folder, run->directory, strand_folders[0][strand], error);
  if (status == CLA_OK) *began = run_manifest_exists(folder);
  free(folder);
  return status;
}

/* Chooses the strand with the better lower bound as the first. Its score saves nearly all work on the other
 * strand. */
static cla_status look_at_both(cla_strand *first, one_strand *of, cla_error *error) {
  cla_status status = strand_work_look(&of[0].work, error);
  if (status == CLA_OK) status = strand_work_look(&of[1].work, error);
  const lower_bound *forward = &of[0].work.bound, *reverse = &of[1].work.bound;
  const bool better = reverse->has_path && (!forward->has_path || reverse->score > forward->score);
  *first = better ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  return status;
}

static cla_status choose_first(cla_strand *first, one_strand *of, const cla_align_options *options,
                               cla_error *error) {
  bool forward = false, reverse = false;
  cla_status status = began_with(&forward, CLA_STRAND_FORWARD, &options->run, error);
  if (status == CLA_OK) status = began_with(&reverse, CLA_STRAND_REVERSE, &options->run, error);
  if (status != CLA_OK) return status;
  *first = reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  if (forward || reverse || options->circular != CLA_CIRCULAR_NONE) return CLA_OK;
  return look_at_both(first, of, error);
}

static cla_status align_one_of(cla_alignment **out, one_strand *one, cla_error *error) {
  return one->options.circular != CLA_CIRCULAR_NONE ? circular_align_strand(out, &one->job, error)
                                                    : strand_work_align(out, &one->work, error);
}

/* Aligns both strands, one after the other. *out is NULL if neither strand reaches the needed score. */
static cla_status align_in_turn(cla_alignment **out, const align_job *both, shared_progress *shared,
                                one_strand *of, cla_error *error) {
  cla_alignment *found = NULL, *better = NULL;
  cla_strand first = CLA_STRAND_FORWARD;
  cla_status status = choose_first(&first, of, both->options, error);
  one_strand *one = &of[first], *other = &of[1 - first];
  if (status == CLA_OK) status = set_folder(one, 0, both, error);
  if (status == CLA_OK) status = align_one_of(&found, one, error);
  if (status != CLA_OK) return status;
  /* At equal scores, the forward strand is the result. */
  const bool more = first == CLA_STRAND_FORWARD;
  if (found) other->must = (strand_rival){.given = true, .least = found->score + more};
  shared->second = true;
  status = set_folder(other, 1, both, error);
  if (status == CLA_OK) status = align_one_of(&better, other, error);
  if (status != CLA_OK || better) cla_alignment_free(found);
  if (status != CLA_OK) return status;
  *out = better ? better : found;
  if (*out) add_metrics(&(*out)->metrics, better ? &one->must.metrics : &other->must.metrics);
  return CLA_OK;
}

static cla_status align_both(cla_alignment **out, const align_job *both, cla_error *error) {
  const cla_align_options *options = both->options;
  shared_progress shared = {.options = options};
  checkpoint *run = NULL;
  one_strand of[2];
  begin_strand(&of[0], CLA_STRAND_FORWARD, both, &shared);
  begin_strand(&of[1], CLA_STRAND_REVERSE, both, &shared);
  cla_status status = options->run.directory ? checkpoint_open(&run, both, error) : CLA_OK;
  if (status == CLA_OK) status = align_in_turn(out, both, &shared, of, error);
  for (int i = 0; i < 2; i++) {
    strand_work_free(&of[i].work);
    free(of[i].folder);
  }
  if (status == CLA_OK && run && *out) status = checkpoint_save_result(run, *out, error);
  if (status == CLA_OK && !*out && pipeline_claim_is_least(options))
    status = pipeline_wrong_claim(options->lower_bound.score, &options->scoring, error);
  checkpoint_close(run, status, error);
  if (status == CLA_OK) leave_out_low(out, options);
  return status;
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
