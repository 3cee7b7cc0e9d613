#ifndef HOST_DEVICE_DEVICE_MARKS_H
#define HOST_DEVICE_DEVICE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/device.h"

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

#endif
