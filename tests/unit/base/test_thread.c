/* Threads of the library leave signals to the program's. */

#include <signal.h>

#include "base/machine.h"
#include "support/test.h"

static void *read_mask(void *user) {
  pthread_sigmask(SIG_SETMASK, NULL, user);
  return NULL;
}

Test(thread, blocks_signals_and_leaves_those_of_its_starter) {
  const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCHLD};
  sigset_t mine, its;
  pthread_t thread;
  sigemptyset(&mine);
  sigaddset(&mine, SIGHUP);
  pthread_sigmask(SIG_SETMASK, &mine, NULL);
  cr_assert_eq(thread_start(&thread, read_mask, &its), 0);
  cr_assert_eq(pthread_join(thread, NULL), 0);
  pthread_sigmask(SIG_SETMASK, NULL, &mine);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    cr_expect(sigismember(&its, signals[i]), "signal %d", signals[i]);
    cr_expect_eq(sigismember(&mine, signals[i]), signals[i] == SIGHUP, "signal %d", signals[i]);
  }
}
