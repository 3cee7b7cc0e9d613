#include <string.h>

#include "device/device.h"

/* PoCL keeps a separate loaded kernel for each size of groups and each extent of a launch along its widest
 * axis. Before 6.0, PoCL releases the wrong kernel, and aborts, when a larger launch runs beside a smaller
 * one (pocl_release_dlhandle_cache). PoCL never takes the third axis as the widest. So launches with their
 * groups along the third axis share one loaded kernel (docs/internals/gpu-compilers.md). */
static bool wants_groups_along_third_axis(const cla_device_info *info) {
  return info->kind == CLA_DEVICE_CPU && strcmp(info->platform, "Portable Computing Language") == 0;
}

cla_status device_launch(const cla_device *device, cl_kernel kernel, int64_t groups, int64_t items,
                         cla_error *error) {
  const bool third = wants_groups_along_third_axis(&device->info);
  const size_t local[] = {(size_t)items, 1, 1};
  const size_t global[] = {(size_t)(third ? items : groups * items), 1, (size_t)(third ? groups : 1)};
  const cl_int code =
      clEnqueueNDRangeKernel(device->on->queue, kernel, third ? 3 : 1, NULL, global, local, 0, NULL, NULL);
  return device_check(device, code, "clEnqueueNDRangeKernel", error);
}
