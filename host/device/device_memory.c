#include "base/error.h"
#include "device/device.h"

#ifdef CLALIGN_POISON
cla_status device_poison(const cla_device *device, cl_mem memory, int64_t offset, int64_t bytes,
                         poison_kind kind, cla_error *error) {
  uint8_t pattern[POISON_PATTERN_BYTES];
  const int64_t end = offset + bytes;
  cl_int code = CL_SUCCESS;
  poison_pattern(pattern, kind);
  for (int64_t at = offset, next; code == CL_SUCCESS && at < end; at = next) {
    int64_t size =
        POISON_PATTERN_BYTES; /* a filled range must begin and end at a multiple of the pattern's size */
    while (at % size > 0 || size > end - at) size /= 2;
    next = size == POISON_PATTERN_BYTES ? end - (end - at) % size : at + size;
    code = clEnqueueFillBuffer(device->on->queue, memory, pattern + at % POISON_PATTERN_BYTES, (size_t)size,
                               (size_t)at, (size_t)(next - at), 0, NULL, NULL);
  }
  return device_check(device, code, "clEnqueueFillBuffer", error);
}
#endif

cla_status device_buffer_with(cl_mem *out, const cla_device *device, int64_t bytes, const void *content,
                              const char *what, cla_error *error) {
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (content ? CL_MEM_COPY_HOST_PTR : 0);
  *out = NULL;
  if (bytes < 1) bytes = 1;
  if (bytes > device->info.max_allocation_bytes)
    return error_set(
        error, CLA_ERROR_MEMORY,
        "%s needs a buffer of %lld bytes, %s allows at most %lld; choose another --device or a smaller range",
        what, (long long)bytes, device->info.name, (long long)device->info.max_allocation_bytes);
  cla_status status = device_start(device, error);
  if (status != CLA_OK) return status;
  cl_int code = CL_SUCCESS;
  /* clCreateBuffer only reads `content`, though its parameter is not const. */
  *out = clCreateBuffer(device->on->context, flags, (size_t)bytes, (void *)(uintptr_t)content, &code);
  return device_check(device, code, "clCreateBuffer", error);
}

cla_status device_buffer(cl_mem *out, const cla_device *device, int64_t bytes, poison_kind kind,
                         const char *what, cla_error *error) {
  if (bytes < 1) bytes = 1;
  cla_status status = device_buffer_with(out, device, bytes, NULL, what, error);
  return status == CLA_OK ? device_poison(device, *out, 0, bytes, kind, error) : status;
}

cla_status transfer_memory_grow(transfer_memory *memory, const cla_device *device, int64_t bytes,
                                cla_error *error) {
  cl_int code = CL_SUCCESS;
  if (memory->bytes >= bytes) {
    poison_memory(memory->data, bytes, POISON_LINES);
    return CLA_OK;
  }
  transfer_memory_free(memory, device);
  cla_status status = device_start(device, error);
  if (status != CLA_OK) return status;
  memory->memory = clCreateBuffer(device->on->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                  (size_t)bytes, NULL, &code);
  status = device_check(device, code, "clCreateBuffer", error);
  if (status != CLA_OK) return status;
  memory->data = clEnqueueMapBuffer(device->on->transfers, memory->memory, CL_TRUE,
                                    CL_MAP_READ | CL_MAP_WRITE, 0, (size_t)bytes, 0, NULL, NULL, &code);
  status = device_check(device, code, "clEnqueueMapBuffer", error);
  if (status != CLA_OK) return status;
  memory->bytes = bytes;
  poison_memory(memory->data, bytes, POISON_LINES);
  return CLA_OK;
}

void transfer_memory_free(transfer_memory *memory, const cla_device *device) {
  if (memory->data) {
    clEnqueueUnmapMemObject(device->on->transfers, memory->memory, memory->data, 0, NULL, NULL);
    clFinish(device->on->transfers);
  }
  if (memory->memory) clReleaseMemObject(memory->memory);
  *memory = (transfer_memory){0};
}
