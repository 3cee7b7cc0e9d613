#include "cli/cli_device.h"

#include <stdlib.h>

#include "cli/cli_folders.h"

cla_status cli_device_open(cla_device **out, const cla_device_options *options, cla_error *error) {
  cla_device_options all = *options;
  char cache[CLI_FOLDER_SIZE];
  const char *kernels = getenv("CLALIGN_CL_PATH");
  if (kernels && *kernels) all.kernel_path = kernels;
  if (cli_cache_folder(cache)) all.cache_path = cache;
  return cla_device_open(out, &all, error);
}
