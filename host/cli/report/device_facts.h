#ifndef HOST_CLI_REPORT_DEVICE_FACTS_H
#define HOST_CLI_REPORT_DEVICE_FACTS_H

#include "clalign/device.h"

/* The description of the device that `options` select, as when it is opened, found out in a process of its
 * own that has ended by then: a driver may let only one process at a time use a device (NVIDIA's exclusive
 * mode) and keep it for as long as the process lives that opened it. Must be called before the process has
 * made an OpenCL call. Errors: those of cla_device_open, CLA_ERROR_DEVICE if the driver ends the process. */
cla_status device_facts(cla_device_info *out, const cla_device_options *options, cla_error *error);

#endif
