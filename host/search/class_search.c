#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "search/search_internal.h"

#define WALK_SHARE 0.6 /* fraction of a class's time for walks; finalists get the rest */
#define CLEARLY 0.985  /* a winner must take less than this fraction of the default's time */
#define CONFIRMATIONS_MOST 16
#define CONFIRMATIONS_LEAST 3 /* minimum number of confirmations, even if the time is up */
#define SAMPLE_TURNS 3

/* The shapes of the time model's samples: rows as a fraction of the rows that the time allows, and columns
 * as a fraction of the class's length. Each coefficient needs samples in which its term has different
 * weights. The first shapes are the most important. */
static const struct {
  double rows, columns;
} sample_shapes[] = {{1, 1},       {0.5, 1},  {1, 0.5},     {0.5, 0.5}, {0.25, 1},
                     {0.75, 0.75}, {1, 0.25}, {0.25, 0.25}, {0.75, 0.5}};
#define SAMPLE_SHAPES ((int)(sizeof sample_shapes / sizeof sample_shapes[0]))

/* The results of a variant in this class. */
typedef struct class_variant {
  kernel_config best; /* the best config found */
  double rate;        /* cells per second with `best` */
  tuning_entry entry;
  double model_error; /* largest relative error of the samples */
} class_variant;

typedef struct class_work {
  class_scope scope;
  double end_seconds;  /* time at which the class's share ends */
  kernel_config plain; /* the config that is used without tuning */
  class_variant variants[SEARCH_VARIANTS_MOST];
  int count;
} class_work;

static double *rate_of(const class_work *w, const kernel_variant *variant) {
  return &w->scope.s->rate[w->scope.space.scheme.ends.floor][search_variant_index(variant)];
}

/* True if one of the faster variants so far takes every scheme that `slow` takes. No look-up can then
 * choose `slow`. */
static bool is_needless(const class_work *w, const kernel_variant *slow, double rate) {
  for (int i = 0; i < w->count; i++) {
    const kernel_variant *other = w->variants[i].best.variant;
    const bool takes_all =
        other->takes.matrix >= slow->takes.matrix && other->value_limit >= slow->value_limit &&
        (other->score_bits == 0 || (slow->score_bits && other->score_bits >= slow->score_bits));
    if (takes_all && w->variants[i].rate > w->scope.s->effort.worth_searching * rate) return true;
  }
  return false;
}

/* Collects the configs from which the variant's search starts: first its default, then legal configs of
 * earlier classes. */
static int collect_starts(kernel_config starts[VARIANT_STARTS_MOST], const class_work *w,
                          const kernel_config *start, const tuning_record *earlier) {
  int count = 0;
  starts[count++] = *start;
  /* Classes are tuned in ascending order and written one by one, so the last entries of the record are the
   * nearest in size. */
  for (int64_t i = earlier->entry_count; i-- > 0 && count < 4;) {
    const kernel_config *config = &earlier->entries[i].config;
    bool fresh = config->variant == start->variant && candidate_legal(&w->scope.space, config);
    for (int k = 0; k < count; k++) fresh = fresh && !kernel_same_config(&starts[k], config);
    if (fresh) starts[count++] = *config;
  }
  return count;
}

/* Finds the variant's default config or, if it does not work, a config near it that works. */
static cla_status find_start(kernel_config *out, bool *works, const class_work *w,
                             const kernel_variant *variant, cla_error *error) {
  const search *s = w->scope.s;
  kernel_config plain;
  *works = false;
  if (search_gives_up(s, variant) || candidate_default(&plain, &w->scope.space, variant, NULL) != CLA_OK)
    return CLA_OK;
  *out = plain;
  cla_status status = scope_calibrate(works, &w->scope, out, s->effort.try_seconds, error);
  for (int axis = 0; axis < CANDIDATE_AXES; axis++) {
    kernel_config near[CANDIDATES_MOST];
    const int count = candidates_along(near, &w->scope.space, &plain, (candidate_axis)axis, s->effort.reach);
    for (int i = 0; i < count && status == CLA_OK && !*works && !search_gives_up(s, variant); i++) {
      *out = near[i];
      status = scope_calibrate(works, &w->scope, out, s->effort.try_seconds, error);
    }
  }
  return status;
}

/* Searches one variant and adds it if it works and some scheme needs it. */
static cla_status add_variant(class_work *w, const kernel_variant *variant, const tuning_record *earlier,
                              cla_error *error) {
  const search *s = w->scope.s;
  class_variant found = {0};
  bool works = false;
  cla_status status = find_start(&found.best, &works, w, variant, error);
  found.rate = *rate_of(w, variant);
  if (status != CLA_OK || !works || is_needless(w, variant, found.rate)) return status;
  double fastest = 0;
  for (int i = 0; i < w->count; i++)
    if (w->variants[i].rate > fastest) fastest = w->variants[i].rate;
  if (found.rate * s->effort.worth_searching >= fastest) {
    kernel_config starts[VARIANT_STARTS_MOST];
    const int count = collect_starts(starts, w, &found.best, earlier);
    status = variant_search(&found.best, &found.rate, &w->scope, starts, count, error);
    if (status != CLA_OK || found.rate <= 0) return status;
    *rate_of(w, variant) = found.rate;
  }
  w->variants[w->count++] = found;
  return CLA_OK;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Measures winner and default alternately, so that other work of the machine slows both. *better: the
 * winner is clearly faster, by its median as well as by its best time. *gain: ratio of the medians.
 * *plain_rate: cells per second of the default. */
static cla_status confirm(bool *better, double *gain, double *plain_rate, const class_work *w,
                          const kernel_config *winner, cla_error *error) {
  search *s = w->scope.s;
  int turns = 0;
  double ours[CONFIRMATIONS_MOST], plain[CONFIRMATIONS_MOST];
  measurement_request request = scope_request(&w->scope, winner, s->effort.final_seconds);
  request.repeats = 1;
  request.seconds = s->effort.final_seconds / 4;
  *better = true;
  *gain = 1;
  if (kernel_same_config(winner, &w->plain)) return CLA_OK;
  for (; turns < s->effort.confirmations; turns++) {
    measurement found;
    if (turns >= CONFIRMATIONS_LEAST && machine_seconds() > w->end_seconds) break;
    request.config = w->plain;
    cla_status status = search_measure(&found, s, &request, error);
    if (status != CLA_OK || found.outcome != MEASUREMENT_DONE)
      return status; /* a default that fails has lost */
    plain[turns] = found.seconds;
    request.config = *winner;
    status = search_measure(&found, s, &request, error);
    if (status != CLA_OK) return status;
    *better = found.outcome == MEASUREMENT_DONE;
    if (!*better) return CLA_OK;
    ours[turns] = found.seconds;
  }
  qsort(ours, (size_t)turns, sizeof ours[0], ascending);
  qsort(plain, (size_t)turns, sizeof plain[0], ascending);
  *gain = plain[turns / 2] / ours[turns / 2];
  *plain_rate = (double)request.rows * (double)request.columns / plain[0];
  *better = ours[turns / 2] < CLEARLY * plain[turns / 2] && ours[0] < CLEARLY * plain[0];
  return CLA_OK;
}

static int64_t part_of(int64_t whole, double part) {
  const int64_t letters = (int64_t)((double)whole * part);
  return letters > 0 ? letters : 1;
}

static int fastest_first(const void *a, const void *b) {
  const double x = ((const class_variant *)a)->rate, y = ((const class_variant *)b)->rate;
  return (x < y) - (x > y);
}

/* Puts the winner first or, if no config is clearly better, the default. In the latter case, *gain is 1. */
static cla_status choose_winner(double *gain, class_work *w, cla_error *error) {
  bool better = true;
  double plain_rate = 0;
  qsort(w->variants, (size_t)w->count, sizeof w->variants[0], fastest_first);
  const cla_status status = confirm(&better, gain, &plain_rate, w, &w->variants[0].best, error);
  if (status != CLA_OK || better) return status;
  *gain = 1;
  for (int i = 0; i < w->count; i++)
    if (w->variants[i].best.variant == w->plain.variant) {
      class_variant kept = w->variants[i];
      kept.best = w->plain;
      kept.rate = plain_rate;
      memmove(&w->variants[1], &w->variants[0], (size_t)i * sizeof kept);
      w->variants[0] = kept;
      break;
    }
  return CLA_OK;
}

static double account(const class_work *w, const kernel_config *config, int64_t rows, int64_t columns) {
  const kernel_gaps gaps = kernel_gaps_of(w->scope.space.scheme.scoring);
  return config->variant->cost ? config->variant->cost(config, w->scope.space.device, gaps, rows, columns, 1)
                               : 0;
}

/* Fits a constant and a factor to the variant's cost model. The time model can express the two only for the
 * class's own size. Returns false if the variant has no cost for the config. */
static bool fit_account(time_model *out, const class_work *w, const kernel_config *config,
                        const time_sample *samples, int count) {
  const int64_t length = w->scope.space.length;
  time_sample units[SAMPLE_SHAPES];
  if (account(w, config, length, length) <= 0) return false;
  for (int i = 0; i < count; i++)
    units[i] = (time_sample){.rows = (int64_t)account(w, config, samples[i].rows, samples[i].columns),
                             .columns = 1,
                             .seconds = samples[i].seconds};
  time_model_fit(out, units, count);
  const double one = time_model_seconds(out, 1, 1) - time_model_seconds(out, 0, 0);
  *out = (time_model){.constant = out->constant,
                      .per_cell = one * account(w, config, length, length) / (double)length / (double)length};
  return true;
}

/* Returns the fitted model's prediction for a sample. */
static double predicted(const class_work *w, const tuning_entry *entry, const time_sample *sample) {
  const double here = account(w, &entry->config, sample->rows, sample->columns);
  const double there = account(w, &entry->config, entry->length, entry->length);
  if (here <= 0 || there <= 0) return time_model_seconds(&entry->model, sample->rows, sample->columns);
  return time_model_scaled(&entry->model, entry->length, here / there);
}

/* Measures the time model's samples and fits the model. Other work of the machine comes in bursts, so the
 * samples are measured in turn several times, and the shortest time of each counts. *works: false if the
 * config fails on a sample. */
static cla_status fit_model(class_variant *v, bool *works, const class_work *w, cla_error *error) {
  search *s = w->scope.s;
  time_sample samples[SAMPLE_SHAPES] = {{0}};
  const int count = s->effort.samples;
  measurement_request request = scope_request(&w->scope, &v->best, s->effort.sample_seconds);
  const measurement_request whole = request;
  cla_status status = CLA_OK;
  *works = true;
  request.repeats = 1;
  request.seconds = s->effort.sample_seconds / 4;
  for (int i = 0; status == CLA_OK && *works && i < SAMPLE_TURNS * count; i++) {
    if (i == count && machine_seconds() > w->end_seconds) break;
    time_sample *sample = &samples[i % count];
    measurement found;
    request.rows = part_of(whole.rows, sample_shapes[i % count].rows);
    request.columns = part_of(whole.columns, sample_shapes[i % count].columns);
    status = search_measure(&found, s, &request, error);
    *works = found.outcome == MEASUREMENT_DONE;
    if (i >= count && found.seconds > sample->seconds) continue;
    *sample = (time_sample){.rows = request.rows, .columns = request.columns, .seconds = found.seconds};
  }
  if (status != CLA_OK || !*works) return status;
  v->entry = (tuning_entry){.local = request.local,
                            .matrix = s->scheme.table.needs_lookup,
                            .two_pieces = gap_pieces(&s->scheme.scoring) > 1,
                            .length = request.length,
                            .config = v->best};
  if (!fit_account(&v->entry.model, w, &v->best, samples, count))
    time_model_fit(&v->entry.model, samples, count);
  for (int i = 0; i < count; i++) {
    const time_sample *sample = &samples[i];
    const double off = fabs(predicted(w, &v->entry, sample) / sample->seconds - 1);
    if (off > v->model_error) v->model_error = off;
  }
  return CLA_OK;
}

static void describe(class_result *out, const class_work *w, const class_variant *first, double gain) {
  char config[CANDIDATE_TEXT_SIZE], against[64] = "the default";
  if (!kernel_same_config(&first->best, &w->plain))
    snprintf(against, sizeof against, "%.2f times the default", gain);
  snprintf(out->text, sizeof out->text, "%s: %.2f GCUPS, %s; time model within %.1f %%",
           candidate_text(config, &first->best), first->rate / 1e9, against, first->model_error * 100);
}

/* Searches all variants except the plan's choice. `native`: true to search only variants made for this kind
 * of device, false to search only the others. */
static cla_status search_others(class_work *w, const tuning_record *earlier, bool native, cla_error *error) {
  const bool cpu = w->scope.space.device->kind == CLA_DEVICE_CPU;
  cla_status status = CLA_OK;
  for (int i = 0; status == CLA_OK && i < kernel_variant_count; i++) {
    const kernel_variant *variant = kernel_variants[i];
    if (variant != w->plain.variant && (variant->for_cpus == cpu) == native &&
        candidate_variant_allowed(&w->scope.space, variant))
      status = add_variant(w, variant, earlier, error);
  }
  return status;
}

/* Searches the plan's own choice first, because all others are compared with it. On a CPU, kernels for GPUs
 * come last: they take long to compile there, and were always several times slower. */
static cla_status search_variants(class_work *w, const tuning_record *earlier, cla_error *error) {
  cla_status status = add_variant(w, w->plain.variant, earlier, error);
  if (status == CLA_OK) status = search_others(w, earlier, true, error);
  if (status == CLA_OK && (w->count == 0 || w->scope.s->effort.every_variant))
    status = search_others(w, earlier, false, error);
  return status;
}

cla_status class_search(class_result *out, search *s, const class_task *task, const tuning_record *earlier,
                        cla_error *error) {
  double gain = 1;
  const double now = machine_seconds();
  class_work *w = NULL;
  memset(out, 0, sizeof *out);
  cla_status status = ALLOCATE_ZEROS(&w, 1, "the search", error);
  if (status != CLA_OK) return status;
  const path_scheme scheme = {.scoring = &s->scheme.scoring,
                              .table = &s->scheme.table,
                              .ends = path_ends_make(task->local ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL, 0)};
  w->scope = (class_scope){.s = s,
                           .space = {.device = s->device, .scheme = scheme, .length = task->length},
                           .deadline_seconds = now + (task->deadline_seconds - now) * WALK_SHARE};
  w->end_seconds = task->deadline_seconds;
  status = candidate_default(&w->plain, &w->scope.space, NULL, error);
  if (status == CLA_OK) status = search_variants(w, earlier, error);
  if (status == CLA_OK && w->count > 0) status = choose_winner(&gain, w, error);
  const class_variant *first = NULL;
  for (int i = 0; status == CLA_OK && i < w->count; i++) {
    bool works = false;
    status = fit_model(&w->variants[i], &works, w, error);
    if (status != CLA_OK || !works) continue;
    if (!first) first = &w->variants[i];
    out->entries[out->count++] = w->variants[i].entry;
  }
  if (status == CLA_OK && first)
    describe(out, w, first, gain);
  else if (status == CLA_OK)
    status = error_set(error, CLA_ERROR_DEVICE,
                       "no kernel works on %s for %s alignments of %lld letters; update its driver or choose "
                       "another --device",
                       s->device->name, task->local ? "local" : "global", (long long)task->length);
  free(w);
  return status;
}
