#ifndef HOST_DEVICE_DEVICE_USE_H
#define HOST_DEVICE_DEVICE_USE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/device.h"

/* The turn of calls on a device: its queue, programs and their arguments belong to one call at a time.
 * Includes no OpenCL, so that rooms without it may take a device. */

/* The current use of a device. */
typedef struct device_use {
  pthread_mutex_t lock; /* protects the fields below */
  pthread_cond_t given_back;
  bool ready; /* lock and condition exist */
  bool taken;
  pthread_t user; /* the thread that took it */
} device_use;

/* Makes lock and condition. *use is zero before. CLA_ERROR_MEMORY. */
cla_status device_use_begin(device_use *use, cla_error *error);
void device_use_end(device_use *use);

/* Takes the device for the calling thread until device_give_back. While another thread has it, waits, and
 * calls `go_on`, unless NULL, some times a second. If that returns false: CLA_ERROR_INTERRUPTED.
 * CLA_ERROR_DEVICE if the calling thread has the device already, for instance in a callback. */
cla_status device_take(cla_device *device, bool (*go_on)(void *user), void *user, cla_error *error);
void device_give_back(cla_device *device);

/* Makes a taken device that of another thread: it is at work for that one. */
void device_hand_over(cla_device *device, pthread_t user);

/* Has those that wait for the device ask `go_on` at once. */
void device_wake(cla_device *device);

/* Guesses the default device without OpenCL: a GPU if the system may have one, else this CPU with `threads`
 * threads (0: all). Only estimates may rely on it. */
void device_guess(cla_device_info *out, int threads);

/* Called before the driver compiles a kernel, which may take long and cannot be stopped. Any status but
 * CLA_OK ends the build. */
typedef cla_status (*device_compiling)(void *user, cla_error *error);

/* Sets that call, or none (NULL), for the caller that has taken the device. */
void device_on_compiling(cla_device *device, device_compiling call, void *user);

/* Marks on an open device: digests of facts that a caller wants to remember while it is open, such as tests
 * that it has passed. They belong to the caller that has taken the device. */

#define DEVICE_MARKS 256 /* most marks of a device; a new one replaces the oldest */

typedef struct device_marks {
  uint64_t digests[DEVICE_MARKS]; /* the next one replaces that at count % DEVICE_MARKS */
  size_t count;
} device_marks;

/* True if these bytes were marked before. */
bool device_is_marked(const cla_device *device, const void *bytes, size_t size);

/* Marks the bytes. */
void device_mark(cla_device *device, const void *bytes, size_t size);

/* Opens a further handle of an open device, so that two threads can use it at once. It has its own queues,
 * the same context, and the programs that are built so far. Nobody else may use `device` during the call.
 * Either handle may be closed first, by cla_device_close. Errors as cla_device_open. */
cla_status device_open_twin(cla_device **out, const cla_device *device, cla_error *error);

#endif
