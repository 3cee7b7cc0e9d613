#include "device/device_use.h"

#include <xxhash.h>

#include "base/error.h"
#include "base/machine.h"
#include "device/device.h"

#define NANOSECONDS_BETWEEN_QUESTIONS 100000000L /* 0.1 s */

cla_status device_use_begin(device_use *use, cla_error *error) {
  use->ready = thread_condition_init(&use->given_back) == 0;
  if (use->ready && pthread_mutex_init(&use->lock, NULL) != 0) {
    pthread_cond_destroy(&use->given_back);
    use->ready = false;
  }
  if (use->ready) return CLA_OK;
  return error_set(error, CLA_ERROR_MEMORY, "a device's lock cannot be made; free some memory");
}

void device_use_end(device_use *use) {
  if (!use->ready) return;
  pthread_mutex_destroy(&use->lock);
  pthread_cond_destroy(&use->given_back);
  use->ready = false;
}

/* Waits until the device is given back, or until it is time to call `go_on`. The caller holds the lock. */
static void wait_a_little(device_use *use) {
  const struct timespec until = thread_time_in(NANOSECONDS_BETWEEN_QUESTIONS);
  pthread_cond_timedwait(&use->given_back, &use->lock, &until);
}

cla_status device_take(cla_device *device, bool (*go_on)(void *user), void *user, cla_error *error) {
  device_use *use = &device->use;
  cla_status status = CLA_OK;
  pthread_mutex_lock(&use->lock);
  if (use->taken && pthread_equal(use->user, pthread_self()))
    status =
        error_set(error, CLA_ERROR_DEVICE,
                  "%s is at work for this very thread, which called from a callback; open the device once "
                  "more for that",
                  device->info.name);
  while (status == CLA_OK && use->taken) {
    wait_a_little(use);
    if (!use->taken || !go_on) continue;
    /* Others can take the device while the callback runs, which may take long. */
    pthread_mutex_unlock(&use->lock);
    if (!go_on(user))
      status = error_set(error, CLA_ERROR_INTERRUPTED, "interrupted while another thread used %s",
                         device->info.name);
    pthread_mutex_lock(&use->lock);
  }
  if (status == CLA_OK) {
    use->taken = true;
    use->user = pthread_self();
  }
  pthread_mutex_unlock(&use->lock);
  return status;
}

void device_hand_over(cla_device *device, pthread_t user) {
  pthread_mutex_lock(&device->use.lock);
  device->use.user = user;
  pthread_mutex_unlock(&device->use.lock);
}

void device_give_back(cla_device *device) {
  device_use *use = &device->use;
  pthread_mutex_lock(&use->lock);
  use->taken = false;
  pthread_cond_signal(&use->given_back);
  pthread_mutex_unlock(&use->lock);
}

void device_wake(cla_device *device) {
  pthread_mutex_lock(&device->use.lock);
  pthread_cond_broadcast(&device->use.given_back);
  pthread_mutex_unlock(&device->use.lock);
}

void device_on_compiling(cla_device *device, device_compiling call, void *user) {
  device->compiling = call;
  device->compiling_user = user;
}

bool device_is_marked(const cla_device *device, const void *bytes, size_t size) {
  const device_marks *marks = &device->marks;
  const size_t kept = marks->count < DEVICE_MARKS ? marks->count : DEVICE_MARKS;
  const uint64_t digest = XXH3_64bits(bytes, size);
  for (size_t i = 0; i < kept; i++)
    if (marks->digests[i] == digest) return true;
  return false;
}

void device_mark(cla_device *device, const void *bytes, size_t size) {
  device_marks *marks = &device->marks;
  marks->digests[marks->count++ % DEVICE_MARKS] = XXH3_64bits(bytes, size);
}
