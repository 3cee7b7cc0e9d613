#ifndef TESTS_SUPPORT_TEST_DEVICES_H
#define TESTS_SUPPORT_TEST_DEVICES_H

#include <stdbool.h>

#include "clalign/device.h"
#include "kernels/kernel.h"

/* Opens the `index`th OpenCL device that tests use; NULL beyond the last. With CLALIGN_TEST_DEVICE only
 * devices are used that have it in their name or platform. The test fails if a device cannot be opened, or if
 * there is none at all. The caller closes it. */
cla_device *test_device_open(int index);

/* Each of those devices in turn, closed behind the statement that follows. */
#define FOR_EACH_DEVICE(device) for (cla_device *device = NULL; (device = test_device_next(device));)
cla_device *test_device_next(cla_device *before);

/* The same device, of a CPU only so many threads where its driver can restrict it. */
cla_device *test_device_open_threads(int index, int threads);

/* Steps through the kernel configs that are tested on the device; `number` counts from 0. False after the
 * last. For each variant they are the default and a sample of the legal lanes x alpha x launch. tile_columns
 * is the least, `lanes`.
 *
 * - CLALIGN_TEST_KERNEL: only that variant
 * - CLALIGN_TEST_CONFIGS: size of the sample, 1 by default, or "all"
 * - CLALIGN_TEST_SEED: seed of the sample
 * - CLALIGN_TEST_ALPHA_MOST: most rows a lane */
bool test_kernel_config(kernel_config *config, const cla_device *device, int number);

/* A count from the environment variable, or `otherwise`. */
long long test_count(const char *variable, long long otherwise);

/* Kernels that a device's driver compiles wrongly, as the self-test finds. With CLALIGN_TEST_REFUSED=skip
 * tests go on without them, on drivers that are known for it; everywhere else a refusal is a failure. */

/* Whether `error` is such a refusal and is passed over. Prints it the first time of each kernel with its
 * lanes and rows. */
bool refused_kernel_skip(const cla_error *error);

/* Counts an alignment that was equal to the oracle's. */
void refused_kernel_compared(void);

/* Prints how many alignments were passed over, and starts again at zero. The test fails if none was
 * compared beside them. */
void refused_kernels_judge(const char *device);

#endif
