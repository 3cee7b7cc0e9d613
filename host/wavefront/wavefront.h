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

/* Caches the kernels built so far for the device (device_save_programs), once they have given right results.
 */
void wavefront_save_programs(wavefront *engine);

/* Solves one region with one kernel config, which the scheme must allow (plan/plan.h). Every config gives
 * the same values. Errors: CLA_ERROR_DEVICE, CLA_ERROR_MEMORY, and what sink and tick return. */
cla_status wavefront_solve(region_result *out, wavefront *engine, const region *what,
                           const kernel_config *config, cla_error *error);

#endif
