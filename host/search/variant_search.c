#include <stdlib.h>

#include "base/machine.h"
#include "search/search_internal.h"

#define STRIPS_PER_UNIT 8  /* minimum number of a slab's strips for each compute unit */
#define COLUMNS_LEAST 4096 /* minimum number of columns, if a problem's rows and columns are both reduced */
#define OVERRUN 4          /* columns are cut if a slab takes more than this multiple of the wanted time */
#define FIRST_CELLS 4194304.0 /* cells of a variant's first problem */
#define CLEARLY 0.99          /* a walk steps to a config only if its time is below this fraction */
#define SEEN_MOST 256         /* largest number of configs in one walk */
#define NEVER 1e300           /* used as the seconds of a config that does not work */

static int64_t at_most(double value, int64_t most) {
  return value < (double)most ? (value >= 1 ? (int64_t)value : 1) : most;
}

/* Returns the minimum number of rows of a problem. If the variant's time grows in rounds of strips, all rows
 * are needed. */
static int64_t least_rows(const class_scope *scope, const kernel_config *config) {
  if (config->variant->cost) return scope->space.length;
  const int64_t rows =
      STRIPS_PER_UNIT * (int64_t)scope->space.device->compute_units * kernel_strip_rows(config);
  return rows < scope->space.length ? rows : scope->space.length;
}

static measurement_request sized(const class_scope *scope, const kernel_config *config, double cells) {
  const int64_t length = scope->space.length;
  const int64_t columns_least = COLUMNS_LEAST < length ? COLUMNS_LEAST : length;
  measurement_request request = {.local = scope->space.scheme.ends.floor,
                                 .length = length,
                                 .rows = at_most(cells / (double)length, length),
                                 .columns = length,
                                 .repeats = 2,
                                 .config = *config};
  const int64_t least = least_rows(scope, config);
  if (request.rows < least) request.rows = least;
  const double overrun = config->variant->cost ? 1 : OVERRUN;
  if ((double)request.rows * (double)length > overrun * cells) {
    request.columns = at_most(overrun * cells / (double)request.rows, length);
    if (request.columns < columns_least) request.columns = columns_least;
  }
  return request;
}

measurement_request scope_request(const class_scope *scope, const kernel_config *config, double seconds) {
  const double rate = scope->s->rate[scope->space.scheme.ends.floor][search_variant_index(config->variant)];
  return sized(scope, config, rate * seconds);
}

cla_status scope_calibrate(bool *works, const class_scope *scope, const kernel_config *config,
                           double try_seconds, cla_error *error) {
  const double rate = scope->s->rate[scope->space.scheme.ends.floor][search_variant_index(config->variant)];
  const double wanted = rate * try_seconds / 2;
  double cells = wanted > FIRST_CELLS ? wanted : FIRST_CELLS;
  cla_status status = CLA_OK;
  *works = true;
  for (bool enough = false; status == CLA_OK && *works && !enough;) {
    measurement found;
    measurement_request request = sized(scope, config, cells);
    request.repeats = 1;
    status = search_measure(&found, scope->s, &request, error);
    if (status == CLA_OK) *works = found.outcome == MEASUREMENT_DONE;
    enough = found.seconds > try_seconds / 4 ||
             (request.rows == scope->space.length && request.columns == scope->space.length);
    cells *= 4;
  }
  return status;
}

/* A config that the walk has seen, and its time on the walk's problem. */
typedef struct seen_config {
  kernel_config config;
  double seconds; /* NEVER: the config does not work */
} seen_config;

typedef struct walk {
  const class_scope *scope;
  measurement_request problem; /* problem of the walk; its config is set before each measurement */
  seen_config seen[SEEN_MOST];
  int count;
} walk;

/* Sets *seconds to the config's time, which is measured if the config is new. `again`: measures once more and
 * keeps the shorter time. */
static cla_status look(double *seconds, walk *w, const kernel_config *config, bool again, cla_error *error) {
  seen_config *entry = NULL;
  measurement found;
  *seconds = NEVER;
  for (int i = 0; i < w->count; i++)
    if (kernel_same_config(&w->seen[i].config, config)) entry = &w->seen[i];
  if (entry) *seconds = entry->seconds;
  if (entry && !(again && entry->seconds < NEVER)) return CLA_OK;
  if (!entry && w->count == SEEN_MOST) return CLA_OK;
  if (!entry) {
    entry = &w->seen[w->count++];
    *entry = (seen_config){.config = *config, .seconds = NEVER};
  }
  w->problem.config = *config;
  const cla_status status = search_measure(&found, w->scope->s, &w->problem, error);
  if (status != CLA_OK) return status;
  if (found.outcome != MEASUREMENT_DONE)
    entry->seconds = NEVER;
  else if (found.seconds < entry->seconds)
    entry->seconds = found.seconds;
  *seconds = entry->seconds;
  return CLA_OK;
}

static bool time_is_up(const walk *w) {
  return machine_seconds() > w->scope->deadline_seconds;
}

/* Steps to the best config along one axis, if it is still clearly faster when both configs are measured once
 * more. */
static cla_status step_along(seen_config *best, bool *moved, walk *w, candidate_axis axis, cla_error *error) {
  kernel_config configs[CANDIDATES_MOST];
  const int count =
      candidates_along(configs, &w->scope->space, &best->config, axis, w->scope->s->effort.reach);
  seen_config top = *best;
  cla_status status = CLA_OK;
  for (int i = 0; status == CLA_OK && i < count && !time_is_up(w); i++) {
    double seconds = NEVER;
    status = look(&seconds, w, &configs[i], false, error);
    if (seconds < top.seconds) top = (seen_config){.config = configs[i], .seconds = seconds};
  }
  if (status != CLA_OK || !(top.seconds < best->seconds * CLEARLY)) return status;
  status = look(&top.seconds, w, &top.config, true, error);
  if (status == CLA_OK) status = look(&best->seconds, w, &best->config, true, error);
  if (status == CLA_OK && top.seconds < best->seconds * CLEARLY) {
    *best = top;
    *moved = true;
  }
  return status;
}

static cla_status walk_from(seen_config best, walk *w, cla_error *error) {
  cla_status status = CLA_OK;
  bool moved = true;
  for (int round = 0; moved && round < w->scope->s->effort.rounds; round++) {
    moved = false;
    for (int axis = 0; status == CLA_OK && axis < CANDIDATE_AXES && !time_is_up(w); axis++)
      status = step_along(&best, &moved, w, (candidate_axis)axis, error);
  }
  return status;
}

static int by_seconds(const void *a, const void *b) {
  const double x = ((const seen_config *)a)->seconds, y = ((const seen_config *)b)->seconds;
  return (x > y) - (x < y);
}

/* Measures the walk's best configs and the start on a larger part of the problem, and chooses the fastest.
 * *rate: cells per second of the chosen config on that part. */
static cla_status choose_finalist(kernel_config *out, double *rate, walk *w, const kernel_config *start,
                                  cla_error *error) {
  const search_effort *effort = &w->scope->s->effort;
  seen_config finalists[SEEN_MOST];
  int count = 0;
  double shortest = NEVER;
  cla_status status = CLA_OK;
  qsort(w->seen, (size_t)w->count, sizeof w->seen[0], by_seconds);
  for (int i = 0; i < w->count && w->seen[i].seconds < NEVER; i++) {
    const bool is_start = kernel_same_config(&w->seen[i].config, start);
    if (i < effort->finalists || is_start) finalists[count++] = w->seen[i];
  }
  w->problem = scope_request(w->scope, &w->seen[0].config, effort->final_seconds);
  w->problem.seconds = effort->final_seconds;
  w->count = 0;
  *out = finalists[0].config;
  for (int i = 0; status == CLA_OK && i < count; i++) {
    double seconds = NEVER;
    status = look(&seconds, w, &finalists[i].config, false, error);
    if (seconds < shortest) *out = finalists[i].config;
    if (seconds < shortest) shortest = seconds;
  }
  *rate = shortest < NEVER ? (double)w->problem.rows * (double)w->problem.columns / shortest : 0;
  return status;
}

cla_status variant_search(kernel_config *out, double *rate, const class_scope *scope,
                          const kernel_config *starts, int start_count, cla_error *error) {
  const search_effort *effort = &scope->s->effort;
  walk w = {.scope = scope, .problem = scope_request(scope, &starts[0], effort->try_seconds)};
  seen_config best = {.seconds = NEVER};
  cla_status status = CLA_OK;
  w.problem.seconds = effort->try_seconds;
  for (int i = 0; status == CLA_OK && i < start_count; i++) {
    double seconds = NEVER;
    status = look(&seconds, &w, &starts[i], false, error);
    if (seconds < best.seconds) best = (seen_config){.config = starts[i], .seconds = seconds};
  }
  *rate = 0;
  if (status != CLA_OK || !(best.seconds < NEVER)) return status;
  status = walk_from(best, &w, error);
  return status == CLA_OK ? choose_finalist(out, rate, &w, &starts[0], error) : status;
}
