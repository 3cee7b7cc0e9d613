#include "support/test_devices.h"

#include <limits.h>

#include "seq/random_stream.h"
#include "support/test.h"

#define DEFAULT_LENGTH 100000

static bool is_wanted(const cla_device_info *info) {
  const char *only = getenv("CLALIGN_TEST_DEVICE");
  return !only || strstr(info->name, only) || strstr(info->platform, only);
}

cla_device *test_device_open(int index) {
  cla_device_info *infos = NULL;
  size_t count = 0;
  cla_device *device = NULL;
  assert_ok(cla_devices_list(&infos, &count, &why));
  int wanted = 0, seen = 0;
  for (size_t i = 0; i < count; i++) {
    if (!is_wanted(infos + i)) continue;
    if (seen++ != index) continue;
    char select[16];
    snprintf(select, sizeof select, "%d", infos[i].index);
    const cla_device_options options = {.select = select};
    assert_ok(cla_device_open(&device, &options, &why));
    wanted++;
  }
  cla_devices_free(infos);
  cr_assert(seen > 0, "no OpenCL device to test on: install pocl-opencl-icd, or look at CLALIGN_TEST_DEVICE");
  cr_assert(wanted <= 1);
  return device;
}

cla_device *test_device_next(cla_device *before) {
  static int index;
  index = before ? index + 1 : 0;
  cla_device_close(before);
  return test_device_open(index);
}

cla_device *test_device_open_threads(int index, int threads) {
  cla_device *device = test_device_open(index);
  char select[16];
  if (!device) return NULL;
  const cla_device_info *info = cla_device_describe(device);
  const cla_device_options options = {.select = select, .threads = threads};
  if (info->kind != CLA_DEVICE_CPU || info->compute_units <= threads) return device;
  snprintf(select, sizeof select, "%d", info->index);
  cla_device *restricted = NULL;
  const cla_status status = cla_device_open(&restricted, &options, &why);
  if (status == CLA_ERROR_DEVICE) return device; /* the driver has no sub-devices */
  assert_ok(status);
  cla_device_close(device);
  return restricted;
}

/* Finds the `number`th legal config of a variant on the device; false after the last. */
static bool legal_config(kernel_config *config, const kernel_variant *variant, const cla_device *device,
                         int number) {
  const int most = (int)test_count("CLALIGN_TEST_ALPHA_MOST", INT_MAX);
  for (const int *lanes = variant->lanes; *lanes; lanes++)
    for (const int *alpha = variant->alphas; *alpha && *alpha <= most; alpha++)
      for (int launch = KERNEL_DIAGONALS; launch <= KERNEL_PERSISTENT; launch++) {
        char reason[160];
        *config = (kernel_config){.variant = variant,
                                  .lanes = *lanes,
                                  .alpha = *alpha,
                                  .tile_columns = *lanes,
                                  .launch = (kernel_launch)launch,
                                  .groups = launch == KERNEL_PERSISTENT ? 3 : 0};
        if (!kernel_runs_on(config, cla_device_describe(device), reason, sizeof reason)) continue;
        if (number-- == 0) return true;
      }
  return false;
}

/* Finds the default config, with the narrowest tiles; false if the variant does not run on the device. */
static bool default_config(kernel_config *config, const kernel_variant *variant, const cla_device *device) {
  char reason[160];
  *config = (kernel_config){.variant = variant};
  variant->choose(config, cla_device_describe(device), DEFAULT_LENGTH, DEFAULT_LENGTH);
  config->tile_columns = config->lanes;
  if (config->groups > 3) config->groups = 3;
  return kernel_runs_on(config, cla_device_describe(device), reason, sizeof reason);
}

/* Finds the `number`th tested config of the variant; false after the last. */
static bool tested_config(kernel_config *config, const kernel_variant *variant, const cla_device *device,
                          int number) {
  const char *sample = getenv("CLALIGN_TEST_CONFIGS");
  if (sample && strcmp(sample, "all") == 0) return legal_config(config, variant, device, number);
  /* On CPUs, kernels for GPUs take ten times as long to compile. */
  const bool slow = cla_device_describe(device)->kind == CLA_DEVICE_CPU && !variant->for_cpus;
  const int wanted = (int)test_count("CLALIGN_TEST_CONFIGS", slow ? 0 : 1);
  int legal = 0;
  random_stream stream;
  if (number > wanted) return false;
  if (number == 0) return default_config(config, variant, device);
  while (legal_config(config, variant, device, legal)) legal++;
  if (legal == 0) return false;
  random_stream_init(&stream, (uint64_t)test_count("CLALIGN_TEST_SEED", 2024), (uint64_t)variant->name[0]);
  uint64_t drawn = 0;
  for (int i = 0; i < number; i++) drawn = random_stream_below(&stream, (uint64_t)legal);
  return legal_config(config, variant, device, (int)drawn);
}

bool test_kernel_config(kernel_config *config, const cla_device *device, int number) {
  for (int v = 0; v < kernel_variant_count; v++) {
    const char *only = getenv("CLALIGN_TEST_KERNEL");
    if (only && strcmp(only, kernel_variants[v]->name) != 0) continue;
    for (int n = 0; tested_config(config, kernel_variants[v], device, n); n++)
      if (number-- == 0) return true;
  }
  return false;
}

long long test_count(const char *variable, long long otherwise) {
  const char *text = getenv(variable);
  return text && atoll(text) > 0 ? atoll(text) : otherwise;
}

#define KERNELS_MOST 32 /* most different kernels */
#define NAME_SIZE 80

static struct {
  char names[KERNELS_MOST][NAME_SIZE]; /* "vector16 with 8 lanes x 4 rows" */
  int count;
  long long passed_over, compared; /* numbers of alignments */
} seen;

/* Adds the kernel to the list; true if it was not there. */
static bool note(const char *name) {
  for (int i = 0; i < seen.count; i++)
    if (strcmp(seen.names[i], name) == 0) return false;
  cr_assert_lt(seen.count, KERNELS_MOST, "more than %d refused kernels", KERNELS_MOST);
  strcpy(seen.names[seen.count++], name);
  return true;
}

bool refused_kernel_skip(const cla_error *error) {
  const char *rule = getenv("CLALIGN_TEST_REFUSED");
  char name[NAME_SIZE];
  if (!rule || strcmp(rule, "skip") != 0 || error->status != CLA_ERROR_DEVICE) return false;
  /* The text must match the message of host/region/self_test.c. */
  const char *kernel = strstr(error->message, "self-test failed: kernel ");
  if (!kernel || sscanf(kernel, "self-test failed: kernel %79[^\n]", name) != 1) return false;
  char *end = strstr(name, " gives ");
  if (!end) return false;
  *end = '\0';
  seen.passed_over++;
  if (note(name)) printf("refused, and left out: %s\n", error->message);
  return true;
}

void refused_kernel_compared(void) {
  seen.compared++;
}

void refused_kernels_judge(const char *device) {
  if (seen.passed_over > 0)
    printf("%s: %lld alignments left out, %lld compared\n", device, seen.passed_over, seen.compared);
  cr_assert(seen.passed_over == 0 || seen.compared > 0, "the self-test refused every kernel on %s", device);
  memset(&seen, 0, sizeof seen);
}
