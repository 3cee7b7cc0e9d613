#ifndef TESTS_SUPPORT_REFUSED_KERNELS_H
#define TESTS_SUPPORT_REFUSED_KERNELS_H

#include <stdbool.h>

#include "clalign/status.h"

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
