#ifndef HOST_CLI_COMMANDS_DEVICE_REPORT_H
#define HOST_CLI_COMMANDS_DEVICE_REPORT_H

#include "clalign/device.h"

struct json_t;

/* Returns the facts of a device as a JSON object, for `clalign devices` and reports; NULL if memory is
 * short. */
struct json_t *device_object(const cla_device_info *device);

#endif
