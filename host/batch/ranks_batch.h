#ifndef HOST_BATCH_RANKS_BATCH_H
#define HOST_BATCH_RANKS_BATCH_H

#include "base/ranks.h"
#include "batch/batch_job.h"
#include "clalign/tune.h"

/* Pairs on their way to other ranks, and results on their way back. */

/* What the ranks must know of a batch; behind it come the kernel's name and its settings. */
typedef struct rank_batch {
  int32_t number;
  cla_batch_options options;            /* pointers mean nothing */
  int64_t kernel_bytes, settings_bytes; /* with their zeros; 0: none */
} rank_batch;

/* What begins a message of pairs or of results. */
typedef struct rank_lot {
  int32_t number;     /* of the batch */
  int32_t lot, count; /* pairs of it that follow */
} rank_lot;

/* A pair: its letters, what they are called, and what is wanted. `place` is its place in the lot. */
cla_status rank_job_write(rank_writer *into, const batch_job *job, int32_t place, cla_error *error);
cla_status rank_job_read(batch_job **out, int32_t *place, rank_reader *from, cla_error *error);
void rank_job_free(batch_job *job); /* with its sequences */

/* Its result. The reader's job has the sequences, and `align` are the options of both. */
cla_status rank_result_write(rank_writer *into, const batch_job *job, int32_t place, cla_error *error);
cla_status rank_result_place(int32_t *place, rank_reader *from, cla_error *error);
cla_status rank_result_read(batch_job *job, rank_reader *from, const cla_align_options *align,
                            cla_error *error);

/* What another rank has for a batch. */
typedef struct batch_means {
  cla_device *const *devices;
  cla_tuning *const *tunings;
  size_t count;
} batch_means;

/* Aligns what rank 0 deals, by an executor of its own, until the batch ends. */
cla_status batch_for_rank0(const cla_ranks *ranks, const batch_means *means, const cla_rank_message *begin,
                           cla_error *error);

#endif
