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

#endif
