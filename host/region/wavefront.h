#ifndef HOST_REGION_WAVEFRONT_H
#define HOST_REGION_WAVEFRONT_H

#include "device/device.h"
#include "kernels/kernel.h"
#include "region/region.h"
#include "scoring/pair_problem.h"

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

/* Caches the kernels built so far (device_save_programs). To be called once they have given right results. */
void wavefront_save_programs(wavefront *engine);

/* Solves one region with one kernel config, which the scheme must allow (plan/plan.h). Every config gives the
 * same values. Errors: CLA_ERROR_DEVICE, CLA_ERROR_MEMORY, and those of sink and tick. */
cla_status wavefront_solve(region_result *out, wavefront *engine, const region *what,
                           const kernel_config *config, cla_error *error);

/* The subject of a self-test. */
typedef struct kernel_test {
  const kernel_config *config;
  const path_scheme *scheme;
  best_kind best;
  bool prune;
} kernel_test;

/* Runs several self-tests in order. Their programs are built first, at the same time if the driver can,
 * because NVIDIA's compiler takes seconds for each. Errors as self_test. */
#define SELF_TESTS_MOST 4
cla_status self_tests(cla_device *device, const kernel_test *tests, int count, cla_error *error);

/* Solves a small fixed pair with the kernel config, and compares the last row, and with `best` the best cell,
 * with the oracle. So a wrong compiler or device is found before hours of work; a run for the score alone
 * would never notice. The kernel's build is not part of measured times then.
 *
 * An open device is tested once for each build of a kernel, gap costs and extreme scores. The scheme's
 * borders and floor and the kind of best cell decide the build. CLA_ERROR_DEVICE if the device is wrong. */
cla_status self_test(cla_device *device, const kernel_config *config, const path_scheme *scheme,
                     best_kind best, bool prune, cla_error *error);

/* The kernel parameters that follow from the scheme and the borders' rules. All others are 0. */
region_params region_params_make(const path_scheme *scheme, const border_rule *left, const border_rule *top);

#endif
