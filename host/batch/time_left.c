#include "batch/time_left.h"

#include <math.h>

#include "batch/schedule_internal.h"

/* So small a part of a pair tells nothing of the rest. */
#define TOLD_LEAST 0.02
/* A pair tells of larger ones if it takes so many times what the model has for it besides its cells. Of a
 * pack more, because a host with few threads takes longer for its paths than the model knows. */
#define CELLS_COUNT 4
#define CELLS_COUNT_PACKED 40

void time_sums_add(time_sums *sums, pair_times *times, const batch_task *task, double seconds) {
  double all = 0;
  for (const batch_job *job = task->jobs.first; job; job = job->next)
    all += pair_times_model(times, task->method, job->cells);
  for (const batch_job *job = task->jobs.first; job; job = job->next) {
    const double own = pair_times_model(times, task->method, job->cells);
    const int size = size_class_of(job->cells);
    sums->scored += job->only_score;
    if (job->chosen) sums->chosen_seconds += seconds * own / all;
    if (job->chosen) continue;
    sums->model_seconds[task->method][size] += own;
    sums->seconds[task->method][size] += seconds * own / all;
  }
}

/* Pairs of one size that are aligned in one way. */
typedef struct pair_kind {
  batch_method method;
  int size;
  double cells; /* of one of them */
} pair_kind;

/* Whether such pairs take time for their cells rather than for what each takes besides. */
static bool is_of_cells(pair_times *times, batch_method method, double cells) {
  const double times_more = method == METHOD_PACKED ? CELLS_COUNT_PACKED : CELLS_COUNT;
  return pair_times_model(times, method, cells) > times_more * pair_times_model(times, method, 0);
}

/* The nearest class on one side that was measured and tells of the kind, or -1. */
static int nearest(const time_sums *sums, pair_times *times, const pair_kind *kind, int side) {
  const bool of_cells = is_of_cells(times, kind->method, kind->cells);
  for (int size = kind->size; size >= 0 && size < SIZE_CLASSES; size += side) {
    if (!(sums->model_seconds[kind->method][size] > 0)) continue;
    if (!of_cells || is_of_cells(times, kind->method, ldexp(1.5, size))) return size;
  }
  return -1;
}

static double class_ratio(const time_sums *sums, batch_method method, int size) {
  return sums->seconds[method][size] / sums->model_seconds[method][size];
}

/* What pairs of the kind take by the nearest sizes that were measured, as a multiple of the model; negative:
 * none was. */
static double measured_ratio(const time_sums *sums, pair_times *times, const pair_kind *kind) {
  const int below = nearest(sums, times, kind, -1), above = nearest(sums, times, kind, 1);
  if (below < 0 && above < 0) return -1;
  const double low = below < 0 ? 0 : class_ratio(sums, kind->method, below);
  const double high = above < 0 ? 0 : class_ratio(sums, kind->method, above);
  if (below == kind->size || above < 0) return low;
  if (below < 0) return high;
  const double part = (double)(kind->size - below) / (double)(above - below);
  return exp((1 - part) * log(low) + part * log(high));
}

/* What cells take in one way, of all pairs long enough to tell it; negative: none was measured. */
static double ratio_of_cells(const time_sums *sums, pair_times *times, batch_method method) {
  double seconds = 0, model = 0;
  for (int size = 0; size < SIZE_CLASSES; size++) {
    if (!is_of_cells(times, method, ldexp(1.5, size))) continue;
    seconds += sums->seconds[method][size];
    model += sums->model_seconds[method][size];
  }
  return model > 0 ? seconds / model : -1;
}

/* Seconds of the device for one pair of the kind: by what was measured, or by a tuning record, or with what
 * cells take in the other way, or by the model alone. */
static double seconds_of(const time_sums *sums, device_state *device, const pair_kind *kind) {
  pair_times *times = &device->times;
  const double model = pair_times_model(times, kind->method, kind->cells);
  const double ratio = measured_ratio(sums, times, kind);
  if (ratio >= 0) return ratio * model;
  const batch_method other = kind->method == METHOD_SINGLE ? METHOD_PACKED : METHOD_SINGLE;
  const bool timed = pair_times_timed(times, kind->method, kind->cells);
  const double other_ratio = times->way.alike && !timed ? ratio_of_cells(sums, times, other) : -1;
  if (other_ratio < 0) return model;
  return pair_times_model(times, kind->method, 0) +
         other_ratio * (pair_times_model(times, other, kind->cells) - pair_times_model(times, other, 0));
}

void work_begun_tell(work_begun *begun, double fraction, double now) {
  if (begun->told_at == 0) {
    begun->first_at = now;
    begun->first_fraction = fraction;
  }
  begun->fraction = fraction;
  begun->told_at = now;
}

/* The part of a pair that is done since it first said something: before, kernels were loaded. 0: too little
 * to count. */
static double part_told(const work_begun *begun) {
  const double part = begun->told_at > 0 ? begun->fraction - begun->first_fraction : 0;
  return part > TOLD_LEAST ? part : 0;
}

static double model_of_pair(device_state *device, const work_begun *begun) {
  return pair_times_model(&device->times, METHOD_SINGLE, begun->task->jobs.first->cells);
}

/* What a device has in work. */
typedef struct device_left {
  double told, told_model; /* seconds of the device for parts of pairs that are done, and of the model */
  double seconds;          /* of the device, for the rest */
  double last;             /* until the last of it is done, at the least */
  double waiting;          /* of the device, if it did all that waits */
} device_left;

/* The parts of pairs that are done count as measured: the longest pairs are in work for much of a batch. */
static void add_told(device_left *left, device_state *device, const work_begun *begun, double now) {
  const double part = part_told(begun);
  if (part == 0) return;
  const int size = size_class_of(begun->task->jobs.first->cells);
  const double share = (device->busy_seconds - begun->busy_seconds) / (now - begun->at);
  const double told = share * (begun->told_at - begun->first_at), model = part * model_of_pair(device, begun);
  device->told.seconds[METHOD_SINGLE][size] += told;
  device->told.model_seconds[METHOD_SINGLE][size] += model;
  left->told += told;
  left->told_model += model;
}

/* Seconds of the device in which a task will be done. Pairs that share it are as fast as all of them
 * together: a slow one goes on with what the others leave. */
static double task_left(const device_left *left, device_state *device, const work_begun *begun, double now) {
  const batch_task *task = begun->task;
  const double part = 1 / (double)(1 << task->level);
  if (part_told(begun) > 0)
    return (1 - begun->fraction) * model_of_pair(device, begun) * left->told / left->told_model;
  if (task->method == METHOD_PACKED) return fmax(part * (task->predicted - (now - begun->at)), 0);
  const double cells = task->jobs.first->cells;
  const pair_kind kind = {METHOD_SINGLE, size_class_of(cells), cells};
  return fmax(seconds_of(&device->told, device, &kind) - part * (now - begun->at), 0);
}

static device_left begin_device(device_state *device, double now) {
  device_left left = {.seconds = 0};
  device_note_busy(device, now);
  device->told = device->sums;
  for (int i = 0; i < WORKERS_MOST; i++)
    if (device->begun[i] && device->begun[i]->task->method == METHOD_SINGLE)
      add_told(&left, device, device->begun[i], now);
  for (int i = 0; i < WORKERS_MOST; i++) {
    if (!device->begun[i]) continue;
    const double seconds = task_left(&left, device, device->begun[i], now);
    left.seconds += seconds;
    left.last = fmax(left.last, seconds);
  }
  return left;
}

static bool is_anything_measured(const batch_state *state) {
  for (int i = 0; i < state->device_count; i++)
    for (int size = 0; size < SIZE_CLASSES; size++)
      for (int method = 0; method < METHODS; method++)
        if (state->devices[i].told.model_seconds[method][size] > 0) return true;
  return false;
}

/* Whether a device packs pairs of the class. */
static bool is_packed(const batch_state *state, int size) {
  for (int i = 0; i < state->device_count; i++) {
    const device_state *device = &state->devices[i];
    if (!device->lost && device->packs && size <= device->packs_class) return true;
  }
  return false;
}

static void add_list(cla_batch_sizes *sizes, const job_list *list) {
  if (list->count > 0) cla_batch_sizes_add(sizes, list->cells / (double)list->count, list->count);
}

/* All that waits, by the way in which it will be aligned. */
static void add_waiting(cla_batch_sizes sizes[METHODS], const batch_state *state,
                        const cla_batch_sizes *unread) {
  for (int size = 0; size < SIZE_CLASSES; size++) {
    const batch_method method = is_packed(state, size) ? METHOD_PACKED : METHOD_SINGLE;
    add_list(&sizes[METHOD_SINGLE], &state->pending[size]);
    add_list(&sizes[METHOD_PACKED], &state->packs[size]);
    if (unread->pairs[size] > 0)
      cla_batch_sizes_add(&sizes[method], unread->cells[size] / (double)unread->pairs[size],
                          unread->pairs[size]);
  }
  add_list(&sizes[METHOD_SINGLE], &state->alone);
}

/* Seconds of all devices together for pairs of a kind; *one is those of one pair on the fastest device. */
static double share_out(device_left *left, double *one, batch_state *state, const pair_kind *kind,
                        int64_t pairs) {
  double rate = 0;
  *one = INFINITY;
  for (int i = 0; i < state->device_count; i++) {
    device_state *device = &state->devices[i];
    if (device->lost || (kind->method == METHOD_PACKED && !device->packs)) continue;
    const double seconds = seconds_of(&device->told, device, kind);
    left[i].waiting += seconds * (double)pairs;
    rate += 1 / seconds;
    *one = fmin(*one, seconds);
  }
  return rate > 0 ? (double)pairs / rate : 0;
}

/* What is in work, shared out as if devices took work from each other; a fast device counts for more. */
static double share_out_begun(const device_left *left, const batch_state *state) {
  double seconds = 0, speeds = 0;
  for (int i = 0; i < state->device_count; i++) {
    if (!(left[i].waiting > 0)) continue;
    seconds += left[i].seconds / left[i].waiting;
    speeds += 1 / left[i].waiting;
  }
  return speeds > 0 ? seconds / speeds : 0;
}

/* Seconds of all devices together to align the best of what is still to be scored: as many of them, and each
 * as long, as so far. */
static double best_left(const batch_state *state, int64_t to_score) {
  double seconds = 0, scored = 0;
  int devices = 0;
  for (int i = 0; i < state->device_count; i++) {
    seconds += state->devices[i].told.chosen_seconds;
    scored += (double)state->devices[i].told.scored;
    devices += !state->devices[i].lost;
  }
  return scored > 0 && devices > 0 ? (double)to_score * seconds / scored / devices : 0;
}

double batch_time_left(batch_state *state, const batch_rest *rest, double now) {
  device_left left[BATCH_DEVICES_MOST];
  cla_batch_sizes waiting[METHODS] = {0};
  double seconds = 0, last = 0;
  for (int i = 0; i < state->device_count; i++) left[i] = begin_device(&state->devices[i], now);
  if (!is_anything_measured(state)) return -1;
  add_waiting(waiting, state, &rest->unread);
  for (batch_method method = 0; method < METHODS; method++)
    for (int size = 0; size < SIZE_CLASSES; size++) {
      const int64_t pairs = waiting[method].pairs[size];
      double one = 0;
      if (pairs <= 0) continue;
      const pair_kind kind = {method, size, waiting[method].cells[size] / (double)pairs};
      seconds += share_out(left, &one, state, &kind, pairs);
      if (method == METHOD_SINGLE) last = fmax(last, one);
    }
  seconds += share_out_begun(left, state) + best_left(state, rest->to_score);
  seconds = fmax(seconds, last); /* no pair is shared out */
  for (int i = 0; i < state->device_count; i++) seconds = fmax(seconds, left[i].last);
  return seconds;
}

void cla_batch_sizes_add(cla_batch_sizes *sizes, double cells, int64_t pairs) {
  const int size = size_class_of(cells);
  sizes->pairs[size] += pairs;
  sizes->cells[size] += cells * (double)pairs;
}
