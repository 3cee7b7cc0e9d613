#include <CL/cl_ext.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/machine.h"
#include "device/device.h"

/* Reads a device's text attribute, without blanks at either end and cut to `size` bytes. */
static void query_text(char *out, size_t size, cl_device_id id, cl_device_info what) {
  char text[1024] = "";
  if (clGetDeviceInfo(id, what, sizeof text - 1, text, NULL) != CL_SUCCESS) text[0] = '\0';
  const char *begin = text + strspn(text, " \t\n");
  size_t length = strlen(begin);
  while (length > 0 && strchr(" \t\n", begin[length - 1])) length--;
  if (length >= size) length = size - 1;
  memcpy(out, begin, length);
  out[length] = '\0';
}

static int64_t query_number(cl_device_id id, cl_device_info what) {
  /* Attributes have 4 or 8 bytes, depending on attribute and driver, so the size is asked for first. */
  cl_ulong wide = 0;
  cl_uint narrow = 0;
  size_t size = 0;
  if (clGetDeviceInfo(id, what, 0, NULL, &size) != CL_SUCCESS) return 0;
  if (size == sizeof narrow)
    return clGetDeviceInfo(id, what, sizeof narrow, &narrow, NULL) == CL_SUCCESS ? (int64_t)narrow : 0;
  if (size != sizeof wide || clGetDeviceInfo(id, what, sizeof wide, &wide, NULL) != CL_SUCCESS) return 0;
  return wide > INT64_MAX ? INT64_MAX : (int64_t)wide;
}

/* Shuffles are used only if the kernel can require the sub-group's size, so that a work-group is one
 * sub-group. */
static void query_sub_groups(cla_device_info *info, cl_device_id id) {
  size_t sizes[16] = {0}, bytes = 0;
  if (device_has_extension(id, "cl_nv_device_attribute_query"))
    info->lockstep_items = (int)query_number(id, CL_DEVICE_WARP_SIZE_NV);
  else if (device_has_extension(id, "cl_amd_device_attribute_query"))
    info->lockstep_items = (int)query_number(id, CL_DEVICE_WAVEFRONT_WIDTH_AMD);
  if (!device_has_extension(id, "cl_intel_required_subgroup_size")) return;
  if (device_has_extension(id, "cl_khr_subgroup_shuffle"))
    info->shuffle = CLA_SHUFFLE_KHR;
  else if (device_has_extension(id, "cl_intel_subgroups"))
    info->shuffle = CLA_SHUFFLE_INTEL;
  else
    return;
  if (clGetDeviceInfo(id, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes) != CL_SUCCESS)
    bytes = 0;
  for (size_t i = 0; i < bytes / sizeof sizes[0]; i++)
    if (sizes[i] > 0 && sizes[i] <= 1024 && (sizes[i] & (sizes[i] - 1)) == 0)
      info->sub_group_sizes |= (int)sizes[i];
  if (info->sub_group_sizes == 0) info->shuffle = CLA_SHUFFLE_NONE;
}

/* Finds out whether the device has the atomics of OpenCL C 3.0. Older devices return an error for the query.
 */
static cla_counters query_counters(cl_device_id id) {
  const cl_device_atomic_capabilities needed = CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_DEVICE;
  cl_device_atomic_capabilities has = 0;
  if (clGetDeviceInfo(id, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof has, &has, NULL) != CL_SUCCESS)
    return CLA_COUNTERS_NONE;
  return (has & needed) == needed ? CLA_COUNTERS_ATOMICS : CLA_COUNTERS_NONE;
}

/* PoCL reports 16 lanes of 16 bits for every CPU, but compiles for the CPU on which it runs. So this
 * function asks the CPU itself whether it has wider vectors. */
static int native_short_lanes(cl_device_id id, const cla_device_info *info) {
  const int64_t said = query_number(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT);
#ifdef __x86_64__
  if (strcmp(info->platform, "Portable Computing Language") == 0 && info->kind == CLA_DEVICE_CPU &&
      __builtin_cpu_supports("avx512bw") && said < 32)
    return 32;
#endif
  return said < 1 ? 1 : (int)said;
}

/* Fills `info`, except info->index, with what the driver reports about `id`. */
static cla_status device_query(cla_device_info *info, cl_device_id id, cla_error *error) {
  cl_device_type type = 0;
  cl_platform_id platform = NULL;
  cl_int code = clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  if (code == CL_SUCCESS) code = clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
  if (code != CL_SUCCESS) return device_check(NULL, code, "clGetDeviceInfo", error);
  info->kind = type & CL_DEVICE_TYPE_CPU   ? CLA_DEVICE_CPU
               : type & CL_DEVICE_TYPE_GPU ? CLA_DEVICE_GPU
                                           : CLA_DEVICE_OTHER;
  query_text(info->name, sizeof info->name, id, CL_DEVICE_NAME);
  query_text(info->vendor, sizeof info->vendor, id, CL_DEVICE_VENDOR);
  query_text(info->version, sizeof info->version, id, CL_DEVICE_VERSION);
  query_text(info->driver, sizeof info->driver, id, CL_DRIVER_VERSION);
  if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof info->platform - 1, info->platform, NULL) !=
      CL_SUCCESS)
    info->platform[0] = '\0';
  info->compute_units = (int)query_number(id, CL_DEVICE_MAX_COMPUTE_UNITS);
  info->native_short_lanes = native_short_lanes(id, info);
  info->memory_bytes = query_number(id, CL_DEVICE_GLOBAL_MEM_SIZE);
  info->max_allocation_bytes = query_number(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info->local_memory_bytes = query_number(id, CL_DEVICE_LOCAL_MEM_SIZE);
  info->max_group_size = query_number(id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  info->counters = query_counters(id);
  query_sub_groups(info, id);
  device_identify(info, id);
  return CLA_OK;
}

/* Appends the devices of one platform. A platform that has no devices, or whose driver fails, adds nothing,
 * because the other platforms may work. */
static cla_status add_platform(cl_platform_id platform, cl_device_id **ids, cla_device_info **infos,
                               size_t *count, cla_error *error) {
  cl_uint found = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &found) != CL_SUCCESS || found == 0)
    return CLA_OK;
  cl_device_id *more_ids = realloc(*ids, (*count + found) * sizeof **ids);
  if (more_ids) *ids = more_ids;
  cla_device_info *more_infos = realloc(*infos, (*count + found) * sizeof **infos);
  if (more_infos) *infos = more_infos;
  if (!more_ids || !more_infos)
    return error_set(error, CLA_ERROR_MEMORY, "out of memory: the list of OpenCL devices; free some memory");
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, found, *ids + *count, NULL) != CL_SUCCESS) return CLA_OK;
  const size_t first = *count;
  for (cl_uint i = 0; i < found; i++) {
    cla_device_info *info = *infos + *count;
    cl_device_id id = (*ids)[first + i];
    cl_bool available = CL_FALSE;
    memset(info, 0, sizeof *info);
    if (clGetDeviceInfo(id, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL) != CL_SUCCESS ||
        !available || device_query(info, id, NULL) != CLA_OK)
      continue;
    info->index = (int)*count;
    (*ids)[*count] = id;
    (*count)++;
  }
  return CLA_OK;
}

cla_status device_enumerate(cl_device_id **ids, cla_device_info **infos, size_t *count, cla_error *error) {
  cl_platform_id platforms[64];
  cl_uint found = 0;
  *ids = NULL;
  *infos = NULL;
  *count = 0;
  cl_int code = clGetPlatformIDs(64, platforms, &found);
  if (code == -1001 /* the loader's code for "no platform" */) return CLA_OK;
  cla_status status = device_check(NULL, code, "clGetPlatformIDs", error);
  if (found > 64) found = 64;
  for (cl_uint i = 0; i < found && status == CLA_OK; i++)
    status = add_platform(platforms[i], ids, infos, count, error);
  if (status != CLA_OK) {
    free(*ids);
    free(*infos);
    *ids = NULL;
    *infos = NULL;
    *count = 0;
  }
  return status;
}

cla_status cla_devices_list(cla_device_info **out, size_t *count, cla_error *error) {
  cl_device_id *ids = NULL;
  cla_status status = device_enumerate(&ids, out, count, error);
  free(ids);
  return status;
}

void cla_devices_free(cla_device_info *devices) {
  free(devices);
}

/* Messages about why there is no device. */

#define VENDORS "/etc/OpenCL/vendors"

/* Number of listed drivers, and of those that cannot be loaded. */
typedef struct driver_list {
  int listed, failed;
  char reason[512]; /* why the first failed driver cannot be loaded */
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

/* Tries the library that the file `path` names. */
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

#define CPU_DRIVER                                                                                    \
  "PoCL for the CPU: 'apt-get install pocl-opencl-icd', 'conda install pocl', or with pip's clalign " \
  "'pip install clalign[pocl]'"

/* True if PoCL is among the platforms. */
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
    return error_set(
        error, CLA_ERROR_DEVICE,
        "no OpenCL device found: '%.256s' lists no driver; install the GPU vendor's, or " CPU_DRIVER,
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
                     "install again what is missing, or give the container its GPU: %s",
                     list.failed, list.listed, vendors, list.reason);
  return error_set(error, CLA_ERROR_DEVICE,
                   "no OpenCL device found: the drivers that '%.256s' lists have none; a GPU's may not be "
                   "passed into this container, else install " CPU_DRIVER,
                   vendors);
}
