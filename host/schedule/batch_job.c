#include "schedule/batch_job.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "pipeline/pipeline.h"

static int64_t range_letters(const cla_sequence *sequence) {
  return cla_sequence_end(sequence) - cla_sequence_begin(sequence);
}

int64_t batch_job_letters(const batch_job *job) {
  return job->readable ? range_letters(job->pair.query) + range_letters(job->pair.target) : 0;
}

double batch_job_cells(const batch_job *job) {
  return job->readable ? (double)range_letters(job->pair.query) * (double)range_letters(job->pair.target) : 0;
}

cla_status batch_job_fail(batch_job *job, cla_status status, const cla_error *why, cla_error *error) {
  cla_error *kept = NULL;
  cla_status allocated = allocate_array((void **)&kept, 1, sizeof *kept, "the error of a pair", error);
  if (allocated != CLA_OK) return allocated;
  batch_job_clear(job);
  *kept = *why;
  kept->status = status;
  job->error = kept;
  job->status = status;
  return CLA_OK;
}

cla_status batch_job_align(batch_job *job, batch_aim aim, cla_device *device,
                           const cla_batch_options *options, cla_error *error) {
  cla_align_options align = options->align;
  cla_alignment **found = NULL;
  size_t count = 0;
  int64_t most = options->max_alignments;
  if (aim == BATCH_SCORE) {
    align.score_only = true;
    align.gap_placement = CLA_GAPS_CANONICAL;
    most = 1;
  }
  cla_status status =
      pipeline_align_several(&found, &count, device, job->pair.query, job->pair.target, &align, most, error);
  if (status != CLA_OK) return status;
  batch_job_clear(job);
  job->alignments = found;
  job->count = count;
  return CLA_OK;
}

void batch_job_clear(batch_job *job) {
  cla_alignments_free(job->alignments, job->count);
  free(job->error);
  job->alignments = NULL;
  job->count = 0;
  job->error = NULL;
  job->status = CLA_OK;
}
