#ifndef HOST_WAVEFRONT_WAVEFRONT_H
#define HOST_WAVEFRONT_WAVEFRONT_H

#include "device/device.h"
#include "kernels/kernel.h"
#include "scoring/pair_problem.h"
#include "wavefront/region.h"

/* The engine: solves regions of one pair of sequences on one device. Buffers stay allocated between
 * regions and grow as needed. One thread at a time. */
typedef struct wavefront wavefront;

/* Uploads the pair's sequences, each of a letter or more. The scheme's scoring and table, and `device`, must
 * outlive the wavefront. Its buffers take at most `device_memory_bytes`; 0: no budget. Errors:
 * CLA_ERROR_DEVICE, CLA_ERROR_MEMORY. */
cla_status wavefront_create(wavefront **out, cla_device *device, const pair_problem *pair,
                            int64_t device_memory_bytes, cla_error *error);
void wavefront_free(wavefront *engine);
cla_device *wavefront_device(const wavefront *engine);

/* Caches the kernels built so far for the device (device_save_programs), once they have given right results.
 */
void wavefront_save_programs(wavefront *engine);

/* Solves one region with one kernel config, which the scheme must allow (plan/plan.h). Every config gives
 * the same values. Errors: CLA_ERROR_DEVICE, CLA_ERROR_MEMORY, and what sink and tick return. */
cla_status wavefront_solve(region_result *out, wavefront *engine, const region *what,
                           const kernel_config *config, cla_error *error);

/* What a self-test is of. */
typedef struct kernel_test {
  const kernel_config *config;
  const path_scheme *scheme;
  best_kind best;
  bool prune;
} kernel_test;

/* Several of them, in their order. Their programs are built before, side by side where the driver can:
 * NVIDIA's compiler takes seconds for each. Errors as self_test. */
#define SELF_TESTS_MOST 4
cla_status self_tests(cla_device *device, const kernel_test *tests, int count, cla_error *error);

/* Solves a small fixed pair with the kernel config and compares the last row, and the best cell if `best`,
 * with the oracle's, so that a compiler or device that gets the kernel wrong is found before hours of work,
 * not after; a run for the score alone would otherwise not notice. It also builds the kernel, which then
 * costs no measured time. Done once for a device that is open: what was right is not tested again for a
 * config that is compiled in the same way, with the same gap costs and extreme scores.
 *
 * CLA_ERROR_DEVICE if the device is wrong. Of the builds of a kernel it is the one for such borders and
 * floor, which finds that best cell. */
cla_status self_test(cla_device *device, const kernel_config *config, const path_scheme *scheme,
                     best_kind best, bool prune, cla_error *error);

/* A kernel's parameters as far as they follow from the scheme and the rules of the borders; all others are 0.
 */
region_params region_params_make(const path_scheme *scheme, const border_rule *left, const border_rule *top);

#endif
