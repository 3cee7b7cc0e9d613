/* Threads of the library leave signals to the program's, and share out work. */

#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

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

#define PIECES 500
#define THREADS 6

typedef struct pieces {
  int depth; /* of calls within calls */
  atomic_int next, taken[PIECES], calls[THREADS];
} pieces;

static void take_pieces(void *user, int thread) {
  pieces *p = user;
  atomic_fetch_add(&p->calls[thread], 1);
  for (int i; (i = atomic_fetch_add(&p->next, 1)) < PIECES;) {
    pieces within = {.depth = p->depth - 1};
    if (p->depth > 0 && i % 50 == 0) {
      parallel_run(THREADS, take_pieces, &within);
      for (int k = 0; k < PIECES; k++) atomic_fetch_add(&p->taken[i], atomic_load(&within.taken[k]) != 1);
    }
    atomic_fetch_add(&p->taken[i], 1);
  }
}

static void expect_all_taken(int depth) {
  pieces p = {.depth = depth};
  parallel_run(THREADS, take_pieces, &p);
  for (int i = 0; i < PIECES; i++) cr_assert_eq(atomic_load(&p.taken[i]), 1, "piece %d", i);
  cr_assert_eq(atomic_load(&p.calls[0]), 1);
  for (int i = 1; i < THREADS; i++) cr_assert_leq(atomic_load(&p.calls[i]), 1);
}

static void *share_out(void *user) {
  for (int turn = 0; turn < 50; turn++) expect_all_taken(turn % 3);
  return user;
}

Test(thread, takes_each_piece_once_also_in_calls_within_calls_and_beside_others) {
  pthread_t callers[3];
  for (int i = 0; i < 3; i++) cr_assert_eq(pthread_create(&callers[i], NULL, share_out, NULL), 0);
  for (int i = 0; i < 3; i++) cr_assert_eq(pthread_join(callers[i], NULL), 0);
}

Test(thread, shares_out_work_after_a_fork) {
  expect_all_taken(0);
  const pid_t child = fork();
  if (child == 0) {
    expect_all_taken(1);
    _exit(0);
  }
  int status = -1;
  cr_assert_eq(waitpid(child, &status, 0), child);
  cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
