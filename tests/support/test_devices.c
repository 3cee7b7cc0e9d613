#include "support/test_devices.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_wanted(const cla_device_info *info) {
  const char *only = getenv("CLALIGN_TEST_DEVICE");
  return !only || strstr(info->name, only) || strstr(info->platform, only);
}

cla_device *test_device_open(int index) {
  cla_device_info *infos = NULL;
  size_t count = 0;
  cla_error error = {0};
  cla_device *device = NULL;
  cr_assert_eq(cla_devices_list(&infos, &count, &error), CLA_OK, "%s", error.message);
  int wanted = 0, seen = 0;
  for (size_t i = 0; i < count; i++) {
    if (!is_wanted(infos + i)) continue;
    if (seen++ != index) continue;
    char select[16];
    snprintf(select, sizeof select, "%d", infos[i].index);
    const cla_device_options options = {.select = select};
    cr_assert_eq(cla_device_open(&device, &options, &error), CLA_OK, "%s", error.message);
    wanted++;
  }
  cla_devices_free(infos);
  cr_assert(seen > 0, "no OpenCL device to test on: install pocl-opencl-icd, or look at CLALIGN_TEST_DEVICE");
  cr_assert(wanted <= 1);
  return device;
}

/* Whether tests take the config with these places in the variant's lists, without CLALIGN_TEST_CONFIGS=all: a
 * third of them, in which every value of lanes, alpha and launch occurs. Another seed takes another third. */
static bool in_sample(int variant, int lanes, int alpha, int launch) {
  const char *configs = getenv("CLALIGN_TEST_CONFIGS");
  if (configs && strcmp(configs, "all") == 0) return true;
  return (variant + lanes + alpha + launch + test_count("CLALIGN_TEST_SEED", 0)) % 3 == 0;
}

bool test_kernel_config(kernel_config *config, const cla_device *device, int number) {
  for (int v = 0; v < kernel_variant_count; v++) {
    const kernel_variant *variant = kernel_variants[v];
    const char *only = getenv("CLALIGN_TEST_KERNEL");
    if (only && strcmp(only, variant->name) != 0) continue;
    for (const int *lanes = variant->lanes; *lanes; lanes++)
      for (const int *alpha = variant->alphas; *alpha; alpha++)
        for (int launch = KERNEL_DIAGONALS; launch <= KERNEL_PERSISTENT; launch++) {
          char reason[160];
          *config = (kernel_config){.variant = variant,
                                    .lanes = *lanes,
                                    .alpha = *alpha,
                                    .tile_columns = *lanes,
                                    .launch = (kernel_launch)launch,
                                    .groups = launch == KERNEL_PERSISTENT ? 3 : 0};
          if (!in_sample(v, (int)(lanes - variant->lanes), (int)(alpha - variant->alphas), launch)) continue;
          if (!kernel_runs_on(config, cla_device_describe(device), reason, sizeof reason)) continue;
          if (number-- == 0) return true;
        }
  }
  return false;
}

long long test_count(const char *variable, long long otherwise) {
  const char *text = getenv(variable);
  return text && atoll(text) > 0 ? atoll(text) : otherwise;
}
