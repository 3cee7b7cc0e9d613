/* Guesses the kind of a device that is not opened yet. OpenCL is not called, because loading its drivers
 * takes long. */

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/machine.h"
#include "device/device_use.h"

/* True if a device node of a GPU's driver exists: of NVIDIA, of AMD, of Mesa and Intel, or of WSL. */
bool cla_devices_may_have_gpu(void) {
  static const char *const nodes[] = {"/dev/nvidia[0-9]*", "/dev/kfd", "/dev/dri/renderD*", "/dev/dxg"};
  bool found = false;
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes && !found; i++) {
    glob_t matches;
    found = glob(nodes[i], GLOB_NOSORT, NULL, &matches) == 0;
    if (found) globfree(&matches);
  }
  return found;
}

void device_guess(cla_device_info *out, int threads) {
  const bool gpu = cla_devices_may_have_gpu();
  *out = (cla_device_info){.kind = gpu ? CLA_DEVICE_GPU : CLA_DEVICE_CPU,
                           .compute_units = gpu           ? 64
                                            : threads > 0 ? threads
                                                          : machine_threads(),
                           .native_short_lanes = gpu ? 1 : 16,
                           .memory_bytes = gpu ? INT64_C(8) << 30 : machine_memory_available(),
                           .max_allocation_bytes = gpu ? INT64_C(2) << 30 : machine_memory_available() / 2,
                           .local_memory_bytes = 32768,
                           .max_group_size = 256,
                           .counters = CLA_COUNTERS_ATOMICS};
#ifdef __x86_64__
  if (!gpu && __builtin_cpu_supports("avx512bw")) out->native_short_lanes = 32;
#endif
  snprintf(out->name, sizeof out->name, "a device that is not open");
}
