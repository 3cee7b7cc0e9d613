#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "search/search_internal.h"

#define HOPELESS 2      /* number of hangs and crashes after which a variant is no longer tried */
#define SECONDS_LEAST 1 /* lower limit of the seconds left if work takes longer than planned */

void class_times_begin(class_times *times, double now, double share, int left) {
  times->began = now;
  times->share = share;
  times->left = left;
}

void class_times_end(class_times *times, double now) {
  const double seconds = now - times->began;
  times->used = fmax(times->used, seconds / times->share);
  times->least = seconds > times->share ? seconds : 0;
  times->left--;
}

/* Each class gets an equal share of the time that remains after the earlier classes. If classes use only a
 * part of their shares, the estimate is below the limit. If they take longer, the last class ends late or
 * gets no time. */
double class_times_left(const class_times *times, double now) {
  const double so_far = now - times->began;
  const double part = times->used > 0 && times->used < 1 ? times->used : 1;
  double unused = times->share * times->left, seconds = 0;
  for (int classes = times->left; classes > 0 && unused > 0; classes--) {
    const double own = classes == times->left ? so_far : 0; /* time of the present class */
    const double one = fmax(fmax(part * unused / classes, times->least), own);
    seconds += one;
    unused -= one;
  }
  return fmax(seconds - so_far, SECONDS_LEAST);
}

int search_variant_index(const kernel_variant *variant) {
  int index = 0;
  while (kernel_variants[index] != variant) index++;
  return index;
}

bool search_gives_up(const search *s, const kernel_variant *variant) {
  return s->hopeless[search_variant_index(variant)] >= HOPELESS;
}

void search_tell(search *s, const char *activity, const char *finished, const char *notice) {
  if (!s->options->progress) return;
  s->progress.activity = activity ? activity : "";
  s->progress.finished = finished;
  s->progress.notice = notice;
  s->progress.seconds = machine_seconds() - s->began_seconds;
  s->progress.limit_seconds = s->limit_seconds;
  s->progress.seconds_left = s->limit_seconds > 0 ? class_times_left(&s->times, machine_seconds()) : -1;
  s->options->progress(&s->progress, s->options->progress_user);
}

void search_free(search *s) {
  free(s->known);
  free(s->results);
  s->known = NULL;
  s->results = NULL;
}

static search_known *find_known(search *s, const measurement_request *request) {
  for (int64_t i = 0; i < s->known_count; i++)
    if (s->known[i].local == request->local && kernel_same_config(&s->known[i].config, &request->config))
      return &s->known[i];
  return NULL;
}

static int64_t *counter_of(cla_tune_summary *summary, measurement_outcome outcome) {
  switch (outcome) {
    case MEASUREMENT_DONE: return &summary->measured;
    case MEASUREMENT_BUILD_FAILED: return &summary->build_failed;
    case MEASUREMENT_WRONG: return &summary->wrong;
    case MEASUREMENT_HUNG: return &summary->hung;
    case MEASUREMENT_CRASHED: return &summary->crashed;
    case MEASUREMENT_REFUSED:
    case MEASUREMENT_BAD_REQUEST: break;
  }
  return &summary->refused;
}

/* Records the outcome of a config, or changes an earlier outcome: a config that has worked may still fail on
 * a larger problem. */
static cla_status remember(search *s, const measurement_request *request, measurement_outcome outcome,
                           cla_error *error) {
  search_known *known = find_known(s, request);
  if (known) {
    --*counter_of(s->summary, known->outcome);
  } else {
    const cla_status status =
        ALLOCATE_GROW(&s->known, &s->known_capacity, s->known_count + 1, "the candidates", error);
    if (status != CLA_OK) return status;
    known = &s->known[s->known_count++];
    *known = (search_known){.local = request->local, .config = request->config};
  }
  known->outcome = outcome;
  ++*counter_of(s->summary, outcome);
  return CLA_OK;
}

/* Compares the result with that of the first config on the same problem. The first result is stored. */
static cla_status compare_result(bool *same, search *s, const measurement_request *request, uint64_t result,
                                 cla_error *error) {
  *same = true;
  for (int64_t i = 0; i < s->result_count; i++) {
    const search_result *seen = &s->results[i];
    if (seen->local == request->local && seen->length == request->length && seen->rows == request->rows &&
        seen->columns == request->columns) {
      *same = seen->result == result;
      return CLA_OK;
    }
  }
  const cla_status status =
      ALLOCATE_GROW(&s->results, &s->result_capacity, s->result_count + 1, "the results", error);
  if (status != CLA_OK) return status;
  s->results[s->result_count++] = (search_result){.local = request->local,
                                                  .length = request->length,
                                                  .rows = request->rows,
                                                  .columns = request->columns,
                                                  .result = result};
  return CLA_OK;
}

/* Returns the maximum number of seconds to wait for the answer: hang_seconds, which include building, plus 8
 * times the expected time of the sweeps. */
static double limit_of(const search *s, const measurement_request *request) {
  const double rate = s->rate[request->local][search_variant_index(request->config.variant)];
  const double sweep = rate > 0 ? (double)request->rows * (double)request->columns / rate : 0;
  return s->options->hang_seconds + 8 * (sweep * request->repeats + request->seconds);
}

static cla_status ask(measurement *out, search *s, const measurement_request *request, cla_error *error) {
  char line[MEASUREMENT_LINE_SIZE], answer[CLA_TUNE_LINE_SIZE] = "";
  cla_tune_reply reply = CLA_TUNE_ANSWERED;
  measurement_print_request(line, request);
  const cla_status status =
      s->options->ask(s->options->ask_user, &reply, answer, line, limit_of(s, request), error);
  if (status != CLA_OK) return status;
  *out = (measurement){.outcome = reply == CLA_TUNE_HUNG ? MEASUREMENT_HUNG : MEASUREMENT_CRASHED};
  if (reply == CLA_TUNE_ANSWERED && !measurement_parse(out, answer))
    return error_set(error, CLA_ERROR_DEVICE, "the tuning worker answered '%.200s'; this is a bug", answer);
  if (out->outcome == MEASUREMENT_BAD_REQUEST)
    return error_set(error, CLA_ERROR_DEVICE, "the tuning worker did not understand: %s; this is a bug",
                     out->message);
  return CLA_OK;
}

static bool no_answer(const measurement *found) {
  return found->outcome == MEASUREMENT_HUNG || found->outcome == MEASUREMENT_CRASHED;
}

cla_status search_measure(measurement *out, search *s, const measurement_request *request, cla_error *error) {
  char text[CANDIDATE_TEXT_SIZE];
  const search_known *known = find_known(s, request);
  const int index = search_variant_index(request->config.variant);
  *out = (measurement){.outcome = MEASUREMENT_REFUSED};
  if (known && known->outcome != MEASUREMENT_DONE) {
    out->outcome = known->outcome;
    return CLA_OK;
  }
  if (!known && search_gives_up(s, request->config.variant)) return CLA_OK;
  search_tell(s, candidate_text(text, &request->config), NULL, NULL);
  cla_status status = ask(out, s, request, error);
  /* A config that has worked before is tried again, because the machine may have been at fault. */
  if (status == CLA_OK && known && no_answer(out)) status = ask(out, s, request, error);
  if (status == CLA_OK && out->outcome == MEASUREMENT_DONE) {
    bool same = true;
    status = compare_result(&same, s, request, out->result, error);
    if (!same) out->outcome = MEASUREMENT_WRONG;
  }
  if (status == CLA_OK) status = remember(s, request, out->outcome, error);
  if (status != CLA_OK) return status;
  if (no_answer(out)) s->hopeless[index]++;
  if (out->outcome != MEASUREMENT_DONE) return CLA_OK;
  const double rate = (double)request->rows * (double)request->columns / out->seconds;
  s->rate[request->local][index] = rate;
  if (rate / 1e9 > s->progress.best_gcups) s->progress.best_gcups = rate / 1e9;
  return CLA_OK;
}
