/* Lots of short pairs, which host threads and device threads align as arrays. */

#include "base/error.h"
#include "base/extremes.h"
#include "batch/executor_internal.h"

/* While pairs are being read, host threads wait until there are this many. */
#define PAIRS_LEAST 128
/* Maximum numbers of pairs and of letters of a host thread's lot. */
#define HOST_PAIRS 512
#define HOST_LETTERS (INT64_C(1) << 20)
/* Maximum numbers of pairs and of letters of a device's lot, and minimum number of its pairs per compute
 * unit. */
#define DEVICE_PAIRS 65536
#define DEVICE_LETTERS (INT64_C(1) << 28)
#define UNIT_PAIRS 8

/* Takes pairs for a lot from the start of a list. */
static void take(job_list *out, job_list *from, int64_t most, int64_t most_letters, int64_t longest,
                 const cla_align_options *align) {
  const batch_job *first = from->first;
  int64_t letters = 0;
  *out = (job_list){0};
  for (const batch_job *job = first; job && out->count < most && letters < most_letters; job = from->first) {
    if (!lane_lot_agrees(first, job, align) || !lane_lot_takes(job, longest)) break;
    letters += batch_job_letters(job);
    job_list_add(out, job_list_take(from));
  }
  for (batch_job *job = out->first; job; job = job->next)
    if (job->gate) job->needed = *job->gate;
}

static bool go_on(const cla_progress *progress, void *user) {
  (void)progress;
  return executor_goes_on(user);
}

/* Adds the jobs of a lot to the done jobs, or returns them to a list. A device then aligns, one by one,
 * those that the lot could not align. The caller holds the lock. */
static void route(executor *x, job_list *jobs, cla_status status) {
  const bool failed = status != CLA_OK && status != CLA_ERROR_INTERRUPTED && status != CLA_ERROR_DEVICE;
  for (batch_job *job; (job = job_list_take(jobs));) {
    job->no_lanes |= failed;
    if (status == CLA_OK && !job->no_lanes)
      executor_finish(x, job);
    else
      executor_put(x, job, true);
  }
}

/* A lot that is being aligned. */
typedef struct lot_task {
  lane_lot *lot;
  job_list jobs;
  cla_align_options align;
  cla_device *device; /* NULL: host threads only */
  cla_batch_work work;
} lot_task;

/* Aligns the lot. The caller holds the lock; it is released during the work and taken again. */
static cla_status align_lot(executor *x, lot_task *t, cla_error *why) {
  const batch_job *first = t->jobs.first;
  t->work.packed = true;
  t->work.pairs = t->jobs.count;
  t->work.first = first->index;
  t->work.cells = t->jobs.cells;
  t->align.callbacks.progress = go_on;
  t->align.callbacks.progress_user = x;
  executor_begin_work(x, &t->work);
  pthread_mutex_unlock(&x->lock);
  cla_status status = lane_lot_align(t->lot, t->jobs.first, t->jobs.count, &t->align, t->device, why);
  pthread_mutex_lock(&x->lock);
  executor_end_work(x, &t->work, status);
  return status;
}

/* Takes a host thread's next lot: its share of the waiting pairs. The caller holds the lock. */
static bool take_for_host(job_list *out, executor *x) {
  const int64_t share = x->short_of_lanes.count / larger(x->align.budgets.threads, 1);
  const int64_t most = smaller(larger(share, PAIRS_LEAST), HOST_PAIRS);
  if (x->runs_alone || (x->reading && x->short_of_lanes.count < PAIRS_LEAST))
    return false; /* more pairs may come */
  take(out, &x->short_of_lanes, most, HOST_LETTERS, x->lane_letters, &x->align);
  return out->count > 0;
}

bool executor_host_lot(executor *x, executor_host *host) {
  const int threads = x->align.budgets.threads;
  cla_error why = {.status = CLA_OK};
  lot_task task = {
      .lot = &host->lot,
      .align = x->align,
      .work = {.device = (size_t)x->device_count, .part = (int)(host - x->hosts), .parts = threads}};
  if (!take_for_host(&task.jobs, x)) return false;
  task.align.budgets.memory_bytes = larger(task.align.budgets.memory_bytes / threads, 1);
  task.align.budgets.threads = 1;
  const cla_status status = align_lot(x, &task, &why);
  route(x, &task.jobs, status);
  return true;
}

bool executor_device_lot(executor *x, executor_worker *worker) {
  executor_device *device = worker->device;
  cla_error why = {.status = CLA_OK};
  lot_task task = {.lot = &worker->lot,
                   .align = device->align,
                   .work = {.device = (size_t)device->number, .part = worker->number, .parts = 1}};
  const int64_t least = UNIT_PAIRS * (int64_t)device->info.compute_units;
  if (!device->lots || device->share_taken > 0 || x->short_of_devices.count < (x->reading ? 2 : 1) * least)
    return false;
  const int64_t most = x->ranks ? x->short_of_devices.count / (2 * x->ranks->count) + 1 : DEVICE_PAIRS;
  take(&task.jobs, &x->short_of_devices, smaller(most, DEVICE_PAIRS), DEVICE_LETTERS, device->lot_letters,
       &x->align);
  if (task.jobs.count == 0) return false;
  cla_status status = CLA_OK;
  device->share_taken = 1;
  task.align.budgets.memory_bytes = larger(x->align.budgets.memory_bytes / x->device_count, 1);
  task.align.budgets.threads = (int)larger(x->align.budgets.threads / x->device_count, 1);
  if (!worker->for_lots) status = device_open_twin(&worker->for_lots, worker->handle, &why);
  task.device = worker->for_lots;
  if (status == CLA_OK) status = align_lot(x, &task, &why);
  device->share_taken = 0;
  if (status == CLA_ERROR_MEMORY)
    executor_note(x, "%s has no memory for %lld pairs at once, which are aligned one by one: %s",
                  device->info.name, (long long)task.jobs.count, why.message);
  if (status == CLA_ERROR_DEVICE) executor_lose(x, device, status, why.message);
  route(x, &task.jobs, status);
  return true;
}
