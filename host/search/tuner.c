/* The tuner's side of tuning: size classes, time limits, and the record. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "base/machine.h"
#include "search/search_internal.h"

#define LENGTH_LEAST 64
#define HANG_SECONDS 60
#define SCALE_LEAST 0.02
#define RATES_SECONDS 120 /* seconds that measuring the rates may take on a slow machine */

static const int64_t quick_lengths[] = {10000, 100000, 1000000};
static const int64_t all_lengths[] = {10000, 30000, 100000, 300000, 1000000, 3000000, 10000000};

static const search_effort efforts[] = {
    [CLA_TUNE_QUICK] = {.lengths = quick_lengths,
                        .length_count = sizeof quick_lengths / sizeof quick_lengths[0],
                        .limit_seconds = 120,
                        .class_seconds = 20,
                        .reach = 1,
                        .rounds = 1,
                        .try_seconds = 0.1,
                        .final_seconds = 0.4,
                        .finalists = 2,
                        .confirmations = 5,
                        .samples = 5,
                        .sample_seconds = 0.4,
                        .worth_searching = 1.5},
    [CLA_TUNE_NORMAL] = {.lengths = all_lengths,
                         .length_count = sizeof all_lengths / sizeof all_lengths[0],
                         .limit_seconds = 600,
                         .class_seconds = 40,
                         .reach = 2,
                         .rounds = 3,
                         .try_seconds = 0.1,
                         .final_seconds = 0.5,
                         .finalists = 3,
                         .confirmations = 7,
                         .samples = 7,
                         .sample_seconds = 0.5,
                         .worth_searching = 3},
    [CLA_TUNE_FULL] = {.lengths = all_lengths,
                       .length_count = sizeof all_lengths / sizeof all_lengths[0],
                       .limit_seconds = -1,
                       .class_seconds = 300,
                       .reach = CANDIDATES_MOST,
                       .rounds = 5,
                       .try_seconds = 0.3,
                       .final_seconds = 2,
                       .finalists = 5,
                       .confirmations = 9,
                       .samples = 9,
                       .sample_seconds = 2,
                       .every_variant = true,
                       .worth_searching = 4},
};

void cla_tune_options_init(cla_tune_options *options) {
  *options = (cla_tune_options){
      .effort = CLA_TUNE_NORMAL, .local = true, .global = true, .hang_seconds = HANG_SECONDS};
}

cla_status tune_options_check(const cla_tune_options *options, cla_error *error) {
  if (options->effort < CLA_TUNE_QUICK || options->effort > CLA_TUNE_FULL)
    return error_set(error, CLA_ERROR_OPTION, "effort %d does not exist; use quick, normal or full",
                     (int)options->effort);
  if (!options->local && !options->global)
    return error_set(error, CLA_ERROR_OPTION, "no mode to tune; choose local, global or both");
  if (!options->record_path || !options->ask)
    return error_set(error, CLA_ERROR_OPTION, "tuning needs record_path and ask");
  if (!(options->hang_seconds > 0))
    return error_set(error, CLA_ERROR_OPTION, "hang_seconds is %g; give more than 0", options->hang_seconds);
  if (options->length_count < 0 || options->length_count > CLA_TUNE_LENGTHS_LIMIT)
    return error_set(error, CLA_ERROR_OPTION, "%d size classes; give 1 to %d", options->length_count,
                     CLA_TUNE_LENGTHS_LIMIT);
  for (int i = 0; i < options->length_count; i++)
    if (options->lengths[i] < LENGTH_LEAST || options->lengths[i] > CLA_TUNE_LENGTH_LIMIT)
      return error_set(error, CLA_ERROR_OPTION, "a size class of %lld letters; give %d to %lld",
                       (long long)options->lengths[i], LENGTH_LEAST, (long long)CLA_TUNE_LENGTH_LIMIT);
  return CLA_OK;
}

/* Checks that the record can be written, before minutes are spent on tuning, and locks the record. */
static cla_status prepare_output(file_lock **lock, const char *path, cla_error *error) {
  atomic_file *file = NULL;
  char *lock_path = NULL;
  bool busy = false;
  const size_t size = strlen(path) + sizeof ".lock";
  struct stat state;
  cla_status status = folders_make(path, error);
  if (status == CLA_OK) status = atomic_file_open(&file, path, error);
  if (status != CLA_OK) return status;
  atomic_file_discard(file);
  if (stat(path, &state) == 0 && !S_ISREG(state.st_mode)) return CLA_OK; /* a pipe: nothing to protect */
  status = ALLOCATE_ARRAY(&lock_path, (int64_t)size, "a file name", error);
  if (status != CLA_OK) return status;
  snprintf(lock_path, size, "%s.lock", path);
  status = file_lock_take(lock, &busy, lock_path, error);
  if (status == CLA_OK && busy)
    status = error_set(error, CLA_ERROR_OUTPUT,
                       "another tuner is at work on %.1024s; wait for it to end or give another file", path);
  free(lock_path);
  return status;
}

/* Returns why a record does not apply to the present device and kernels; NULL if it does. */
static const char *staleness(const tuning_record *record, const tuning_record *now) {
  if (strcmp(record->platform, now->platform) != 0 || strcmp(record->device, now->device) != 0)
    return "the record is of another device; measuring anew";
  if (record->compute_units != now->compute_units)
    return "the record is for another number of compute units; measuring anew";
  if (strcmp(record->driver, now->driver) != 0) return "the record is of another driver; measuring anew";
  if (record->signature != now->signature) return "the record is of other kernels; measuring anew";
  return NULL;
}

/* True if the entry is for the kinds of scores and gaps that are being tuned. */
static bool is_for(const tuning_entry *entry, const tuned_scheme *scheme) {
  return entry->matrix == scheme->table.needs_lookup &&
         entry->two_pieces == (gap_pieces(&scheme->scoring) > 1);
}

/* Removes the entries for the kinds of scores and gaps that are being tuned. Other entries stay. */
static void remove_entries(tuning_record *record, const tuned_scheme *scheme) {
  int64_t kept = 0;
  for (int64_t i = 0; i < record->entry_count; i++)
    if (!is_for(&record->entries[i], scheme)) record->entries[kept++] = record->entries[i];
  record->entry_count = kept;
}

/* Reads the existing record if it is usable; otherwise makes an empty one. */
static cla_status read_record(tuning_record *out, search *s, cla_error *error) {
  const char *path = s->options->record_path;
  const bool restart = s->options->restart;
  struct stat state;
  tuning_record found = {0};
  tuning_record_head(out, s->device);
  if (stat(path, &state) != 0 || !S_ISREG(state.st_mode)) return CLA_OK;
  cla_status status = tuning_record_read(&found, path, restart ? NULL : error);
  if (status == CLA_ERROR_INPUT && restart) return CLA_OK; /* the unreadable file will be replaced */
  if (status != CLA_OK) return status;
  const char *stale = staleness(&found, out);
  if (restart) remove_entries(&found, &s->scheme);
  if (stale) {
    if (!restart) search_tell(s, NULL, NULL, stale);
    tuning_record_free(&found);
  } else {
    *out = found;
  }
  return CLA_OK;
}

static int shorter_first(const void *a, const void *b) {
  const class_task *x = a, *y = b;
  if (x->length != y->length) return x->length < y->length ? -1 : 1;
  return y->local - x->local;
}

static bool has_task(const tuning_record *record, const class_task *task, const tuned_scheme *scheme) {
  for (int64_t i = 0; i < record->entry_count; i++) {
    const tuning_entry *entry = &record->entries[i];
    if (entry->local == task->local && entry->length == task->length && is_for(entry, scheme)) return true;
  }
  return false;
}

/* Collects the tasks that the record does not cover. Small ones come first, because their rates determine how
 * large the problems of later tasks may be. */
static int collect_tasks(class_task tasks[2 * CLA_TUNE_LENGTHS_LIMIT], const search *s,
                         const tuning_record *record) {
  const cla_tune_options *options = s->options;
  const int64_t *lengths = options->length_count > 0 ? options->lengths : s->effort.lengths;
  const int lengths_count = options->length_count > 0 ? options->length_count : s->effort.length_count;
  int count = 0;
  for (int i = 0; i < lengths_count; i++)
    for (int local = 1; local >= 0; local--) {
      const class_task task = {.local = local, .length = lengths[i]};
      bool wanted = local ? options->local : options->global;
      for (int k = 0; k < i; k++) wanted = wanted && lengths[k] != lengths[i];
      if (wanted && has_task(record, &task, &s->scheme))
        s->summary->classes_kept++;
      else if (wanted)
        tasks[count++] = task;
    }
  qsort(tasks, (size_t)count, sizeof tasks[0], shorter_first);
  return count;
}

/* Tunes one size class and mode, and writes the record. */
static cla_status run_task(search *s, tuning_record *record, const class_task *task, cla_error *error) {
  class_result found;
  s->progress.mode = task->local ? "local" : "global";
  s->progress.length = task->length;
  s->progress.best_gcups = 0;
  cla_status status = class_search(&found, s, task, record, error);
  for (int i = 0; status == CLA_OK && i < found.count; i++)
    status = tuning_record_put(record, &found.entries[i], error);
  if (status == CLA_OK) status = tuning_record_write(s->options->record_path, record, error);
  if (status != CLA_OK) return status;
  s->summary->classes_done++;
  search_tell(s, NULL, found.text, NULL);
  return CLA_OK;
}

/* Shortens all measurements if there is less time than the effort assumes. So no config is left out. */
static search_effort effort_for(const search_effort *whole, double pace, double seconds) {
  const double part = seconds / whole->class_seconds;
  const double scale = (pace > 0 ? pace : 1) * (part > 1 ? 1 : part > SCALE_LEAST ? part : SCALE_LEAST);
  search_effort effort = *whole;
  effort.try_seconds *= scale;
  effort.final_seconds *= scale;
  effort.sample_seconds *= scale;
  return effort;
}

/* Runs all tasks. Each task gets an equal share of the remaining time, so later tasks get the time that
 * earlier ones did not need. */
static cla_status run_tasks(search *s, tuning_record *record, cla_error *error) {
  class_task tasks[2 * CLA_TUNE_LENGTHS_LIMIT];
  const int count = collect_tasks(tasks, s, record);
  cla_status status = CLA_OK;
  s->progress.count = count;
  for (int i = 0; status == CLA_OK && i < count; i++) {
    const double now = machine_seconds(), end = s->began_seconds + s->limit_seconds;
    if (s->limit_seconds > 0 && now >= end) {
      s->summary->classes_missing = count - i;
      break;
    }
    s->progress.number = i + 1;
    const double share = s->limit_seconds > 0 ? (end - now) / (count - i) : 1e9;
    s->effort = effort_for(&efforts[s->options->effort], s->options->pace, share);
    tasks[i].deadline_seconds = now + share;
    class_times_begin(&s->times, now, share, count - i);
    status = run_task(s, record, &tasks[i], error);
    class_times_end(&s->times, machine_seconds());
  }
  return status;
}

static bool parse_rates(tuning_rates *out, char *text) {
  char *begin = NULL;
  for (int i = 0; i < RATE_COUNT && begin != text; i++) out->of[i] = strtod(begin = text, &text);
  return begin != text;
}

/* Measures the rates of bands, windows and sweeps, unless the record contains them or the user has chosen
 * size classes. If that fails, the default rates are used, and a notice says so. */
static cla_status run_rates(search *s, tuning_record *record, cla_error *error) {
  const cla_tune_options *options = s->options;
  char answer[CLA_TUNE_LINE_SIZE] = "", text[CLA_TUNE_LINE_SIZE + 64];
  cla_tune_reply reply;
  tuning_rates rates;
  measurement found = {.message = "the worker did not answer or crashed"};
  if (options->length_count > 0 || (record->rates.of[RATE_BAND_CELL] > 0 && !options->restart)) return CLA_OK;
  s->progress.mode = "rates";
  s->progress.length = RATES_LENGTH;
  search_tell(s, "bands, windows and sweeps", NULL, NULL);
  cla_status status = options->ask(options->ask_user, &reply, answer, MEASUREMENT_RATES,
                                   RATES_SECONDS + options->hang_seconds, error);
  if (status != CLA_OK) return status;
  if (reply == CLA_TUNE_ANSWERED && measurement_parse(&found, answer) && parse_rates(&rates, found.message)) {
    record->rates = rates;
    search_tell(s, NULL, "of bands, windows and sweeps measured", NULL);
    return tuning_record_write(options->record_path, record, error);
  }
  snprintf(text, sizeof text, "rates are not measured, and the defaults hold: %s", found.message);
  search_tell(s, NULL, NULL, text);
  return CLA_OK;
}

cla_status cla_tune(cla_tune_summary *out, const cla_device_info *device, const cla_tune_options *options,
                    cla_error *error) {
  file_lock *lock = NULL;
  tuning_record record = {0};
  memset(out, 0, sizeof *out);
  cla_status status = tune_options_check(options, error);
  if (status != CLA_OK) return status;
  search s = {.options = options,
              .effort = efforts[options->effort],
              .device = device,
              .summary = out,
              .began_seconds = machine_seconds()};
  s.limit_seconds = options->time_limit_seconds != 0 ? options->time_limit_seconds : s.effort.limit_seconds;
  if (s.limit_seconds < 0) s.limit_seconds = 0;
  status = tuned_scheme_make(&s.scheme, options->scoring, error);
  if (status == CLA_OK) status = prepare_output(&lock, options->record_path, error);
  if (status == CLA_OK) status = read_record(&record, &s, error);
  if (status == CLA_OK) status = run_rates(&s, &record, error);
  if (status == CLA_OK) status = run_tasks(&s, &record, error);
  tuning_record_free(&record);
  search_free(&s);
  file_lock_release(lock);
  return status;
}
