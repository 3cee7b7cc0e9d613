#include <CL/cl_ext.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "device/device.h"
#include "device/device_use.h"
#include "device/program.h"

static bool contains_text(const char *text, const char *part) {
  size_t length = strlen(part);
  for (; *text; text++)
    if (strncasecmp(text, part, length) == 0) return true;
  return length == 0;
}

static bool is_number(const char *text) {
  for (const char *c = text; *c; c++)
    if (!isdigit((unsigned char)*c)) return false;
  return *text != '\0' && strlen(text) < 6;
}

/* Returns the first device of the kind that `word` names; `count` if the word names no kind or there is no
 * such device. */
static size_t first_of_kind(const cla_device_info *infos, size_t count, const char *word) {
  const bool cpu = strcasecmp(word, "cpu") == 0, gpu = strcasecmp(word, "gpu") == 0;
  const cla_device_kind kind = cpu ? CLA_DEVICE_CPU : CLA_DEVICE_GPU;
  for (size_t i = 0; i < count && (cpu || gpu); i++)
    if (infos[i].kind == kind) return i;
  return count;
}

/* Sets *out to the index of the device that `select` means. */
static cla_status choose(size_t *out, const cla_device_info *infos, size_t count, const char *select,
                         cla_error *error) {
  *out = 0;
  if (count == 0) return cla_devices_missing(NULL, error);
  if (!select) {
    for (size_t i = count; i-- > 0;)
      if (infos[i].kind == CLA_DEVICE_GPU) *out = i;
    return CLA_OK;
  }
  if (is_number(select)) {
    *out = (size_t)strtoul(select, NULL, 10);
    if (*out < count) return CLA_OK;
    return error_set(error, CLA_ERROR_DEVICE, "device %s does not exist; `clalign devices` lists 0 to %zu",
                     select, count - 1);
  }
  *out = first_of_kind(infos, count, select);
  if (*out < count) return CLA_OK;
  size_t matches = 0;
  for (size_t i = count; i-- > 0;)
    if (contains_text(infos[i].name, select) || contains_text(infos[i].platform, select)) {
      *out = i;
      matches++;
    }
  if (matches == 1) return CLA_OK;
  if (matches == 0)
    return error_set(error, CLA_ERROR_DEVICE,
                     "no device's name or platform contains '%s'; see `clalign devices`", select);
  return error_set(error, CLA_ERROR_DEVICE, "'%s' fits %zu devices; give an index of `clalign devices`",
                   select, matches);
}

/* True if the device can be partitioned by numbers of compute units. This is asked first, because some
 * drivers lack clCreateSubDevices entirely. */
static bool can_partition(const cla_device *device) {
  cl_device_partition_property kinds[16] = {0};
  size_t size = 0;
  if (clGetDeviceInfo(device->parent, CL_DEVICE_PARTITION_PROPERTIES, sizeof kinds, kinds, &size) !=
      CL_SUCCESS)
    return false;
  for (size_t i = 0; i < size / sizeof kinds[0]; i++)
    if (kinds[i] == CL_DEVICE_PARTITION_BY_COUNTS) return true;
  return false;
}

/* Restricts a CPU device to `wanted` compute units by partitioning it, if the driver can. If `wanted` is 0,
 * restricts it to the threads that the process may use, minus `left`. */
static cla_status restrict_threads(cla_device *device, int wanted, int left, cla_error *error) {
  const int all = machine_threads(), most = left > 0 ? (all > left ? all - left : 1) : all;
  const int threads = wanted > 0 ? wanted : most;
  if (device->info.kind != CLA_DEVICE_CPU || threads >= device->info.compute_units) return CLA_OK;
  if (!can_partition(device)) {
    if (wanted <= 0) return CLA_OK;
    return error_set(
        error, CLA_ERROR_DEVICE,
        "%s cannot be restricted to %d of its %d threads; leave --threads out or choose another --device",
        device->info.name, threads, device->info.compute_units);
  }
  const cl_device_partition_property partition[] = {CL_DEVICE_PARTITION_BY_COUNTS, threads,
                                                    CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id part = NULL;
  cl_int code = clCreateSubDevices(device->parent, partition, 1, &part, NULL);
  cla_status status = device_check(device, code, "clCreateSubDevices", error);
  if (status != CLA_OK) return status;
  device->id = part;
  device->info.compute_units = threads;
  return CLA_OK;
}

/* True if the compiler accepts NVIDIA's packed 16-bit instructions; compiles some to find out. */
static bool compiles_packed_pairs(const cla_device *device) {
  static const char *source =
      "kernel void probe(global uint *v) {\n"
      "  uint a = v[0], b = v[1];\n"
      "  asm(\"add.s16x2 %0, %0, %1;\" : \"+r\"(a) : \"r\"(b));\n"
      "  asm(\"max.relu.s16x2 %0, %0, %1;\" : \"+r\"(a) : \"r\"(b));\n"
      "  v[0] = a;\n"
      "}\n";
  if (device_start(device, NULL) != CLA_OK) return false;
  cl_program program = clCreateProgramWithSource(device->on->context, 1, &source, NULL, NULL);
  if (!program) return false;
  const bool built = clBuildProgram(program, 1, &device->id, "", NULL, NULL) == CL_SUCCESS;
  clReleaseProgram(program);
  return built;
}

#define PACKED_PAIRS_CAPABILITY 9 /* lowest compute capability with packed pairs: sm_90 */
#define PACKED_PAIRS_DRIVER 530   /* first driver with PTX 8.1 and its packed instructions */

/* True if the device has packed pairs, according to its compute capability. If the driver is older or does
 * not report the capability, a test is compiled. */
static bool has_packed_pairs(const cla_device *device) {
  cl_uint capability = 0;
  if (device->info.kind != CLA_DEVICE_GPU || !contains_text(device->info.vendor, "NVIDIA")) return false;
  const bool told = clGetDeviceInfo(device->parent, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, sizeof capability,
                                    &capability, NULL) == CL_SUCCESS;
  if (told && capability > 0 && strtol(device->info.driver, NULL, 10) >= PACKED_PAIRS_DRIVER)
    return capability >= PACKED_PAIRS_CAPABILITY;
  return compiles_packed_pairs(device);
}

/* Opens a second queue for transfers. CPUs get none, because the same threads would serve both queues.
 * rusticl (Mesa 22.3.6, llvmpipe) gets none, because with two queues it reads wrong values from either. */
static cla_status open_transfers(const cla_device *device, cla_error *error) {
  cl_int code = CL_SUCCESS;
  if (device->info.kind == CLA_DEVICE_GPU && strcmp(device->info.platform, "rusticl") != 0)
    device->on->transfers = clCreateCommandQueue(device->on->context, device->id, 0, &code);
  else if ((code = clRetainCommandQueue(device->on->queue)) == CL_SUCCESS)
    device->on->transfers = device->on->queue;
  return device_check(device, code, "clCreateCommandQueue", error);
}

bool device_is_like(const cla_device *device, const cla_device *other) {
  return strcmp(device->info.name, other->info.name) == 0;
}

cla_status device_start(const cla_device *device, cla_error *error) {
  cl_int code = CL_SUCCESS;
  cla_status status = CLA_OK;
  if (!device->on->context) {
    device->on->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
    status = device_check(device, code, "clCreateContext", error);
  }
  if (status == CLA_OK && !device->on->queue) {
    device->on->queue = clCreateCommandQueue(device->on->context, device->id, 0, &code);
    status = device_check(device, code, "clCreateCommandQueue", error);
  }
  return status == CLA_OK && !device->on->transfers ? open_transfers(device, error) : status;
}

cla_status cla_device_open(cla_device **out, const cla_device_options *options, cla_error *error) {
  const cla_device_options defaults = {0};
  cl_device_id *ids = NULL;
  cla_device_info *infos = NULL;
  cla_device *device = NULL;
  size_t count = 0, chosen = 0;
  if (!options) options = &defaults;
  *out = NULL;
  cla_status status = device_enumerate(&ids, &infos, &count, error);
  if (status == CLA_OK) status = choose(&chosen, infos, count, options->select, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&device, 1, "a device", error);
  if (status != CLA_OK) goto done;
  program_save_join(device);
  status = ALLOCATE_ZEROS(&device->on, 1, "a device", error);
  if (status != CLA_OK) goto done;
  device->info = infos[chosen];
  device->id = device->parent = ids[chosen];
  status = device_use_begin(&device->use, error);
  if (status == CLA_OK && options->kernel_path)
    status = allocate_text(&device->kernel_path, options->kernel_path, error);
  if (status == CLA_OK && options->cache_path)
    status = allocate_text(&device->cache_path, options->cache_path, error);
  if (status == CLA_OK) status = restrict_threads(device, options->threads, options->left_threads, error);
  if (status != CLA_OK) goto done;
  if (has_packed_pairs(device)) {
    device->info.packed_pairs = true;
    device->info.counters = CLA_COUNTERS_PTX;
  }

done:
  free(ids);
  free(infos);
  if (status != CLA_OK) {
    cla_device_close(device);
    device = NULL;
  }
  *out = device;
  return status;
}

void cla_device_close(cla_device *device) {
  if (!device) return;
  program_save_leave(device);
  while (device->programs) {
    device_program *program = device->programs;
    device->programs = program->next;
    if (program->program) clReleaseProgram(program->program);
    free(program->name);
    free(program->unsaved_key);
    free(program);
  }
  if (device->on && device->on->queue) clReleaseCommandQueue(device->on->queue);
  if (device->on && device->on->transfers) clReleaseCommandQueue(device->on->transfers);
  if (device->on && device->on->context) clReleaseContext(device->on->context);
  free(device->on);
  if (device->id != device->parent) clReleaseDevice(device->id);
  free(device->kernel_path);
  free(device->cache_path);
  device_use_end(&device->use);
  free(device);
}

const cla_device_info *cla_device_describe(const cla_device *device) {
  return &device->info;
}

/* Gives the twin the programs that `device` has built. They are shared, because both use one context. */
static cla_status copy_programs(cla_device *twin, const cla_device *device, cla_error *error) {
  for (const device_program *program = device->programs; program; program = program->next) {
    device_program *copy = NULL;
    cla_status status = ALLOCATE_ZEROS(&copy, 1, "a program", error);
    if (status != CLA_OK) return status;
    copy->next = twin->programs;
    twin->programs = copy;
    status = allocate_text(&copy->name, program->name, error);
    if (status != CLA_OK) return status;
    if (clRetainProgram(program->program) == CL_SUCCESS) copy->program = program->program;
    if (!copy->program)
      return error_set(error, CLA_ERROR_DEVICE, "a program of %s cannot be shared; use its handle alone",
                       device->info.name);
  }
  return CLA_OK;
}

cla_status device_open_twin(cla_device **out, const cla_device *device, cla_error *error) {
  cla_device *twin = NULL;
  *out = NULL;
  if (strcmp(device->info.platform, "rusticl") == 0) /* rusticl reads wrong values with two queues */
    return error_set(error, CLA_ERROR_DEVICE, "%s takes one pair at a time; leave it one", device->info.name);
  cla_status status = ALLOCATE_ZEROS(&twin, 1, "a device", error);
  if (status != CLA_OK) return status;
  program_save_join(twin);
  twin->info = device->info;
  twin->parent = twin->id = device->parent;
  twin->marks = device->marks;
  status = device_use_begin(&twin->use, error);
  if (status == CLA_OK && device->kernel_path)
    status = allocate_text(&twin->kernel_path, device->kernel_path, error);
  if (status == CLA_OK && device->cache_path)
    status = allocate_text(&twin->cache_path, device->cache_path, error);
  if (status != CLA_OK) goto done;
  if (device->id != device->parent) {
    status = device_check(device, clRetainDevice(device->id), "clRetainDevice", error);
    if (status == CLA_OK) twin->id = device->id;
  }
  if (status != CLA_OK) goto done;
  status = ALLOCATE_ZEROS(&twin->on, 1, "a device", error);
  if (status == CLA_OK) status = device_start(device, error);
  if (status == CLA_OK)
    status = device_check(device, clRetainContext(device->on->context), "clRetainContext", error);
  if (status != CLA_OK) goto done;
  twin->on->context = device->on->context;
  status = device_start(twin, error);
  if (status == CLA_OK) status = copy_programs(twin, device, error);

done:
  if (status != CLA_OK) {
    cla_device_close(twin);
    twin = NULL;
  }
  *out = twin;
  return status;
}
