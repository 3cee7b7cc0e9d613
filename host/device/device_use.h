#ifndef HOST_DEVICE_DEVICE_USE_H
#define HOST_DEVICE_DEVICE_USE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/device.h"

/* Only one call at a time may use a device's queue, its programs and their arguments. So calls take the
 * device first. The header does not include OpenCL, so that rooms without OpenCL may take a device. */

/* The state of a device's use. */
typedef struct device_use {
  pthread_mutex_t lock; /* protects the fields below */
  pthread_cond_t given_back;
  bool ready; /* lock and condition exist */
  bool taken;
  pthread_t user; /* the thread that has taken the device */
} device_use;

/* Makes the lock and the condition. *use must be zero-initialised. CLA_ERROR_MEMORY. */
cla_status device_use_begin(device_use *use, cla_error *error);
void device_use_end(device_use *use);

/* Takes the device for the calling thread until device_give_back. While another thread has the device, waits
 * and calls `go_on`, if it is not NULL, several times a second. CLA_ERROR_INTERRUPTED if `go_on` returns
 * false. CLA_ERROR_DEVICE if the calling thread itself has the device, for instance in a callback. */
cla_status device_take(cla_device *device, bool (*go_on)(void *user), void *user, cla_error *error);
void device_give_back(cla_device *device);

/* Makes `user` the thread that has taken the device. */
void device_hand_over(cla_device *device, pthread_t user);

/* Makes threads that wait for the device call `go_on` immediately. */
void device_wake(cla_device *device);

/* Guesses the default device without OpenCL: a GPU if the system may have one, else this CPU with `threads`
 * threads (0: all). Only estimates may rely on it. */
void device_guess(cla_device_info *out, int threads);

/* Called before the driver compiles a kernel, which may take long and cannot be stopped. Any status but
 * CLA_OK ends the build. */
typedef cla_status (*device_compiling)(void *user, cla_error *error);

/* Sets the function to call before compiling, or none (NULL). The caller must have taken the device. */
void device_on_compiling(cla_device *device, device_compiling call, void *user);

/* Marks on an open device: digests of facts to remember while the device is open, such as tests that it has
 * passed. Only the caller that has taken the device may use them. */

#define DEVICE_MARKS 256 /* largest number of marks on a device; a new one replaces the oldest */

typedef struct device_marks {
  uint64_t digests[DEVICE_MARKS]; /* the next digest is stored at count % DEVICE_MARKS */
  size_t count;
} device_marks;

/* True if device_mark was called with these bytes. */
bool device_is_marked(const cla_device *device, const void *bytes, size_t size);

/* Remembers a digest of the bytes. */
void device_mark(cla_device *device, const void *bytes, size_t size);

/* Opens another handle of an open device, so that two threads can use the device simultaneously. The new
 * handle has its own queues, the same context, and the programs built so far. No other thread may use
 * `device` during the call. Either handle may be closed first, by cla_device_close. Errors are as for
 * cla_device_open. */
cla_status device_open_twin(cla_device **out, const cla_device *device, cla_error *error);

#endif
