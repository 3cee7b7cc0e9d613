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
  struct batch_job *next;           /* in the list that the job is in */
  struct batch_job *before, *after; /* neighbours in the list of all jobs */
  int64_t index;                    /* of the pair among all that the source gave */
  cla_batch_pair pair;
  bool readable;           /* the source gave it with CLA_OK, and wants it back */
  bool only_score;         /* only the score is wanted, in alignments[0] without a path */
  const score_gate *gate;  /* NULL: the options alone say what a pair must score */
  score_gate needed;       /* the gate's value when the work began */
  struct batch_slot *slot; /* where its result goes */
  double cells;            /* of the matrix */
  bool chosen;             /* the pair is among its group's best */
  int64_t score;           /* if chosen, the score that the alignment must have */

  bool no_lanes;              /* arrays could not align the pair */
  bool no_rank;               /* the pair failed on another rank */
  bool kept;                  /* the result is in a journal */
  bool alone;                 /* the pair needs the whole memory budget */
  uint64_t failed_on;         /* devices whose memory was too small, a bit each */
  cla_status status;          /* CLA_OK, or why the pair failed */
  cla_error *error;           /* owned; NULL unless it failed */
  cla_alignment **alignments; /* owned */
  size_t count;
  const cla_batch_options *how; /* the options that give `prepare`; NULL: nothing is prepared */
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

/* Whether both sequences have letters of this alphabet, which the scheme has scores for, and the query has
 * the other strand if that is asked for. Only such pairs are aligned many at once. */
bool batch_job_is_plain(const batch_job *job, cla_alphabet kind, const cla_align_options *align);

/* Adds to the options what the job asks for: its strand, a score alone, the least score of its gate. */
void batch_job_options(cla_align_options *align, const batch_job *job);

/* Aligns the pair by the stages of cla_align_several on a device that is the caller's, and replaces what was
 * found before. What fails is returned, and the job is as it was. */
cla_status batch_job_align(batch_job *job, cla_device *device, const cla_align_options *align,
                           cla_error *error);

/* Gives the job its alignment, which is taken over; NULL: none scores enough. CLA_ERROR_MEMORY. */
cla_status batch_job_give(batch_job *job, cla_alignment *alignment, cla_error *error);

/* The job's result, as the sink gets it; the job keeps ownership. */
cla_batch_result batch_job_result(const batch_job *job);

/* Calls the options' `prepare`, once the job has its alignments. */
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
batch_job *job_list_take(job_list *list);                   /* NULL if it is empty */
batch_job *job_list_remove(job_list *list, batch_job **at); /* the job at that link of the list */
void job_list_return(job_list *list, batch_job *job);       /* to where its index belongs */

#define BATCH_DEVICES_MOST 64

/* CLA_ERROR_OPTION for what cannot be asked of a batch, beyond what each pair finds out by itself. */
cla_status batch_options_check(const cla_batch_options *options, cla_device *const *devices,
                               size_t device_count, cla_error *error);

/* The options with their memory budget shared out. Pairs on their way get an eighth, the rest is for
 * aligning, on all devices together. pairs_ahead and letters_ahead are set from that eighth where they are 0,
 * but never so low that threads have nothing to do. */
cla_batch_options batch_memory_share(const cla_batch_options *options);

#endif
