#ifndef HOST_SCHEDULE_BATCH_JOB_H
#define HOST_SCHEDULE_BATCH_JOB_H

#include "clalign/batch.h"

/* A pair of a batch on its way from the source to the sink. */
typedef struct batch_job {
  int64_t index; /* of the pair among all that the source gave */
  cla_batch_pair pair;
  bool readable;              /* the source gave it with CLA_OK, and wants it back */
  cla_status status;          /* of this pair alone */
  cla_error *error;           /* owned; NULL unless it failed */
  cla_alignment **alignments; /* owned */
  size_t count;
} batch_job;

/* Letters of both ranges, and the cells of their matrix; 0 for what could not be read. */
int64_t batch_job_letters(const batch_job *job);
double batch_job_cells(const batch_job *job);

/* Notes that the pair failed; CLA_ERROR_MEMORY where not even that can be kept. */
cla_status batch_job_fail(batch_job *job, cla_status status, const cla_error *why, cla_error *error);

/* What is to be found of a pair. */
typedef enum batch_aim {
  BATCH_ALIGNMENTS, /* what the options say */
  BATCH_SCORE,      /* the score alone, in alignments[0] without a path; none below options->min_score */
} batch_aim;

/* Aligns the pair by the stages of cla_align on a device that is the caller's, and replaces what was found
 * before. What fails is returned, and the job is as it was. */
cla_status batch_job_align(batch_job *job, batch_aim aim, cla_device *device,
                           const cla_batch_options *options, cla_error *error);

/* Frees what was found, and forgets an error. */
void batch_job_clear(batch_job *job);

#endif
