#ifndef HOST_BATCH_RANKS_BATCH_H
#define HOST_BATCH_RANKS_BATCH_H

#include "base/ranks.h"
#include "batch/batch_job.h"
#include "clalign/tune.h"

/* Pairs on their way to other ranks, and results on their way back. */

/* What the ranks must know of a batch; behind it come the kernel's name and its settings. */
typedef struct rank_batch {
  int32_t number;
  bool arrays;                          /* pairs come as arrays (ranks_arrays.h) */
  cla_batch_options options;            /* the pointers in it are not valid on another rank */
  int64_t kernel_bytes, settings_bytes; /* lengths of the two texts with their zeros; 0: none */
} rank_batch;

/* Gives the batch a number, and tells it to all other ranks, with the texts of its options' kernel. */
cla_status rank_batch_tell(const cla_ranks *ranks, rank_batch *head, cla_error *error);

/* What begins a message of pairs or of results. */
typedef struct rank_lot {
  int32_t number;     /* of the batch */
  int32_t lot, count; /* number of the lot, and how many pairs or results follow */
} rank_lot;

/* Where a side of a pair, which is sent without the rest of its record, comes from. */
typedef struct rank_origin {
  int64_t length; /* of the record */
  int64_t begin;  /* of the range in it */
  uint8_t checksum[16];
} rank_origin;

/* A pair on another rank. */
typedef struct rank_job {
  batch_job *job; /* a job whose sequences hold the ranges alone */
  int32_t place;  /* in the lot */
  rank_origin origins[2];
} rank_job;

/* A pair: its letters, what they are called, and what is wanted. */
cla_status rank_job_write(rank_writer *into, const batch_job *job, int32_t place, cla_error *error);
cla_status rank_job_read(rank_job *out, rank_reader *from, cla_error *error);
void rank_job_free(batch_job *job); /* with its sequences */

/* Moves the alignments' positions from the ranges to the whole records, as rank 0 would have them. To be
 * called once, before they are sent. */
void rank_job_place(const rank_job *job);

/* A pair's result. The job that rank_result_read fills must have the sequences. */
cla_status rank_result_write(rank_writer *into, const batch_job *job, int32_t place, cla_error *error);
cla_status rank_result_place(int32_t *place, rank_reader *from, cla_error *error);
cla_status rank_result_read(batch_job *job, rank_reader *from, cla_error *error);

/* What another rank has for a batch. */
typedef struct batch_means {
  cla_device *const *devices;
  cla_tuning *const *tunings;
  size_t count;
  /* Gives pairs as arrays a device for those that lanes cannot take; on any thread. */
  cla_status (*open)(cla_device **device, const cla_tuning **tuning, void *user, cla_error *error);
  void *user; /* handed to `open` */
} batch_means;

/* Aligns what rank 0 deals, by an executor of its own, until the batch ends. */
cla_status batch_for_rank0(const cla_ranks *ranks, const batch_means *means, const cla_rank_message *begin,
                           cla_error *error);

#endif
