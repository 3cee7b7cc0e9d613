#ifndef TESTS_SUPPORT_BATCH_CASE_H
#define TESTS_SUPPORT_BATCH_CASE_H

#include "clalign/batch.h"

/* Pairs in memory for cla_batch, what cla_align says of each, and what became of them. */

#define BATCH_PAIRS_MOST 128

typedef struct batch_case_pair {
  cla_sequence *query, *target; /* owned */
  bool unreadable;              /* the source says so */
  int64_t group;
  cla_alignment *want; /* owned; NULL where cla_align fails or finds nothing */
  cla_status want_status;
  int taken, given_back; /* how often the source gave the pair, and got it back */
  int results;           /* number of the pair's results */
} batch_case_pair;

typedef struct batch_case {
  batch_case_pair pairs[BATCH_PAIRS_MOST];
  int count;
  cla_batch_options options;
  int next, held, held_most; /* of the source: the pair to give; pairs that are not given back yet */
  int64_t held_letters, held_letters_most;
  cla_status end_status; /* what the source ends with */
  int stop_after;        /* results that the sink takes before it wants no more; 0: all */
  int cancel_after;      /* calls of the progress function that go on; 0: all */
  int progress_calls;
  int64_t order[BATCH_PAIRS_MOST]; /* indices of the results as they came */
  cla_status statuses[BATCH_PAIRS_MOST];
  int result_count;
  int errors_ahead_most; /* pairs that the source had given when an error came, less that one's index */
  int differences;       /* results that are not cla_align's */
  char difference[256];
  cla_batch_progress done;
} batch_case;

/* `count` pairs of simulated letters of `least` to `most` letters, related and not; begins with default
 * options. Ends with batch_case_free. */
void batch_case_make(batch_case *all, int count, uint64_t seed, int64_t least, int64_t most);

/* What cla_align says of each pair, by the options, on the device. */
void batch_case_expect(batch_case *all, cla_device *device);

/* Runs cla_batch and compares each result with what is wanted. */
cla_status batch_case_run(batch_case *all, cla_device *const *devices, size_t device_count);

/* Forgets a run, so that another can be made. */
void batch_case_again(batch_case *all);

/* Every pair has one result, as it should be, and was given back once. */
void batch_case_expect_complete(const batch_case *all, bool in_order);

void batch_case_free(batch_case *all);

/* Two handles of the first device, and one of a CPU's first thread: three devices as far as a batch is
 * concerned. */
void batch_case_open_devices(cla_device *devices[3]);
void batch_case_close_devices(cla_device *devices[3]);

/* The first device, of a CPU two threads, which have few lanes, so that packs of a few dozen pairs pay;
 * *few_lanes is false of others. A GPU has thousands. */
cla_device *batch_case_open_for_packs(bool *few_lanes);

/* A cla_batch_options.work: counts the packs in an int. */
void batch_case_count_packed(const cla_batch_work *work, void *user);

#endif
