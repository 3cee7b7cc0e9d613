#ifndef HOST_BATCH_BATCH_JOB_H
#define HOST_BATCH_BATCH_JOB_H

#include "clalign/batch.h"

/* The minimum score that a pair needs to be of interest. This minimum can increase during the batch. */
typedef struct score_gate {
  bool given;
  int64_t least;
} score_gate;

/* A pair of a batch on its way from the source to the sink. */
typedef struct batch_job {
  struct batch_job *next;           /* the next job in the same list */
  struct batch_job *before, *after; /* the job's neighbours in the list of all jobs */
  int64_t index;                    /* index of the pair among all pairs from the source */
  cla_batch_pair pair;
  bool readable;           /* the source returned the pair with CLA_OK, and its `release` must be called */
  bool only_score;         /* only the score is wanted; alignments[0] then has no path */
  const score_gate *gate;  /* the least score of the pair's group; NULL: only the options limit the score */
  score_gate needed;       /* the gate's value when the pair's alignment started */
  struct batch_slot *slot; /* the slot of the job's result */
  double cells;            /* cells of the pair's matrix */
  bool chosen;             /* the pair is among its group's best */
  int64_t score;           /* if chosen, the score that the alignment must have */

  bool no_lanes;              /* the pair cannot be aligned in lanes as arrays */
  bool no_rank;               /* the pair failed on another rank */
  bool kept;                  /* the result is in the run's journal */
  bool alone;                 /* the pair needs the whole memory budget */
  uint64_t failed_on;         /* bit mask, by device number, of the devices whose memory was too small */
  cla_status status;          /* CLA_OK, or why the pair failed */
  cla_error *error;           /* owned; NULL unless the pair has failed */
  cla_alignment **alignments; /* owned */
  size_t count;
  const cla_batch_options *how; /* the options with the `prepare` callback; NULL: no callback */
  void *prepared;               /* what `prepare` returned; owned */
} batch_job;

/* Return the number of letters in both ranges, and the number of cells in their matrix; 0 if the pair could
 * not be read. */
int64_t batch_job_letters(const batch_job *job);
double batch_job_cells(const batch_job *job);

/* Marks the pair as failed. If there is no memory for the message, the status is CLA_ERROR_MEMORY. */
void batch_job_fail(batch_job *job, cla_status status, const cla_error *why);

/* Returns the pair's own strand if it has one, otherwise the options' strand. */
cla_strand batch_job_strand(const batch_job *job, const cla_align_options *align);

/* Returns true if the pair can be aligned together with others: neither side is empty, the alphabet is
 * `kind`, and the scheme has scores for its letters. The query must also have a reverse strand if the options
 * need one. */
bool batch_job_is_plain(const batch_job *job, cla_alphabet kind, const cla_align_options *align);

/* Sets in the options what the job needs: its strand, whether only a score is wanted, and the minimum score
 * of its gate. */
void batch_job_options(cla_align_options *align, const batch_job *job);

/* Aligns the pair by the stages of cla_align_several, on a device that the calling thread owns. Replaces the
 * job's earlier result. On an error, the job is unchanged. */
cla_status batch_job_align(batch_job *job, cla_device *device, const cla_align_options *align,
                           cla_error *error);

/* Sets the job's result and takes over the alignment. NULL: no alignment scores enough. CLA_ERROR_MEMORY. */
cla_status batch_job_give(batch_job *job, cla_alignment *alignment, cla_error *error);

/* Returns the job's result for the sink. The job still owns the alignments. */
cla_batch_result batch_job_result(const batch_job *job);

/* Calls the options' `prepare` once the job has its alignments. */
void batch_job_prepare(batch_job *job);

/* Stores the pair's alignments in the directory, unless the pair failed or is already stored. */
cla_status batch_job_keep(batch_job *job, cla_batch_directory *directory, cla_error *error);

/* Frees the job's result or error. */
void batch_job_clear(batch_job *job);

/* A list of jobs, first in, first out. `cells` is the sum over its jobs. */
typedef struct job_list {
  batch_job *first, *last;
  int64_t count;
  double cells;
} job_list;

void job_list_add(job_list *list, batch_job *job);
batch_job *job_list_take(job_list *list);                   /* NULL if the list is empty */
batch_job *job_list_remove(job_list *list, batch_job **at); /* removes the job *at, a link of the list */
void job_list_return(job_list *list, batch_job *job);       /* inserts the job by its index */

#define BATCH_DEVICES_MOST 64

/* Checks the options of a batch that do not depend on single pairs. CLA_ERROR_OPTION. */
cla_status batch_options_check(const cla_batch_options *options, cla_device *const *devices,
                               size_t device_count, cla_error *error);

/* Returns the options with their memory budget divided. Pairs in memory get an eighth. The remaining budget
 * is for aligning, on all devices together. If pairs_ahead or letters_ahead is 0, it is derived from that
 * eighth, but never so low that threads are idle. */
cla_batch_options batch_memory_share(const cla_batch_options *options);

#endif
