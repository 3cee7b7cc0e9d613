#ifndef HOST_BASE_MACHINE_H
#define HOST_BASE_MACHINE_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* Returns the number of hardware threads that the affinity mask and the cgroup's quota allow this process, at
 * least 1. */
int machine_threads(void);

/* Returns the bytes of memory that this process can still take: at least 64 MiB, and otherwise the least of
 * three numbers. They are the kernel's available memory, the cgroup's rest, and the rest of the limit of
 * virtual memory. */
int64_t machine_memory_available(void);

/* Returns the process' limit of virtual memory in bytes (ulimit -v); INT64_MAX if there is none. */
int64_t machine_memory_limit(void);

/* Returns the seconds of a clock that never goes back. */
double machine_seconds(void);

/* Starts a thread as pthread_create does, and returns its code. The thread blocks all signals, so that they
 * reach the program's own threads. */
int thread_start(pthread_t *out, void *(*work)(void *), void *user);

/* Initialises a condition whose timed waits use CLOCK_MONOTONIC. Returns pthread_cond_init's code. */
int thread_condition_init(pthread_cond_t *condition);

/* Returns the time of CLOCK_MONOTONIC in `nanoseconds`, for pthread_cond_timedwait. */
struct timespec thread_time_in(long nanoseconds);

/* Calls work(user, index) for indices below `threads`: index 0 on the caller's thread, the others on free
 * threads of a pool. Returns when all calls that have begun have returned. Indices that have not begun when
 * index 0 returns are skipped. So each call must take shares of the work until no work is left. Signals go
 * to the caller's threads. The pool's threads wait for further calls until the process ends. */
void parallel_run(int threads, void (*work)(void *user, int index), void *user);

#endif
