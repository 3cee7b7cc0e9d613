#ifndef HOST_BATCH_BATCH_JOB_H
#define HOST_BATCH_BATCH_JOB_H

#include "clalign/batch.h"

/* What a pair must score to be of interest, which rises. */
typedef struct score_gate {
  bool given;
  int64_t least;
} score_gate;

/* A pair of a batch on its way from the source to the sink. */
typedef struct batch_job {
  struct batch_job *next;           /* of the list that it is in */
  struct batch_job *before, *after; /* of all jobs that there are */
  int64_t index;                    /* of the pair among all that the source gave */
  cla_batch_pair pair;
  bool readable;   /* the source gave it with CLA_OK, and wants it back */
  bool only_score; /* wanted is the score, in alignments[0] without a path; else what the options say */
  const score_gate *gate;  /* NULL: none but the options' */
  score_gate needed;       /* what it said when the work began */
  struct batch_slot *slot; /* where its result goes */
  double cells;            /* of the matrix */
  bool chosen;             /* one of a group's best, */
  int64_t score;           /* with this score, which its alignment must have */

  uint64_t packs_on;          /* devices on which it can be packed, a bit each */
  bool for_lanes;             /* a thread of the host may take it for its lanes */
  bool no_lanes;              /* they could not align it */
  bool no_rank;               /* it failed on another rank */
  bool kept;                  /* its result is in a journal */
  bool too_large;             /* a pack had too little memory for its path */
  bool alone;                 /* it needs all memory that there is */
  uint64_t failed_on;         /* devices whose memory was too small, a bit each */
  cla_status status;          /* of this pair alone */
  cla_error *error;           /* owned; NULL unless it failed */
  cla_alignment **alignments; /* owned */
  size_t count;
  const cla_batch_options *how; /* whose `prepare` is for alignments; NULL: none is */
  void *prepared;               /* owned */
} batch_job;

/* Letters of both ranges, and the cells of their matrix; 0 for what could not be read. */
int64_t batch_job_letters(const batch_job *job);
double batch_job_cells(const batch_job *job);

/* Notes that the pair failed. Without memory for the message the status alone is kept, with a message that
 * says so. */
void batch_job_fail(batch_job *job, cla_status status, const cla_error *why);

/* The pair's strand, or else the options'. */
cla_strand batch_job_strand(const batch_job *job, const cla_align_options *align);

/* The options of an alignment with what the job is about: its strand, a score alone, or only what is worth
 * it. */
void batch_job_options(cla_align_options *align, const batch_job *job);

/* Aligns the pair by the stages of cla_align_several on a device that is the caller's, and replaces what was
 * found before. What fails is returned, and the job is as it was. */
cla_status batch_job_align(batch_job *job, cla_device *device, const cla_align_options *align,
                           cla_error *error);

/* Gives the job its alignment, which is taken over; NULL: none scores enough. CLA_ERROR_MEMORY. */
cla_status batch_job_give(batch_job *job, cla_alignment *alignment, cla_error *error);

/* What its result says. */
cla_batch_result batch_job_result(const batch_job *job);

/* Has the result prepared, once it has its alignments. */
void batch_job_prepare(batch_job *job);

/* Keeps the pair's alignments, unless it failed or they are kept. */
cla_status batch_job_keep(batch_job *job, cla_batch_directory *directory, cla_error *error);

/* Frees what was found, and forgets an error. */
void batch_job_clear(batch_job *job);

/* A list of jobs, first in, first out. */
typedef struct job_list {
  batch_job *first, *last;
  int64_t count;
  double cells;
} job_list;

void job_list_add(job_list *list, batch_job *job);
batch_job *job_list_take(job_list *list);             /* NULL if it is empty */
void job_list_return(job_list *list, batch_job *job); /* to where its index belongs */

#define BATCH_DEVICES_MOST 64

/* CLA_ERROR_OPTION for what cannot be asked of a batch, beyond what each pair finds out by itself. */
cla_status batch_options_check(const cla_batch_options *options, cla_device *const *devices,
                               size_t device_count, cla_error *error);

/* The options with their memory budget shared out: an eighth for pairs on their way, as far as that is enough
 * to have something to choose from, and the rest for aligning, on all devices together. Pairs and letters
 * ahead are what the options say, if they say something. */
cla_batch_options batch_memory_share(const cla_batch_options *options);

/* How the paths of packs are traced. */
typedef struct trace_memory {
  int threads;        /* at once, in packs of all devices together */
  int64_t path_bytes; /* of each */
} trace_memory;

/* Half of what aligning may take is for the paths of packs, whose devices take the other half: so many bytes
 * for each of `threads`, or for fewer of them where that would be too little for each. */
trace_memory batch_memory_for_paths(int64_t aligning_bytes, int threads);

#endif
