/* clalign bench --batch: pairs with lengths as in a database, on one or several devices. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/simulate.h"
#include "cli/bench/bench.h"
#include "cli/report/report.h"

/* Numbers of sequences in the nucleotide database NT by length class (Aji 2008, table 4.2). Within a class,
 * where the table gives no lengths, we spread them evenly on a logarithmic scale. The last class ends at
 * twice its start. */
static const struct {
  double least, most, count;
} length_classes[] = {{200, 960, 553030},    {960, 1600, 2239588},  {1600, 2100, 1389550},
                      {2100, 3200, 1229649}, {3200, 30000, 782024}, {30000, 60000, 16553},
                      {60000, 120000, 77208}};

#define LENGTH_CLASSES (sizeof length_classes / sizeof length_classes[0])

/* Returns number `index` of a sequence in [0, 1) that is evenly spread for any count: multiples of an
 * irrational number, modulo 1. */
static double even_number(int64_t index, double step) {
  const double product = (double)(index + 1) * step;
  return product - floor(product);
}

/* Returns the number of letters of each sequence of pair `index`. */
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
    status =
        cla_sequence_from_letters_with(&pairs->queries[index], name, query, query_letters,
                                       &(cla_sequence_options){.known = true, .alphabet = alphabet}, error);
  if (status == CLA_OK)
    status =
        cla_sequence_from_letters_with(&pairs->targets[index], name, target, target_letters,
                                       &(cla_sequence_options){.known = true, .alphabet = alphabet}, error);
  pairs->cells += (double)query_letters * (double)target_letters;
  free(query);
  free(target);
  return status;
}

/* Makes `count` pairs; the caller calls bench_pairs_free, also after an error. CLA_ERROR_MEMORY,
 * CLA_ERROR_INTERRUPTED. */
static cla_status bench_pairs_make(bench_pairs *pairs, const bench_settings *settings, int64_t count,
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

/* Frees the pairs; `pairs` may be zeroed. */
static void bench_pairs_free(bench_pairs *pairs) {
  for (int64_t i = 0; pairs->queries && i < pairs->count; i++) cla_sequence_free(pairs->queries[i]);
  for (int64_t i = 0; pairs->targets && i < pairs->count; i++) cla_sequence_free(pairs->targets[i]);
  free(pairs->queries);
  free(pairs->targets);
}

/* One run over all pairs. */
typedef struct batch_run {
  const bench_pairs *pairs;
  int64_t next;
  double *seconds, *cells; /* for each device: seconds of work, and cells computed */
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
  (void)result;
  (void)user;
  return true;
}

static bool go_on(const cla_batch_progress *progress, void *user) {
  (void)progress, (void)user;
  return !interrupt_requested();
}

static void hear(const cla_batch_work *work, void *user) {
  batch_run *run = user;
  run->seconds[work->device] += (work->end - work->begin) / work->parts;
  run->cells[work->device] += work->cells;
}

static void take_run(bench_batch *found, const batch_run *run, size_t device_count, double seconds) {
  bench_samples_add(&found->seconds, seconds);
  for (size_t i = 0; i < device_count; i++) {
    bench_samples_add(&found->devices[i].seconds, run->seconds[i]);
    bench_samples_add(&found->devices[i].share, run->cells[i] / run->pairs->cells);
  }
}

/* Aligns all pairs once. Adds the results to `found`, unless it is NULL. */
static cla_status run_once(bench_batch *found, batch_run *run, const bench_settings *settings,
                           const cli_devices *devices, cla_error *error) {
  const cla_batch_source source = {.next = next_pair, .user = run};
  cla_batch_options options;
  cla_batch_progress done;
  cla_batch_options_init(&options);
  options.align.mode = settings->modes[0];
  options.align.scoring = settings->scoring;
  options.align.score_only = !settings->full;
  options.tunings = (const cla_tuning *const *)devices->tunings;
  options.fail_fast = true;
  options.sink = take;
  options.sink_user = run;
  options.progress = go_on;
  options.work = hear;
  options.work_user = run;
  memset(run->seconds, 0, 2 * devices->count * sizeof *run->seconds);
  const double before = bench_energy_joules(settings->energy);
  cla_status status = cla_batch(&done, devices->items, devices->count, &source, &options, error);
  const double after = bench_energy_joules(settings->energy);
  if (status == CLA_OK && found) take_run(found, run, devices->count, done.seconds);
  if (status == CLA_OK && found && before >= 0 && after >= 0 &&
      done.seconds >= settings->energy->seconds_least)
    bench_samples_add(&found->joules, after - before);
  return status;
}

static cla_status no_memory(cla_error *error) {
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for what devices did; free some memory");
}

/* Builds the kernels by aligning some of the pairs, and then measures. */
static cla_status measure(bench_batch *found, const bench_settings *settings, const bench_pairs *pairs,
                          const cli_devices *devices, cla_error *error) {
  bench_pairs some = *pairs;
  double *work = calloc(2 * devices->count, sizeof *work);
  if (!work) return no_memory(error);
  if (some.count > 100) some.count = 100;
  batch_run first = {.pairs = &some, .seconds = work, .cells = work + devices->count};
  cla_status status = run_once(NULL, &first, settings, devices, error);
  for (int r = 0; r < settings->runs && status == CLA_OK; r++) {
    batch_run run = {.pairs = pairs, .seconds = work, .cells = work + devices->count};
    if (!settings->quiet) fprintf(stderr, "clalign: run %d of %d\n", r + 1, settings->runs);
    status = run_once(found, &run, settings, devices, error);
  }
  free(work);
  return status;
}

cla_status bench_batch_run(const bench_settings *settings, const cli_devices *devices, int64_t pair_count,
                           cla_error *error) {
  bench_batch found = {.devices = calloc(devices->count, sizeof *found.devices)};
  bench_pairs pairs = {0};
  cla_status status = found.devices ? CLA_OK : no_memory(error);
  if (status == CLA_OK) status = bench_pairs_make(&pairs, settings, pair_count, error);
  if (status == CLA_OK) status = measure(&found, settings, &pairs, devices, error);
  if (status == CLA_OK && !settings->json) bench_batch_table(settings, devices, &pairs, &found);
  if (status == CLA_OK && settings->json) status = bench_batch_json(settings, devices, &pairs, &found, error);
  if (status == CLA_OK) status = cli_flush_stdout(error);
  free(found.devices);
  bench_pairs_free(&pairs);
  return status;
}
