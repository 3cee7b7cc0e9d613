/* What a thread of the host does: it takes short pairs, some at a time, for the lanes of its vectors. */

#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "batch/executor_internal.h"

static bool go_on(const cla_progress *progress, void *user) {
  executor *x = user;
  (void)progress;
  pthread_mutex_lock(&x->lock);
  const bool stopping = x->stopping;
  pthread_mutex_unlock(&x->lock);
  return !stopping;
}

void executor_leave_lanes(executor *x, const char *why) {
  job_list waiting = x->state.lanes;
  executor_note(x, "threads of the host take no pairs any more: %s", why);
  x->lanes = false;
  x->state.lanes = (job_list){0};
  for (batch_job *job; (job = job_list_take(&waiting));) {
    executor_classify(x, job);
    executor_put(x, job, true);
  }
}

/* What became of the jobs: what lanes could not align, a device does. The lock is held. */
static void route(executor *x, batch_task *task, cla_status status, const cla_error *why) {
  const bool failed = status != CLA_OK && status != CLA_ERROR_INTERRUPTED;
  if (failed && x->lanes && status != CLA_ERROR_MEMORY) executor_leave_lanes(x, why->message);
  for (batch_job *job; (job = job_list_take(&task->jobs));) {
    job->no_lanes |= failed;
    if (status == CLA_OK && !job->no_lanes) {
      executor_finish(x, job);
      continue;
    }
    executor_classify(x, job); /* a device may be open by now */
    executor_put(x, job, true);
  }
}

/* The lock is held, and given away meanwhile. */
static void run_task(executor *x, executor_host *host, lane_lot *lot, batch_task *task) {
  cla_align_options align = x->align;
  cla_error why = {.status = CLA_OK};
  const int64_t count = task->jobs.count;
  const double now = machine_seconds();
  cla_batch_work work = {.device = (size_t)x->state.device_count,
                         .part = (int)(host - x->hosts),
                         .parts = x->state.threads,
                         .packed = true,
                         .pairs = count,
                         .first = task->jobs.first->index,
                         .cells = task->jobs.cells,
                         .begin = now - x->began};
  for (batch_job *job = task->jobs.first; job; job = job->next)
    if (job->gate) job->needed = *job->gate;
  align.callbacks.progress = go_on;
  align.callbacks.progress_user = x;
  align.budgets.memory_bytes = larger(align.budgets.memory_bytes / x->state.threads, 1);
  host->begun = (work_begun){.task = task, .at = now};
  executor_note_building(x, now);
  x->running++;
  pthread_mutex_unlock(&x->lock);
  cla_status status = lane_lot_align(lot, task->jobs.first, count, &align, &why);
  pthread_mutex_lock(&x->lock);
  executor_note_building(x, machine_seconds());
  x->running--;
  if (status == CLA_OK) executor_note_task(x, task, &work, &host->begun);
  host->begun.task = NULL;
  route(x, task, status, &why);
}

void *executor_lanes_work(void *user) {
  executor_host *host = user;
  executor *x = host->executor;
  lane_lot lot = {0};
  batch_task task;
  pthread_mutex_lock(&x->lock);
  while (!x->stopping) {
    if (x->runs_alone || !batch_pick_lanes(&task, &x->state, &x->align)) {
      if (x->done.first) pthread_cond_signal(&x->done_condition);
      x->hosts_waiting++;
      pthread_cond_wait(&x->lanes_condition, &x->lock);
      x->hosts_waiting--;
      continue;
    }
    run_task(x, host, &lot, &task);
    executor_wake(x);
  }
  pthread_mutex_unlock(&x->lock);
  lane_lot_free(&lot);
  return NULL;
}
