#ifndef HOST_RANKS_RANKS_BATCH_H
#define HOST_RANKS_RANKS_BATCH_H

#include "batch/batch_job.h"
#include "clalign/tune.h"
#include "ranks/ranks.h"

/* Messages between ranks: pairs, and their results. */

/* batch_peers: pairs are dealt in lots. */
extern const struct batch_peers batch_peers_on_ranks;

/* What the other ranks have to know of a batch. The kernel's name and its settings follow in the message. */
typedef struct rank_batch {
  int32_t number;
  bool arrays;                          /* pairs are sent as arrays (ranks_arrays.h) */
  cla_batch_options options;            /* all pointers in the options are invalid on another rank */
  int64_t kernel_bytes, settings_bytes; /* lengths of the two texts including their final zeros; 0: no text */
} rank_batch;

/* Gives the batch a number and sends `head` to all other ranks, with the kernel's name and settings. */
cla_status rank_batch_tell(const cla_ranks *ranks, rank_batch *head, cla_error *error);

/* The head of a message of pairs or of results. */
typedef struct rank_lot {
  int32_t number;     /* number of the batch */
  int32_t lot, count; /* number of the lot, and number of pairs or results that follow */
} rank_lot;

/* The record from which a side's range comes. Only the range is sent. */
typedef struct rank_origin {
  int64_t length; /* length of the record */
  int64_t begin;  /* where the range starts in the record */
  uint8_t checksum[16];
} rank_origin;

/* A pair that another rank has received. */
typedef struct rank_job {
  batch_job *job; /* a job whose sequences contain the ranges only */
  int32_t place;  /* index in the lot */
  rank_origin origins[2];
} rank_job;

/* Write and read a pair: its letters, its names, and what is wanted. */
cla_status rank_job_write(rank_writer *into, const batch_job *job, int32_t place, cla_error *error);
cla_status rank_job_read(rank_job *out, rank_reader *from, cla_error *error);
void rank_job_free(batch_job *job); /* frees the job with its sequences */

/* Converts the alignments' positions from the ranges to the whole records, as rank 0 needs them. Must be
 * called once, before the results are sent. */
void rank_job_place(const rank_job *job);

/* Write and read a pair's result. The job that rank_result_read fills must have its sequences. */
cla_status rank_result_write(rank_writer *into, const batch_job *job, int32_t place, cla_error *error);
cla_status rank_result_place(int32_t *place, rank_reader *from, cla_error *error);
cla_status rank_result_read(batch_job *job, rank_reader *from, cla_error *error);

/* What another rank uses for a batch. */
typedef struct batch_means {
  cla_device *const *devices;
  cla_tuning *const *tunings;
  size_t count;
  /* Opens a device for pairs as arrays that lanes cannot take. May be called on any thread. */
  cla_status (*open)(cla_device **device, const cla_tuning **tuning, void *user, cla_error *error);
  void *user; /* passed to `open` */
} batch_means;

/* Aligns the pairs that rank 0 sends, with its own executor, until the batch ends. */
cla_status batch_for_rank0(const cla_ranks *ranks, const batch_means *means, const cla_rank_message *begin,
                           cla_error *error);

#endif
