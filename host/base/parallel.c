#include "base/parallel.h"

#include "base/thread.h"

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
