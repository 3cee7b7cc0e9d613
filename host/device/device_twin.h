#ifndef HOST_DEVICE_DEVICE_TWIN_H
#define HOST_DEVICE_DEVICE_TWIN_H

#include "clalign/device.h"

/* A further handle of an open device, so that two threads can use it at once: with queues of its own, the
 * same context, and the programs that are built so far. Nobody else may use `device` meanwhile. It ends with
 * cla_device_close, before or after the other one. Knows no OpenCL. Errors as cla_device_open. */
cla_status device_open_twin(cla_device **out, const cla_device *device, cla_error *error);

#endif
