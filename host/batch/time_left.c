#include "batch/time_left.h"

#include <math.h>

#include "batch/batch_state.h"

/* A pair's cost besides its cells, in cells. Used to divide a pack's seconds among pairs of unlike sizes. */
#define CELLS_OF_PAIR 1e4
/* A smaller part of a pair tells nothing about the rest. */
#define PART_LEAST 0.02

int size_class_of(double cells) {
  int exponent = 0;
  frexp(cells, &exponent);
  exponent--;
  return cells < 1 ? 0 : exponent < SIZE_CLASSES ? exponent : SIZE_CLASSES - 1;
}

void cla_batch_sizes_add(cla_batch_sizes *sizes, double cells, int64_t pairs) {
  const int size = size_class_of(cells);
  sizes->pairs[size] += pairs;
  sizes->cells[size] += cells * (double)pairs;
}

static double weight_of(double cells) {
  return cells + CELLS_OF_PAIR;
}

/* Seconds of the whole device, or of a thread of the host. */
static double share_of(const batch_task *task) {
  return task->method == METHOD_LANES ? 1 : 1 / (double)(1 << task->level);
}

void time_seen_add(time_seen *seen, const batch_task *task, double part, double seconds) {
  const double all = task->jobs.cells + CELLS_OF_PAIR * (double)task->jobs.count;
  const double whole = seconds * share_of(task);
  for (const batch_job *job = task->jobs.first; job; job = job->next) {
    const double own = whole * weight_of(job->cells) / all;
    const int size = size_class_of(job->cells);
    seen->scored += job->only_score ? part : 0;
    if (job->chosen) {
      seen->chosen_seconds += own;
      continue;
    }
    seen->pairs[task->method][size] += part;
    seen->cells[task->method][size] += part * job->cells;
    seen->seconds[task->method][size] += own;
  }
}

/* The nearest class of the method that was seen, or -1. */
static int nearest(const time_seen *seen, batch_method method, int size) {
  for (int off = 0; off < SIZE_CLASSES; off++)
    for (int side = -1; side <= 1; side += 2) {
      const int at = size + side * off;
      if (at >= 0 && at < SIZE_CLASSES && seen->pairs[method][at] > 0) return at;
    }
  return -1;
}

/* Seconds of a pair of so many cells; negative: nothing was seen. What is known of another way stands in for
 * one that has not come yet. */
static double seconds_of(const time_seen *seen, batch_method method, double cells) {
  for (int i = 0; i < METHODS; i++) {
    const batch_method known = (batch_method)(((int)method + i) % METHODS);
    const int at = nearest(seen, known, size_class_of(cells));
    if (at < 0) continue;
    const double mean = seen->cells[known][at] / seen->pairs[known][at];
    return seen->seconds[known][at] / seen->pairs[known][at] * weight_of(cells) / weight_of(mean);
  }
  return -1;
}

/* The way in which pairs of a class will be aligned. */
static batch_method method_of(const batch_state *state, int size) {
  if (size <= state->lanes_class) return METHOD_LANES;
  for (int i = 0; i < state->device_count; i++) {
    const device_state *device = &state->devices[i];
    if (device->open && !device->lost && device->packs && size <= device->packs_class) return METHOD_PACKED;
  }
  return METHOD_SINGLE;
}

/* Seconds of all that is left, for one device and one thread. */
typedef struct seconds_left {
  double device, thread;
  double longest; /* of a pair by itself, which nobody shares */
} seconds_left;

static void add_pairs(seconds_left *left, const time_seen *seen, batch_method method, double pairs,
                      double cells) {
  const double one = seconds_of(seen, method, cells / pairs);
  if (method == METHOD_LANES)
    left->thread += one * pairs;
  else
    left->device += one * pairs;
  if (method == METHOD_SINGLE) left->longest = fmax(left->longest, one);
}

static void add_list(seconds_left *left, const time_seen *seen, batch_method method, const job_list *list) {
  if (list->count > 0) add_pairs(left, seen, method, (double)list->count, list->cells);
}

static void add_waiting(seconds_left *left, const batch_state *state, const time_seen *seen,
                        const cla_batch_sizes *unread) {
  for (int size = 0; size < SIZE_CLASSES; size++) {
    add_list(left, seen, METHOD_SINGLE, &state->pending[size]);
    add_list(left, seen, METHOD_PACKED, &state->packs[size]);
    if (unread->pairs[size] > 0)
      add_pairs(left, seen, method_of(state, size), (double)unread->pairs[size], unread->cells[size]);
  }
  add_list(left, seen, METHOD_LANES, &state->lanes);
  add_list(left, seen, METHOD_SINGLE, &state->alone);
}

/* What is in work, as far as it is not done. */
static void add_begun(seconds_left *left, const time_seen *seen, const task_begun *begun) {
  const batch_task *task = begun->task;
  double all = 0;
  for (const batch_job *job = task->jobs.first; job; job = job->next)
    all += seconds_of(seen, task->method, job->cells);
  const double gone = begun->seconds * share_of(task);
  const double rest = begun->part > PART_LEAST ? gone * (1 / begun->part - 1) : fmax(all - gone, 0);
  if (task->method == METHOD_LANES)
    left->thread += rest;
  else
    left->device += rest;
  if (task->method == METHOD_SINGLE) left->longest = fmax(left->longest, rest / share_of(task));
}

static bool is_anything_seen(const time_seen *seen) {
  for (int method = 0; method < METHODS; method++)
    if (nearest(seen, (batch_method)method, 0) >= 0) return true;
  return false;
}

double batch_time_left(const batch_state *state, const batch_rest *rest, const task_begun *begun,
                       int begun_count) {
  time_seen seen = state->seen;
  seconds_left left = {.device = 0};
  int devices = 0;
  bool cpu = false;
  for (int i = 0; i < begun_count; i++)
    if (begun[i].part > PART_LEAST) time_seen_add(&seen, begun[i].task, begun[i].part, begun[i].seconds);
  if (!is_anything_seen(&seen)) return -1;
  add_waiting(&left, state, &seen, &rest->unread);
  for (int i = 0; i < begun_count; i++) add_begun(&left, &seen, &begun[i]);
  if (seen.scored > 0) left.device += (double)rest->to_score * seen.chosen_seconds / seen.scored;
  for (int i = 0; i < state->device_count; i++) {
    devices += !state->devices[i].lost;
    cpu |= state->devices[i].info.kind == CLA_DEVICE_CPU;
  }
  const double on_devices = left.device / fmax(devices, 1), on_host = left.thread / fmax(state->threads, 1);
  /* A CPU has the same cores for both. */
  return fmax(cpu ? on_devices + on_host : fmax(on_devices, on_host), left.longest);
}
