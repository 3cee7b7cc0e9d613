#ifndef TESTS_SUPPORT_TEST_DEVICES_H
#define TESTS_SUPPORT_TEST_DEVICES_H

#include <stdbool.h>

#include "clalign/device.h"
#include "kernels/kernel.h"

/* Opens the `index`th OpenCL device that tests use; NULL after the last. The caller closes it. With
 * CLALIGN_TEST_DEVICE only devices are used whose name or platform contains its value. The test fails if a
 * device cannot be opened, or if there is no device. */
cla_device *test_device_open(int index);

/* Runs the next statement for each of these devices; each is closed afterwards. */
#define FOR_EACH_DEVICE(device) for (cla_device *device = NULL; (device = test_device_next(device));)
cla_device *test_device_next(cla_device *before);

/* Opens the same device, a CPU with at most `threads` threads if its driver supports that. */
cla_device *test_device_open_threads(int index, int threads);

/* Steps through the kernel configs that are tested on the device; `number` counts from 0. Returns false
 * after the last. For each variant these are the default and a sample of the legal lanes x alpha x launch.
 * tile_columns has its least value, `lanes`.
 *
 * - CLALIGN_TEST_KERNEL: only that variant - CLALIGN_TEST_CONFIGS: size of the sample, 1 by default, or
 * "all" - CLALIGN_TEST_SEED: seed of the sample - CLALIGN_TEST_ALPHA_MOST: most rows a lane */
bool test_kernel_config(kernel_config *config, const cla_device *device, int number);

/* The number in the environment variable, or `otherwise`. */
long long test_count(const char *variable, long long otherwise);

/* Kernels that fail the self-test because a device's driver compiles them wrongly. With
 * CLALIGN_TEST_REFUSED=skip, meant for such drivers, tests continue without them. Otherwise a refused kernel
 * is a failure. */

/* True if `error` is such a refusal and is to be ignored. Prints it the first time for each kernel with its
 * lanes and rows. */
bool refused_kernel_skip(const cla_error *error);

/* Counts an alignment that equals the oracle's. */
void refused_kernel_compared(void);

/* Prints how many alignments were skipped, and resets the counts. The test fails if some were skipped and
 * none was compared. */
void refused_kernels_judge(const char *device);

#endif
