#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clalign/simulate.h"
#include "cli/bench/bench.h"
#include "cli/report/report.h"

/* A case of clalign bench: a simulated pair in one mode, aligned with every kernel. Kernels run in turn, so
 * that other work of the machine slows all of them. */

#define LABEL_SIZE 128

void bench_samples_add(bench_samples *samples, double seconds) {
  if (samples->count < BENCH_RUNS_LIMIT) samples->seconds[samples->count++] = seconds;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(const bench_samples *samples) {
  const int count = samples->count;
  if (count == 0) return 0;
  double sorted[BENCH_RUNS_LIMIT];
  memcpy(sorted, samples->seconds, (size_t)count * sizeof *sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, by_size);
  return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

double bench_least(const bench_samples *samples) {
  double least = samples->count > 0 ? samples->seconds[0] : 0;
  for (int i = 1; i < samples->count; i++)
    if (samples->seconds[i] < least) least = samples->seconds[i];
  return least;
}

/* The rate in 10^9 cells per second; 0 if the time was too short to measure. */
static double bench_rate(double cells, double seconds) {
  return seconds > 0 ? cells / seconds / 1e9 : 0;
}

/* The letters of a pair, and the sequences made from them. */
typedef struct bench_pair {
  char *query_letters, *target_letters;
  cla_sequence *query, *target;
} bench_pair;

/* User data of the progress callback. */
typedef struct labelled_bar {
  progress_bar bar;
  char label[LABEL_SIZE];
} labelled_bar;

/* Shows the case's label instead of the stage's name. */
static bool show_progress(const cla_progress *progress, void *user) {
  labelled_bar *labelled = user;
  cla_progress shown = *progress;
  shown.stage = labelled->label;
  return progress_bar_update(&shown, &labelled->bar);
}

static void pair_free(bench_pair *pair) {
  free(pair->query_letters);
  free(pair->target_letters);
  cla_sequence_free(pair->query);
  cla_sequence_free(pair->target);
}

static cla_status sequence_make(cla_sequence **out, const char *name, const char *letters, int64_t length,
                                bool protein, cla_error *error) {
  const cla_alphabet alphabet = protein ? CLA_ALPHABET_PROTEIN : CLA_ALPHABET_DNA;
  return cla_sequence_from_letters_with(out, name, letters, length,
                                        &(cla_sequence_options){.known = true, .alphabet = alphabet}, error);
}

/* Makes a pair and cuts both sequences to exactly the wanted lengths. They are made somewhat longer, because
 * a related sequence may lose letters by deletions. */
static cla_status pair_make(bench_pair *pair, const bench_size *size, bool related, bool protein,
                            cla_error *error) {
  cla_simulate_options options;
  cla_simulate_options_init(&options);
  const int64_t longer = size->query > size->target ? size->query : size->target;
  options.seed = BENCH_SEED;
  options.length = longer + longer / 20 + 1000;
  options.unrelated = !related;
  options.protein = protein;
  int64_t query_length = 0, target_length = 0;
  cla_status status = cla_simulate(&pair->query_letters, &query_length, &pair->target_letters, &target_length,
                                   &options, error);
  if (status != CLA_OK) return status;
  if (target_length < size->target)
    return cli_error(error, CLA_ERROR_INPUT, "the simulated target has %" PRId64 " letters of %" PRId64,
                     target_length, size->target);
  pair->query_letters[size->query] = '\0';
  pair->target_letters[size->target] = '\0';
  status = sequence_make(&pair->query, "query", pair->query_letters, size->query, protein, error);
  if (status != CLA_OK) return status;
  return sequence_make(&pair->target, "target", pair->target_letters, size->target, protein, error);
}

static void options_for(cla_align_options *options, const bench_settings *settings, const bench_case *what,
                        const char *kernel, bool full, labelled_bar *labelled) {
  cla_align_options_init(options);
  options->mode = what->mode;
  options->scoring = settings->scoring;
  options->score_only = !full;
  options->kernel.name = strcmp(kernel, "default") == 0 ? NULL : kernel;
  options->kernel.settings = settings->set.text[0] ? settings->set.text : NULL;
  options->tuning = settings->tuning;
  options->callbacks.progress = show_progress;
  options->callbacks.progress_user = labelled;
}

/* Aligns the pair once, and sets the metrics and the score of that run. */
static cla_status run_once(cla_metrics *metrics, int64_t *score, cla_device *device, const bench_pair *pair,
                           const cla_align_options *options, cla_error *error) {
  labelled_bar *labelled = options->callbacks.progress_user;
  cla_alignment *alignment = NULL;
  if (interrupt_requested()) return cli_error(error, CLA_ERROR_INTERRUPTED, "interrupted");
  progress_bar_restart(&labelled->bar);
  cla_status status = cla_align(&alignment, device, pair->query, pair->target, options, error);
  progress_bar_clear(&labelled->bar);
  if (status != CLA_OK) return status;
  *metrics = alignment->metrics;
  *score = alignment->score;
  cla_alignment_free(alignment);
  return CLA_OK;
}

/* Checks that the run's score equals that of the case's other runs. */
static cla_status check_score(const bench_case *what, const bench_row *row, int64_t score, cla_error *error) {
  const bench_row *first = &what->rows[0];
  if (score == first->score) return CLA_OK;
  return cli_error(error, CLA_ERROR_VERIFICATION,
                   "kernel %s gives score %" PRId64 " where %s gave %" PRId64
                   "; one of them computes wrongly on this device, please report it",
                   row->asked, score, first->asked, first->score);
}

/* What all runs of a case share. */
typedef struct bench_place {
  const bench_settings *settings;
  cla_device *device;
  const bench_pair *pair;
  labelled_bar *labelled;
} bench_place;

/* The time and energy of one call, or of several in a row. */
typedef struct energy_run {
  double seconds, joules; /* at the start, then what has passed since; joules < 0: not known */
} energy_run;

static double now_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void energy_run_begin(energy_run *run, const bench_energy *energy) {
  *run = (energy_run){.seconds = now_seconds(), .joules = bench_energy_joules(energy)};
}

static void energy_run_end(energy_run *run, const bench_energy *energy) {
  const double joules = bench_energy_joules(energy);
  run->joules = joules < 0 || run->joules < 0 ? -1 : joules - run->joules;
  run->seconds = now_seconds() - run->seconds;
}

/* Adds the energy of one of `calls` calls, if they took long enough for the counters. */
static void add_energy(bench_row *row, const energy_run *run, int64_t calls, const bench_energy *energy) {
  if (run->joules >= 0 && run->seconds >= energy->seconds_least)
    bench_samples_add(&row->joules, run->joules / (double)calls);
}

/* Repeats short calls until their energy can be measured. By then their kernels are built. */
static cla_status measure_energy(bench_row *row, const bench_case *what, const bench_place *at,
                                 cla_error *error) {
  const bench_energy *energy = at->settings->energy;
  cla_align_options options;
  cla_metrics metrics;
  energy_run run;
  int64_t score = 0, calls = 0;
  cla_status status = CLA_OK;
  if (energy->count == 0 || row->joules.count > 0) return CLA_OK;
  options_for(&options, at->settings, what, row->asked, at->settings->full, at->labelled);
  snprintf(at->labelled->label, LABEL_SIZE, "energy of %s", row->asked);
  energy_run_begin(&run, energy);
  for (const double end = run.seconds + energy->seconds_least;
       status == CLA_OK && (calls == 0 || now_seconds() < end); calls++)
    status = run_once(&metrics, &score, at->device, at->pair, &options, error);
  energy_run_end(&run, energy);
  if (status == CLA_OK) status = check_score(what, row, score, error);
  if (status == CLA_OK) add_energy(row, &run, calls, energy);
  return status;
}

static cla_status measure_row(bench_row *row, const bench_case *what, const bench_place *at,
                              cla_error *error) {
  cla_align_options options;
  cla_metrics metrics;
  int64_t score = 0;
  energy_run energy;
  options_for(&options, at->settings, what, row->asked, false, at->labelled);
  energy_run_begin(&energy, at->settings->energy);
  cla_status status = run_once(&row->metrics, &score, at->device, at->pair, &options, error);
  if (status != CLA_OK) return status;
  if (row == what->rows && row->sweep.count == 0) row->score = score;
  status = check_score(what, row, score, error);
  row->score = score;
  bench_samples_add(&row->sweep, row->metrics.sweep_seconds);
  metrics = row->metrics;
  if (status == CLA_OK && at->settings->full) {
    options_for(&options, at->settings, what, row->asked, true, at->labelled);
    energy_run_begin(&energy, at->settings->energy);
    status = run_once(&metrics, &score, at->device, at->pair, &options, error);
    if (status == CLA_OK) status = check_score(what, row, score, error);
  }
  energy_run_end(&energy, at->settings->energy);
  if (metrics.build_seconds == 0) add_energy(row, &energy, 1, at->settings->energy);
  bench_samples_add(&row->whole, metrics.seconds);
  bench_samples_add(&row->whole_sweep, metrics.sweep_seconds);
  return status;
}

/* Runs every kernel once. */
static cla_status measure_round(bench_case *what, const bench_place *at, const char *label, int run,
                                cla_error *error) {
  labelled_bar *labelled = at->labelled;
  const bench_settings *settings = at->settings;
  for (int i = 0; i < what->row_count; i++) {
    snprintf(labelled->label, LABEL_SIZE, "%s %s run %d/%d", label, what->rows[i].asked, run + 1,
             (int)settings->runs);
    cla_status status = measure_row(&what->rows[i], what, at, error);
    if (status != CLA_OK) return status;
  }
  return CLA_OK;
}

cla_status bench_case_measure(bench_case *out, const bench_settings *settings, cla_device *device,
                              const char *label, cla_error *error) {
  bench_pair pair = {0};
  labelled_bar labelled = {0};
  const bench_place at = {settings, device, &pair, &labelled};
  progress_bar_init(&labelled.bar, settings->quiet);
  snprintf(labelled.label, sizeof labelled.label, "%s", label);
  out->row_count = settings->kernel_count;
  for (int i = 0; i < out->row_count; i++) out->rows[i] = (bench_row){.asked = settings->kernels[i]};
  cla_status status = pair_make(&pair, &out->size, out->related, settings->protein, error);
  for (int run = 0; run < settings->runs && status == CLA_OK; run++)
    status = measure_round(out, &at, label, run, error);
  for (int i = 0; i < out->row_count && status == CLA_OK; i++)
    status = measure_energy(&out->rows[i], out, &at, error);
  progress_bar_clear(&labelled.bar);
  pair_free(&pair);
  return status;
}

double bench_raw_gcups(const bench_row *row) {
  return bench_rate((double)row->metrics.cells_computed, bench_median(&row->sweep));
}

double bench_gcups(const bench_row *row) {
  return bench_rate((double)row->metrics.cells, bench_median(&row->whole));
}

double bench_gcups_per_watt(const bench_row *row) {
  return bench_rate((double)row->metrics.cells, bench_median(&row->joules));
}
