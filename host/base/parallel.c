#include "base/parallel.h"

#include <pthread.h>
#include <signal.h>

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
  sigset_t all, before;
  int started = 1;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (; started < threads && started < THREADS_MOST; started++) {
    workers[started] = (worker){.work = work, .user = user, .index = started};
    if (pthread_create(&workers[started].thread, NULL, begin, &workers[started]) != 0) break;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  work(user, 0);
  for (int i = 1; i < started; i++) pthread_join(workers[i].thread, NULL);
}
