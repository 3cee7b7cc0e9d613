#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "batch/batch_job.h"
#include "batch/batch_pack.h"
#include "support/test.h"

#define MIB (INT64_C(1) << 20)

Test(batch_memory, shares_add_up_to_the_budget) {
  cla_batch_options options;
  cla_batch_options_init(&options);
  for (int64_t most = 1; most <= 100; most *= 10)
    for (int64_t bytes = 16 * MIB; bytes <= MIB * MIB; bytes *= 2) {
      options.align.several.most = most;
      options.align.budgets.memory_bytes = bytes;
      const cla_batch_options memory = batch_memory_share(&options);
      /* A pair's alignments, and its letters with as many bytes of results, are there at the same time. */
      const int64_t pairs = memory.pairs_ahead * most * (int64_t)sizeof(cla_alignment);
      if (bytes >= 16 * MIB * most)
        cr_expect_leq(pairs + 2 * memory.letters_ahead + memory.align.budgets.memory_bytes, bytes,
                      "%lld of %lld", (long long)most, (long long)bytes);
      cr_expect_geq(memory.align.budgets.memory_bytes, bytes / 4 * 3);
      cr_expect_gt(memory.pairs_ahead, 1);
      cr_expect_gt(memory.letters_ahead, 1);
    }
}

Test(batch_memory, is_what_the_options_say) {
  cla_batch_options options;
  cla_batch_options_init(&options);
  options.pairs_ahead = 3;
  options.letters_ahead = 900;
  options.align.budgets.memory_bytes = 64 * MIB;
  const cla_batch_options memory = batch_memory_share(&options);
  cr_expect_eq(memory.pairs_ahead, 3);
  cr_expect_eq(memory.letters_ahead, 900);
}

Test(batch_memory, of_paths_is_half_whatever_the_threads) {
  for (int threads = 1; threads <= 256; threads *= 2)
    for (int64_t bytes = MIB; bytes <= MIB * MIB; bytes *= 2) {
      const trace_memory memory = batch_memory_for_paths(bytes, threads);
      cr_expect_leq(memory.threads, threads);
      cr_expect_geq(memory.threads, 1);
      cr_expect_geq(memory.path_bytes, 1);
      cr_expect_leq(memory.threads * memory.path_bytes, bytes / 2);
    }
}

/* Threads at work on paths and on single pairs: those of THREADS that there are. */
#define THREADS 4
#define TRACERS 12
#define ROUNDS 300

typedef struct crowd {
  tracers *all;
  atomic_int now, most, traced;
} crowd;

static void begin(crowd *c, int threads) {
  const int now = atomic_fetch_add(&c->now, threads) + threads;
  for (int most = atomic_load(&c->most); now > most && !atomic_compare_exchange_weak(&c->most, &most, now);) {
  }
}

static void *trace(void *user) {
  crowd *c = user;
  tracers_enter(c->all);
  for (int i = 0; i < ROUNDS; i++) {
    begin(c, 1);
    atomic_fetch_add(&c->traced, 1);
    sched_yield();
    atomic_fetch_sub(&c->now, 1);
    tracers_pass(c->all);
  }
  tracers_leave(c->all);
  return NULL;
}

static void *align(void *user) {
  crowd *c = user;
  for (int i = 0; i < ROUNDS; i++) {
    tracers_give_way(c->all, THREADS - 1);
    begin(c, THREADS - 1);
    sched_yield();
    atomic_fetch_sub(&c->now, THREADS - 1);
    tracers_come_back(c->all, THREADS - 1);
  }
  return NULL;
}

Test(batch_memory, no_more_threads_trace_than_there_are, .timeout = 600) {
  for (int most = 1; most <= THREADS; most += THREADS - 1) {
    const trace_memory memory = {.threads = most, .path_bytes = 1};
    pthread_t threads[TRACERS + 1];
    crowd c = {.all = NULL};
    cr_assert_eq(tracers_create(&c.all, &memory, THREADS, NULL), CLA_OK);
    cr_expect_eq(tracers_count(c.all), most);
    for (int i = 0; i < TRACERS; i++) cr_assert_eq(pthread_create(&threads[i], NULL, trace, &c), 0);
    cr_assert_eq(pthread_create(&threads[TRACERS], NULL, align, &c), 0);
    for (int i = 0; i <= TRACERS; i++) pthread_join(threads[i], NULL);
    tracers_free(c.all);
    cr_expect_eq(atomic_load(&c.traced), TRACERS * ROUNDS);
    cr_expect_leq(atomic_load(&c.most), THREADS);
  }
}
