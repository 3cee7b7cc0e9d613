/* The public list of kernel variants. */

#include "clalign/kernel.h"
#include "kernels/kernel.h"
#include "support/test.h"

Test(kernel_list, names_every_variant_in_order) {
  cla_kernel_info *kernels = NULL;
  size_t count = 0;
  assert_ok(cla_kernels_list(&kernels, &count, &why));
  cr_assert_eq(count, (size_t)kernel_variant_count);
  for (size_t i = 0; i < count; i++) {
    const kernel_variant *variant = kernel_find(kernels[i].name);
    cr_assert_eq(variant, kernel_variants[i], "%s", kernels[i].name);
    cr_assert_str_eq(kernels[i].summary, variant->summary);
    cr_assert_eq(kernels[i].lane_bits, variant->lane_bits);
    cr_assert_eq(kernels[i].for_cpus, variant->for_cpus);
  }
  cla_kernels_free(kernels);
  cla_kernels_free(NULL);
}
