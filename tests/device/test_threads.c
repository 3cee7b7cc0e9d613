/* Threads: with a device each, and with one for all. */

#include <pthread.h>
#include <semaphore.h>

#include "clalign/align.h"
#include "device/device_use.h"
#include "scoring/pair_problem.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/reference_difference.h"
#include "support/reference_path.h"
#include "support/test.h"
#include "support/test_devices.h"

#define PAIRS 8
#define THREADS 3

/* Pairs that all threads share, and what the oracle says of them. */
typedef struct shared_pairs {
  random_pair pairs[PAIRS];
  cla_sequence *queries[PAIRS], *targets[PAIRS];
  reference_alignment wanted[PAIRS];
} shared_pairs;

static void make_pairs(shared_pairs *all) {
  for (int i = 0; i < PAIRS; i++) {
    random_pair *pair = &all->pairs[i];
    score_table table;
    random_pair_make_plain(pair, (uint64_t)i + 1, 300);
    score_table_build(&table, &pair->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    assert_ok(reference_align(&all->wanted[i],
                              RANDOM_PAIR_PROBLEM(pair, &table, path_ends_make(pair->mode, 0)), &why));
    all->queries[i] = random_pair_sequence("query", pair->query, pair->query_length);
    all->targets[i] = random_pair_sequence("target", pair->target, pair->target_length);
  }
}

static void free_pairs(shared_pairs *all) {
  for (int i = 0; i < PAIRS; i++) {
    random_pair_free(&all->pairs[i]);
    reference_alignment_free(&all->wanted[i]);
    cla_sequence_free(all->queries[i]);
    cla_sequence_free(all->targets[i]);
  }
}

/* What one thread does. Criterion's assertions are for the main thread, so a failure is noted. */
typedef struct worker {
  const shared_pairs *all;
  cla_device *device;
  int first; /* the pair that it begins with: they meet at different ones */
  char failure[CLA_ERROR_MESSAGE_SIZE + 64];
} worker;

static void *align_all(void *user) {
  worker *own = user;
  for (int k = 0; k < PAIRS && !own->failure[0]; k++) {
    const int i = (own->first + k) % PAIRS;
    cla_align_options options;
    OWNED(free_alignment) cla_alignment *alignment = NULL;
    cla_align_options_init(&options);
    options.mode = own->all->pairs[i].mode;
    options.scoring = own->all->pairs[i].scoring;
    if (cla_align(&alignment, own->device, own->all->queries[i], own->all->targets[i], &options, &why) !=
        CLA_OK)
      snprintf(own->failure, sizeof own->failure, "pair %d: %s", i, why.message);
    else if (!alignment->has_path || reference_difference(alignment, &own->all->wanted[i]))
      snprintf(own->failure, sizeof own->failure, "pair %d differs from the oracle's alignment", i);
  }
  return NULL;
}

static void run_threads(worker *workers) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    cr_assert_eq(pthread_create(&threads[i], NULL, align_all, &workers[i]), 0);
  for (int i = 0; i < THREADS; i++) cr_assert_eq(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++)
    cr_expect_str_empty(workers[i].failure, "thread %d: %s", i, workers[i].failure);
}

Test(threads, share_a_device_and_sequences) {
  shared_pairs all = {0};
  make_pairs(&all);
  FOR_EACH_DEVICE (device) {
    worker workers[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
      workers[i] = (worker){.all = &all, .device = device, .first = i * PAIRS / THREADS};
    run_threads(workers);
  }
  free_pairs(&all);
}

Test(threads, with_a_device_each_share_sequences) {
  shared_pairs all = {0};
  make_pairs(&all);
  for (int index = 0;; index++) {
    worker workers[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
      workers[i] = (worker){.all = &all, .device = test_device_open(index), .first = i * PAIRS / THREADS};
    if (workers[0].device) run_threads(workers);
    for (int i = 0; i < THREADS; i++) cla_device_close(workers[i].device);
    if (!workers[0].device) break;
  }
  free_pairs(&all);
}

/* A call that meets a device which the test has taken. */
typedef struct waiter {
  cla_device *device;
  cla_sequence *sequence;
  bool patient; /* waits until the device is free */
  sem_t asked;  /* posted when it has been told that it waits */
  int questions;
  bool only_waiting; /* all that it was told before it had the device */
  cla_status status;
  cla_error error;
  int64_t score;
} waiter;

static bool hear(const cla_progress *progress, void *user) {
  waiter *own = user;
  if (strcmp(progress->stage, "waiting for the device") != 0) return true;
  own->only_waiting = progress->fraction == 0 && progress->cells_done == 0 && progress->seconds_left < 0;
  if (own->questions++ == 0) sem_post(&own->asked);
  return own->patient;
}

static void *align_with_itself(void *user) {
  waiter *own = user;
  cla_align_options options;
  cla_alignment *alignment = NULL;
  cla_align_options_init(&options);
  options.callbacks.progress = hear;
  options.callbacks.progress_user = own;
  own->status = cla_align(&alignment, own->device, own->sequence, own->sequence, &options, &own->error);
  if (alignment) own->score = alignment->score;
  cla_alignment_free(alignment);
  return NULL;
}

/* Runs the waiter while the test has the device, until it has been told to wait or has given up. */
static void meet_taken_device(waiter *own) {
  pthread_t thread;
  cr_assert_eq(sem_init(&own->asked, 0, 0), 0);
  cr_assert_eq(device_take(own->device, NULL, NULL, NULL), CLA_OK);
  cr_assert_eq(pthread_create(&thread, NULL, align_with_itself, own), 0);
  sem_wait(&own->asked);
  if (!own->patient) cr_assert_eq(pthread_join(thread, NULL), 0);
  device_give_back(own->device);
  if (own->patient) cr_assert_eq(pthread_join(thread, NULL), 0);
  sem_destroy(&own->asked);
}

Test(threads, wait_for_a_device_and_are_told) {
  waiter own = {.device = test_device_open(0), .patient = true};
  assert_ok(cla_sequence_from_letters(&own.sequence, "s", "ACGTTGCA", 8, &why));
  meet_taken_device(&own);
  cr_expect_eq(own.status, CLA_OK, "%s", own.error.message);
  cr_expect_eq(own.score, 8);
  cr_expect(own.questions >= 1 && own.only_waiting);
  cla_sequence_free(own.sequence);
  cla_device_close(own.device);
}

Test(threads, can_be_cancelled_while_they_wait) {
  waiter own = {.device = test_device_open(0)};
  assert_ok(cla_sequence_from_letters(&own.sequence, "s", "ACGTTGCA", 8, &why));
  meet_taken_device(&own);
  cr_expect_eq(own.status, CLA_ERROR_INTERRUPTED);
  cr_expect_not_null(strstr(own.error.message, "another thread"), "%s", own.error.message);
  cr_expect_eq(own.questions, 1);
  cla_sequence_free(own.sequence);
  cla_device_close(own.device);
}

/* A callback that aligns with the device which called it. */
static void align_again(const char *text, void *user) {
  (void)text;
  waiter *own = user;
  cla_align_options options;
  OWNED(free_alignment) cla_alignment *alignment = NULL;
  cla_align_options_init(&options);
  own->status = cla_align(&alignment, own->device, own->sequence, own->sequence, &options, &own->error);
}

Test(threads, cannot_use_the_device_that_called_them) {
  waiter own = {.device = test_device_open(0)};
  cla_align_options options;
  cla_alignment *alignment = NULL;
  assert_ok(cla_sequence_from_letters(&own.sequence, "s", "ACGTTGCA", 8, &why));
  cla_align_options_init(&options);
  options.callbacks.explain = align_again;
  options.callbacks.explain_user = &own;
  cr_expect_eq(cla_align(&alignment, own.device, own.sequence, own.sequence, &options, NULL), CLA_OK);
  cr_expect_eq(own.status, CLA_ERROR_DEVICE);
  cr_expect_not_null(strstr(own.error.message, "callback"), "%s", own.error.message);
  cr_expect_eq(alignment->score, 8);
  cla_alignment_free(alignment);
  cla_sequence_free(own.sequence);
  cla_device_close(own.device);
}

/* The threads that a CPU device has if it is opened so; 0: its driver cannot restrict it. */
static int threads_of(int index, int threads, int left) {
  char select[16];
  cla_device *device = NULL;
  snprintf(select, sizeof select, "%d", index);
  const cla_device_options options = {.select = select, .threads = threads, .left_threads = left};
  if (cla_device_open(&device, &options, NULL) != CLA_OK) return 0;
  const int units = cla_device_describe(device)->compute_units;
  cla_device_close(device);
  return units;
}

/* Work beside a CPU device has its own threads, but the device keeps at least one. */
Test(threads, of_a_cpu_device_are_left_to_others) {
  cla_device *device = test_device_open(0);
  const cla_device_info info = *cla_device_describe(device);
  cla_device_close(device);
  if (info.kind != CLA_DEVICE_CPU || threads_of(info.index, 1, 0) != 1) {
    cr_log_warn("skipped: the device cannot be restricted to some threads");
    return;
  }
  const int all = threads_of(info.index, 0, 0);
  cr_expect_eq(threads_of(info.index, 0, 1), all > 1 ? all - 1 : 1);
  cr_expect_eq(threads_of(info.index, 0, 1000), 1);
  cr_expect_eq(threads_of(info.index, all, 1), all, "who says how many has so many");
}
