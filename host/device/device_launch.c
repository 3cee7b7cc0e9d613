#include <string.h>

#include "device/device.h"

/* PoCL keeps each kernel that it has loaded by work-items of a group and by work-items along the widest axis.
 * Of two launches of one kernel at once, the second with more of the latter, versions before 6.0 release the
 * wrong one, and abort (pocl_release_dlhandle_cache: Assertion) or unload a kernel that runs. All versions
 * leave the third axis out (pocl_cmd_max_grid_dim_width), so that launches with their groups along it differ
 * in nothing. */
static bool wants_groups_along_third_axis(const cla_device_info *info) {
  return info->kind == CLA_DEVICE_CPU && strcmp(info->platform, "Portable Computing Language") == 0;
}

cla_status device_launch(const cla_device *device, cl_kernel kernel, int64_t groups, int64_t items,
                         cla_error *error) {
  const bool third = wants_groups_along_third_axis(&device->info);
  const size_t local[] = {(size_t)items, 1, 1};
  const size_t global[] = {(size_t)(third ? items : groups * items), 1, (size_t)(third ? groups : 1)};
  const cl_int code =
      clEnqueueNDRangeKernel(device->queue, kernel, third ? 3 : 1, NULL, global, local, 0, NULL, NULL);
  return device_check(device, code, "clEnqueueNDRangeKernel", error);
}
