/* The threads of an executor: their start, and the order of their work. */

#include "base/extremes.h"
#include "base/machine.h"
#include "batch/executor_internal.h"

/* Tasks that a device's first thread runs before the other threads start. */
#define TRIED 2
/* Maximum number of pairs that one GPU aligns simultaneously. */
#define AT_ONCE_GPU 8
/* Maximum number of letters of a sequence in a lot of a GPU. Host threads find the paths of the lot. */
#define LOT_LETTERS_GPU 32768
/* One host thread is started for this many pairs. */
#define PAIRS_OF_HOST 128

/* Returns the number of levels of a device. Each pair in work needs a thread, so the levels are limited by
 * `threads`. */
static int levels_of(const cla_device_info *device, int64_t threads) {
  const int units = device->kind == CLA_DEVICE_CPU ? device->compute_units : AT_ONCE_GPU;
  const int64_t most = smaller(units, threads);
  int levels = 1;
  while (levels < LEVELS && 1 << levels <= most) levels++;
  return levels;
}

void executor_begin_device(executor *x, executor_device *device, cla_device *handle,
                           const cla_tuning *tuning) {
  device->taken = true;
  device->info = *cla_device_describe(handle);
  device->align = x->align;
  device->align.tuning = tuning;
  device->levels = levels_of(&device->info, x->align.budgets.threads / x->device_count);
  device->lots = x->may_lots;
  device->lot_letters = device->info.kind == CLA_DEVICE_GPU ? LOT_LETTERS_GPU : x->lane_letters;
  device->workers[0].handle = device->handle = handle;
}

/* Opens the device for the first pair that needs one. The caller holds the lock; it is released meanwhile and
 * taken again. */
static void open_device(executor *x, executor_device *device) {
  const cla_callbacks *calls = &x->options->align.callbacks;
  cla_device *handle = NULL;
  const cla_tuning *tuning = NULL;
  cla_error why = {.status = CLA_OK};
  pthread_mutex_unlock(&x->lock);
  cla_status status = calls->device(&handle, &tuning, calls->device_user, &why);
  if (status == CLA_OK) status = device_take(handle, executor_goes_on, x, &why);
  pthread_mutex_lock(&x->lock);
  if (status != CLA_OK) {
    executor_lose(x, device, status, why.message);
    return;
  }
  device_hand_over(handle, x->caller); /* the caller's own callbacks must not use the handle */
  executor_begin_device(x, device, handle, tuning);
  job_list moved = x->waiting;
  x->waiting = (job_list){0};
  for (batch_job *job; (job = job_list_take(&moved));) executor_put(x, job, true);
}

static void *work_device(void *user);

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
    other->started = thread_start(&other->thread, work_device, other) == 0;
    if (!other->started) break;
  }
  pthread_mutex_lock(&x->lock);
  while (1 << (device->levels - 1) > opened) device->levels--;
  if (opened < wanted)
    executor_note(x, "%s takes %d pairs at once at the most: %s", device->info.name, opened,
                  why.status != CLA_OK ? why.message : "no more threads can be started");
}

/* Runs a device thread. `user` is its executor_worker. */
static void *work_device(void *user) {
  executor_worker *worker = user;
  executor *x = worker->executor;
  executor_device *device = worker->device;
  pthread_mutex_lock(&x->lock);
  if (!device->handle) {
    open_device(x, device);
    executor_wake(x);
  }
  while (!x->stopping && !device->lost) {
    const bool lot = !x->alone.first && !x->runs_alone && executor_device_lot(x, worker);
    if (!lot && !executor_device_task(x, worker)) {
      /* The last of the jobs added so far may be done. */
      if (x->done.first) pthread_cond_signal(&x->done_condition);
      pthread_cond_wait(&x->work_condition, &x->lock);
      continue;
    }
    const bool more = x->waiting.first || x->short_of_devices.first;
    if (!lot && executor_device_is_alone(device) && device->done >= TRIED && !x->stopping && more)
      start_others(x, device);
    executor_wake(x);
  }
  pthread_mutex_unlock(&x->lock);
  return NULL;
}

/* Runs a host thread. `user` is its executor_host. */
static void *work_host(void *user) {
  executor_host *host = user;
  executor *x = host->executor;
  pthread_mutex_lock(&x->lock);
  while (!x->stopping) {
    if (executor_host_lot(x, host)) {
      executor_wake(x);
      continue;
    }
    if (x->done.first) pthread_cond_signal(&x->done_condition);
    x->hosts_waiting++;
    pthread_cond_wait(&x->lanes_condition, &x->lock);
    x->hosts_waiting--;
  }
  pthread_mutex_unlock(&x->lock);
  return NULL;
}

static void start_device(executor *x, executor_device *device) {
  executor_worker *first = &device->workers[0];
  if (first->started || device->lost) return;
  first->started = thread_start(&first->thread, work_device, first) == 0;
  if (!first->started) executor_lose(x, device, CLA_ERROR_MEMORY, "no thread can be started for it");
}

/* Stops the use of host threads: devices get all pairs. */
static void leave_lanes(executor *x, const char *why) {
  job_list moved = x->short_of_lanes;
  executor_note(x, "threads of the host take no pairs: %s", why);
  x->lanes = false;
  x->short_of_lanes = (job_list){0};
  for (batch_job *job; (job = job_list_take(&moved));) executor_put(x, job, true);
}

/* Starts host threads, as many as the waiting pairs need. */
static void start_hosts(executor *x) {
  while (x->host_count < x->align.budgets.threads && x->hosts_waiting == 0 && x->short_of_lanes.count > 0) {
    executor_host *host = &x->hosts[x->host_count];
    host->executor = x;
    if (thread_start(&host->thread, work_host, host) != 0) {
      if (x->host_count == 0) leave_lanes(x, "none can be started");
      break;
    }
    x->host_count++;
    if (x->host_count * PAIRS_OF_HOST >= x->short_of_lanes.count) break;
  }
}

bool executor_wants_devices(const executor *x) {
  return x->waiting.first || x->short_of_devices.first || x->alone.first;
}

void executor_wake(executor *x) {
  if (!x->going || x->stopping) return;
  start_hosts(x);
  if (x->short_of_lanes.count > 0) pthread_cond_broadcast(&x->lanes_condition);
  if (!executor_wants_devices(x)) return;
  for (int i = 0; i < x->device_count; i++) start_device(x, &x->devices[i]);
  pthread_cond_broadcast(&x->work_condition);
}
