#ifndef HOST_DEVICE_DEVICE_USE_H
#define HOST_DEVICE_DEVICE_USE_H

#include <pthread.h>
#include <stdbool.h>

#include "clalign/device.h"

/* Whose turn it is: queue, programs and their arguments are those of one call at a time. Knows no OpenCL, so
 * that rooms without it may take a device for a call. */

/* Whether a call uses the device, and of which thread. */
typedef struct device_use {
  pthread_mutex_t lock; /* of the fields below */
  pthread_cond_t given_back;
  bool ready; /* lock and condition exist */
  bool taken;
  pthread_t user; /* who took it */
} device_use;

/* Lock and condition; `use` is zero before. CLA_ERROR_MEMORY. */
cla_status device_use_begin(device_use *use, cla_error *error);
void device_use_end(device_use *use);

/* Takes the device for the calling thread, until device_give_back. While another one has it this waits and
 * asks `go_on`, unless that is NULL, some times a second: false is CLA_ERROR_INTERRUPTED. CLA_ERROR_DEVICE if
 * the calling thread has it already, which a callback finds out this way. */
cla_status device_take(cla_device *device, bool (*go_on)(void *user), void *user, cla_error *error);
void device_give_back(cla_device *device);

#endif
