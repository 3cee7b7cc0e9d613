/* The devices of a call: its own device, its partners, and a device that is opened late. */

#include <stdint.h>

#include "base/error.h"
#include "base/machine.h"
#include "device/device_use.h"
#include "pipeline/pipeline_internal.h"

/* A call that is waiting for its device. */
typedef struct waiting {
  const cla_align_options *options;
  double began;
} waiting;

static bool go_on(void *user) {
  const waiting *call = user;
  const cla_progress progress = {
      .stage = "waiting for the device", .seconds = machine_seconds() - call->began, .seconds_left = -1};
  return call->options->callbacks.progress(&progress, call->options->callbacks.progress_user);
}

static cla_device *device_at(const align_job *job, size_t index) {
  return index == 0 ? job->device : job->options->partners[index - 1].device;
}

/* Returns the call's next device after `last`, in the order of addresses; NULL: none is left. `last` is
 * NULL for the first device. All calls take their devices in this order, so calls that share devices cannot
 * wait for each other in a circle. */
static cla_device *next_device(const align_job *job, const cla_device *last) {
  cla_device *next = NULL;
  for (size_t i = 0; i <= job->options->partner_count; i++) {
    cla_device *device = device_at(job, i);
    if ((uintptr_t)device > (uintptr_t)last && (!next || (uintptr_t)device < (uintptr_t)next)) next = device;
  }
  return next;
}

/* Gives back the devices before `end`, or all devices if `end` is NULL. */
static void leave(const align_job *job, const cla_device *end) {
  for (cla_device *device = NULL; (device = next_device(job, device)) && device != end;)
    device_give_back(device);
}

cla_status call_devices_check(const align_job *job, cla_error *error) {
  for (size_t i = 1; i <= job->options->partner_count; i++)
    for (size_t j = 0; j < i; j++)
      if (device_at(job, i) == device_at(job, j))
        return error_set(error, CLA_ERROR_OPTION,
                         "%s is named twice; name each device once, or open it twice",
                         cla_device_describe(device_at(job, i))->name);
  return CLA_OK;
}

cla_status late_device_open(late_device *late, cla_error *error) {
  const cla_callbacks *calls = &late->options->callbacks;
  waiting call = {.options = late->options, .began = machine_seconds()};
  cla_device *device = NULL;
  if (late->device) return CLA_OK;
  cla_status status = calls->device(&device, &late->tuning, calls->device_user, error);
  if (status == CLA_OK) status = device_take(device, calls->progress ? go_on : NULL, &call, error);
  if (status == CLA_OK) late->device = device;
  return status;
}

cla_status call_devices_take(const align_job *job, cla_error *error) {
  waiting call = {.options = job->options, .began = machine_seconds()};
  for (cla_device *device = NULL; (device = next_device(job, device));) {
    cla_status status = device_take(device, job->options->callbacks.progress ? go_on : NULL, &call, error);
    if (status == CLA_OK) continue;
    leave(job, device);
    return status;
  }
  return CLA_OK;
}

void call_devices_give_back(const align_job *job) {
  leave(job, NULL);
  if (job->late && job->late->device) device_give_back(job->late->device);
}
