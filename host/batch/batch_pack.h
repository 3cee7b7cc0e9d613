#ifndef HOST_BATCH_BATCH_PACK_H
#define HOST_BATCH_BATCH_PACK_H

#include "batch/batch_job.h"
#include "packs/packs.h"

/* The threads that trace paths of packs, for all devices together. One pack's paths may use all threads while
 * devices score other packs; two packs share the threads. */
typedef struct tracers tracers;

/* CLA_ERROR_MEMORY. `threads` is what a whole batch may use. */
cla_status tracers_create(tracers **out, const trace_memory *memory, int threads, cla_error *error);
void tracers_free(tracers *all); /* NULL is allowed */

/* How many threads may trace at once. */
int tracers_count(const tracers *all);

/* A thread begins to trace, once there is room for it, and ends. */
void tracers_enter(tracers *all);
void tracers_leave(tracers *all);

/* For a thread that traces, between two paths: gives way to pairs that are aligned one by one. */
void tracers_pass(tracers *all);

/* A pair is aligned by itself, on so many threads: it waits until those that trace have made room. One of
 * them goes on in any case. */
void tracers_give_way(tracers *all, int threads);
void tracers_come_back(tracers *all, int threads);

/* Short pairs of a batch, many at once: which ones, and from scores and end nodes to alignments. */

/* What all packed pairs of a batch have in common. */
typedef struct pack_scheme {
  bool allowed;      /* the options are such that pairs can be packed */
  cla_alphabet kind; /* alphabet of the pairs, and of the table's codes */
  score_table table;
  path_scheme scheme;   /* has the table */
  uint32_t matches[32]; /* for lanes_walk */
  int64_t path_bytes;   /* most memory for directions of a thread that traces */
} pack_scheme;

/* `align` must outlive it. */
void pack_scheme_make(pack_scheme *out, const cla_align_options *align);

/* Whether the device can pack a plain pair (batch_job_is_plain) of such lengths. */
bool batch_pack_takes(const pack_scheme *packs, const cla_device_info *device, const batch_job *job,
                      const cla_align_options *align);

/* The largest class of square pairs (cla_batch_sizes) that can be packed on the device; -1: none. */
int batch_pack_class(const pack_scheme *packs, const cla_device_info *device, const cla_align_options *align);

/* What packs are aligned with. */
typedef struct pack_means {
  pack_solver *solver;
  const pack_scheme *packs;
  const cla_device_info *device;
  const cla_align_options *align; /* the progress function is asked between launches and between paths */
  tracers *tracers;
} pack_means;

/* Aligns `count` jobs, each of which batch_pack_takes, on as many host threads as the tracers allow. Results
 * are those of batch_job_align. Jobs that are too_large afterwards are to be aligned one by one. After an
 * error all jobs are to be aligned again. */
cla_status batch_pack_align(batch_job **jobs, int64_t count, const pack_means *with, cla_error *error);

#endif
