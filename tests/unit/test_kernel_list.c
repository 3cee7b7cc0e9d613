/* The public list of kernel variants, and what builds of theirs are told apart by. */

#include <criterion/criterion.h>

#include "clalign/kernel.h"
#include "kernels/kernel.h"
#include "kernels/packed_config.h"

Test(kernel_list, names_every_variant_in_order) {
  cla_kernel_info *kernels = NULL;
  size_t count = 0;
  cla_error error;
  cr_assert_eq(cla_kernels_list(&kernels, &count, &error), CLA_OK);
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

/* PoCL 3.1 aborts where two of its devices run one build at once. */
Test(kernel_list, further_pocl_devices_have_builds_of_their_own) {
  const cla_device_info pocl = {.kind = CLA_DEVICE_CPU, .platform = "Portable Computing Language"};
  const cla_device_info other = {.kind = CLA_DEVICE_GPU, .platform = "another", .index = 2};
  const kernel_config config = {.variant = &kernel_vector8, .lanes = 64, .alpha = 4, .tile_columns = 64};
  const packed_config packs = {.name = "packed8", .lanes = 64, .items = 1, .alpha = 8, .segment = 32};
  char options[4][256], packed[4][256];
  for (int i = 0; i < 3; i++) {
    cla_device_info device = pocl;
    device.index = i;
    kernel_options(options[i], sizeof options[i], &config, &device,
                   (kernel_build){.gaps = KERNEL_GAPS_AFFINE});
    packed_options(packed[i], sizeof packed[i], &packs, &device, (packed_build){.gaps = KERNEL_GAPS_AFFINE});
  }
  kernel_options(options[3], sizeof options[3], &config, &other, (kernel_build){.gaps = KERNEL_GAPS_AFFINE});
  packed_options(packed[3], sizeof packed[3], &packs, &other, (packed_build){.gaps = KERNEL_GAPS_AFFINE});
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++) {
      cr_expect_str_neq(options[i], options[j]);
      cr_expect_str_neq(packed[i], packed[j]);
    }
  cr_expect_str_eq(options[3], options[0]);
  cr_expect_str_eq(packed[3], packed[0]);
}
