#ifndef HOST_BASE_THREAD_H
#define HOST_BASE_THREAD_H

#include <pthread.h>
#include <time.h>

/* Starts a thread as pthread_create does, and returns its code. The thread blocks all signals: they are the
 * program's matter and go to its own threads. */
int thread_start(pthread_t *out, void *(*work)(void *), void *user);

/* Makes a condition that is waited for by a clock that nobody sets, and returns pthread_cond_init's code. */
int thread_condition_init(pthread_cond_t *condition);

/* The time by that clock in so many nanoseconds, for pthread_cond_timedwait. */
struct timespec thread_time_in(long nanoseconds);

/* Calls work(user, index) for the indices below `threads` at once, index 0 on the caller's thread, and
 * returns when all have. Where the system gives fewer threads the last indices are left out: work is to be
 * shared out while it goes on. Signals go to the caller's threads. */
void parallel_run(int threads, void (*work)(void *user, int index), void *user);

#endif
