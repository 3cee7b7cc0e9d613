#ifndef HOST_BATCH_TRACERS_H
#define HOST_BATCH_TRACERS_H

#include "batch/batch_memory.h"

/* The threads that trace paths of packs, of all devices together: while a device computes one pack the paths
 * of another have all threads, and two packs share them. */
typedef struct tracers tracers;

/* CLA_ERROR_MEMORY. `threads` is what a whole batch may use. */
cla_status tracers_create(tracers **out, const trace_memory *memory, int threads, cla_error *error);
void tracers_free(tracers *all); /* NULL is allowed */

/* How many may trace at once. */
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

#endif
