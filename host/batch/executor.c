#include "batch/executor.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "base/ranks.h"
#include "batch/executor_internal.h"
#include "pipeline/pipeline.h"

#define NANOSECONDS_OF_WAITING ((long)(CLA_PROGRESS_SECONDS * 1e9))
/* Between looks for messages while threads are at work: each look takes processor time from them, and what
 * ranks have in store may be done in some ten milliseconds. (100,000 x 1 kbp, 4 ranks, 16 cores: 4.4 s with
 * 16 ms, 3.3 s with 2.) */
#define NANOSECONDS_OF_REST 2000000L
/* A rest ends after so many pairs: each time it takes the core from a thread that computes. */
#define DONE_IN_A_REST 1024
#define ADDED_BETWEEN_LOOKS 64
/* Pairs in work on one GPU at once, at the most. */
#define AT_ONCE_GPU 8

/* Each pair in work has a thread at least. */
static int levels_of(const cla_device_info *device, int64_t threads) {
  const int units = device->kind == CLA_DEVICE_CPU ? device->compute_units : AT_ONCE_GPU;
  const int64_t most = smaller(units, threads);
  int levels = 1;
  while (levels < LEVELS && 1 << levels <= most) levels++;
  return levels;
}

static cla_status begin_lock(executor *x, cla_error *error) {
  x->has_done = thread_condition_init(&x->done_condition) == 0;
  x->has_work = pthread_cond_init(&x->work_condition, NULL) == 0;
  x->has_lock = pthread_mutex_init(&x->lock, NULL) == 0;
  if (x->has_done && x->has_work && x->has_lock) return CLA_OK;
  return error_set(error, CLA_ERROR_MEMORY, "the lock of a batch cannot be made; free some memory");
}

/* While another thread has a device. */
static bool go_on_waiting(void *user) {
  const executor *x = user;
  const cla_batch_progress progress = {.seconds = machine_seconds() - x->began};
  return x->options->progress(&progress, x->options->progress_user);
}

static cla_status begin_device(executor *x, size_t i, size_t count, cla_device *handle, cla_error *error) {
  executor_device *device = &x->devices[i];
  device_state *state = &x->state.devices[i];
  const cla_device_info *info = cla_device_describe(handle);
  cla_align_options align = x->align;
  cla_status status = device_take(handle, x->options->progress ? go_on_waiting : NULL, x, error);
  if (status != CLA_OK) return status;
  device->taken = true;
  align.tuning = x->options->tunings ? x->options->tunings[i] : NULL;
  state->number = (int)i;
  state->levels = levels_of(info, x->align.budgets.threads / (int64_t)count);
  pair_times_begin(&state->times, info, &align, state->levels);
  if (x->packs.allowed) state->times.way = pack_way_of(info, &x->packs.scheme);
  state->packs = state->times.way.enough > 0;
  if (state->packs) state->packs_class = batch_pack_class(&x->packs, info, &align);
  for (int w = 0; w < 1 << (state->levels - 1); w++)
    device->workers[w] = (executor_worker){.executor = x, .device = device, .number = w};
  device->workers[0].handle = device->handle = handle;
  device->state = state;
  return CLA_OK;
}

static cla_status begin_tracers(executor *x, size_t device_count, cla_error *error) {
  const trace_memory memory =
      batch_memory_for_paths(x->align.budgets.memory_bytes / (int64_t)device_count, x->align.budgets.threads);
  x->packs.path_bytes = memory.path_bytes;
  return tracers_create(&x->tracers, &memory, x->align.budgets.threads, error);
}

cla_status executor_begin(executor **out, cla_device *const *devices, size_t device_count,
                          const cla_batch_options *options, cla_error *error) {
  executor *x = NULL;
  *out = NULL;
  cla_status status = allocate_zeros((void **)&x, 1, sizeof *x, "a batch", error);
  if (status != CLA_OK) return status;
  x->options = options;
  x->align = options->align;
  x->began = machine_seconds();
  x->align.budgets.threads = align_threads(&options->align);
  x->align.callbacks.note = NULL;
  x->align.callbacks.explain = NULL;
  x->align.ranks = NULL; /* each pair is one rank's */
  x->ranks = ranks_any(options->align.ranks) && options->align.circular == CLA_CIRCULAR_NONE
                 ? options->align.ranks
                 : NULL;
  x->pick = schedule_of(options->schedule);
  if (options->schedule == CLA_SCHEDULE_MODEL && options->align.several.most == 1)
    pack_scheme_make(&x->packs, &x->align);
  status = begin_lock(x, error);
  if (status == CLA_OK) status = begin_tracers(x, device_count, error);
  if (status == CLA_OK)
    status = allocate_zeros((void **)&x->devices, (int64_t)device_count, sizeof *x->devices,
                            "the devices of a batch", error);
  if (status == CLA_OK)
    status = allocate_zeros((void **)&x->state.devices, (int64_t)device_count, sizeof *x->state.devices,
                            "the devices of a batch", error);
  for (size_t i = 0; status == CLA_OK && i < device_count; i++) {
    x->state.device_count++;
    status = begin_device(x, i, device_count, devices[i], error);
  }
  if (status == CLA_OK && x->ranks) status = executor_ranks_begin(x, error);
  if (status != CLA_OK) {
    executor_end(x);
    x = NULL;
  }
  *out = x;
  return status;
}

void executor_go(executor *x) {
  if (x->going) return;
  x->going = true;
  for (int i = 0; i < x->state.device_count; i++) {
    executor_worker *first = &x->devices[i].workers[0];
    first->started = thread_start(&first->thread, executor_work, first) == 0;
    if (!first->started)
      executor_lose(x, &x->devices[i], CLA_ERROR_MEMORY, "no thread can be started for it");
  }
}

void executor_end(executor *x) {
  if (!x) return;
  if (x->ranks) executor_ranks_end(x);
  if (x->has_lock) pthread_mutex_lock(&x->lock);
  x->stopping = true;
  if (x->has_work) pthread_cond_broadcast(&x->work_condition);
  if (x->has_lock) pthread_mutex_unlock(&x->lock);
  for (int i = 0; i < x->state.device_count; i++) {
    executor_device *device = &x->devices[i];
    /* The first thread starts the others. */
    for (int w = 0; w < WORKERS_MOST; w++)
      if (device->workers[w].started) pthread_join(device->workers[w].thread, NULL);
    for (int w = 0; w < WORKERS_MOST; w++) pack_solver_free(device->workers[w].solver);
    for (int w = 0; w < WORKERS_MOST; w++)
      if (device->workers[w].handle != device->handle) cla_device_close(device->workers[w].handle);
    if (device->taken) device_give_back(device->handle);
  }
  executor_free_events(x);
  if (x->has_done) pthread_cond_destroy(&x->done_condition);
  if (x->has_work) pthread_cond_destroy(&x->work_condition);
  if (x->has_lock) pthread_mutex_destroy(&x->lock);
  tracers_free(x->tracers);
  free(x->devices);
  free(x->state.devices);
  free(x);
}

/* The device with no more memory than the budgets allow: what packs may take is a part of that. */
static cla_device_info device_for_packs(const executor *x, const device_state *state) {
  cla_device_info info = state->times.device;
  if (x->align.budgets.device_memory_bytes > 0)
    info.memory_bytes = smaller(info.memory_bytes, x->align.budgets.device_memory_bytes);
  if (info.kind == CLA_DEVICE_CPU)
    info.memory_bytes = smaller(info.memory_bytes, x->align.budgets.memory_bytes / x->state.device_count);
  return info;
}

/* While more are read, threads that wait for pairs of a pack need not look at each of them, but for the first
 * one: all look when no more are. The lock is held; `before` is packs_count without the pair that was added.
 */
static bool wakes(const executor *x, int64_t before) {
  const int64_t now = x->state.packs_count;
  return now == before || now == 1 || !x->state.reading || now % ADDED_BETWEEN_LOOKS == 0;
}

void executor_add(executor *x, batch_job *job) {
  job->cells = batch_job_cells(job);
  job->packs_on = 0;
  for (int i = 0; i < x->state.device_count; i++) {
    const cla_device_info info = device_for_packs(x, &x->state.devices[i]);
    if (batch_pack_takes(&x->packs, &info, job, &x->align)) job->packs_on |= UINT64_C(1) << i;
  }
  job_list_add(&x->added, job);
}

/* Threads may have what was added, many jobs at a time. The lock is held. */
static void put_added(executor *x) {
  bool wake = false;
  for (batch_job *job; (job = job_list_take(&x->added));) {
    const int64_t before = x->state.packs_count;
    executor_put(x, job, false);
    wake |= wakes(x, before);
  }
  if (wake) pthread_cond_broadcast(&x->work_condition);
}

batch_job *executor_take_done(executor *x) {
  pthread_mutex_lock(&x->lock);
  put_added(x);
  pthread_mutex_unlock(&x->lock);
  if (x->ranks) executor_ranks_move(x);
  pthread_mutex_lock(&x->lock);
  batch_job *first = x->done.first;
  x->done = (job_list){0};
  pthread_mutex_unlock(&x->lock);
  return first;
}

void executor_reading(executor *x, bool reading, bool full) {
  pthread_mutex_lock(&x->lock);
  if (x->state.reading != reading || x->state.full != full) pthread_cond_broadcast(&x->work_condition);
  x->state.reading = reading;
  x->state.full = full;
  put_added(x);
  pthread_mutex_unlock(&x->lock);
}

void executor_raise(executor *x, score_gate *gate, int64_t least) {
  pthread_mutex_lock(&x->lock);
  *gate = (score_gate){.given = true, .least = least};
  pthread_mutex_unlock(&x->lock);
}

/* The lock is held. */
static bool is_anything_left(const executor *x) {
  for (int i = 0; i < x->state.device_count; i++)
    if (!x->state.devices[i].lost) return true;
  return false;
}

cla_status executor_check(executor *x, cla_error *error) {
  cla_status status = CLA_OK;
  pthread_mutex_lock(&x->lock);
  if (!x->done.first && !is_anything_left(x))
    status =
        error_set(error, x->lost_error.status, "no device is left for the batch: %s", x->lost_error.message);
  pthread_mutex_unlock(&x->lock);
  if (status == CLA_OK && x->rank_error.status != CLA_OK)
    status = error_set(error, x->rank_error.status, "%s", x->rank_error.message);
  return status;
}

void executor_rest(executor *x, const cla_ranks *ranks) {
  const struct timespec until = thread_time_in(NANOSECONDS_OF_REST);
  pthread_mutex_lock(&x->lock);
  const bool at_work = x->running > 0;
  x->done_wanted = DONE_IN_A_REST;
  if (at_work && !x->done.first) pthread_cond_timedwait(&x->done_condition, &x->lock, &until);
  x->done_wanted = 1;
  pthread_mutex_unlock(&x->lock);
  if (!at_work) ranks->rest(ranks->user, false);
}

/* Messages are on their way meanwhile. */
static void wait_with_ranks(executor *x) {
  const double until = machine_seconds() + CLA_PROGRESS_SECONDS;
  for (bool done = false; !done && x->rank_error.status == CLA_OK && machine_seconds() < until;) {
    executor_ranks_move(x);
    pthread_mutex_lock(&x->lock);
    done = x->done.first || !is_anything_left(x);
    pthread_mutex_unlock(&x->lock);
    if (!done) executor_rest(x, x->ranks);
  }
}

cla_status executor_wait(executor *x, cla_error *error) {
  const struct timespec until = thread_time_in(NANOSECONDS_OF_WAITING);
  pthread_mutex_lock(&x->lock);
  put_added(x);
  if (!x->ranks && !x->done.first && is_anything_left(x))
    pthread_cond_timedwait(&x->done_condition, &x->lock, &until);
  pthread_mutex_unlock(&x->lock);
  if (x->ranks) wait_with_ranks(x);
  return executor_check(x, error);
}

double executor_seconds_left(executor *x, batch_rest *rest) {
  const double now = machine_seconds(), share = x->ranks ? executor_ranks_share(x, rest, now) : 1;
  pthread_mutex_lock(&x->lock);
  const double seconds = x->going ? batch_time_left(&x->state, rest, now) : -1;
  pthread_mutex_unlock(&x->lock);
  return share * seconds;
}

cla_status executor_explain(char **out, executor *x, cla_error *error) {
  pthread_mutex_lock(&x->lock);
  put_added(x);
  cla_status status = batch_plan_text(out, &x->state, x->options, error);
  pthread_mutex_unlock(&x->lock);
  return status;
}
