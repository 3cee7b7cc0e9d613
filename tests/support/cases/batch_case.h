#ifndef TESTS_SUPPORT_CASES_BATCH_CASE_H
#define TESTS_SUPPORT_CASES_BATCH_CASE_H

#include "clalign/batch.h"

/* Pairs in memory for cla_batch, the results of cla_align for each, and the results of cla_batch. */

#define BATCH_PAIRS_MOST 128

typedef struct batch_case_pair {
  cla_sequence *query, *target; /* owned */
  bool unreadable;              /* the source reports the pair as unreadable */
  int64_t group;
  cla_alignment *want; /* owned; NULL if cla_align fails or finds nothing */
  cla_status want_status;
  int taken, given_back; /* how many times the source gave the pair, and got it back */
  int results;           /* number of the pair's results */
} batch_case_pair;

typedef struct batch_case {
  batch_case_pair pairs[BATCH_PAIRS_MOST];
  int count;
  cla_batch_options options;
  int next, held, held_most; /* of the source: index of the next pair; number of pairs not yet given back;
                              * its maximum */
  int64_t held_letters, held_letters_most;
  cla_status end_status; /* status with which the source ends */
  int stop_after;        /* number of results after which the sink stops the batch; 0: never */
  int cancel_after;      /* number of calls after which the progress function cancels; 0: never */
  int progress_calls;
  int64_t order[BATCH_PAIRS_MOST]; /* indices of the results, in the order of arrival */
  cla_status statuses[BATCH_PAIRS_MOST];
  int result_count;
  int errors_ahead_most; /* when an error arrived: the most pairs that the source had given beyond the failed
                          * one */
  int differences;       /* number of results that differ from cla_align's */
  char difference[256];
  cla_batch_progress done;
} batch_case;

/* Makes `count` simulated pairs of `least` to `most` letters, related and unrelated, with default options.
 * The caller calls batch_case_free. */
void batch_case_make(batch_case *all, int count, uint64_t seed, int64_t least, int64_t most);

/* Sets the wanted results: those of cla_align for each pair, with the options, on the device. */
void batch_case_expect(batch_case *all, cla_device *device);

/* Runs cla_batch and compares each result with the wanted one. */
cla_status batch_case_run(batch_case *all, cla_device *const *devices, size_t device_count);

/* Resets the results of a run, so that another run can begin. */
void batch_case_again(batch_case *all);

/* Expects that every pair has one right result and was given back once. */
void batch_case_expect_complete(const batch_case *all, bool in_order);

void batch_case_free(batch_case *all);

/* Opens two handles of the first device, and one of a CPU with one thread. For a batch they are three
 * devices. */
void batch_case_open_devices(cla_device *devices[3]);
void batch_case_close_devices(cla_device *devices[3]);

/* Opens the first device. A CPU is opened with two threads; its lanes are few, so that packs of a few dozen
 * pairs are worth it, and *few_lanes becomes true. A GPU has thousands of lanes. */
cla_device *batch_case_open_for_packs(bool *few_lanes);

/* For cla_batch_options.work: counts the packs; `user` is an int. */
void batch_case_count_packed(const cla_batch_work *work, void *user);

#endif
