/* The worker's side of tuning: reads a request and answers it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "clalign/simulate.h"
#include "clalign/tuner.h"
#include "region/wavefront.h"
#include "search/candidate_check.h"
#include "search/measurement.h"
#include "seq/sequence.h"

#define SEED 20112
#define CHECKED_CONFIGS 256 /* number of remembered configs; a new one replaces the oldest */
#define REPEATS_MOST 1000

_Static_assert(CLA_TUNE_LINE_SIZE == MEASUREMENT_LINE_SIZE, "one size of line");

/* A config and mode that were checked, and the result of the check. */
typedef struct checked_config {
  char text[MEASUREMENT_LINE_SIZE];
  measurement answer;
} checked_config;

struct cla_tune_worker {
  cla_device *device;
  tuned_scheme scheme;
  candidate_check *check;
  checked_config checked[CHECKED_CONFIGS];
  int checked_count, checked_next;
  int64_t length; /* length of the loaded pair; 0: none */
  cla_sequence *query, *target;
  wavefront *engine;
  int64_t *bottom;
};

cla_status cla_tune_worker_create(cla_tune_worker **out, cla_device *device, const cla_scoring *scoring,
                                  cla_error *error) {
  cla_tune_worker *worker = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&worker, 1, "a tuning worker", error);
  if (status != CLA_OK) return status;
  worker->device = device;
  status = tuned_scheme_make(&worker->scheme, scoring, error);
  if (status == CLA_OK) status = candidate_check_create(&worker->check, &worker->scheme, error);
  if (status == CLA_OK)
    *out = worker;
  else
    cla_tune_worker_free(worker);
  return status;
}

static void unload_pair(cla_tune_worker *worker) {
  wavefront_free(worker->engine);
  cla_sequence_free(worker->query);
  cla_sequence_free(worker->target);
  free(worker->bottom);
  worker->engine = NULL;
  worker->query = worker->target = NULL;
  worker->bottom = NULL;
  worker->length = 0;
}

void cla_tune_worker_free(cla_tune_worker *worker) {
  if (!worker) return;
  unload_pair(worker);
  candidate_check_free(worker->check);
  free(worker);
}

/* Loads the pair on which all configs are measured. Its sequences are related, like most pairs that users
 * align. In addition, a score that increases along the whole pair is the slowest case for the search for
 * the best cell. */
static cla_status load_pair(cla_tune_worker *worker, int64_t length, cla_error *error) {
  if (worker->length == length) return CLA_OK;
  char *first = NULL, *second = NULL;
  int64_t first_length = 0, second_length = 0;
  cla_simulate_options pair;
  cla_simulate_options_init(&pair);
  const cla_alphabet alphabet = worker->scheme.letters->kind;
  pair.seed = SEED;
  pair.protein = alphabet == CLA_ALPHABET_PROTEIN;
  pair.length =
      length + length / 32 + 64; /* longer than `length`, because indels may shorten the second sequence */
  unload_pair(worker);
  cla_status status = cla_simulate(&first, &first_length, &second, &second_length, &pair, error);
  if (status == CLA_OK && (first_length < length || second_length < length))
    status = error_set(error, CLA_ERROR_INPUT, "the simulated pair is shorter than %lld", (long long)length);
  if (status == CLA_OK)
    status =
        cla_sequence_from_letters_with(&worker->query, "query", first, length,
                                       &(cla_sequence_options){.known = true, .alphabet = alphabet}, error);
  if (status == CLA_OK)
    status =
        cla_sequence_from_letters_with(&worker->target, "target", second, length,
                                       &(cla_sequence_options){.known = true, .alphabet = alphabet}, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&worker->bottom, length + 1, "the last row", error);
  if (status != CLA_OK) goto done;
  const pair_problem problem = {
      .query = sequence_codes(worker->query),
      .target = sequence_codes(worker->target),
      .rows = length,
      .columns = length,
      .scheme = {.scoring = &worker->scheme.scoring, .table = &worker->scheme.table}};
  status = wavefront_create(&worker->engine, worker->device, &problem, 0, error);

done:
  free(first);
  free(second);
  if (status == CLA_OK)
    worker->length = length;
  else
    unload_pair(worker);
  return status;
}

/* Returns a hash of a sweep's result: the best cell of a local sweep, or the last row of a global sweep. */
static uint64_t hash_result(const region_result *result, const int64_t *bottom, int64_t columns, bool local) {
  const int64_t best[3] = {local ? result->best_score : 0, local ? result->best_row : 0,
                           local ? result->best_column : 0};
  const uint64_t rows = local ? 0 : XXH3_64bits(bottom, (size_t)(columns + 1) * sizeof *bottom);
  return XXH3_64bits_withSeed(best, sizeof best, rows);
}

/* Repeats the sweep and keeps the shortest time, because other work of the machine only adds time. */
static cla_status time_sweeps(measurement *answer, cla_tune_worker *worker,
                              const measurement_request *request, cla_error *error) {
  const bool local = request->local;
  const border_rule zero = {0}, border = local ? zero : border_of_gap(&worker->scheme.scoring, 0);
  const region whole = {.rows = request->rows,
                        .columns = request->columns,
                        .floor = local,
                        .best = local ? BEST_ANYWHERE : BEST_NONE,
                        .depths = 1,
                        .left = border,
                        .top = border,
                        .bottom = local ? NULL : worker->bottom};
  double all = 0;
  for (int i = 0; i < request->repeats || (all < request->seconds && i < REPEATS_MOST); i++) {
    region_result result;
    const double began = machine_seconds();
    const cla_status status = wavefront_solve(&result, worker->engine, &whole, &request->config, error);
    const double seconds = machine_seconds() - began;
    if (status != CLA_OK) return status;
    const uint64_t hash = hash_result(&result, worker->bottom, request->columns, local);
    if (i > 0 && hash != answer->result)
      return error_set(error, CLA_ERROR_VERIFICATION, "two sweeps over the same pair differ");
    answer->result = hash;
    if (i == 0 || seconds < answer->seconds) answer->seconds = seconds;
    all += seconds;
  }
  return CLA_OK;
}

/* Builds the program in a separate step, to distinguish a compiler's refusal from the device's. */
static cla_status build_program(cla_tune_worker *worker, const measurement_request *request,
                                cla_error *error) {
  char file[64], options[256];
  cl_program program = NULL;
  const tuned_scheme *scheme = &worker->scheme;
  const kernel_build build = {.local = request->local,
                              .best = request->local ? BEST_ANYWHERE : BEST_NONE,
                              .matrix = scheme->table.needs_lookup,
                              .gaps = kernel_gaps_of(&scheme->scoring),
                              .scoring = &scheme->scoring,
                              .table = &scheme->table,
                              .segment = kernel_segment(&request->config, &scheme->scoring, &scheme->table)};
  snprintf(file, sizeof file, "%s.cl", request->config.variant->name);
  kernel_options(options, sizeof options, &request->config, &worker->device->info, build);
  return device_build(&program, worker->device, file, options, error);
}

static void fail(measurement *answer, measurement_outcome outcome, const cla_error *error) {
  answer->outcome = outcome;
  snprintf(answer->message, sizeof answer->message, "%.1535s", error->message);
}

static measurement_outcome outcome_of(cla_status status) {
  return status == CLA_ERROR_VERIFICATION ? MEASUREMENT_WRONG : MEASUREMENT_REFUSED;
}

/* Builds and checks a config, or uses the earlier result if the config was checked before. */
static void check_config(measurement *answer, cla_tune_worker *worker, const measurement_request *request) {
  measurement_request bare = {
      .local = request->local, .rows = 1, .columns = 1, .repeats = 1, .config = request->config};
  char text[MEASUREMENT_LINE_SIZE];
  cla_error error = {0};
  measurement_print_request(text, &bare);
  for (int i = 0; i < worker->checked_count; i++)
    if (strcmp(worker->checked[i].text, text) == 0) {
      *answer = worker->checked[i].answer;
      return;
    }
  *answer = (measurement){.outcome = MEASUREMENT_DONE};
  cla_status status = build_program(worker, request, &error);
  if (status != CLA_OK) {
    fail(answer, MEASUREMENT_BUILD_FAILED, &error);
  } else {
    status = candidate_check_run(worker->check, worker->device, &request->config, request->local, &error);
    if (status != CLA_OK) fail(answer, outcome_of(status), &error);
  }
  checked_config *entry = &worker->checked[worker->checked_next];
  worker->checked_next = (worker->checked_next + 1) % CHECKED_CONFIGS;
  if (worker->checked_count < CHECKED_CONFIGS) worker->checked_count++;
  memcpy(entry->text, text, sizeof entry->text);
  entry->answer = *answer;
}

void cla_tune_worker_answer(cla_tune_worker *worker, char answer[CLA_TUNE_LINE_SIZE], const char *request) {
  measurement_request wanted;
  measurement found = {.outcome = MEASUREMENT_BAD_REQUEST};
  cla_error error = {0};
  if (strcmp(request, MEASUREMENT_RATES) == 0) {
    if (rates_measure(&found, worker->device, &error) != CLA_OK) fail(&found, MEASUREMENT_REFUSED, &error);
  } else if (!measurement_parse_request(&wanted, request) || wanted.rows > wanted.length ||
             wanted.columns > wanted.length || wanted.length > CLA_TUNE_LENGTH_LIMIT) {
    snprintf(found.message, sizeof found.message, "not a request: %.200s", request);
  } else {
    check_config(&found, worker, &wanted);
    if (found.outcome == MEASUREMENT_DONE) {
      cla_status status = load_pair(worker, wanted.length, &error);
      if (status == CLA_OK) status = time_sweeps(&found, worker, &wanted, &error);
      if (status != CLA_OK) fail(&found, outcome_of(status), &error);
    }
  }
  measurement_print(answer, CLA_TUNE_LINE_SIZE, &found);
}
