#ifndef HOST_BASE_THREAD_H
#define HOST_BASE_THREAD_H

#include <pthread.h>

/* Starts a thread as pthread_create does, and returns its code. The thread blocks all signals: they are the
 * program's matter and go to its own threads. */
int thread_start(pthread_t *out, void *(*work)(void *), void *user);

#endif
