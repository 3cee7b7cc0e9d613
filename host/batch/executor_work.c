/* The work of a device thread. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "batch/executor_internal.h"
#include "sweep/progress.h"

/* Tasks that a device's first thread runs before the other threads start. */
#define TRIED 2
/* Approximate number of letters of the shorter side that keep one compute unit busy. */
#define LETTERS_OF_UNIT_CPU 8192
#define LETTERS_OF_UNIT_GPU 2048

/* How a message starts if the host's memory budget is too small. */
#define HOST_MEMORY "--memory "

/* A pair that is being aligned. */
typedef struct running_task {
  batch_job *job;
  int level;               /* the pair gets 1 / 2^level of the device */
  cla_align_options align; /* options with the task's share of the budgets */
  bool alone;
} running_task;

/* Returns true if a device can take the job in a lot. */
static bool takes_lots(const executor *x, const batch_job *job) {
  for (int i = 0; x->may_lots && i < x->device_count; i++) {
    const executor_device *device = &x->devices[i];
    if (device->handle && !device->lost && device->lots && lane_lot_takes(job, device->lot_letters))
      return true;
  }
  return false;
}

void executor_put(executor *x, batch_job *job, bool again) {
  const bool plain =
      x->may_lots && !job->alone && !job->no_lanes && batch_job_is_plain(job, x->kind, &x->align);
  const bool lanes = plain && x->lanes && lane_lot_takes(job, x->lane_letters);
  job_list *list = job->alone                    ? &x->alone
                   : lanes                       ? &x->short_of_lanes
                   : plain && takes_lots(x, job) ? &x->short_of_devices
                                                 : &x->waiting;
  if (again)
    job_list_return(list, job);
  else
    job_list_add(list, job);
}

/* Distributes the pairs for lots anew, because a device takes no more lots. */
static void put_again(executor *x) {
  job_list moved = x->short_of_devices;
  x->short_of_devices = (job_list){0};
  for (batch_job *job; (job = job_list_take(&moved));) executor_put(x, job, true);
}

static bool has_failed_on(const batch_job *job, const executor_device *device) {
  return job->failed_on >> device->number & 1;
}

/* Returns true if a device is left whose memory may be large enough. */
static bool may_be_done(const executor *x, const batch_job *job) {
  for (int i = 0; i < x->device_count; i++)
    if (!x->devices[i].lost && !has_failed_on(job, &x->devices[i])) return true;
  return false;
}

void executor_finish(executor *x, batch_job *job) {
  job_list_add(&x->done, job);
  if (x->done.count >= x->done_wanted) pthread_cond_signal(&x->done_condition);
}

/* Fails the pair: the only device that might have had enough memory for it has failed. */
static void fail_without_device(executor *x, batch_job *job) {
  const cla_error why = {.status = CLA_ERROR_MEMORY,
                         .message = "the device that might have had the memory for this pair failed"};
  batch_job_fail(job, CLA_ERROR_MEMORY, &why);
  executor_finish(x, job);
}

/* Has a pair that ran out of memory tried again with the whole budget, on one device after another. */
static void want_memory(executor *x, executor_device *device, batch_job *job, const cla_error *why) {
  if (job->alone) job->failed_on |= UINT64_C(1) << device->number;
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
  const char *name = device->handle ? device->info.name : "the device";
  if (device->lost) return;
  device->lost = true;
  error_set(&x->lost_error, status, "%s", why);
  executor_note(x, "%s is left out: %s", name, why);
  /* pairs for which only this device might have had enough memory fail */
  job_list waiting = x->alone;
  x->alone = (job_list){0};
  for (batch_job *job; (job = job_list_take(&waiting));) {
    if (may_be_done(x, job))
      job_list_add(&x->alone, job);
    else
      fail_without_device(x, job);
  }
  put_again(x);
  pthread_cond_signal(&x->done_condition);
  executor_wake(x);
}

/* Returns true if the device's other threads have not been started yet. */
static bool is_alone(const executor_device *device) {
  return !device->twins_tried && device->levels > 1;
}

/* Returns the level of the smallest share of the device that the pair keeps busy. */
static int level_of(const executor_device *device, const batch_job *job) {
  const double letters = device->info.kind == CLA_DEVICE_CPU ? LETTERS_OF_UNIT_CPU : LETTERS_OF_UNIT_GPU;
  const double units = fmax(sqrt(job->cells) / letters, 1);
  int level = 0;
  while (level + 1 < device->levels && units * (double)(2 << level) <= device->info.compute_units) level++;
  return level;
}

/* Takes the smallest waiting pair. It needs the kernel that most of the pairs need. */
static batch_job *take_smallest(executor *x, bool lots) {
  job_list *const lists[] = {&x->waiting, &x->short_of_devices};
  job_list *from = NULL;
  batch_job **at = NULL;
  for (int i = 0; i < (lots ? 2 : 1); i++)
    for (batch_job **job = &lists[i]->first; *job; job = &(*job)->next)
      if (!at || (*job)->cells < (*at)->cells) {
        at = job;
        from = lists[i];
      }
  return at ? job_list_remove(from, at) : NULL;
}

static double share_of(int level) {
  return 1.0 / (double)(1 << level);
}

/* Chooses the next pair for the device. The caller holds the lock. */
static bool choose(running_task *out, executor *x, executor_device *device) {
  batch_job *alone = x->alone.first;
  job_list *from = x->waiting.first ? &x->waiting : device->lots ? &x->short_of_devices : &x->waiting;
  *out = (running_task){.alone = alone != NULL};
  if (x->runs_alone) return false;
  if (alone) {
    if (x->running > 0 || has_failed_on(alone, device)) return false;
    out->job = job_list_take(&x->alone);
    return true;
  }
  if (is_alone(device)) {
    out->job = take_smallest(x, device->lots);
    device->done++;
    return out->job;
  }
  if (!from->first) return false;
  out->level = level_of(device, from->first);
  if (device->share_taken + share_of(out->level) > 1 + 1e-9) return false;
  out->job = job_list_take(from);
  return true;
}

void executor_note_building(executor *x, double now) {
  if (x->building > 0 && x->building == x->running) x->build_seconds += now - x->build_at;
  x->build_at = now;
}

/* Records whether a kernel is being compiled for the worker. The caller holds the lock. */
static void set_building(executor_worker *worker, bool building) {
  executor *x = worker->executor;
  if (worker->building == building) return;
  executor_note_building(x, machine_seconds());
  worker->building = building;
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

/* Marks the task's share of the device as taken, and divides the budgets. The caller holds the lock. */
static void begin_task(running_task *run, executor *x, executor_worker *worker) {
  executor_device *device = worker->device;
  const int level = run->level, devices = run->alone ? 1 : x->device_count;
  executor_note_building(x, machine_seconds());
  device->share_taken += share_of(level);
  x->running++;
  x->runs_alone = run->alone;
  run->align = device->align;
  run->align.budgets.memory_bytes = larger(x->align.budgets.memory_bytes / devices >> level, 1);
  run->align.budgets.threads = (int)larger(x->align.budgets.threads / devices >> level, 1);
  if (x->align.budgets.device_memory_bytes > 0 || level > 0) {
    const int64_t all = x->align.budgets.device_memory_bytes > 0 ? x->align.budgets.device_memory_bytes
                                                                 : device->info.memory_bytes / 8 * 7;
    run->align.budgets.device_memory_bytes = larger(all >> level, 1);
  }
  if (run->job->gate) run->job->needed = *run->job->gate;
}

static void end_task(const running_task *run, executor *x, executor_worker *worker) {
  executor_device *device = worker->device;
  set_building(worker, false);
  executor_note_building(x, machine_seconds());
  device->share_taken = fmax(device->share_taken - share_of(run->level), 0);
  x->running--;
  x->runs_alone = false;
}

/* Adds the job of a single task to the done jobs, or returns it to a list. The caller holds the lock. */
static void route(executor *x, executor_worker *worker, batch_job *job, cla_status status,
                  const cla_error *why) {
  switch (status) {
    case CLA_ERROR_DEVICE:
    case CLA_ERROR_VERIFICATION:
      executor_lose(x, worker->device, status, why->message);
      /* A pair that lacked memory on all remaining devices would be taken by none. If no device remains,
       * the batch ends. */
      if (job->failed_on != 0 && !may_be_done(x, job))
        fail_without_device(x, job);
      else
        executor_put(x, job, true);
      return;
    case CLA_ERROR_MEMORY: want_memory(x, worker->device, job, why); return;
    case CLA_ERROR_INTERRUPTED: return; /* the batch ends and frees all jobs */
    case CLA_OK: break;
    default: batch_job_fail(job, status, why);
  }
  executor_finish(x, job);
}

static bool go_on(const cla_progress *progress, void *user) {
  executor_worker *worker = user;
  executor *x = worker->executor;
  pthread_mutex_lock(&x->lock);
  set_building(worker, progress->stage && strcmp(progress->stage, PROGRESS_COMPILING) == 0);
  const bool stopping = x->stopping;
  pthread_mutex_unlock(&x->lock);
  return !stopping;
}

/* Runs a task. The caller holds the lock; it is released during the work and taken again. */
static void run_task(running_task *run, executor *x, executor_worker *worker) {
  batch_job *job = run->job;
  cla_error why = {.status = CLA_OK};
  cla_batch_work work = {.device = (size_t)worker->device->number,
                         .part = worker->number,
                         .parts = 1 << run->level,
                         .pairs = 1,
                         .first = job->index,
                         .cells = job->cells,
                         .begin = machine_seconds() - x->began};
  run->align.callbacks.progress = go_on;
  run->align.callbacks.progress_user = worker;
  pthread_mutex_unlock(&x->lock);
  batch_job_options(&run->align, job);
  cla_status status = batch_job_align(job, worker->handle, &run->align, &why);
  pthread_mutex_lock(&x->lock);
  work.end = machine_seconds() - x->began;
  if (status == CLA_OK) executor_note_work(x, &work);
  end_task(run, x, worker);
  route(x, worker, job, status, &why);
}

/* Opens a handle and starts a thread for each other worker of the device. The first thread has already built
 * what most pairs need. The caller holds the lock; it is released meanwhile and taken again. */
static void start_others(executor *x, executor_device *device) {
  const int wanted = 1 << (device->levels - 1);
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
  while (1 << (device->levels - 1) > opened) device->levels--;
  if (opened < wanted)
    executor_note(x, "%s takes %d pairs at once at the most: %s", device->info.name, opened,
                  why.status != CLA_OK ? why.message : "no more threads can be started");
}

void *executor_work(void *user) {
  executor_worker *worker = user;
  executor *x = worker->executor;
  executor_device *device = worker->device;
  running_task run;
  pthread_mutex_lock(&x->lock);
  if (!device->handle) executor_open_device(x, device);
  while (!x->stopping && !device->lost) {
    if (!x->alone.first && !x->runs_alone && executor_device_lot(x, worker)) {
      executor_wake(x);
      continue;
    }
    if (!choose(&run, x, device)) {
      /* the last of the added jobs may be done */
      if (x->done.first) pthread_cond_signal(&x->done_condition);
      pthread_cond_wait(&x->work_condition, &x->lock);
      continue;
    }
    begin_task(&run, x, worker);
    run_task(&run, x, worker);
    const bool more = x->waiting.first || x->short_of_devices.first;
    if (is_alone(device) && device->done >= TRIED && !x->stopping && more) start_others(x, device);
    executor_wake(x);
  }
  pthread_mutex_unlock(&x->lock);
  return NULL;
}
