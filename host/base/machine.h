#ifndef HOST_BASE_MACHINE_H
#define HOST_BASE_MACHINE_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* Hardware threads that this process may use: the affinity mask and the cgroup's quota, at least 1. */
int machine_threads(void);

/* Bytes of memory that this process can still take: the least of the kernel's available memory, the cgroup's
 * rest and the limit of virtual memory. At least 64 MiB if none of them can be read. */
int64_t machine_memory_available(void);

/* Bytes of virtual memory that this process may have (ulimit -v); INT64_MAX: it is not limited. */
int64_t machine_memory_limit(void);

/* Seconds of a clock that never goes back. */
double machine_seconds(void);

/* Starts a thread as pthread_create does, and returns its code. The thread blocks all signals: they are the
 * program's matter and go to its own threads. */
int thread_start(pthread_t *out, void *(*work)(void *), void *user);

/* Makes a condition that is waited for by a clock that nobody sets, and returns pthread_cond_init's code. */
int thread_condition_init(pthread_cond_t *condition);

/* The time by that clock `nanoseconds` from now, for pthread_cond_timedwait. */
struct timespec thread_time_in(long nanoseconds);

/* Calls work(user, index) for the indices below `threads`, index 0 on the caller's thread, others beside it
 * as threads are free, and returns when all calls have. Indices that have not begun when index 0 returns are
 * left out: work is to be shared out while it goes on. Signals go to the caller's threads. The others stay,
 * and wait for the next work until the process ends. */
void parallel_run(int threads, void (*work)(void *user, int index), void *user);

#endif
