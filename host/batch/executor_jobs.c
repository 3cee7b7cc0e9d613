/* Where the jobs of an executor go: to the list in which they wait, or to the done jobs. */

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/machine.h"
#include "batch/executor_internal.h"

/* How a message starts if the host's memory budget is too small. */
#define HOST_MEMORY "--memory "

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

bool executor_may_do(const executor *x, const batch_job *job) {
  for (int i = 0; i < x->device_count; i++)
    if (!x->devices[i].lost && !executor_has_failed(job, &x->devices[i])) return true;
  return false;
}

void executor_finish(executor *x, batch_job *job) {
  job_list_add(&x->done, job);
  if (x->done.count >= x->done_wanted) pthread_cond_signal(&x->done_condition);
}

void executor_fail_job(executor *x, batch_job *job) {
  const cla_error why = {.status = CLA_ERROR_MEMORY,
                         .message = "the device that might have had the memory for this pair failed"};
  batch_job_fail(job, CLA_ERROR_MEMORY, &why);
  executor_finish(x, job);
}

void executor_want_memory(executor *x, executor_device *device, batch_job *job, const cla_error *why) {
  if (job->alone) job->failed_on |= UINT64_C(1) << device->number;
  job->alone = true;
  if (executor_may_do(x, job)) {
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
  /* Pairs for which only this device might have had enough memory fail. */
  job_list waiting = x->alone;
  x->alone = (job_list){0};
  for (batch_job *job; (job = job_list_take(&waiting));) {
    if (executor_may_do(x, job))
      job_list_add(&x->alone, job);
    else
      executor_fail_job(x, job);
  }
  put_again(x);
  pthread_cond_signal(&x->done_condition);
}

/* Updates build_seconds. Must be called before `building` or `running` changes. The caller holds the lock. */
static void note_building(executor *x) {
  const double now = machine_seconds();
  if (x->building > 0 && x->building == x->running) x->build_seconds += now - x->build_at;
  x->build_at = now;
}

double executor_build_seconds(bool *building, executor *x) {
  pthread_mutex_lock(&x->lock);
  note_building(x);
  *building = x->building > 0 && x->building == x->running;
  const double seconds = x->build_seconds;
  pthread_mutex_unlock(&x->lock);
  return seconds;
}

bool executor_goes_on(void *user) {
  executor *x = user;
  pthread_mutex_lock(&x->lock);
  const bool stopping = x->stopping;
  pthread_mutex_unlock(&x->lock);
  return !stopping;
}

void executor_set_building(executor_worker *worker, bool building) {
  executor *x = worker->executor;
  if (worker->building == building) return;
  note_building(x);
  worker->building = building;
  x->building += building ? 1 : -1;
}

void executor_begin_work(executor *x, cla_batch_work *work) {
  note_building(x);
  x->running++;
  work->begin = machine_seconds() - x->began;
}

void executor_end_work(executor *x, cla_batch_work *work, cla_status status) {
  note_building(x);
  x->running--;
  work->end = machine_seconds() - x->began;
  if (status == CLA_OK) executor_note_work(x, work);
}
