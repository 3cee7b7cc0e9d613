#include "base/thread.h"

#include <signal.h>
#include <stddef.h>

#define NANOSECONDS_OF_SECOND 1000000000L

int thread_start(pthread_t *out, void *(*work)(void *), void *user) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int code = pthread_create(out, NULL, work, user);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code;
}

int thread_condition_init(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  int code = pthread_condattr_init(&attributes);
  if (code != 0) return code;
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  code = pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return code;
}

struct timespec thread_time_in(long nanoseconds) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  nanoseconds += time.tv_nsec;
  time.tv_sec += nanoseconds / NANOSECONDS_OF_SECOND;
  time.tv_nsec = nanoseconds % NANOSECONDS_OF_SECOND;
  return time;
}

#define THREADS_MOST 256

typedef struct worker {
  void (*work)(void *user, int index);
  void *user;
  int index;
  pthread_t thread;
} worker;

static void *begin(void *user) {
  const worker *own = user;
  own->work(own->user, own->index);
  return NULL;
}

void parallel_run(int threads, void (*work)(void *user, int index), void *user) {
  worker workers[THREADS_MOST];
  int started = 1;
  for (; started < threads && started < THREADS_MOST; started++) {
    workers[started] = (worker){.work = work, .user = user, .index = started};
    if (thread_start(&workers[started].thread, begin, &workers[started]) != 0) break;
  }
  work(user, 0);
  for (int i = 1; i < started; i++) pthread_join(workers[i].thread, NULL);
}
