/* Batches without a device: threads of the host take short pairs, and a device is asked for when a pair needs
 * one. None of these tests gets one. */

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/error.h"
#include "support/cases/batch_case.h"
#include "support/test.h"

static batch_case all;
static atomic_int asked;
static atomic_bool opening, stopped;

/* There is no device. */
static cla_status none(cla_device **device, const cla_tuning **tuning, void *user, cla_error *error) {
  (void)device, (void)tuning, (void)user;
  atomic_fetch_add(&asked, 1);
  return error_set(error, CLA_ERROR_DEVICE, "no device in this test");
}

/* That is found out after the batch was told to stop, and while it waits for its threads. */
static cla_status none_after_the_stop(cla_device **device, const cla_tuning **tuning, void *user,
                                      cla_error *error) {
  const struct timespec while_threads_end = {.tv_nsec = 20000000};
  atomic_store(&opening, true);
  while (!atomic_load(&stopped)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  nanosleep(&while_threads_end, NULL);
  return none(device, tuning, user, error);
}

static bool stop(const cla_batch_progress *progress, void *user) {
  (void)progress, (void)user;
  atomic_store(&stopped, atomic_load(&opening));
  return !atomic_load(&stopped);
}

static void begin(int count, int64_t least, int64_t most, cla_device_function device) {
  batch_case_make(&all, count, 4711, least, most);
  all.options.align.host_cells = CLA_HOST_CELLS;
  all.options.align.callbacks.device = device;
  atomic_store(&asked, 0);
  atomic_store(&stopped, false);
  atomic_store(&opening, false);
}

/* One pair is too long for lanes, and has many cells. */
static void make_long(int number) {
  static char letters[20001];
  memset(letters, 'A', sizeof letters - 1);
  cla_sequence **const sides[] = {&all.pairs[number].query, &all.pairs[number].target};
  for (int side = 0; side < 2; side++) {
    cla_sequence_free(*sides[side]);
    assert_ok(cla_sequence_from_letters(sides[side], "long", letters, sizeof letters - 1, &why));
  }
}

Test(late_device, short_pairs_need_none) {
  begin(BATCH_PAIRS_MOST, 1, 200, none);
  batch_case_expect(&all, NULL);
  assert_ok(batch_case_run(&all, NULL, 0));
  batch_case_expect_complete(&all, true);
  cr_expect_eq(atomic_load(&asked), 0);
  batch_case_free(&all);
}

Test(late_device, where_there_is_none_short_pairs_have_results_and_the_batch_an_error) {
  begin(BATCH_PAIRS_MOST, 100, 200, none);
  batch_case_expect(&all, NULL);
  make_long(0);
  assert_error(batch_case_run(&all, NULL, 0), CLA_ERROR_DEVICE, "no device in this test");
  cr_expect_eq(all.differences, 0, "%s", all.difference);
  cr_expect_eq(all.result_count, all.count - 1);
  cr_expect_eq(atomic_load(&asked), 1);
  batch_case_free(&all);
}

/* Sanitizers see a thread that outlives the batch. */
Test(late_device, a_batch_that_stops_while_a_device_is_opened_starts_no_threads) {
  for (int threads = 2; threads <= 16; threads *= 2) {
    begin(BATCH_PAIRS_MOST, 1000, 2000, none_after_the_stop);
    make_long(0);
    all.options.align.budgets.threads = threads;
    all.options.progress = stop;
    assert_error(batch_case_run(&all, NULL, 0), CLA_ERROR_INTERRUPTED, "interrupted");
    batch_case_free(&all);
  }
}

/* A stack larger than the address space lets no thread start. */
Test(late_device, a_batch_without_threads_ends_with_an_error) {
  pthread_attr_t attributes;
  begin(8, 100, 200, none);
  all.options.align.budgets.memory_bytes = 1 << 28;
  cr_assert_eq(pthread_attr_init(&attributes), 0);
  cr_assert_eq(pthread_attr_setstacksize(&attributes, (size_t)1 << 47), 0);
  cr_assert_eq(pthread_setattr_default_np(&attributes), 0);
  assert_error(batch_case_run(&all, NULL, 0), CLA_ERROR_MEMORY, "thread");
  cr_expect_eq(all.result_count, 0);
  pthread_attr_destroy(&attributes);
  batch_case_free(&all);
}
