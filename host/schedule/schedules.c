/* The schedules: who aligns what next. Paper 003, section 4.1.3, has the first three. */

#include <math.h>

#include "base/extremes.h"
#include "schedule/batch_state.h"

/* Classes whose advantage is nearly the best one's count as equal: predictions are not better than that. */
#define NEARLY 0.75
/* Packs for each device that the pairs which wait are shared out in, so that all end together. */
#define PACKS_EACH 4
#define PACK_PAIRS_MOST 8192
/* Cells of a pack for each compute unit: some tenths of a second of a CPU's, so that all end
 * together. */
#define PACK_UNIT_CELLS 3e9

bool device_has_share(const device_state *device, int level) {
  return device->taken + 1.0 / (double)(1 << level) <= 1 + 1e-9;
}

void schedule_predict_single(batch_task *task, device_state *device, const batch_job *job) {
  pair_times *times = &device->times;
  task->predicted = pair_times_single(times, job->cells, task->level);
  task->model_seconds =
      task->predicted / pair_times_ratio(times, METHOD_SINGLE, size_class_of(job->cells), task->level);
}

static bool take_one(batch_task *out, batch_state *state, device_state *device, int size, int level) {
  batch_job *job = job_list_take(&state->pending[size]);
  state->pending_count--;
  *out = (batch_task){.method = METHOD_SINGLE, .level = level};
  schedule_predict_single(out, device, job);
  job_list_add(&out->jobs, job);
  return true;
}

/* The class of the pair that came first, or -1. */
static int oldest_class(const batch_state *state) {
  int oldest = -1;
  for (int size = 0; size < SIZE_CLASSES; size++)
    if (state->pending[size].first &&
        (oldest < 0 || state->pending[size].first->index < state->pending[oldest].first->index))
      oldest = size;
  return oldest;
}

/* First come, first served: each pair has a whole device. */
static bool pick_first(batch_task *out, batch_state *state, device_state *device) {
  const int size = oldest_class(state);
  return size >= 0 && device_has_share(device, 0) && take_one(out, state, device, size, 0);
}

static int smallest_class(const batch_state *state) {
  for (int size = 0; size < SIZE_CLASSES; size++)
    if (state->pending[size].first) return size;
  return -1;
}

/* The level at which `count` pairs are all in work at once, each with as much of the device as there is: not
 * above `most`. */
static int level_for(int64_t count, int most) {
  int level = 0;
  while (level < most && INT64_C(1) << (level + 1) <= count) level++;
  return level;
}

/* Lots of pairs of equal size, all begun together; the next lot begins when all are done. `level` says how
 * many. */
static bool pick_lot(batch_task *out, batch_state *state, device_state *device,
                     int (*level)(device_state *device, const batch_job *job)) {
  if (device->batch_left > 0 && state->pending[device->batch_class].first) {
    device->batch_left--;
    return take_one(out, state, device, device->batch_class, device->batch_level);
  }
  device->batch_left = 0;
  if (device->running > 0) return false;
  const int size = state->full ? oldest_class(state) : smallest_class(state);
  if (size < 0) return false;
  const int wanted = level(device, state->pending[size].first);
  const int64_t count = state->pending[size].count;
  if (state->reading && count < INT64_C(1) << wanted) return false; /* more of them may come */
  device->batch_level = level_for(count, wanted);
  device->batch_left = (1 << device->batch_level) - 1;
  device->batch_class = size;
  return take_one(out, state, device, size, device->batch_level);
}

static int all_units(device_state *device, const batch_job *job) {
  (void)job;
  return device->levels - 1;
}

/* Static: as many pairs as there are parts. */
static bool pick_static(batch_task *out, batch_state *state, device_state *device) {
  return pick_lot(out, state, device, all_units);
}

static int efficient_level(device_state *device, const batch_job *job) {
  return pair_times_best_level(&device->times, job->cells);
}

/* TOSS (figure 4.19): of each size as many at once as is most efficient, and at the end of a size, where
 * fewer are left, each has a larger part. */
static bool pick_toss(batch_task *out, batch_state *state, device_state *device) {
  return pick_lot(out, state, device, efficient_level);
}

/* Pairs of the class a second, at the device's best. */
static double throughput(device_state *device, const batch_job *job) {
  const int level = pair_times_best_level(&device->times, job->cells);
  return (double)(1 << level) / pair_times_single(&device->times, job->cells, level);
}

/* How much better than the best of the other devices this one is for the class; 1 if there is no other. */
static double advantage(batch_state *state, device_state *device, int size) {
  const batch_job *job = state->pending[size].first;
  double others = 0;
  for (int i = 0; i < state->device_count; i++) {
    device_state *other = &state->devices[i];
    if (other != device && !other->lost) others = fmax(others, throughput(other, job));
  }
  return others > 0 ? throughput(device, job) / others : 1;
}

/* Seconds that all devices together need for what waits. */
static double work_left(batch_state *state) {
  double seconds = 0;
  for (int size = 0; size < SIZE_CLASSES; size++) {
    if (!state->pending[size].first) continue;
    double rate = 0;
    for (int i = 0; i < state->device_count; i++)
      if (!state->devices[i].lost) rate += throughput(&state->devices[i], state->pending[size].first);
    if (rate > 0) seconds += (double)state->pending[size].count / rate;
  }
  return seconds;
}

/* Whether a faster device would have done the pair, after all else that waits, before this one could. Both
 * alone on the whole device, so that the fastest one always takes it. */
static bool comes_too_late(batch_state *state, device_state *device, int size, double left) {
  const batch_job *job = state->pending[size].first;
  const double own = pair_times_single(&device->times, job->cells, 0);
  for (int i = 0; i < state->device_count; i++) {
    device_state *other = &state->devices[i];
    if (other == device || other->lost) continue;
    if (own > left + pair_times_single(&other->times, job->cells, 0)) return true;
  }
  return false;
}

/* At how many at once the class' pairs are begun: the best, but no more than there are pairs for the device
 * that are not much smaller. A long pair among short ones has the whole device. */
static int level_now(batch_state *state, device_state *device, int size) {
  const int best = pair_times_best_level(&device->times, state->pending[size].first->cells);
  int64_t count = 0;
  int devices = 1; /* itself */
  for (int i = 0; i < state->device_count; i++)
    devices += &state->devices[i] != device && !state->devices[i].lost;
  for (int like = size > 0 ? size - 1 : 0; like < SIZE_CLASSES; like++) count += state->pending[like].count;
  return level_for((count + devices - 1) / devices + device->running, best);
}

/* The device's class: of those for which it is best, compared with the others, the one with the longest
 * pairs, so that no long one is left at the end; the oldest pair's, where results wait for it. */
static int best_class(batch_state *state, device_state *device) {
  double ratios[SIZE_CLASSES] = {0}, best = 0;
  if (state->full) return oldest_class(state);
  const double left = state->device_count > 1 ? work_left(state) : 0;
  for (int size = 0; size < SIZE_CLASSES; size++) {
    if (!state->pending[size].first) continue;
    if (state->device_count > 1 && comes_too_late(state, device, size, left)) continue;
    ratios[size] = advantage(state, device, size);
    best = fmax(best, ratios[size]);
  }
  for (int size = SIZE_CLASSES - 1; size >= 0; size--)
    if (ratios[size] > 0 && ratios[size] >= NEARLY * best) return size;
  return -1;
}

/* The class of packs that is looked at first: the largest, or that of the oldest pair where results wait for
 * it. */
static int first_packs(const batch_state *state, const device_state *device) {
  int first = -1;
  for (int size = 0; size < SIZE_CLASSES; size++) {
    const batch_job *job = state->packs[size].first;
    if (!job || !(job->packs_on >> device->number & 1)) continue;
    if (first < 0 || !state->full || job->index < state->packs[first].first->index) first = size;
  }
  return first;
}

/* Pairs of the class and of the next smaller one: all lanes of a vector wait for the largest pair. */
static int64_t like_pairs(const batch_state *state, int size) {
  return state->packs[size].count + (size > 0 ? state->packs[size - 1].count : 0);
}

/* How many pairs a pack has: all devices and threads get some, and each is filled. */
static int64_t pack_size(const batch_state *state, const device_state *device, int size, int level) {
  const bool shared = state->device_count > 1 || level > 0;
  const int64_t packs = shared ? (int64_t)PACKS_EACH * state->device_count : 1;
  const int64_t share = like_pairs(state, size) / packs + 1;
  const int64_t enough = device->times.enough;
  const int64_t pairs = smaller(larger(share, enough), larger(PACK_PAIRS_MOST, enough));
  return device->pack_pairs_most > 0 ? smaller(pairs, device->pack_pairs_most) : pairs;
}

static void fill_pack(batch_task *out, batch_state *state, const device_state *device, int size,
                      int64_t pairs) {
  const double cells = PACK_UNIT_CELLS * device->times.device.compute_units;
  for (int at = size; at >= 0 && at >= size - 1; at--) {
    job_list *list = &state->packs[at], left = {0};
    for (batch_job *job; out->jobs.count < pairs && (job = job_list_take(list));) {
      const bool takes = job->packs_on >> device->number & 1;
      const bool fits = out->jobs.count < device->times.enough || out->jobs.cells + job->cells <= cells;
      job_list_add(takes && fits ? &out->jobs : &left, job);
      if (takes && !fits) pairs = out->jobs.count; /* that is all */
    }
    for (batch_job *job; (job = job_list_take(&left));) job_list_return(list, job);
  }
  state->packs_count -= out->jobs.count;
}

/* The first pair of a class of packs is to be aligned by itself. */
static void take_from_packs(batch_state *state, int size) {
  job_list_return(&state->pending[size], job_list_take(&state->packs[size]));
  state->packs_count--;
  state->pending_count++;
}

bool schedule_small(batch_task *out, batch_state *state, device_state *device) {
  int size = 0;
  while (!state->pending[size].first && !state->packs[size].first) size++;
  if (!state->pending[size].first) take_from_packs(state, size);
  return take_one(out, state, device, size, 0);
}

/* Few pairs leave lanes idle: they are better aligned one by one. */
static bool pack_pays(device_state *device, const batch_job *job, int64_t pairs, int level) {
  const int size = size_class_of(job->cells);
  const double packed = pair_times_packed(&device->times, job->cells * (double)pairs, pairs, size, level);
  return packed < (double)pairs / throughput(device, job);
}

static bool pick_pack(batch_task *out, batch_state *state, device_state *device) {
  const int size = first_packs(state, device);
  const int level = device->times.device.kind == CLA_DEVICE_CPU || device->levels < 2 ? 0 : 1;
  const int64_t pairs = pack_size(state, device, size, level), there = like_pairs(state, size);
  if (state->reading && there < pairs) return false; /* more of them may come */
  const batch_job *first = state->packs[size].first;
  if (!pack_pays(device, first, smaller(pairs, there), level)) {
    const int single =
        level_for(state->packs_count + device->running, pair_times_best_level(&device->times, first->cells));
    if (!device_has_share(device, single)) return false;
    take_from_packs(state, size);
    return take_one(out, state, device, size, single);
  }
  if (!device_has_share(device, level)) return false;
  *out = (batch_task){.method = METHOD_PACKED, .level = level};
  fill_pack(out, state, device, size, pairs);
  const int mean = size_class_of(out->jobs.cells / (double)out->jobs.count);
  out->predicted = pair_times_packed(&device->times, out->jobs.cells, out->jobs.count, mean, level);
  out->model_seconds = out->predicted / pair_times_ratio(&device->times, METHOD_PACKED, mean, level);
  return true;
}

/* Whether packs come first: results wait for a pair in them, or nothing else is there. */
static bool packs_first(const batch_state *state, const device_state *device, int size) {
  const int packs = device->packs ? first_packs(state, device) : -1;
  if (packs < 0) return false;
  return size < 0 || (state->full && state->packs[packs].first->index < state->pending[size].first->index);
}

/* Ours: by predicted times. A device that is partly in use is not filled up with smaller pairs while a larger
 * one waits for its share: it will have it soon. */
static bool pick_model(batch_task *out, batch_state *state, device_state *device) {
  const int size = state->pending_count > 0 ? best_class(state, device) : -1;
  if (packs_first(state, device, size)) return pick_pack(out, state, device);
  if (size < 0) return false;
  const int level = level_now(state, device, size);
  return device_has_share(device, level) && take_one(out, state, device, size, level);
}

schedule_pick schedule_of(cla_schedule schedule) {
  static const schedule_pick picks[] = {[CLA_SCHEDULE_MODEL] = pick_model,
                                        [CLA_SCHEDULE_FCFS] = pick_first,
                                        [CLA_SCHEDULE_STATIC] = pick_static,
                                        [CLA_SCHEDULE_TOSS] = pick_toss};
  return picks[schedule];
}
