/* Tries kernels for reports: all of them on a small pair, and the one in force at several lengths. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "search/search_internal.h"
#include "tuning/lookup.h"

#define TRIAL_LETTERS 1000 /* length at which every kernel is tried */
#define TRIAL_SECONDS 0.05 /* seconds for which sweeps of that length are repeated */
#define RATE_SECONDS 0.5   /* seconds for which sweeps are repeated to measure rates, times the pace */
#define LONGEST_SECONDS 20 /* a sweep that would take longer is left out */

static const int64_t usual_lengths[] = {10000, 100000, 1000000, 4000000};

const char *cla_trial_word(cla_trial_outcome outcome) {
  static const char *const words[] = {"passed", "not-for", "build-failed", "refused",
                                      "wrong",  "hung",    "crashed",      "left-out"};
  return words[outcome];
}

static cla_trial_outcome outcome_of(measurement_outcome outcome) {
  switch (outcome) {
    case MEASUREMENT_DONE: return CLA_TRIAL_PASSED;
    case MEASUREMENT_BUILD_FAILED: return CLA_TRIAL_BUILD_FAILED;
    case MEASUREMENT_WRONG: return CLA_TRIAL_WRONG;
    case MEASUREMENT_HUNG: return CLA_TRIAL_HUNG;
    case MEASUREMENT_CRASHED: return CLA_TRIAL_CRASHED;
    case MEASUREMENT_REFUSED:
    case MEASUREMENT_BAD_REQUEST: break;
  }
  return CLA_TRIAL_REFUSED;
}

/* The trials so far. */
typedef struct trial_list {
  search *s;
  cla_tuning *tuning; /* the record of the options; NULL: none */
  cla_trial *items;
  int64_t count, capacity;
} trial_list;

/* Asks the worker for a measurement, and sets the trial's outcome. */
static cla_status measure(cla_trial *trial, search *s, const measurement_request *request, cla_error *error) {
  char line[MEASUREMENT_LINE_SIZE], answer[CLA_TUNE_LINE_SIZE] = "", config[CANDIDATE_TEXT_SIZE];
  cla_tune_reply reply = CLA_TUNE_ANSWERED;
  measurement found = {.outcome = MEASUREMENT_CRASHED};
  measurement_print_request(line, request);
  snprintf(trial->config, sizeof trial->config, "%s", candidate_text(config, &request->config));
  search_tell(s, trial->config, NULL, NULL);
  cla_status status = s->options->ask(s->options->ask_user, &reply, answer, line,
                                      s->options->hang_seconds + 8 * LONGEST_SECONDS, error);
  if (status != CLA_OK) return status;
  if (reply == CLA_TUNE_HUNG) found.outcome = MEASUREMENT_HUNG;
  if (reply == CLA_TUNE_ANSWERED && !measurement_parse(&found, answer)) {
    found.outcome = MEASUREMENT_BAD_REQUEST;
    snprintf(found.message, sizeof found.message, "the worker answered '%.200s'; this is a bug", answer);
  }
  trial->outcome = outcome_of(found.outcome);
  if (trial->outcome == CLA_TRIAL_PASSED)
    trial->gcups = (double)request->rows * (double)request->columns / found.seconds / 1e9;
  else
    snprintf(trial->message, sizeof trial->message, "%s", found.message);
  return CLA_OK;
}

/* Adds a trial of a variant, or of the kernel in force if `variant` is NULL. `rate`: 10^9 cells per second at
 * a smaller length; 0: not known. */
static cla_status add_trial(trial_list *list, const kernel_variant *variant, const class_task *task,
                            double rate, cla_error *error) {
  search *s = list->s;
  const double pace = s->options->pace > 0 ? s->options->pace : 1;
  const double seconds = variant ? TRIAL_SECONDS : RATE_SECONDS * pace;
  cla_error why = {.message = ""};
  const path_scheme scheme = {.scoring = &s->scheme.scoring,
                              .table = &s->scheme.table,
                              .ends = path_ends_make(task->local ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL, 0)};
  const candidate_space space = {
      .device = s->device, .scheme = scheme, .length = task->length, .tuning = list->tuning};
  measurement_request request = {.local = task->local,
                                 .length = task->length,
                                 .rows = task->length,
                                 .columns = task->length,
                                 .repeats = 1,
                                 .seconds = seconds};
  cla_trial trial = {.kernel = variant ? variant->name : "",
                     .mode = task->local ? "local" : "global",
                     .length = task->length,
                     .outcome = CLA_TRIAL_NOT_FOR};
  cla_status status = ALLOCATE_GROW(&list->items, &list->capacity, list->count + 1, "the trials", error);
  if (status != CLA_OK) return status;
  s->progress.number++;
  const double expected = rate > 0 ? (double)task->length * (double)task->length / rate / 1e9 : 0;
  if (candidate_default(&request.config, &space, variant, &why) != CLA_OK) {
    snprintf(trial.message, sizeof trial.message, "%.500s", why.message);
  } else if (variant && variant->for_cpus && s->device->kind != CLA_DEVICE_CPU) {
    snprintf(trial.message, sizeof trial.message, "made for CPUs");
  } else if (expected > LONGEST_SECONDS) {
    trial.kernel = request.config.variant->name;
    trial.outcome = CLA_TRIAL_LEFT_OUT;
    snprintf(trial.message, sizeof trial.message, "would take about %.0f s", expected);
  } else {
    trial.kernel = request.config.variant->name;
    s->progress.mode = trial.mode;
    s->progress.length = trial.length;
    status = measure(&trial, s, &request, error);
  }
  if (status == CLA_OK) list->items[list->count++] = trial;
  return status;
}

static cla_status try_kernels(trial_list *list, cla_error *error) {
  cla_status status = CLA_OK;
  list->s->progress.count = 2 * kernel_variant_count;
  for (int i = 0; i < kernel_variant_count; i++)
    for (int local = 1; local >= 0 && status == CLA_OK; local--) {
      const class_task task = {.local = local, .length = TRIAL_LETTERS};
      status = add_trial(list, kernel_variants[i], &task, 0, error);
    }
  return status;
}

static cla_status try_rates(trial_list *list, cla_error *error) {
  const cla_tune_options *options = list->s->options;
  const bool given = options->length_count > 0;
  const int count = given ? options->length_count : (int)(sizeof usual_lengths / sizeof usual_lengths[0]);
  const bool wanted[2] = {options->global, options->local};
  double rate[2] = {0, 0};
  cla_status status = CLA_OK;
  list->s->progress.count = count * (wanted[0] + wanted[1]);
  for (int i = 0; i < count; i++)
    for (int local = 1; local >= 0 && status == CLA_OK; local--) {
      if (!wanted[local]) continue;
      const class_task task = {.local = local, .length = given ? options->lengths[i] : usual_lengths[i]};
      status = add_trial(list, NULL, &task, rate[local], error);
      if (status == CLA_OK && list->items[list->count - 1].gcups > 0)
        rate[local] = list->items[list->count - 1].gcups;
    }
  return status;
}

cla_status cla_tune_try(cla_trial **out, size_t *count, cla_trial_kind kind, const cla_device_info *device,
                        const cla_tune_options *options, cla_error *error) {
  cla_tune_summary summary = {0};
  tuning_source source = {.path = "", .user = true};
  cla_tuning tuning = {.sources = &source, .source_count = 1};
  search s = {.options = options, .device = device, .summary = &summary};
  trial_list list = {.s = &s};
  cla_status status = tune_options_check(options, error);
  if (status == CLA_OK) status = tuned_scheme_make(&s.scheme, options->scoring, error);
  if (kind == CLA_TRIAL_RATES && options->record_path &&
      tuning_record_read(&source.record, options->record_path, NULL) == CLA_OK)
    list.tuning = &tuning;
  if (status == CLA_OK && kind == CLA_TRIAL_KERNELS) status = try_kernels(&list, error);
  if (status == CLA_OK && kind == CLA_TRIAL_RATES) status = try_rates(&list, error);
  tuning_record_free(&source.record);
  search_free(&s);
  *out = list.items;
  *count = (size_t)list.count;
  return status;
}
