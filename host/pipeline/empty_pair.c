#include "pipeline/pipeline_internal.h"

#include <stdio.h>

#include "base/allocate.h"
#include "base/error.h"
#include "path/lower_bound.h"
#include "pipeline/pipeline.h"
#include "pipeline/strand_internal.h"
#include "result/alignment.h"
#include "scoring/pair_problem.h"

static bool is_empty(const cla_sequence *sequence) {
  return cla_sequence_length(sequence) == 0;
}

bool empty_pair(const align_job *job) {
  return is_empty(job->query) || is_empty(job->target);
}

cla_status empty_pair_check(const align_job *job, cla_error *error) {
  if (!empty_pair(job)) return CLA_OK;
  if (!job->options->allow_empty)
    return error_set(error, CLA_ERROR_INPUT, "the %s has no letters; complete it, or allow empty sequences",
                     is_empty(job->query) ? "query" : "target");
  if (!job->options->run.directory) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "a run directory has nothing to keep of a sequence without letters; leave it out");
}

/* Sets the best path (docs/internals/exactness.md). It runs along a row or column of border values; a free
 * end costs nothing. Of several ends with equal scores, the first is taken. */
static cla_status put_path(cla_alignment *alignment, cla_error *error) {
  cla_side *query = &alignment->query, *target = &alignment->target;
  const path_ends ends = path_ends_make(alignment->mode, alignment->free_ends);
  const int64_t rows = query->end - query->begin, columns = target->end - target->begin;
  const int64_t row = ends.anywhere || ends.query_end ? 0 : rows;
  const int64_t column = ends.anywhere || ends.target_end ? 0 : columns;
  const int64_t up = ends.query_start ? 0 : row,
                back = ends.target_start ? 0 : column; /* letters of the gap along the row, may be 0 */
  query->stop = query->begin + row;
  target->stop = target->begin + column;
  alignment->score = -gap_cost(&alignment->scoring, up + back);
  if (!alignment->has_path) return CLA_OK;
  query->start = query->stop - up;
  target->start = target->stop - back;
  if (up + back == 0) return CLA_OK;
  cla_status status = ALLOCATE_ZEROS(&alignment->runs, 1, "a path", error);
  if (status != CLA_OK) return status;
  alignment->runs[0] = (cla_run){.length = up + back, .kind = up > 0 ? CLA_RUN_QUERY : CLA_RUN_TARGET};
  alignment->run_count = 1;
  return CLA_OK;
}

/* Sets the empty alignment, with a local score of 0 and no place. */
static void put_nothing(cla_alignment *alignment) {
  if (alignment->has_path) alignment->query.start = alignment->target.start = 0;
}

/* Compares the score with the claim and the rival's score, as for every pair. */
static cla_status compare(const cla_alignment *alignment, const cla_align_options *options,
                          strand_rival *rival, cla_error *error) {
  const bool claimed = options->lower_bound.kind == CLA_LOWER_BOUND_SCORE;
  const lower_bound none = {.source = LOWER_BOUND_NONE};
  const lower_bound claim = {.source = LOWER_BOUND_CLAIM, .score = options->lower_bound.score};
  if (strand_bound_lost(&none, rival, alignment->score)) {
    rival->lost = true;
    return CLA_OK;
  }
  const bool checked = claimed && !(rival && rival->given);
  return lower_bound_check(checked ? &claim : &none, alignment->score, &options->scoring, error);
}

cla_status empty_pair_align(cla_alignment **out, const cla_device_info *device, const align_job *job,
                            cla_error *error) {
  const cla_align_options *options = job->options;
  cla_alignment *alignment = NULL;
  *out = NULL;
  cla_status status =
      alignment_create(&alignment, job->query, job->target, options->mode, &options->scoring, error);
  if (status != CLA_OK) return status;
  alignment->has_path = !options->score_only;
  alignment->free_ends = options->free_ends;
  alignment->has_band = options->has_band;
  alignment->band = options->band;
  snprintf(alignment->metrics.device, sizeof alignment->metrics.device, "%s",
           device ? device->name : ALIGN_ON_HOST);
  if (options->mode == CLA_MODE_LOCAL)
    put_nothing(alignment);
  else
    status = put_path(alignment, error);
  if (status == CLA_OK) status = compare(alignment, options, job->rival, error);
  *out = alignment;
  return status;
}
