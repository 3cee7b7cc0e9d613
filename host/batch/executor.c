#include "batch/executor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "batch/executor_internal.h"
#include "clalign/arrays.h"
#include "pipeline/pipeline.h"
#include "scoring/score_table.h"

#define NANOSECONDS_OF_WAITING ((long)(CLA_PROGRESS_SECONDS * 1e9))
/* Time between two looks for messages while threads are at work. Each look takes processor time from the
 * threads, but a rank may finish its lots within some ten milliseconds. (100,000 x 1 kbp, 4 ranks, 16 cores:
 * 4.4 s with 16 ms, 3.3 s with 2.) */
#define NANOSECONDS_OF_REST 2000000L
/* A rest also ends once this many pairs are done, but no earlier: to handle results, the calling thread
 * takes a core from a computing thread. */
#define DONE_IN_A_REST 1024

static cla_status begin_lock(executor *x, cla_error *error) {
  x->has_done = thread_condition_init(&x->done_condition) == 0;
  x->has_work = pthread_cond_init(&x->work_condition, NULL) == 0;
  x->has_lanes = pthread_cond_init(&x->lanes_condition, NULL) == 0;
  x->has_lock = pthread_mutex_init(&x->lock, NULL) == 0;
  if (x->has_done && x->has_work && x->has_lanes && x->has_lock) return CLA_OK;
  return error_set(error, CLA_ERROR_MEMORY, "the lock of a batch cannot be made; free some memory");
}

/* Reports progress while the batch waits for a device that another thread uses. */
static bool go_on_waiting(void *user) {
  const executor *x = user;
  const cla_batch_progress progress = {.seconds = machine_seconds() - x->began};
  return x->options->progress(&progress, x->options->progress_user);
}

/* Takes the given devices. If none is given, prepares the place of a device that is opened for the first pair
 * that needs one. */
static cla_status begin_devices(executor *x, cla_device *const *devices, size_t count, cla_error *error) {
  const int places = count > 0 ? (int)count : 1;
  cla_status status = ALLOCATE_ZEROS(&x->devices, places, "the devices of a batch", error);
  if (status != CLA_OK) return status;
  x->device_count = places;
  for (int i = 0; i < places; i++) {
    x->devices[i].number = i;
    for (int w = 0; w < WORKERS_MOST; w++)
      x->devices[i].workers[w] = (executor_worker){.executor = x, .device = &x->devices[i], .number = w};
  }
  for (int i = 0; i < (int)count && status == CLA_OK; i++) {
    status = device_take(devices[i], x->options->progress ? go_on_waiting : NULL, x, error);
    if (status == CLA_OK)
      executor_begin_device(x, &x->devices[i], devices[i],
                            x->options->tunings ? x->options->tunings[i] : NULL);
  }
  return status;
}

/* Returns the alphabet of the pairs that the scheme can score. Without a chosen scheme it is DNA. */
static cla_alphabet kind_of(const cla_scoring *scoring) {
  return scoring->matrix_size > 0 ? cla_scoring_alphabet(scoring) : CLA_ALPHABET_DNA;
}

static bool has_table(const cla_scoring *scoring) {
  score_table table;
  return pair_letters_any_table(&table, scoring, NULL) == CLA_OK;
}

cla_status executor_begin(executor **out, cla_device *const *devices, size_t device_count,
                          const cla_batch_options *options, cla_error *error) {
  executor *x = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&x, 1, "a batch", error);
  if (status != CLA_OK) return status;
  x->options = options;
  x->align = options->align;
  x->began = machine_seconds();
  x->caller = pthread_self();
  x->align.budgets.threads = align_threads(&options->align);
  x->align.callbacks.note = NULL;
  x->align.callbacks.explain = NULL;
  x->align.ranks = NULL; /* one rank aligns each pair on its own */
  x->peers = options->align.circular == CLA_CIRCULAR_NONE ? align_peers(&options->align)->batch : NULL;
  x->ranks = x->peers && options->align.ranks->count > 1 ? options->align.ranks : NULL;
  x->align.callbacks.device = NULL;
  x->kind = kind_of(&options->align.scoring);
  x->may_lots = lane_lot_allowed(&x->align) && has_table(&options->align.scoring);
  x->lanes = x->may_lots && x->align.host_cells > 0;
  x->lane_letters = cla_arrays_letters(&x->align);
  status = begin_lock(x, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&x->hosts, x->align.budgets.threads, "threads", error);
  if (status == CLA_OK) status = begin_devices(x, devices, device_count, error);
  if (status == CLA_OK && x->ranks) status = x->peers->begin(x, error);
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

void executor_end(executor *x) {
  if (!x) return;
  if (x->ranks) x->peers->end(x);
  if (x->has_lock) pthread_mutex_lock(&x->lock);
  x->stopping = true;
  if (x->has_work) pthread_cond_broadcast(&x->work_condition);
  if (x->has_lanes) pthread_cond_broadcast(&x->lanes_condition);
  if (x->has_lock) pthread_mutex_unlock(&x->lock);
  for (int i = 0; i < x->host_count; i++) {
    pthread_join(x->hosts[i].thread, NULL);
    lane_lot_free(&x->hosts[i].lot);
  }
  for (int i = 0; i < x->device_count; i++) {
    executor_device *device = &x->devices[i];
    /* Joined first, because the first thread starts the others. */
    for (int w = 0; w < WORKERS_MOST; w++)
      if (device->workers[w].started) pthread_join(device->workers[w].thread, NULL);
    for (int w = 0; w < WORKERS_MOST; w++) {
      executor_worker *worker = &device->workers[w];
      lane_lot_free(&worker->lot);
      cla_device_close(worker->for_lots);
      if (worker->handle != device->handle) cla_device_close(worker->handle);
    }
    if (device->taken) device_give_back(device->handle);
  }
  executor_free_events(x);
  if (x->has_done) pthread_cond_destroy(&x->done_condition);
  if (x->has_work) pthread_cond_destroy(&x->work_condition);
  if (x->has_lanes) pthread_cond_destroy(&x->lanes_condition);
  if (x->has_lock) pthread_mutex_destroy(&x->lock);
  free(x->devices);
  free(x->hosts);
  free(x);
}

void executor_add(executor *x, batch_job *job) {
  job->cells = batch_job_cells(job);
  job_list_add(&x->added, job);
}

/* Gives the added jobs to the threads, many at a time. The caller holds the lock. */
static void put_added(executor *x) {
  if (!x->added.first) return;
  for (batch_job *job; (job = job_list_take(&x->added));) {
    executor_put(x, job, false);
  }
  executor_wake(x);
}

batch_job *executor_take_done(executor *x) {
  pthread_mutex_lock(&x->lock);
  put_added(x);
  pthread_mutex_unlock(&x->lock);
  if (x->ranks) x->peers->move(x);
  pthread_mutex_lock(&x->lock);
  batch_job *first = x->done.first;
  x->done = (job_list){0};
  pthread_mutex_unlock(&x->lock);
  return first;
}

void executor_reading(executor *x, bool reading) {
  pthread_mutex_lock(&x->lock);
  const bool changed = x->reading != reading;
  x->reading = reading;
  put_added(x);
  if (changed) executor_wake(x);
  pthread_mutex_unlock(&x->lock);
}

void executor_raise(executor *x, score_gate *gate, int64_t least) {
  pthread_mutex_lock(&x->lock);
  *gate = (score_gate){.given = true, .least = least};
  pthread_mutex_unlock(&x->lock);
}

/* Returns true if a thread or device is left for at least some of the waiting pairs. The caller holds the
 * lock. */
static bool is_anything_left(const executor *x) {
  if (x->lanes && (!executor_wants_devices(x) || x->short_of_lanes.count > 0 || x->running > 0)) return true;
  for (int i = 0; i < x->device_count; i++)
    if (!x->devices[i].lost) return true;
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

/* Waits until a job is done, and exchanges messages with the ranks meanwhile. */
static void wait_with_ranks(executor *x) {
  const double until = machine_seconds() + CLA_PROGRESS_SECONDS;
  for (bool done = false; !done && x->rank_error.status == CLA_OK && machine_seconds() < until;) {
    x->peers->move(x);
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

static void print_pairs(FILE *text, const char *way, const job_list *list) {
  if (list->count > 0)
    fprintf(text, "%10lld  %10.0f  %s\n", (long long)list->count, sqrt(list->cells / (double)list->count),
            way);
}

/* Prints the plan for the waiting pairs. The caller holds the lock. */
static void print_plan(FILE *text, const executor *x) {
  for (int i = 0; i < x->device_count; i++) {
    const executor_device *device = &x->devices[i];
    if (device->handle)
      fprintf(text, "device %-3d %.255s, %d compute units, up to %d pairs at once\n", i, device->info.name,
              device->info.compute_units, 1 << (device->levels - 1));
    else
      fprintf(text, "device %-3d is opened for the first pair that needs one\n", i);
  }
  fprintf(text, "%10s  %10s  those that were read so far are aligned\n", "pairs", "letters");
  print_pairs(text, "in lanes of vectors, by threads of the host", &x->short_of_lanes);
  print_pairs(text, "packed, many at once on a device", &x->short_of_devices);
  print_pairs(text, "one by one on a device", &x->waiting);
}

cla_status executor_explain(char **out, executor *x, cla_error *error) {
  size_t bytes = 0;
  char *buffer = NULL;
  FILE *text = open_memstream(&buffer, &bytes);
  *out = NULL;
  if (text) {
    pthread_mutex_lock(&x->lock);
    put_added(x);
    print_plan(text, x);
    pthread_mutex_unlock(&x->lock);
  }
  if (text && fclose(text) == 0) {
    *out = buffer;
    return CLA_OK;
  }
  free(buffer);
  return error_set(error, CLA_ERROR_MEMORY, "out of memory: the plan of a batch; free some memory");
}
