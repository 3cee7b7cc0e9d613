#ifndef HOST_BASE_MACHINE_H
#define HOST_BASE_MACHINE_H

#include <stdint.h>

/* Hardware threads that this process may use: the affinity mask and the cgroup's quota, at least 1. */
int machine_threads(void);

/* Bytes of memory that this process can still take: what the kernel calls available and what the cgroup has
 * left, or the limit of virtual memory, whichever is less; at least 64 MiB where neither can be read. */
int64_t machine_memory_available(void);

/* Bytes of virtual memory that this process may have (ulimit -v); INT64_MAX: it is not limited. */
int64_t machine_memory_limit(void);

/* Seconds of a clock that never goes back. */
double machine_seconds(void);

#endif
