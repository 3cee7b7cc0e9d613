/* What a thread of the executor does. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "batch/executor_internal.h"
#include "device/device.h"
#include "sweep/progress.h"

/* Pairs that a device aligns by themselves before its other threads begin. */
#define TRIED_PAIRS 2

/* Beginning of the message that the host's budget is too small. */
#define HOST_MEMORY "--memory "

/* A task on its way. */
typedef struct running_task {
  batch_task task;
  cla_align_options align; /* with the task's share of the budgets */
  bool alone;
} running_task;

/* What packs may take of a device's memory. Half of what the host has for aligning is for paths
 * (batch_memory_for_paths). */
static int64_t solvers_bytes(const cla_device_info *device, const cla_align_options *align) {
  const int64_t own =
      align->budgets.device_memory_bytes > 0 ? align->budgets.device_memory_bytes : device->memory_bytes;
  if (device->kind == CLA_DEVICE_CPU) return larger(smaller(own, align->budgets.memory_bytes / 2), 1);
  return own;
}

/* The worker begins a pack, with `part` of the device. If it has no solver, it takes an idle worker's solver
 * and handle, because buffers take long to make. The lock is held. */
static void solvers_take(executor_worker *worker, double part) {
  for (int w = 0; w < WORKERS_MOST && !worker->solver; w++) {
    executor_worker *other = &worker->device->workers[w];
    if (other == worker || other->at_work || !other->solver) continue;
    cla_device *handle = worker->handle;
    worker->handle = other->handle;
    worker->solver = other->solver;
    other->handle = handle;
    other->solver = NULL;
    other->solver_part = 0;
  }
  worker->solver_part = part;
}

/* Where the device's memory is bounded, idle solvers give back what those at work may take. The lock is held.
 */
static void solvers_share(executor_device *device) {
  double taken = device->state->taken;
  if (device->workers[0].executor->align.budgets.device_memory_bytes <= 0) return;
  for (int w = 0; w < WORKERS_MOST; w++) {
    executor_worker *idle = &device->workers[w];
    if (idle->packing || idle->solver_part == 0) continue;
    taken += idle->solver_part;
    if (taken <= 1) continue;
    taken -= idle->solver_part;
    idle->solver_part = 0;
    pack_solver_release(idle->solver);
  }
}

/* A pair that needs all memory has that of the packs, too: nobody is at work. The lock is held. */
static void solvers_free(executor *x) {
  for (int i = 0; i < x->state.device_count; i++)
    for (int w = 0; w < WORKERS_MOST; w++) {
      executor_worker *worker = &x->devices[i].workers[w];
      pack_solver_free(worker->solver);
      worker->solver = NULL;
      worker->solver_part = 0;
    }
}

/* Whether a device takes packs with the job. */
static bool can_be_packed(const executor *x, const batch_job *job) {
  for (int i = 0; job->packs_on != 0 && i < x->state.device_count; i++)
    if (!x->state.devices[i].lost && x->state.devices[i].packs && job->packs_on >> i & 1) return true;
  return false;
}

void executor_put(executor *x, batch_job *job, bool again) {
  const int size = size_class_of(job->cells);
  const bool lanes = job->for_lanes && !job->alone;
  const bool packs = !job->alone && !lanes && can_be_packed(x, job);
  job_list *list = job->alone ? &x->state.alone
                   : lanes    ? &x->state.lanes
                   : packs    ? &x->state.packs[size]
                              : &x->state.pending[size];
  if (again)
    job_list_return(list, job);
  else
    job_list_add(list, job);
  x->state.packs_count += packs;
  x->state.pending_count += !packs && !lanes && !job->alone;
}

/* A device takes no packs any more: pairs that no other one packs are aligned one by one. */
static void put_packs_again(executor *x) {
  for (int size = 0; size < SIZE_CLASSES; size++) {
    job_list waiting = x->state.packs[size];
    x->state.packs[size] = (job_list){0};
    x->state.packs_count -= waiting.count;
    for (batch_job *job; (job = job_list_take(&waiting));) executor_put(x, job, true);
  }
}

static bool has_failed_on(const batch_job *job, const device_state *device) {
  return job->failed_on >> device->number & 1;
}

/* Whether a device is left whose memory may be enough. */
static bool may_be_done(const executor *x, const batch_job *job) {
  for (int i = 0; i < x->state.device_count; i++)
    if (!x->state.devices[i].lost && !has_failed_on(job, &x->state.devices[i])) return true;
  return false;
}

void executor_finish(executor *x, batch_job *job) {
  job_list_add(&x->done, job);
  if (x->done.count >= x->done_wanted) pthread_cond_signal(&x->done_condition);
}

/* Fails the pair: the device that might have had enough memory for it has failed, and no other one is left.
 */
static void fail_without_device(executor *x, batch_job *job) {
  const cla_error why = {.status = CLA_ERROR_MEMORY,
                         .message = "the device that might have had the memory for this pair failed"};
  batch_job_fail(job, CLA_ERROR_MEMORY, &why);
  executor_finish(x, job);
}

/* A pair whose memory was too little gets all that there is, on one device after the other. */
static void want_memory(executor *x, executor_device *device, batch_job *job, const cla_error *why) {
  if (job->alone) job->failed_on |= UINT64_C(1) << device->state->number;
  job->alone = true;
  if (may_be_done(x, job)) {
    executor_put(x, job, true);
    return;
  }
  cla_error all = *why;
  if (strncmp(why->message, HOST_MEMORY, strlen(HOST_MEMORY)) == 0)
    error_set(&all, CLA_ERROR_MEMORY,
              "%s; up to two fifths of a batch's memory are for its other pairs and sequences", why->message);
  batch_job_fail(job, CLA_ERROR_MEMORY, &all);
  executor_finish(x, job);
}

void executor_lose(executor *x, executor_device *device, cla_status status, const char *why) {
  const char *name = device->state->open ? device->state->info.name : "the device";
  if (device->state->lost) return;
  device->state->lost = true;
  error_set(&x->lost_error, status, "%s", why);
  executor_note(x, "%s is left out: %s", name, why);
  /* Pairs for which only this device might have had enough memory. */
  job_list waiting = x->state.alone;
  x->state.alone = (job_list){0};
  for (batch_job *job; (job = job_list_take(&waiting));) {
    if (may_be_done(x, job))
      job_list_add(&x->state.alone, job);
    else
      fail_without_device(x, job);
  }
  put_packs_again(x);
  pthread_cond_signal(&x->done_condition);
  executor_wake(x);
}

/* Whether the device's further threads are still to be started. */
static bool is_alone(const executor_device *device) {
  return !device->twins_tried && device->state->levels > 1;
}

/* The next task for the device; the lock is held. */
static bool choose(running_task *out, executor *x, executor_device *device) {
  device_state *state = device->state;
  batch_job *alone = x->state.alone.first;
  *out = (running_task){0};
  if (x->runs_alone) return false;
  if (!alone && x->state.pending_count + x->state.packs_count == 0) return false;
  /* The first thread takes a small pair: all threads then have the kernels that it builds. */
  if (!alone && is_alone(device)) return batch_pick_small(&out->task, &x->state, state);
  if (!alone) return batch_pick(&out->task, &x->state, state);
  if (x->running > 0 || has_failed_on(alone, state)) return false;
  out->alone = true;
  job_list_add(&out->task.jobs, job_list_take(&x->state.alone));
  return true;
}

void executor_note_building(executor *x, double now) {
  if (x->building > 0 && x->building == x->running) x->build_seconds += now - x->build_at;
  x->build_at = now;
}

/* Sets whether the worker's kernels are being compiled; the lock is held. */
static void set_building(executor_worker *worker, bool building) {
  executor *x = worker->executor;
  if (worker->building == building) return;
  const double now = machine_seconds();
  executor_note_building(x, now);
  worker->building = building;
  worker->begun.built_seconds += building ? -now : now;
  x->building += building ? 1 : -1;
}

double executor_build_seconds(bool *building, executor *x) {
  pthread_mutex_lock(&x->lock);
  executor_note_building(x, machine_seconds());
  *building = x->building > 0 && x->building == x->running;
  const double seconds = x->build_seconds;
  pthread_mutex_unlock(&x->lock);
  return seconds;
}

/* A device_compiling for packs, which report nothing meanwhile. */
static cla_status begin_building(void *user, cla_error *error) {
  executor_worker *worker = user;
  (void)error;
  pthread_mutex_lock(&worker->executor->lock);
  set_building(worker, true);
  pthread_mutex_unlock(&worker->executor->lock);
  return CLA_OK;
}

/* Marks the task's share as taken, and splits the budgets; the lock is held. */
static void begin_task(running_task *run, executor *x, executor_worker *worker) {
  device_state *state = worker->device->state;
  const cla_device_info *info = &state->info;
  const int level = run->task.level, devices = run->alone ? 1 : x->state.device_count;
  const double now = machine_seconds();
  executor_note_building(x, now);
  worker->begun = (work_begun){.task = &run->task, .at = now};
  state->running++;
  state->taken += 1.0 / (double)(1 << level);
  x->running++;
  x->runs_alone = run->alone;
  if (run->alone) solvers_free(x);
  run->align = state->align;
  run->align.budgets.memory_bytes = larger(x->align.budgets.memory_bytes / devices >> level, 1);
  run->align.budgets.threads = (int)larger(x->align.budgets.threads / devices >> level, 1);
  if (x->align.budgets.device_memory_bytes > 0 || level > 0) {
    const int64_t all = x->align.budgets.device_memory_bytes > 0 ? x->align.budgets.device_memory_bytes
                                                                 : info->memory_bytes / 8 * 7;
    run->align.budgets.device_memory_bytes = larger(all >> level, 1);
  }
  for (batch_job *job = run->task.jobs.first; job; job = job->next)
    if (job->gate) job->needed = *job->gate;
}

static void end_task(const running_task *run, executor *x, executor_worker *worker) {
  device_state *state = worker->device->state;
  const int level = run->task.level;
  set_building(worker, false);
  executor_note_building(x, machine_seconds());
  worker->begun.task = NULL;
  state->running--;
  state->taken = state->running > 0 ? state->taken - 1.0 / (double)(1 << level) : 0;
  x->running--;
  x->runs_alone = false;
}

/* What became of the job of a single task; the lock is held. */
static void route(executor *x, executor_worker *worker, batch_job *job, cla_status status,
                  const cla_error *why) {
  switch (status) {
    case CLA_ERROR_DEVICE:
    case CLA_ERROR_VERIFICATION:
      executor_lose(x, worker->device, status, why->message);
      /* Nobody would take a pair that lacked memory on all devices that are left. With none left the
       * batch ends. */
      if (job->failed_on != 0 && !may_be_done(x, job))
        fail_without_device(x, job);
      else
        executor_put(x, job, true);
      return;
    case CLA_ERROR_MEMORY: want_memory(x, worker->device, job, why); return;
    case CLA_ERROR_INTERRUPTED: return; /* the batch ends, and frees all jobs */
    case CLA_OK: break;
    default: batch_job_fail(job, status, why);
  }
  executor_finish(x, job);
}

static bool go_on(const cla_progress *progress, void *user) {
  executor_worker *worker = user;
  executor *x = worker->executor;
  pthread_mutex_lock(&x->lock);
  work_begun *begun = &worker->begun;
  set_building(worker, progress->stage && strcmp(progress->stage, PROGRESS_COMPILING) == 0);
  if (begun->task && begun->task->method == METHOD_SINGLE && progress->seconds_left >= 0)
    begun->part = progress->fraction;
  const bool stopping = x->stopping;
  pthread_mutex_unlock(&x->lock);
  return !stopping;
}

static cla_batch_work describe(const running_task *run, const executor *x, const executor_worker *worker) {
  const batch_task *task = &run->task;
  return (cla_batch_work){.device = (size_t)worker->device->state->number,
                          .part = worker->number,
                          .parts = 1 << task->level,
                          .packed = task->method == METHOD_PACKED,
                          .pairs = task->jobs.count,
                          .first = task->jobs.first->index,
                          .cells = task->jobs.cells,
                          .begin = worker->begun.at - x->began};
}

/* Aligns the one pair of the task. */
static cla_status align_single(running_task *run, executor *x, executor_worker *worker, cla_error *why) {
  batch_job *job = run->task.jobs.first;
  batch_job_options(&run->align, job);
  tracers_give_way(x->tracers, run->align.budgets.threads);
  cla_status status = batch_job_align(job, worker->handle, &run->align, why);
  tracers_come_back(x->tracers, run->align.budgets.threads);
  return status;
}

/* Aligns the jobs of a pack. */
static cla_status align_pack(running_task *run, executor *x, executor_worker *worker, cla_error *why) {
  const cla_device_info *info = &worker->device->state->info;
  const int64_t count = run->task.jobs.count;
  batch_job **jobs = NULL;
  int64_t filled = 0;
  cla_status status = allocate_array((void **)&jobs, count, sizeof *jobs, "a pack", why);
  if (status == CLA_OK && !worker->solver)
    status = pack_solver_create(&worker->solver, worker->handle, &x->packs.scheme, why);
  const pack_means with = {.solver = worker->solver,
                           .packs = &x->packs,
                           .device = info,
                           .align = &run->align,
                           .tracers = x->tracers};
  if (status == CLA_OK) pack_solver_limit(worker->solver, solvers_bytes(info, &run->align));
  for (batch_job *job = run->task.jobs.first; status == CLA_OK && job; job = job->next) jobs[filled++] = job;
  device_on_compiling(worker->handle, begin_building, worker);
  if (status == CLA_OK) status = batch_pack_align(jobs, count, &with, why);
  device_on_compiling(worker->handle, NULL, NULL);
  free(jobs);
  return status;
}

/* Decides about further packs after one has failed. If memory was too little, packs get half as many pairs;
 * if it was too little for one pair, that pair is aligned by itself. After other failures the device takes no
 * packs. Each decision is noted once. The lock is held. */
static void note_failed_pack(executor *x, device_state *state, int64_t pairs, cla_status status,
                             const cla_error *why) {
  const char *name = state->info.name;
  if (!state->packs) return;
  if (status == CLA_ERROR_MEMORY && pairs > 1) {
    if (!state->packs_halved)
      executor_note(x, "%s takes smaller packs of pairs than %lld: %s", name, (long long)pairs, why->message);
    state->packs_halved = true;
    if (state->pack_pairs_most == 0 || state->pack_pairs_most > pairs / 2) state->pack_pairs_most = pairs / 2;
    return;
  }
  if (status == CLA_ERROR_MEMORY && batch_take_from_packs(state)) return;
  state->packs = false;
  executor_note(x, "%s takes no packs of pairs: %s", name, why->message);
  put_packs_again(x);
}

/* What became of a pack's jobs: after a failure its pairs are told one by one, or go into smaller packs. The
 * lock is held. */
static void route_pack(executor *x, device_state *state, job_list *jobs, cla_status status,
                       const cla_error *why) {
  if (status == CLA_OK)
    state->packs_left = 0;
  else if (status != CLA_ERROR_INTERRUPTED)
    note_failed_pack(x, state, jobs->count, status, why);
  const bool smaller_ones = status == CLA_ERROR_MEMORY && state->packs && jobs->count > 1;
  for (batch_job *job; (job = job_list_take(jobs));) {
    if (!smaller_ones) job->packs_on = 0;
    if (status == CLA_OK && !job->too_large)
      executor_finish(x, job);
    else
      executor_put(x, job, true);
  }
}

void executor_note_task(executor *x, const batch_task *task, cla_batch_work *work, const work_begun *begun) {
  const double seconds = machine_seconds() - begun->at;
  work->end = work->begin + seconds;
  x->own_cells += task->jobs.cells;
  executor_note_work(x, work);
  time_seen_add(&x->state.seen, task, 1, fmax(seconds - begun->built_seconds, 0));
}

/* Runs a task; the lock is held before and after. */
static void run_task(running_task *run, executor *x, executor_worker *worker) {
  device_state *state = worker->device->state;
  const bool packed = run->task.method == METHOD_PACKED;
  cla_error why = {.status = CLA_OK};
  cla_batch_work work = describe(run, x, worker);
  run->align.callbacks.progress = go_on;
  run->align.callbacks.progress_user = worker;
  pthread_mutex_unlock(&x->lock);
  cla_status status = packed ? align_pack(run, x, worker, &why) : align_single(run, x, worker, &why);
  pthread_mutex_lock(&x->lock);
  set_building(worker, false);
  if (status == CLA_OK) {
    const double seconds = machine_seconds() - worker->begun.at - worker->begun.built_seconds;
    if (packed && seconds > 0) state->pack_rate = run->task.jobs.cells / seconds;
    executor_note_task(x, &run->task, &work, &worker->begun);
  }
  end_task(run, x, worker);
  if (packed)
    route_pack(x, state, &run->task.jobs, status, &why);
  else
    route(x, worker, job_list_take(&run->task.jobs), status, &why);
}

/* Opens a handle for each further thread of the device, now that the first one has built what most pairs
 * need. The lock is held, and given away meanwhile. */
static void start_others(executor *x, executor_device *device) {
  const int wanted = 1 << (device->state->levels - 1);
  cla_error why = {.status = CLA_OK};
  int opened = 1;
  device->twins_tried = true;
  pthread_mutex_unlock(&x->lock);
  for (; opened < wanted; opened++) {
    executor_worker *other = &device->workers[opened];
    if (device_open_twin(&other->handle, device->handle, &why) != CLA_OK) break;
    other->started = thread_start(&other->thread, executor_work, other) == 0;
    if (!other->started) break;
  }
  pthread_mutex_lock(&x->lock);
  while (1 << (device->state->levels - 1) > opened) device->state->levels--;
  if (opened < wanted)
    executor_note(x, "%s takes %d pairs at once at the most: %s", device->state->info.name, opened,
                  why.status != CLA_OK ? why.message : "no more threads can be started");
}

void *executor_work(void *user) {
  executor_worker *worker = user;
  executor *x = worker->executor;
  executor_device *device = worker->device;
  running_task run;
  pthread_mutex_lock(&x->lock);
  if (!device->handle) executor_open_device(x, device);
  while (!x->stopping && !device->state->lost) {
    if (!choose(&run, x, device)) {
      if (x->done.first) pthread_cond_signal(&x->done_condition); /* the last job for now may be done */
      pthread_cond_wait(&x->work_condition, &x->lock);
      continue;
    }
    begin_task(&run, x, worker);
    worker->at_work = true;
    worker->packing = run.task.method == METHOD_PACKED;
    if (worker->packing) solvers_take(worker, 1.0 / (double)(1 << run.task.level));
    solvers_share(device);
    run_task(&run, x, worker);
    worker->at_work = worker->packing = false;
    if (is_alone(device) && device->state->tried >= TRIED_PAIRS && !x->stopping &&
        x->state.pending_count + x->state.packs_count > 0)
      start_others(x, device);
    executor_wake(x);
  }
  pthread_mutex_unlock(&x->lock);
  return NULL;
}
