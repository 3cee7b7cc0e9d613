#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "device/device.h"
#include "device/device_twin.h"
#include "device/program_save.h"

/* The programs that `device` has built, for the twin too: they belong to the context. */
static cla_status copy_programs(cla_device *twin, const cla_device *device, cla_error *error) {
  for (const device_program *program = device->programs; program; program = program->next) {
    device_program *copy = NULL;
    cla_status status = allocate_zeros((void **)&copy, 1, sizeof *copy, "a program", error);
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
  cl_int code = CL_SUCCESS;
  *out = NULL;
  if (strcmp(device->info.platform, "rusticl") == 0) /* reads wrong values where there are two queues */
    return error_set(error, CLA_ERROR_DEVICE, "%s takes one pair at a time; leave it one", device->info.name);
  cla_status status = allocate_zeros((void **)&twin, 1, sizeof *twin, "a device", error);
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
  status = device_check(device, clRetainContext(device->context), "clRetainContext", error);
  if (status != CLA_OK) goto done;
  twin->context = device->context;
  twin->queue = clCreateCommandQueue(twin->context, twin->id, 0, &code);
  status = device_check(device, code, "clCreateCommandQueue", error);
  if (status == CLA_OK) status = device_open_transfers(twin, error);
  if (status == CLA_OK) status = copy_programs(twin, device, error);

done:
  if (status != CLA_OK) {
    cla_device_close(twin);
    twin = NULL;
  }
  *out = twin;
  return status;
}
