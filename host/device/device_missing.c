/* Why there is no device. */

#include <dirent.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/machine.h"
#include "device/device.h"

#define VENDORS "/etc/OpenCL/vendors"

/* What became of the drivers that are listed. */
typedef struct driver_list {
  int listed, failed;
  char reason[512]; /* why the first of those that failed cannot be loaded */
} driver_list;

static void try_library(driver_list *list, const char *name) {
  list->listed++;
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  const char *reason = library ? NULL : dlerror();
  if (library) dlclose(library);
  if (library || list->failed++ > 0) return;
  snprintf(list->reason, sizeof list->reason, "%s", reason ? reason : name);
}

static bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), part = strlen(end);
  return length >= part && strcmp(text + length - part, end) == 0;
}

/* A file that names a library. */
static void try_listed(driver_list *list, const char *path) {
  char line[1024] = "";
  FILE *file = fopen(path, "r");
  const bool read = file && fgets(line, sizeof line, file);
  if (file) fclose(file);
  line[strcspn(line, "\r\n")] = '\0';
  if (read && line[0]) try_library(list, line);
}

static void try_drivers(driver_list *list, const char *vendors) {
  DIR *folder = opendir(vendors);
  if (!folder && ends_with(vendors, ".icd"))
    try_listed(list, vendors);
  else if (!folder && strcmp(vendors, VENDORS) != 0 && !ends_with(vendors, "/"))
    try_library(list, vendors);
  for (const struct dirent *entry = NULL; folder && (entry = readdir(folder));) {
    char path[1024];
    if (ends_with(entry->d_name, ".icd") &&
        snprintf(path, sizeof path, "%s/%s", vendors, entry->d_name) < (int)sizeof path)
      try_listed(list, path);
  }
  if (folder) closedir(folder);
}

/* Whether PoCL is among the platforms. */
static bool has_pocl(void) {
  cl_platform_id platforms[64];
  cl_uint count = 0;
  if (clGetPlatformIDs(64, platforms, &count) != CL_SUCCESS) return false;
  for (cl_uint i = 0; i < count && i < 64; i++) {
    char name[256] = "";
    if (clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name - 1, name, NULL) == CL_SUCCESS &&
        strstr(name, "Portable Computing Language"))
      return true;
  }
  return false;
}

cla_status cla_devices_missing(const char *vendors, cla_error *error) {
  driver_list list = {0};
  const int64_t limit = machine_memory_limit();
  if (!vendors || !*vendors) vendors = VENDORS;
  try_drivers(&list, vendors);
  const bool pocl = has_pocl();
  if (list.listed == 0)
    return error_set(error, CLA_ERROR_DEVICE,
                     "no OpenCL device found: '%.256s' lists no driver; install one, for example the package "
                     "pocl-opencl-icd for the CPU",
                     vendors);
  if (limit < INT64_MAX && !strstr(list.reason, "No such file"))
    return error_set(error, CLA_ERROR_DEVICE,
                     "no OpenCL device found: virtual memory is limited to %lld MiB (ulimit -v), and drivers "
                     "need 1 GiB and more; raise that, or lift it by 'ulimit -v unlimited'%s%s",
                     (long long)(limit >> 20), list.failed > 0 ? ". The first that fails: " : "",
                     list.reason);
  if (pocl)
    return error_set(
        error, CLA_ERROR_DEVICE,
        "no OpenCL device found: the driver PoCL has none, as where it cannot write its folder for "
        "built kernels; set POCL_CACHE_DIR to one that can be written, or POCL_DEBUG=all to hear "
        "why");
  if (list.failed > 0)
    return error_set(error, CLA_ERROR_DEVICE,
                     "no OpenCL device found: %d of the %d drivers that '%.256s' lists cannot be loaded; "
                     "install again what is missing: %s",
                     list.failed, list.listed, vendors, list.reason);
  return error_set(error, CLA_ERROR_DEVICE,
                   "no OpenCL device found: the drivers that '%.256s' lists have none; a GPU's may not be "
                   "passed into this container, and for CPUs there is the package pocl-opencl-icd",
                   vendors);
}
