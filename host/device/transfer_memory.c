#include "device/transfer_memory.h"

cla_status transfer_memory_grow(transfer_memory *memory, const cla_device *device, int64_t bytes,
                                cla_error *error) {
  cl_int code = CL_SUCCESS;
  if (memory->bytes >= bytes) {
    poison_memory(memory->data, bytes, POISON_LINES);
    return CLA_OK;
  }
  transfer_memory_free(memory, device);
  memory->memory =
      clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, (size_t)bytes, NULL, &code);
  cla_status status = device_check(device, code, "clCreateBuffer", error);
  if (status != CLA_OK) return status;
  memory->data = clEnqueueMapBuffer(device->transfers, memory->memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                    (size_t)bytes, 0, NULL, NULL, &code);
  status = device_check(device, code, "clEnqueueMapBuffer", error);
  if (status != CLA_OK) return status;
  memory->bytes = bytes;
  poison_memory(memory->data, bytes, POISON_LINES);
  return CLA_OK;
}

void transfer_memory_free(transfer_memory *memory, const cla_device *device) {
  if (memory->data) {
    clEnqueueUnmapMemObject(device->transfers, memory->memory, memory->data, 0, NULL, NULL);
    clFinish(device->transfers);
  }
  if (memory->memory) clReleaseMemObject(memory->memory);
  *memory = (transfer_memory){0};
}
