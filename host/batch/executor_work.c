/* Pairs that a device aligns one by one. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "batch/executor_internal.h"
#include "sweep/progress.h"

/* Approximate number of letters of the shorter side that keep one compute unit busy. */
#define LETTERS_OF_UNIT_CPU 8192
#define LETTERS_OF_UNIT_GPU 2048

/* A pair that is being aligned. */
typedef struct running_task {
  batch_job *job;
  int level;               /* the pair gets 1 / 2^level of the device */
  cla_align_options align; /* options with the task's share of the budgets */
  bool alone;
} running_task;

bool executor_device_is_alone(const executor_device *device) {
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
    if (x->running > 0 || executor_has_failed(alone, device)) return false;
    out->job = job_list_take(&x->alone);
    return true;
  }
  if (executor_device_is_alone(device)) {
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

/* Marks the task's share of the device as taken, and divides the budgets. The caller holds the lock. */
static void begin_task(running_task *run, executor *x, executor_worker *worker) {
  executor_device *device = worker->device;
  const int level = run->level, devices = run->alone ? 1 : x->device_count;
  device->share_taken += share_of(level);
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

/* Adds the job of a single task to the done jobs, or returns it to a list. The caller holds the lock. */
static void route(executor *x, executor_worker *worker, batch_job *job, cla_status status,
                  const cla_error *why) {
  switch (status) {
    case CLA_ERROR_DEVICE:
    case CLA_ERROR_VERIFICATION:
      executor_lose(x, worker->device, status, why->message);
      /* No device would take a pair that lacked memory on all remaining devices. If none remains, the batch
       * ends. */
      if (job->failed_on != 0 && !executor_may_do(x, job))
        executor_fail_job(x, job);
      else
        executor_put(x, job, true);
      return;
    case CLA_ERROR_MEMORY: executor_want_memory(x, worker->device, job, why); return;
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
  executor_set_building(worker, progress->stage && strcmp(progress->stage, PROGRESS_COMPILING) == 0);
  const bool stopping = x->stopping;
  pthread_mutex_unlock(&x->lock);
  return !stopping;
}

/* Runs a task. The caller holds the lock; it is released during the work and taken again. */
static void run_task(running_task *run, executor *x, executor_worker *worker) {
  batch_job *job = run->job;
  executor_device *device = worker->device;
  cla_error why = {.status = CLA_OK};
  cla_batch_work work = {.device = (size_t)device->number,
                         .part = worker->number,
                         .parts = 1 << run->level,
                         .pairs = 1,
                         .first = job->index,
                         .cells = job->cells};
  run->align.callbacks.progress = go_on;
  run->align.callbacks.progress_user = worker;
  executor_begin_work(x, &work);
  pthread_mutex_unlock(&x->lock);
  batch_job_options(&run->align, job);
  cla_status status = batch_job_align(job, worker->handle, &run->align, &why);
  pthread_mutex_lock(&x->lock);
  executor_set_building(worker, false);
  executor_end_work(x, &work, status);
  device->share_taken = fmax(device->share_taken - share_of(run->level), 0);
  x->runs_alone = false;
  route(x, worker, job, status, &why);
}

bool executor_device_task(executor *x, executor_worker *worker) {
  running_task run;
  if (!choose(&run, x, worker->device)) return false;
  begin_task(&run, x, worker);
  run_task(&run, x, worker);
  return true;
}
