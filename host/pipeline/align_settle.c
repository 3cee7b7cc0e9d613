/* Checks options and pair together, once, before anything is opened or computed. */

#include "pipeline/pipeline.h"

#include "base/error.h"
#include "pipeline/pipeline_internal.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"

static cla_status check_mode(const cla_align_options *options, cla_error *error) {
  const int ends = options->free_ends;
  if (!cla_mode_name(options->mode))
    return error_set(error, CLA_ERROR_OPTION,
                     "mode %d does not exist; use local, global, semi-global, overlap, extend or free-ends",
                     (int)options->mode);
  if (options->mode != CLA_MODE_FREE_ENDS && ends != 0)
    return error_set(error, CLA_ERROR_OPTION,
                     "free ends are given with the mode %s; give them with free-ends alone",
                     cla_mode_name(options->mode));
  if (options->mode == CLA_MODE_FREE_ENDS && (ends <= 0 || ends > CLA_FREE_ENDS_ALL))
    return error_set(error, CLA_ERROR_OPTION,
                     "%d is no list of free ends; name one or more of the four, or use global", ends);
  if (options->mode == CLA_MODE_FREE_ENDS && cla_free_ends_mode(ends) != CLA_MODE_FREE_ENDS)
    return error_set(error, CLA_ERROR_OPTION, "these free ends are those of the mode %s; give that",
                     cla_mode_name(cla_free_ends_mode(ends)));
  return CLA_OK;
}

static cla_status check_strand(const cla_align_options *options, cla_error *error) {
  const int strand = (int)options->strand;
  if (strand < CLA_STRAND_FORWARD || strand > CLA_STRAND_BOTH)
    return error_set(error, CLA_ERROR_OPTION, "strand %d does not exist; use forward, reverse or both",
                     strand);
  return CLA_OK;
}

static cla_status check_placement(const cla_align_options *options, cla_error *error) {
  const int placement = (int)options->gap_placement;
  if (placement < CLA_GAPS_CANONICAL || placement > CLA_GAPS_RIGHT)
    return error_set(error, CLA_ERROR_OPTION,
                     "the gap placement %d does not exist; use canonical, left or right", placement);
  if (placement != CLA_GAPS_CANONICAL && options->score_only)
    return error_set(error, CLA_ERROR_OPTION, "a score alone has no gaps to place; leave the placement out");
  return CLA_OK;
}

cla_status align_options_check(const cla_align_options *options, cla_error *error) {
  cla_status status = several_check(options, error);
  if (status == CLA_OK && options->several.split) status = split_check(options, error);
  if (status == CLA_OK) status = check_placement(options, error);
  if (status == CLA_OK) status = check_strand(options, error);
  if (status == CLA_OK) status = cla_scoring_check(&options->scoring, error);
  if (status == CLA_OK) status = align_banded_check(options, error);
  if (status == CLA_OK) status = check_mode(options, error);
  return status == CLA_OK ? circular_options_check(options, error) : status;
}

static cla_status check_pair(const align_job *job, cla_error *error) {
  const cla_sequence *query = job->query, *target = job->target;
  const int64_t letters[] = {sequence_range_letters(query), sequence_range_letters(target)};
  const char *const locations[] = {cla_sequence_location(query), cla_sequence_location(target)};
  cla_status status = circular_check(job, error);
  if (status == CLA_OK && job->options->strand != CLA_STRAND_FORWARD)
    status = sequence_strand_check(query, error);
  if (status == CLA_OK) status = empty_pair_check(job, error);
  if (status == CLA_OK) status = pair_letters_check(&job->options->scoring, query, target, error);
  return status == CLA_OK ? align_cells_check(letters, locations, error) : status;
}

cla_status align_settle(settled_job *out, const align_job *asked, cla_error *error) {
  out->options = *asked->options;
  pair_letters_scheme(&out->options.scoring, asked->query, asked->target);
  out->job = *asked;
  out->job.options = &out->options;
  cla_status status = align_options_check(&out->options, error);
  return status == CLA_OK ? check_pair(&out->job, error) : status;
}

bool settled_needs_device(const settled_job *settled) {
  const align_job *job = &settled->job;
  const cla_align_options *options = job->options;
  const bool one =
      options->several.most == 1 && !options->several.split && options->circular == CLA_CIRCULAR_NONE;
  if (empty_pair(job)) return false;
  if (!one) return true;
  return !options->has_band && !(align_suits_host(job) && align_host_holds(job));
}

bool cla_align_needs_device(const cla_sequence *query, const cla_sequence *target,
                            const cla_align_options *options) {
  settled_job settled;
  const align_job asked = {.query = query, .target = target, .options = options};
  /* An invalid job needs no device, because its error can be reported without one. */
  return align_settle(&settled, &asked, NULL) == CLA_OK && settled_needs_device(&settled);
}
