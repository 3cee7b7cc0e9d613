#include "base/thread.h"

#include <signal.h>
#include <stddef.h>

int thread_start(pthread_t *out, void *(*work)(void *), void *user) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int code = pthread_create(out, NULL, work, user);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code;
}
