#include "clalign/kernel.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "kernels/kernel.h"

cla_status cla_kernels_list(cla_kernel_info **out, size_t *count, cla_error *error) {
  *out = NULL;
  *count = 0;
  cla_kernel_info *list = NULL;
  cla_status status =
      allocate_array((void **)&list, kernel_variant_count, sizeof *list, "the list of kernels", error);
  if (status != CLA_OK) return status;
  for (int i = 0; i < kernel_variant_count; i++) {
    const kernel_variant *variant = kernel_variants[i];
    list[i] = (cla_kernel_info){.name = variant->name,
                                .summary = variant->summary,
                                .lane_bits = variant->lane_bits,
                                .for_cpus = variant->for_cpus};
  }
  *out = list;
  *count = (size_t)kernel_variant_count;
  return CLA_OK;
}

void cla_kernels_free(cla_kernel_info *kernels) {
  free(kernels);
}
