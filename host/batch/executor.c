#include "batch/executor.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "base/ranks.h"
#include "batch/executor_internal.h"
#include "clalign/arrays.h"
#include "pipeline/pipeline.h"

#define NANOSECONDS_OF_WAITING ((long)(CLA_PROGRESS_SECONDS * 1e9))
/* Time between looks for messages while threads are at work. Each look takes processor time from them, but a
 * rank may finish its lots within some ten milliseconds. (100,000 x 1 kbp, 4 ranks, 16 cores: 4.4 s with 16
 * ms, 3.3 s with 2.) */
#define NANOSECONDS_OF_REST 2000000L
/* A rest ends after so many pairs, because the calling thread then takes a core from a thread that computes.
 */
#define DONE_IN_A_REST 1024
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
  x->has_lanes = pthread_cond_init(&x->lanes_condition, NULL) == 0;
  x->has_lock = pthread_mutex_init(&x->lock, NULL) == 0;
  if (x->has_done && x->has_work && x->has_lanes && x->has_lock) return CLA_OK;
  return error_set(error, CLA_ERROR_MEMORY, "the lock of a batch cannot be made; free some memory");
}

/* While another thread has a device. */
static bool go_on_waiting(void *user) {
  const executor *x = user;
  const cla_batch_progress progress = {.seconds = machine_seconds() - x->began};
  return x->options->progress(&progress, x->options->progress_user);
}

/* What the device is, once it has a handle, which was taken. */
static void begin_device(executor *x, int number, cla_device *handle, const cla_tuning *tuning) {
  executor_device *device = &x->devices[number];
  device_state *state = device->state;
  device->taken = true;
  state->info = *cla_device_describe(handle);
  state->align = x->align;
  state->align.tuning = tuning;
  state->levels = levels_of(&state->info, x->align.budgets.threads / x->state.device_count);
  if (x->packs.allowed) state->way = pack_way_of(&state->info, &x->packs.scheme);
  state->packs = state->way.enough > 0;
  if (state->packs) state->packs_class = batch_pack_class(&x->packs, &state->info, &state->align);
  device->workers[0].handle = device->handle = handle;
  state->open = true;
}

/* The devices that are given, or the place of one that is opened for the first pair that needs it. */
static cla_status begin_devices(executor *x, cla_device *const *devices, size_t count, cla_error *error) {
  const int places = count > 0 ? (int)count : 1;
  cla_status status =
      allocate_zeros((void **)&x->devices, places, sizeof *x->devices, "the devices of a batch", error);
  if (status == CLA_OK)
    status = allocate_zeros((void **)&x->state.devices, places, sizeof *x->state.devices,
                            "the devices of a batch", error);
  if (status != CLA_OK) return status;
  x->state.device_count = places;
  for (int i = 0; i < places; i++) {
    x->devices[i].state = &x->state.devices[i];
    x->state.devices[i].number = i;
    for (int w = 0; w < WORKERS_MOST; w++)
      x->devices[i].workers[w] = (executor_worker){.executor = x, .device = &x->devices[i], .number = w};
  }
  for (int i = 0; i < (int)count && status == CLA_OK; i++) {
    status = device_take(devices[i], x->options->progress ? go_on_waiting : NULL, x, error);
    if (status == CLA_OK) begin_device(x, i, devices[i], x->options->tunings ? x->options->tunings[i] : NULL);
  }
  return status;
}

/* Threads of the host take short pairs. */
static cla_status begin_lanes(executor *x, cla_error *error) {
  x->lanes = x->packs.allowed && lane_lot_allowed(&x->align);
  x->lane_letters = cla_arrays_letters(&x->align);
  x->state.threads = x->align.budgets.threads;
  x->state.lanes_class = x->lanes ? lane_lot_class(x->lane_letters) : -1;
  return allocate_zeros((void **)&x->hosts, x->state.threads, sizeof *x->hosts, "threads", error);
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
  x->caller = pthread_self();
  x->align.budgets.threads = align_threads(&options->align);
  x->align.callbacks.note = NULL;
  x->align.callbacks.explain = NULL;
  x->align.ranks = NULL; /* each pair is one rank's */
  x->ranks = ranks_any(options->align.ranks) && options->align.circular == CLA_CIRCULAR_NONE
                 ? options->align.ranks
                 : NULL;
  x->align.callbacks.device = NULL;
  if (options->align.several.most == 1) pack_scheme_make(&x->packs, &x->align);
  status = begin_lock(x, error);
  if (status == CLA_OK) status = begin_tracers(x, device_count > 0 ? device_count : 1, error);
  if (status == CLA_OK) status = begin_lanes(x, error);
  if (status == CLA_OK) status = begin_devices(x, devices, device_count, error);
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
  pthread_mutex_lock(&x->lock);
  x->going = true;
  executor_wake(x);
  pthread_mutex_unlock(&x->lock);
}

static void start_device(executor *x, executor_device *device) {
  executor_worker *first = &device->workers[0];
  if (first->started || device->state->lost) return;
  first->started = thread_start(&first->thread, executor_work, first) == 0;
  if (!first->started) executor_lose(x, device, CLA_ERROR_MEMORY, "no thread can be started for it");
}

/* Threads of the host, as many as there are lots for. */
static void start_hosts(executor *x) {
  while (x->host_count < x->state.threads && x->hosts_waiting == 0 && x->state.lanes.count > 0) {
    executor_host *host = &x->hosts[x->host_count];
    host->executor = x;
    if (thread_start(&host->thread, executor_lanes_work, host) != 0) {
      if (x->host_count == 0) executor_leave_lanes(x, "none can be started");
      break;
    }
    x->host_count++;
    if (x->host_count * LANES_PAIRS_LEAST >= x->state.lanes.count) break;
  }
}

void executor_wake(executor *x) {
  if (!x->going || x->stopping) return;
  start_hosts(x);
  if (x->state.lanes.count > 0) pthread_cond_broadcast(&x->lanes_condition);
  if (x->state.pending_count + x->state.packs_count + x->state.alone.count == 0) return;
  for (int i = 0; i < x->state.device_count; i++) start_device(x, &x->devices[i]);
  pthread_cond_broadcast(&x->work_condition);
}

void executor_end(executor *x) {
  if (!x) return;
  if (x->ranks) executor_ranks_end(x);
  if (x->has_lock) pthread_mutex_lock(&x->lock);
  x->stopping = true;
  if (x->has_work) pthread_cond_broadcast(&x->work_condition);
  if (x->has_lanes) pthread_cond_broadcast(&x->lanes_condition);
  if (x->has_lock) pthread_mutex_unlock(&x->lock);
  for (int i = 0; i < x->host_count; i++) pthread_join(x->hosts[i].thread, NULL);
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
  if (x->has_lanes) pthread_cond_destroy(&x->lanes_condition);
  if (x->has_lock) pthread_mutex_destroy(&x->lock);
  tracers_free(x->tracers);
  free(x->devices);
  free(x->state.devices);
  free(x->hosts);
  free(x);
}

/* The device with no more memory than the budgets allow: what packs may take is a part of that. */
static cla_device_info device_for_packs(const executor *x, const device_state *state) {
  cla_device_info info = state->info;
  if (x->align.budgets.device_memory_bytes > 0)
    info.memory_bytes = smaller(info.memory_bytes, x->align.budgets.device_memory_bytes);
  if (info.kind == CLA_DEVICE_CPU)
    info.memory_bytes = smaller(info.memory_bytes, x->align.budgets.memory_bytes / x->state.device_count);
  return info;
}

void executor_classify(executor *x, batch_job *job) {
  const bool plain = batch_job_is_plain(job, x->packs.kind, &x->align);
  job->packs_on = 0;
  job->for_lanes = plain && x->lanes && !job->no_lanes && lane_lot_takes(job, x->lane_letters);
  for (int i = 0; plain && !job->for_lanes && i < x->state.device_count; i++) {
    if (!x->state.devices[i].open) continue;
    const cla_device_info info = device_for_packs(x, &x->state.devices[i]);
    if (batch_pack_takes(&x->packs, &info, job, &x->align)) job->packs_on |= UINT64_C(1) << i;
  }
}

/* While another call has the device. */
static bool is_wanted(void *user) {
  executor *x = user;
  pthread_mutex_lock(&x->lock);
  const bool wanted = !x->stopping;
  pthread_mutex_unlock(&x->lock);
  return wanted;
}

void executor_open_device(executor *x, executor_device *device) {
  const cla_callbacks *calls = &x->options->align.callbacks;
  cla_device *handle = NULL;
  const cla_tuning *tuning = NULL;
  cla_error why = {.status = CLA_OK};
  pthread_mutex_unlock(&x->lock);
  cla_status status = calls->device(&handle, &tuning, calls->device_user, &why);
  if (status == CLA_OK) status = device_take(handle, is_wanted, x, &why);
  pthread_mutex_lock(&x->lock);
  if (status != CLA_OK) {
    executor_lose(x, device, status, why.message);
    return;
  }
  device_hand_over(handle, x->caller); /* the caller's own callbacks must not use the handle */
  begin_device(x, device->state->number, handle, tuning);
  for (int size = 0; size < SIZE_CLASSES; size++) {
    job_list waiting = x->state.pending[size];
    x->state.pending[size] = (job_list){0};
    x->state.pending_count -= waiting.count;
    for (batch_job *job; (job = job_list_take(&waiting));) {
      executor_classify(x, job);
      executor_put(x, job, true);
    }
  }
}

void executor_add(executor *x, batch_job *job) {
  job->cells = batch_job_cells(job);
  job_list_add(&x->added, job);
}

/* Threads may have what was added, many jobs at a time. The lock is held. */
static void put_added(executor *x) {
  if (!x->added.first) return;
  for (batch_job *job; (job = job_list_take(&x->added));) {
    executor_classify(x, job);
    executor_put(x, job, false);
  }
  executor_wake(x);
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
  const bool changed = x->state.reading != reading || x->state.full != full;
  x->state.reading = reading;
  x->state.full = full;
  put_added(x);
  if (changed) executor_wake(x);
  pthread_mutex_unlock(&x->lock);
}

void executor_raise(executor *x, score_gate *gate, int64_t least) {
  pthread_mutex_lock(&x->lock);
  *gate = (score_gate){.given = true, .least = least};
  pthread_mutex_unlock(&x->lock);
}

/* Whether what waits can be done, or some of it; the lock is held. */
static bool is_anything_left(const executor *x) {
  const bool only_lanes = x->state.pending_count + x->state.packs_count + x->state.alone.count == 0;
  if (x->lanes && (only_lanes || x->state.lanes.count > 0 || x->running > 0)) return true;
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

/* Notes a thread's task in work, if it has one. */
static int add_begun(task_begun *out, const work_begun *begun, double now) {
  if (!begun->task) return 0;
  *out = (task_begun){.task = begun->task, .seconds = now - begun->at - begun->built_seconds};
  out->part = begun->part;
  return 1;
}

double executor_seconds_left(executor *x, batch_rest *rest) {
  const double now = machine_seconds(), share = x->ranks ? executor_ranks_share(x, rest, now) : 1;
  task_begun *begun = NULL;
  int count = 0;
  const int64_t most = (int64_t)x->state.device_count * WORKERS_MOST + x->state.threads;
  if (allocate_array((void **)&begun, most, sizeof *begun, "the time left", NULL) != CLA_OK) return -1;
  pthread_mutex_lock(&x->lock);
  for (int i = 0; i < x->state.device_count; i++)
    for (int w = 0; w < WORKERS_MOST; w++)
      count += add_begun(begun + count, &x->devices[i].workers[w].begun, now);
  for (int i = 0; i < x->host_count; i++) count += add_begun(begun + count, &x->hosts[i].begun, now);
  const double seconds = x->going ? batch_time_left(&x->state, rest, begun, count) : -1;
  pthread_mutex_unlock(&x->lock);
  free(begun);
  return seconds < 0 ? seconds : share * seconds;
}

cla_status executor_explain(char **out, executor *x, cla_error *error) {
  pthread_mutex_lock(&x->lock);
  put_added(x);
  cla_status status = batch_plan_text(out, &x->state, error);
  pthread_mutex_unlock(&x->lock);
  return status;
}
