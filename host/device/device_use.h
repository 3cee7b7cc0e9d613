#ifndef HOST_DEVICE_DEVICE_USE_H
#define HOST_DEVICE_DEVICE_USE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Has those that wait for the device ask `go_on` at once. */
void device_wake(cla_device *device);

/* What the device will be that nobody has named and opened yet, by what the system shows without OpenCL: a
 * GPU if there may be one, else this CPU with so many threads (0: all). Only estimates may rely on it. */
void device_guess(cla_device_info *out, int threads);

/* Called before the device's driver compiles a kernel, which may take long and cannot be stopped: another
 * status than CLA_OK is that of the build. */
typedef cla_status (*device_compiling)(void *user, cla_error *error);

/* Sets it, or none (NULL), for the caller that has taken the device. Knows no OpenCL. */
void device_on_compiling(cla_device *device, device_compiling call, void *user);

/* What has been found out about an opened device and need not be found out again while it is open: digests of
 * whatever a caller wants to remember, of the last so many. They belong to the caller that has taken the
 * device. Knows no OpenCL. */

#define DEVICE_MARKS 256

typedef struct device_marks {
  uint64_t digests[DEVICE_MARKS]; /* the next one replaces that at count % DEVICE_MARKS */
  size_t count;
} device_marks;

/* Whether such bytes were marked before. */
bool device_is_marked(const cla_device *device, const void *bytes, size_t size);

/* Marks them. */
void device_mark(cla_device *device, const void *bytes, size_t size);

/* A further handle of an open device, so that two threads can use it at once: with queues of its own, the
 * same context, and the programs that are built so far. Nobody else may use `device` meanwhile. It ends with
 * cla_device_close, before or after the other one. Knows no OpenCL. Errors as cla_device_open. */
cla_status device_open_twin(cla_device **out, const cla_device *device, cla_error *error);

#endif
