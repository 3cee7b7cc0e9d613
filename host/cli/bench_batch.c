/* clalign bench --batch: the lengths of the sequences of a database, and what each schedule makes of them. */

#include "cli/bench_batch.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/simulate.h"
#include "clalign/version.h"
#include "cli/cli_interrupt.h"
#include "cli/cli_report.h"

/* Sequences of the nucleotide database NT by their letters (Aji 2008, table 4.2). Where in a class they are
 * is not said there: evenly on a logarithmic scale, and the last class to twice its begin. */
static const struct {
  double least, most, count;
} length_classes[] = {{200, 960, 553030},    {960, 1600, 2239588},  {1600, 2100, 1389550},
                      {2100, 3200, 1229649}, {3200, 30000, 782024}, {30000, 60000, 16553},
                      {60000, 120000, 77208}};

#define LENGTH_CLASSES (sizeof length_classes / sizeof length_classes[0])

/* The gain over first come, first served there; for printf. */
#define PAPER_GAIN "33.5 %% on the paper's Cell cluster"

typedef struct bench_pairs {
  cla_sequence **queries, **targets;
  int64_t count;
  double cells;
} bench_pairs;

/* Numbers in [0, 1) that are spread evenly however many there are: multiples of an irrational number. */
static double even_number(int64_t index, double step) {
  const double product = (double)(index + 1) * step;
  return product - floor(product);
}

/* The letters of pair `index`. */
static int64_t pair_letters(int64_t index) {
  double all = 0, place = even_number(index, 0.6180339887498949);
  for (size_t i = 0; i < LENGTH_CLASSES; i++) all += length_classes[i].count;
  place *= all;
  size_t at = 0;
  while (at + 1 < LENGTH_CLASSES && place >= length_classes[at].count) place -= length_classes[at++].count;
  const double share = place / length_classes[at].count;
  return (int64_t)(length_classes[at].least * pow(length_classes[at].most / length_classes[at].least, share));
}

static cla_status make_pair(bench_pairs *pairs, int64_t index, bool related, bool protein, cla_error *error) {
  const cla_alphabet alphabet = protein ? CLA_ALPHABET_PROTEIN : CLA_ALPHABET_DNA;
  cla_simulate_options options;
  char *query = NULL, *target = NULL, name[32];
  int64_t query_letters = 0, target_letters = 0;
  cla_simulate_options_init(&options);
  options.seed = BENCH_SEED + (uint64_t)index;
  options.length = pair_letters(index);
  options.unrelated = !related;
  options.protein = protein;
  snprintf(name, sizeof name, "%" PRId64, index + 1);
  cla_status status = cla_simulate(&query, &query_letters, &target, &target_letters, &options, error);
  if (status == CLA_OK)
    status = cla_sequence_from_letters_as(&pairs->queries[index], name, query, query_letters, alphabet, NULL,
                                          error);
  if (status == CLA_OK)
    status = cla_sequence_from_letters_as(&pairs->targets[index], name, target, target_letters, alphabet,
                                          NULL, error);
  pairs->cells += (double)query_letters * (double)target_letters;
  free(query);
  free(target);
  return status;
}

static cla_status make_pairs(bench_pairs *pairs, const bench_settings *settings, int64_t count,
                             cla_error *error) {
  pairs->count = count;
  pairs->queries = calloc((size_t)count, sizeof *pairs->queries);
  pairs->targets = calloc((size_t)count, sizeof *pairs->targets);
  if (!pairs->queries || !pairs->targets)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for %" PRId64 " pairs; give --batch fewer",
                     count);
  cla_status status = CLA_OK;
  for (int64_t i = 0; status == CLA_OK && i < count; i++) {
    status = make_pair(pairs, i, settings->relations[0], settings->protein, error);
    if (status == CLA_OK && interrupt_requested())
      status = cli_error(error, CLA_ERROR_INTERRUPTED, "interrupted");
  }
  return status;
}

static void free_pairs(bench_pairs *pairs) {
  for (int64_t i = 0; pairs->queries && i < pairs->count; i++) cla_sequence_free(pairs->queries[i]);
  for (int64_t i = 0; pairs->targets && i < pairs->count; i++) cla_sequence_free(pairs->targets[i]);
  free(pairs->queries);
  free(pairs->targets);
}

/* One run of a schedule. */
typedef struct batch_run {
  const bench_pairs *pairs;
  int64_t next;
  int64_t score_sum;
  double predicted, work;
  bench_timeline *timeline; /* NULL: not wanted */
  cla_status status;        /* what else failed */
  cla_error *error;
} batch_run;

static bool next_pair(cla_batch_pair *pair, cla_status *status, cla_error *error, void *user) {
  batch_run *run = user;
  (void)status, (void)error;
  if (run->next == run->pairs->count) return false;
  pair->query = run->pairs->queries[run->next];
  pair->target = run->pairs->targets[run->next++];
  return true;
}

static bool take(const cla_batch_result *result, void *user) {
  batch_run *run = user;
  if (result->count > 0) run->score_sum += result->alignments[0]->score;
  return true;
}

static bool go_on(const cla_batch_progress *progress, void *user) {
  const batch_run *run = user;
  (void)progress;
  return run->status == CLA_OK && !interrupt_requested();
}

static void hear(const cla_batch_work *work, void *user) {
  batch_run *run = user;
  run->predicted += work->predicted_seconds / work->parts;
  run->work += (work->end - work->begin) / work->parts;
  if (run->timeline && run->status == CLA_OK)
    run->status = bench_timeline_add(run->timeline, work, run->error);
}

static cla_status run_once(bench_schedule *one, batch_run *run, const bench_settings *settings,
                           cla_device *device, cla_error *error) {
  const cla_batch_source source = {.next = next_pair, .user = run};
  const cla_tuning *const tunings[] = {settings->tuning};
  cla_batch_options options;
  cla_batch_progress done;
  cla_batch_options_init(&options);
  options.align.mode = settings->modes[0];
  options.align.scoring = settings->scoring;
  options.align.score_only = !settings->full;
  options.tunings = tunings;
  options.schedule = one->schedule;
  options.fail_fast = true;
  options.progress = go_on;
  options.progress_user = run;
  options.work = hear;
  options.work_user = run;
  cla_status status = cla_batch(&done, &device, 1, &source, take, run, &options, error);
  if (run->status != CLA_OK) return run->status;
  if (status != CLA_OK) return status;
  bench_samples_add(&one->seconds, done.seconds);
  bench_samples_add(&one->predicted, run->predicted);
  bench_samples_add(&one->work, run->work);
  one->score_sum = run->score_sum;
  return CLA_OK;
}

/* Before anything is measured, kernels are built: some pairs by each schedule. */
static cla_status warm_up(const bench_settings *settings, const bench_schedule *schedules,
                          const bench_pairs *pairs, cla_device *device, cla_error *error) {
  bench_pairs some = *pairs;
  if (some.count > 100) some.count = 100;
  for (int i = 0; i < BENCH_SCHEDULES; i++) {
    bench_schedule one = schedules[i];
    batch_run run = {.pairs = &some, .error = error};
    cla_status status = run_once(&one, &run, settings, device, error);
    if (status != CLA_OK) return status;
  }
  return CLA_OK;
}

static double gain_percent(const bench_schedule *one, const bench_schedule *first) {
  return (bench_median(&first->seconds) / bench_median(&one->seconds) - 1) * 100;
}

static double error_percent(const bench_schedule *one) {
  return (bench_median(&one->predicted) / bench_median(&one->work) - 1) * 100;
}

static void print_table(const bench_settings *settings, const cla_device_info *device,
                        const bench_pairs *pairs, const bench_schedule *schedules) {
  printf("device   %s\n", device->name);
  printf("driver   %s, %s; %d compute units\n", device->platform, device->driver, device->compute_units);
  printf("pairs    %" PRId64 " of %s %s, %.4g cells; %s, %s; lengths as in NT (Aji 2008, table 4.2)\n",
         pairs->count, settings->relations[0] ? "related" : "unrelated",
         settings->protein ? "proteins" : "sequences", pairs->cells, cla_mode_name(settings->modes[0]),
         settings->full ? "alignments" : "scores");
  printf("\n%-8s  %11s  %8s  %7s  %8s  %9s  %7s  %8s\n", "schedule", "predicted s", "work s", "error",
         "all s", "pairs/s", "GCUPS", "gain");
  for (int i = 0; i < BENCH_SCHEDULES; i++) {
    const bench_schedule *one = &schedules[i];
    const double seconds = bench_median(&one->seconds);
    printf("%-8s  %11.3f  %8.3f  %+6.1f%%  %8.3f  %9.1f  %7.2f  %+7.1f%%\n", one->name,
           bench_median(&one->predicted), bench_median(&one->work), error_percent(one), seconds,
           (double)pairs->count / seconds, pairs->cells / seconds / 1e9, gain_percent(one, &schedules[0]));
  }
  printf("\ngain: on fcfs; that of TOSS was " PAPER_GAIN ".\n");
}

static cla_status print_json(const bench_settings *settings, const cla_device_info *device,
                             const bench_pairs *pairs, const bench_schedule *one, const bench_schedule *first,
                             cla_error *error) {
  const double seconds = bench_median(&one->seconds);
  json_t *object =
      json_pack("{ss ss si ss sI sf sb ss sb sf sf sf sf sf sf si}", "version", cla_version(), "device",
                device->name, "compute_units", device->compute_units, "schedule", one->name, "pairs",
                (json_int_t)pairs->count, "cells", pairs->cells, "related", settings->relations[0], "mode",
                cla_mode_name(settings->modes[0]), "full", settings->full, "predicted_seconds",
                bench_median(&one->predicted), "work_seconds", bench_median(&one->work), "seconds", seconds,
                "pairs_per_second", (double)pairs->count / seconds, "gcups", pairs->cells / seconds / 1e9,
                "gain_percent", gain_percent(one, first), "runs", one->seconds.count);
  if (!object) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a JSON object; free some memory");
  json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(object);
  return CLA_OK;
}

/* All schedules in turns, so that what else the machine does meets them all. */
static cla_status measure(bench_schedule *schedules, bench_timeline *timeline, const bench_settings *settings,
                          const bench_pairs *pairs, cla_device *device, cla_error *error) {
  cla_status status = warm_up(settings, schedules, pairs, device, error);
  for (int r = 0; r < settings->runs; r++)
    for (int i = 0; i < BENCH_SCHEDULES && status == CLA_OK; i++) {
      bench_schedule *one = &schedules[i];
      const bool plotted = timeline && one->schedule == CLA_SCHEDULE_MODEL;
      batch_run run = {.pairs = pairs, .error = error, .timeline = plotted ? timeline : NULL};
      if (plotted) timeline->count = 0;
      if (!settings->quiet) fprintf(stderr, "clalign: run %d of %d, %s\n", r + 1, settings->runs, one->name);
      status = run_once(one, &run, settings, device, error);
      if (status == CLA_OK && one->score_sum != schedules[0].score_sum)
        status = cli_error(error, CLA_ERROR_VERIFICATION,
                           "the scores with schedule %s are others than those with %s; please report it",
                           one->name, schedules[0].name);
    }
  return status;
}

cla_status bench_batch_run(const bench_settings *settings, cla_device *device, int64_t pair_count,
                           const char *timeline_file, cla_error *error) {
  const cla_device_info *info = cla_device_describe(device);
  bench_schedule schedules[BENCH_SCHEDULES] = {{.name = "fcfs", .schedule = CLA_SCHEDULE_FCFS},
                                               {.name = "static", .schedule = CLA_SCHEDULE_STATIC},
                                               {.name = "toss", .schedule = CLA_SCHEDULE_TOSS},
                                               {.name = "model", .schedule = CLA_SCHEDULE_MODEL}};
  bench_timeline timeline = {0};
  bench_pairs pairs = {0};
  cla_status status = make_pairs(&pairs, settings, pair_count, error);
  if (status == CLA_OK)
    status = measure(schedules, timeline_file ? &timeline : NULL, settings, &pairs, device, error);
  if (status == CLA_OK && !settings->json) print_table(settings, info, &pairs, schedules);
  for (int i = 0; settings->json && i < BENCH_SCHEDULES && status == CLA_OK; i++)
    status = print_json(settings, info, &pairs, &schedules[i], &schedules[0], error);
  if (status == CLA_OK) status = cli_flush_stdout(error);
  if (status == CLA_OK && timeline_file)
    status = bench_timeline_write(&timeline, timeline_file, info->name, error);
  free(timeline.works);
  free_pairs(&pairs);
  return status;
}
