#ifndef HOST_CLI_BENCH_BENCH_BATCH_H
#define HOST_CLI_BENCH_BENCH_BATCH_H

#include "clalign/batch.h"
#include "cli/bench/bench_pairs.h"
#include "cli/options/devices_option.h"

/* clalign bench --batch: many pairs of natural lengths, by every schedule in turns. */

#define BENCH_SCHEDULES 4

/* What pieces of work took of a device, each with its share of it, and what the model said of them when they
 * were given out. */
typedef struct bench_work {
  double predicted_seconds, seconds;
  double off_seconds; /* by how much predictions were off, piece by piece */
  double cells;
  int64_t pairs, pieces;
} bench_work;

/* The same of each run. */
typedef struct bench_work_samples {
  bench_samples predicted, work;
  bench_samples off;   /* what predictions were off, as a part of the work */
  bench_samples share; /* of the cells of all devices */
} bench_work_samples;

/* One schedule. */
typedef struct bench_schedule {
  const char *name;
  cla_schedule schedule;
  bench_samples seconds;       /* of each run */
  bench_work_samples all;      /* of all devices */
  bench_work_samples *devices; /* of each; owned */
  int64_t score_sum;
} bench_schedule;

/* Work of the last run of the schedule that is plotted. */
typedef struct bench_timeline {
  cla_batch_work *works; /* owned */
  size_t count, capacity;
} bench_timeline;

/* Makes `pairs` pairs, measures all schedules and prints the table, or objects. `timeline`, unless NULL, is a
 * file that shows what the default schedule did when (SVG). */
cla_status bench_batch_run(const bench_settings *settings, const cli_devices *devices, int64_t pairs,
                           const char *timeline, cla_error *error);

/* bench_batch_print.c: all schedules in a table; one of them as an object, `first` is what gains are on. */
void bench_batch_table(const bench_settings *settings, const cli_devices *devices, const bench_pairs *pairs,
                       const bench_schedule *schedules);
cla_status bench_batch_json(const bench_settings *settings, const cli_devices *devices,
                            const bench_pairs *pairs, const bench_schedule *one, const bench_schedule *first,
                            cla_error *error);

/* bench_timeline.c */
cla_status bench_timeline_add(bench_timeline *timeline, const cla_batch_work *work, cla_error *error);
cla_status bench_timeline_write(const bench_timeline *timeline, const char *file, const cli_devices *devices,
                                cla_error *error);

#endif
