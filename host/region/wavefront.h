#ifndef HOST_REGION_WAVEFRONT_H
#define HOST_REGION_WAVEFRONT_H

#include "device/device.h"
#include "kernels/kernel.h"
#include "region/region.h"
#include "scoring/pair_problem.h"

/* The engine solves regions of one pair of sequences on one device. Buffers stay allocated between regions
 * and grow as needed. Only one thread at a time may use an engine. */
typedef struct wavefront wavefront;

/* Creates an engine and uploads the pair's sequences, each with at least one letter. The scheme's scoring and
 * table, and `device`, must outlive the engine. The engine's buffers take at most `device_memory_bytes`; 0:
 * no limit. Fails with CLA_ERROR_DEVICE or CLA_ERROR_MEMORY. */
cla_status wavefront_create(wavefront **out, cla_device *device, const pair_problem *pair,
                            int64_t device_memory_bytes, cla_error *error);
void wavefront_free(wavefront *engine);
cla_device *wavefront_device(const wavefront *engine);

/* Caches the kernels built so far (device_save_programs). Call this only after the kernels have given correct
 * results. */
void wavefront_save_programs(wavefront *engine);

/* Solves one region with one kernel config, which the scheme must allow (plan/plan.h). Every config gives the
 * same values. Fails with CLA_ERROR_DEVICE, CLA_ERROR_MEMORY, or the status of one of the region's calls. */
cla_status wavefront_solve(region_result *out, wavefront *engine, const region *what,
                           const kernel_config *config, cla_error *error);

/* What a self-test tests. */
typedef struct kernel_test {
  const kernel_config *config;
  const path_scheme *scheme;
  best_kind best;
  bool prune;
} kernel_test;

/* Runs several self-tests in order. Their programs are built first, simultaneously if the driver can, because
 * NVIDIA's compiler takes seconds for each. Fails like self_test. */
#define SELF_TESTS_MOST 4
cla_status self_tests(cla_device *device, const kernel_test *tests, int count, cla_error *error);

/* Solves a small fixed pair with the kernel config, and compares the last row and, if wanted, the best cell
 * with the oracle's. So a faulty compiler or device is found before hours of work. A run that computes only
 * the score would never notice the fault. The test also builds the kernel, so measured times do not include
 * the build. An open device is tested once for each combination of a kernel's build, gap costs and extreme
 * scores. The build depends on the scheme's borders, on its floor and on the kind of best cell. Fails with
 * CLA_ERROR_DEVICE if values are wrong. */
cla_status self_test(cla_device *device, const kernel_config *config, const path_scheme *scheme,
                     best_kind best, bool prune, cla_error *error);

/* Returns the kernel parameters that depend only on the scheme and the borders' rules. All other parameters
 * are 0. */
region_params region_params_make(const path_scheme *scheme, const border_rule *left, const border_rule *top);

#endif
