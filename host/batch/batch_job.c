#include "batch/batch_job.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "pipeline/pipeline.h"
#include "seq/sequence.h"

int64_t batch_job_letters(const batch_job *job) {
  return job->readable ? sequence_range_letters(job->pair.query) + sequence_range_letters(job->pair.target)
                       : 0;
}

double batch_job_cells(const batch_job *job) {
  return job->readable ? (double)sequence_range_letters(job->pair.query) *
                             (double)sequence_range_letters(job->pair.target)
                       : 0;
}

/* Replaces an error for which there is no memory. Never freed, never changed. */
static cla_error no_memory = {.status = CLA_ERROR_MEMORY,
                              .message = "out of memory for the error of a pair; free some memory"};

void batch_job_fail(batch_job *job, cla_status status, const cla_error *why) {
  void *kept = NULL;
  batch_job_clear(job);
  job->status = allocate_zeros(&kept, 1, sizeof *job->error, "the error of a pair", NULL) == CLA_OK
                    ? status
                    : CLA_ERROR_MEMORY;
  job->error = kept ? kept : &no_memory;
  if (!kept) return;
  *job->error = *why;
  job->error->status = status;
}

cla_strand batch_job_strand(const batch_job *job, const cla_align_options *align) {
  return job->pair.has_strand ? job->pair.strand : align->strand;
}

bool batch_job_is_plain(const batch_job *job, cla_alphabet kind, const cla_align_options *align) {
  const cla_sequence *query = job->pair.query, *target = job->pair.target;
  return sequence_range_letters(query) >= 1 && sequence_range_letters(target) >= 1 &&
         cla_sequence_alphabet(query) == kind &&
         pair_letters_check(&align->scoring, query, target, NULL) == CLA_OK &&
         (batch_job_strand(job, align) == CLA_STRAND_FORWARD || sequence_strand_check(query, NULL) == CLA_OK);
}

void batch_job_options(cla_align_options *align, const batch_job *job) {
  align->strand = batch_job_strand(job, align);
  if (!job->only_score) return;
  align->score_only = true;
  align->several.most = 1;
  align->gap_placement = CLA_GAPS_CANONICAL;
  if (!job->needed.given) return;
  if (!align->has_min_score || align->min_score < job->needed.least) align->min_score = job->needed.least;
  align->has_min_score = true;
}

cla_status batch_job_align(batch_job *job, cla_device *device, const cla_align_options *align,
                           cla_error *error) {
  cla_alignment **found = NULL;
  size_t count = 0;
  const align_job asked = {
      .device = device, .query = job->pair.query, .target = job->pair.target, .options = align};
  settled_job settled;
  /* Without a chosen scheme, all pairs use the scheme for DNA; the letters of a pair do not select
   * another. */
  cla_status status = align->scoring.by_letters
                          ? pair_letters_check(&align->scoring, asked.query, asked.target, error)
                          : CLA_OK;
  if (status == CLA_OK) status = align_settle(&settled, &asked, error);
  if (status == CLA_OK) status = pipeline_align_several(&found, &count, &settled.job, error);
  if (status != CLA_OK) return status;
  batch_job_clear(job);
  job->alignments = found;
  job->count = count;
  batch_job_prepare(job);
  return CLA_OK;
}

cla_status batch_job_give(batch_job *job, cla_alignment *alignment, cla_error *error) {
  cla_alignment **array = NULL;
  cla_status status = alignment ? ALLOCATE_ZEROS(&array, 1, "an alignment", error) : CLA_OK;
  if (status != CLA_OK) {
    cla_alignment_free(alignment);
    return status;
  }
  batch_job_clear(job);
  if (array) array[0] = alignment;
  job->alignments = array;
  job->count = array ? 1 : 0;
  batch_job_prepare(job);
  return CLA_OK;
}

cla_batch_result batch_job_result(const batch_job *job) {
  return (cla_batch_result){.index = job->index,
                            .pair = job->pair,
                            .status = job->status,
                            .error = job->error,
                            .alignments = job->alignments,
                            .count = job->count,
                            .prepared = job->prepared};
}

void batch_job_prepare(batch_job *job) {
  if (!job->how || !job->how->prepare || job->only_score) return;
  const cla_batch_result result = batch_job_result(job);
  job->prepared = job->how->prepare(&result, job->how->prepare_user);
}

cla_status batch_job_keep(batch_job *job, cla_batch_directory *directory, cla_error *error) {
  const cla_batch_pair *pair = &job->pair;
  if (job->kept || job->status != CLA_OK) return CLA_OK;
  const cla_alignment *const *found = (const cla_alignment *const *)job->alignments;
  cla_status status = cla_batch_directory_put(directory, pair->kept_as, found, job->count, error);
  if (status == CLA_OK)
    status = cla_batch_directory_finish_unit(directory, pair->kept_as, pair->kept_as + 1, &pair->mark, error);
  else
    cla_batch_directory_drop(directory);
  job->kept = status == CLA_OK;
  return status;
}

void batch_job_clear(batch_job *job) {
  cla_alignments_free(job->alignments, job->count);
  if (job->error != &no_memory) free(job->error);
  free(job->prepared);
  job->prepared = NULL;
  job->alignments = NULL;
  job->count = 0;
  job->error = NULL;
  job->status = CLA_OK;
}

void job_list_add(job_list *list, batch_job *job) {
  job->next = NULL;
  if (list->last)
    list->last->next = job;
  else
    list->first = job;
  list->last = job;
  list->count++;
  list->cells += job->cells;
}

batch_job *job_list_remove(job_list *list, batch_job **at) {
  batch_job *job = *at;
  *at = job->next;
  if (list->last == job) {
    list->last = list->first;
    while (list->last && list->last->next) list->last = list->last->next;
  }
  job->next = NULL;
  list->count--;
  list->cells -= job->cells;
  if (list->count == 0) list->cells = 0; /* removes rounding errors */
  return job;
}

batch_job *job_list_take(job_list *list) {
  return list->first ? job_list_remove(list, &list->first) : NULL;
}

void job_list_return(job_list *list, batch_job *job) {
  batch_job **at = &list->first;
  if (!list->last || list->last->index < job->index) { /* the usual case: no search through a long list */
    job_list_add(list, job);
    return;
  }
  while ((*at)->index < job->index) at = &(*at)->next;
  job->next = *at;
  *at = job;
  list->count++;
  list->cells += job->cells;
}
