#ifndef TESTS_SUPPORT_TEST_DEVICES_H
#define TESTS_SUPPORT_TEST_DEVICES_H

#include <stdbool.h>

#include "clalign/device.h"
#include "kernels/kernel.h"

/* Opens the `index`th OpenCL device that tests use, NULL beyond the last: all that there are, or with
 * CLALIGN_TEST_DEVICE only those of which it is a part of the name or platform. The test fails if a device
 * cannot be opened, or if there is none at all. The caller closes it. */
cla_device *test_device_open(int index);

/* Steps through a third of the legal lanes x alpha x launch styles of every kernel variant (with
 * CLALIGN_TEST_KERNEL, of the one so called; with CLALIGN_TEST_CONFIGS=all, all of them) that the device can
 * run: *number counts from 0; false after the last. tile_columns is left at the least, `lanes`. */
bool test_kernel_config(kernel_config *config, const cla_device *device, int number);

/* A count from the environment variable, or `otherwise`. */
long long test_count(const char *variable, long long otherwise);

#endif
