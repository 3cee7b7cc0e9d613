#ifndef HOST_CLI_BENCH_BATCH_H
#define HOST_CLI_BENCH_BATCH_H

#include "clalign/batch.h"
#include "cli/bench.h"

/* clalign bench --batch: many pairs of natural lengths, by every schedule in turns. */

#define BENCH_SCHEDULES 4

/* One schedule. */
typedef struct bench_schedule {
  const char *name;
  cla_schedule schedule;
  bench_samples seconds; /* of each run */
  bench_samples work;    /* of each run, without what the device was idle: each piece counts with its share */
  bench_samples predicted; /* the same by what the model said when it was given out */
  int64_t score_sum;
} bench_schedule;

/* Work of the last run of the schedule that is plotted. */
typedef struct bench_timeline {
  cla_batch_work *works; /* owned */
  size_t count, capacity;
} bench_timeline;

/* Makes `pairs` pairs, measures all schedules and prints the table, or objects. `timeline`, unless NULL, is a
 * file that shows what the default schedule did when (SVG). */
cla_status bench_batch_run(const bench_settings *settings, cla_device *device, int64_t pairs,
                           const char *timeline, cla_error *error);

/* bench_timeline.c */
cla_status bench_timeline_add(bench_timeline *timeline, const cla_batch_work *work, cla_error *error);
cla_status bench_timeline_write(const bench_timeline *timeline, const char *file, const char *device,
                                cla_error *error);

#endif
