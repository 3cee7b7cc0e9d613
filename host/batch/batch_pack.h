#ifndef HOST_BATCH_BATCH_PACK_H
#define HOST_BATCH_BATCH_PACK_H

#include "batch/batch_job.h"
#include "batch/tracers.h"
#include "packs/packs.h"

/* Short pairs of a batch, many at once: which ones, and from scores and end nodes to alignments. */

/* What all of them have in common. */
typedef struct pack_scheme {
  bool allowed;      /* the options are such that pairs can be packed */
  cla_alphabet kind; /* of the pairs: the table is of its letter codes */
  score_table table;
  path_scheme scheme; /* of the table */
  int64_t path_bytes; /* that a pair's path may take; 0: chosen */
} pack_scheme;

/* `align` must outlive it. */
void pack_scheme_make(pack_scheme *out, const cla_align_options *align);

/* Whether the pair is one that can be packed on the device; what is wrong with a pair, another way has to
 * tell. */
bool batch_pack_takes(const pack_scheme *packs, const cla_device_info *device, const batch_job *job,
                      const cla_align_options *align);

/* Aligns `count` jobs, each of which batch_pack_takes, on as many host threads as `threads` lets trace.
 * align's progress function is asked between launches and between paths whether to go on. The results are as
 * those of batch_job_align, but for jobs that are too_large, which are to be aligned one by one; what fails
 * is returned, and all jobs are to be aligned again. */
cla_status batch_pack_align(batch_job **jobs, int64_t count, pack_solver *solver, const pack_scheme *packs,
                            const cla_device_info *device, const cla_align_options *align, tracers *threads,
                            cla_error *error);

#endif
