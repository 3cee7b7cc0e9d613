/* Which pairs share a pack, and which are better aligned one by one. */

#include <math.h>

#include "base/extremes.h"
#include "batch/schedule_internal.h"

/* Packs for each device that the pairs which wait are shared out in, so that all end together. */
#define PACKS_EACH 4
/* What a pack takes: so long that what it costs to begin one does not count, and not so long that others wait
 * for its results. */
#define PACK_SECONDS_LEAST 0.05
#define PACK_SECONDS_MOST 0.2
/* Pairs taken out of packs one after the other until it is taken for granted that each has too little memory.
 */
#define LEFT_MOST 3
/* About the rows of a chain's strip, and as many strips as each chain should have. */
#define STRIP_ROWS 1024
#define STRIPS_EACH 2

void device_note_busy(device_state *device, double now) {
  if (now <= device->busy_at) return;
  if (device->running > 0) device->busy_seconds += (now - device->busy_at) / device->running;
  device->busy_at = now;
}

bool device_has_share(const device_state *device, int level) {
  return device->taken + 1.0 / (double)(1 << level) <= 1 + 1e-9;
}

void schedule_predict_single(batch_task *task, device_state *device, const batch_job *job) {
  task->predicted = pair_times_single(&device->times, job->cells, task->at_once);
}

double schedule_throughput(device_state *device, double cells) {
  return pair_times_rate(&device->times, cells, pair_times_best_level(&device->times, cells));
}

bool schedule_take_one(batch_task *out, batch_state *state, device_state *device, int size, int level) {
  batch_job *job = job_list_take(&state->pending[size]);
  state->pending_count--;
  *out = (batch_task){.method = METHOD_SINGLE, .level = level, .at_once = level};
  schedule_predict_single(out, device, job);
  job_list_add(&out->jobs, job);
  return true;
}

int schedule_level_for(int64_t count, int most) {
  int level = 0;
  while (level < most && INT64_C(1) << (level + 1) <= count) level++;
  return level;
}

void schedule_unpack(batch_state *state, int size) {
  job_list_return(&state->pending[size], job_list_take(&state->packs[size]));
  state->packs_count--;
  state->pending_count++;
}

/* The largest class, or that of the oldest pair where results wait for it. */
int schedule_first_packs(const batch_state *state, const device_state *device) {
  int first = -1;
  for (int size = 0; size < SIZE_CLASSES; size++) {
    const batch_job *job = state->packs[size].first;
    if (!job || !(job->packs_on >> device->number & 1)) continue;
    if (first < 0 || !state->full || job->index < state->packs[first].first->index) first = size;
  }
  return first;
}

bool schedule_take_from_packs(device_state *device) {
  if (device->packs_left >= LEFT_MOST) return false;
  device->packs_left++;
  device->pack_pairs_most = 0;
  return true;
}

/* The smallest class whose pairs share a pack with those of the class: the next smaller one, where all wait
 * for the largest. */
static int smallest_with(const device_state *device, int size) {
  return device->times.way.alike ? (int)larger(size - 1, 0) : 0;
}

/* All pairs that may share a pack with those of the class. */
static pack_load pairs_with(const batch_state *state, const device_state *device, int size) {
  pack_load out = {.size = size};
  for (int at = size; at >= 0 && at >= smallest_with(device, size); at--) {
    const job_list *list = &state->packs[at];
    if (out.pairs == 0 && list->count > 0) out.largest = list->cells / (double)list->count;
    out.pairs += list->count;
    out.cells += list->cells;
  }
  return out;
}

/* Seconds of them on the whole device, if they are one pack. */
static double pack_seconds(const device_state *device, const pack_load *load) {
  return load->pairs == 0 ? 0 : pair_times_packed(&device->times, load, 0);
}

/* How many pairs a pack has, and what cells: all devices and threads get some, and each is filled. */
typedef struct pack_bounds {
  int64_t pairs;
  double cells, pair_cells; /* each pair takes as long as so many cells besides its own */
  double cells_of_few;      /* of fewer pairs than fill the device, where long ones are shared out */
} pack_bounds;

static pack_bounds bound_pack(const pack_load *there, const batch_state *state, const device_state *device,
                              int level) {
  const bool shared = state->device_count > 1 || level > 0, alike = device->times.way.alike;
  const double packs = shared ? PACKS_EACH * state->device_count : 1;
  const int64_t enough = larger(device->times.way.enough, 1);
  const double share = pack_seconds(device, there) / packs;
  const double seconds = alike ? PACK_SECONDS_MOST : fmin(fmax(share, PACK_SECONDS_LEAST), PACK_SECONDS_MOST);
  pack_bounds out = {.pairs = larger((int64_t)((double)there->pairs / packs) / enough, 1) * enough};
  /* Where sizes differ, the pairs are shared out by what they take. */
  if (!alike) out.pairs = larger(there->pairs, 1);
  if (device->pack_pairs_most > 0) out.pairs = smaller(out.pairs, device->pack_pairs_most);
  out.cells = pair_times_pack_cells(&out.pair_cells, &device->times, there->size, level, seconds);
  /* With one device all that wait had better be one pack: two beside each other wait for each other's
   * buffers. */
  out.cells_of_few = state->device_count > 1 ? out.cells : PACKS_EACH * out.cells;
  return out;
}

/* Whether one more pair is too many; a pack has at least one, however large. Lanes that are there anyway are
 * filled. */
static bool is_filled(const batch_task *task, const device_state *device, const pack_bounds *bounds,
                      const batch_job *job) {
  const pack_way *way = &device->times.way;
  if (task->jobs.count == 0 || (way->alike && task->jobs.count % way->enough != 0)) return false;
  const double taken = task->jobs.cells + job->cells + bounds->pair_cells * (double)(task->jobs.count + 1);
  if (task->jobs.count >= way->enough) return taken > bounds->cells;
  return way->shares && taken > bounds->cells_of_few;
}

static void fill_pack(batch_task *out, batch_state *state, const device_state *device, int size,
                      const pack_bounds *bounds) {
  int64_t pairs = bounds->pairs;
  for (int at = size; at >= smallest_with(device, size); at--) {
    job_list *list = &state->packs[at], left = {0};
    for (batch_job *job; out->jobs.count < pairs && (job = job_list_take(list));) {
      const bool takes = job->packs_on >> device->number & 1;
      const bool filled = takes && is_filled(out, device, bounds, job);
      job_list_add(takes && !filled ? &out->jobs : &left, job);
      if (filled) pairs = out->jobs.count; /* that is all */
    }
    for (batch_job *job; (job = job_list_take(&left));) job_list_return(list, job);
  }
  out->load = (pack_load){.pairs = out->jobs.count, .cells = out->jobs.cells, .size = size};
  if (device->times.way.alike) out->load.size = size_class_of(out->load.cells / (double)out->load.pairs);
  for (const batch_job *job = out->jobs.first; job; job = job->next)
    out->load.largest = fmax(out->load.largest, job->cells);
  state->packs_count -= out->load.pairs;
}

/* Whether pairs that are shared out among chains keep all of them busy: then no pair is done faster by itself
 * than beside the others. */
static bool keep_chains_busy(const pack_load *there, const device_state *device) {
  const double side = sqrt(there->cells / (double)there->pairs);
  const double strips = (double)there->pairs * fmax(side / STRIP_ROWS, 1);
  return device->times.way.shares && strips >= STRIPS_EACH * (double)device->times.way.enough;
}

/* Whether the class' pairs are better packed: few of them leave lanes idle, and where no pair waits for
 * others, large ones are still in work when all others are done. */
static bool pack_pays(const pack_load *there, const batch_state *state, device_state *device,
                      const pack_bounds *bounds) {
  const job_list *own = &state->packs[there->size];
  if (device->times.way.alike) {
    const double cells = own->first->cells;
    const int64_t count = smaller(bounds->pairs, there->pairs);
    const pack_load full = {
        .pairs = count, .cells = cells * (double)count, .largest = cells, .size = there->size};
    return pack_seconds(device, &full) < (double)count / schedule_throughput(device, cells);
  }
  if (keep_chains_busy(there, device)) return true;
  pack_load rest = pairs_with(state, device, there->size - 1);
  rest.size = there->size;
  const double singly = (double)own->count / schedule_throughput(device, own->cells / (double)own->count);
  return pack_seconds(device, there) <= pack_seconds(device, &rest) + singly;
}

/* At how many at once a pair is aligned that no pack is for: the best, but no more than there are like it. */
static int level_of_single(const batch_state *state, device_state *device, int size) {
  const int best = pair_times_best_level(&device->times, state->packs[size].first->cells);
  int64_t like = 0;
  for (int at = (int)larger(size - 1, 0); at < SIZE_CLASSES; at++) like += state->packs[at].count;
  return schedule_level_for(like + device->running, best);
}

/* Whether a pack should have more pairs than there are. */
static bool may_grow(const pack_load *there, const device_state *device, const pack_bounds *bounds) {
  const bool few = there->pairs < larger(device->times.way.enough, bounds->pairs);
  if (few && !device->times.way.shares) return true;
  return !device->times.way.alike && pack_seconds(device, there) < PACK_SECONDS_LEAST;
}

bool schedule_pick_pack(batch_task *out, batch_state *state, device_state *device, bool tries) {
  const int size = schedule_first_packs(state, device);
  const int level = device->times.device.kind == CLA_DEVICE_CPU || device->levels < 2 ? 0 : 1;
  const pack_load there = pairs_with(state, device, size);
  const pack_bounds bounds = bound_pack(&there, state, device, level);
  if (state->reading && may_grow(&there, device, &bounds)) return false; /* more may come */
  const bool pays = pack_pays(&there, state, device, &bounds);
  if (tries && !pays) return false;
  if (!pays) {
    const int single = level_of_single(state, device, size);
    if (!device_has_share(device, single)) return false;
    schedule_unpack(state, size);
    if (device->pack_pairs_most > 0) schedule_take_from_packs(device);
    return schedule_take_one(out, state, device, size, single);
  }
  if (!device_has_share(device, level)) return false;
  *out = (batch_task){.method = METHOD_PACKED, .level = level, .at_once = level};
  fill_pack(out, state, device, size, &bounds);
  out->predicted = pair_times_packed(&device->times, &out->load, level);
  return true;
}
