#include "cli/options/device_option.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options/default_folders.h"
#include "cli/options/driver_folder.h"
#include "cli/report/interrupt.h"
#include "cli/report/report.h"

/* Where virtual memory is limited, drivers may end the process that asks them for devices: another one asks
 * first. */
static cla_status try_drivers(cla_error *error) {
  static bool tried;
  char limit[CLI_LIMIT_SIZE];
  int result = 0;
  driver_folder_prepare();
  if (tried || !cli_memory_limit(limit)) return CLA_OK;
  tried = true;
  const pid_t child = fork();
  if (child == 0) {
    cla_device_info *infos = NULL;
    size_t count = 0;
    signal(SIGABRT, SIG_DFL); /* the parent tells */
    signal(SIGSEGV, SIG_DFL);
    cla_devices_list(&infos, &count, NULL);
    _exit(EXIT_RESULT);
  }
  if (child < 0 || (waitpid(child, &result, 0) == child && result == 0)) return CLA_OK;
  return cli_error(error, CLA_ERROR_DEVICE,
                   "an OpenCL driver ended the process that looked at the devices: %s", limit);
}

cla_status cli_devices_list(cla_device_info **out, size_t *count, cla_error *error) {
  *out = NULL;
  *count = 0;
  cla_status status = try_drivers(error);
  if (status == CLA_OK) status = cla_devices_list(out, count, error);
  interrupt_catch_crashes_again();
  return status;
}

/* OCL_ICD_VENDORS is ocl-icd's word for where drivers are listed, OPENCL_VENDOR_PATH that of Khronos. */
cla_status cli_devices_missing(cla_error *error) {
  const char *vendors = getenv("OCL_ICD_VENDORS");
  if (!vendors || !*vendors) vendors = getenv("OPENCL_VENDOR_PATH");
  const cla_status status = cla_devices_missing(vendors, error);
  if (*driver_folder_fault() && strstr(error->message, "POCL_CACHE_DIR"))
    return cli_error(error, status, "no OpenCL device found: %s", driver_folder_fault());
  return status;
}

static bool no_device(void) {
  cla_device_info *infos = NULL;
  cla_error error;
  size_t count = 0;
  const bool listed = cla_devices_list(&infos, &count, &error) == CLA_OK;
  cla_devices_free(infos);
  return listed && count == 0;
}

cla_status cli_device_open(cla_device **out, const cla_device_options *options, cla_error *error) {
  cla_device_options all = *options;
  char cache[CLI_FOLDER_SIZE];
  const char *kernels = getenv("CLALIGN_CL_PATH");
  if (kernels && *kernels) all.kernel_path = kernels;
  if (cli_cache_folder(cache)) all.cache_path = cache;
  *out = NULL;
  cla_status status = try_drivers(error);
  if (status != CLA_OK) return status;
  status = cla_device_open(out, &all, error);
  interrupt_catch_crashes_again();
  return status == CLA_ERROR_DEVICE && no_device() ? cli_devices_missing(error) : status;
}
