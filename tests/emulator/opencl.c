/* OpenCL's platform, device and programs, as far as clalign asks for them. */

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/commands.h"

/* OpenCL's types are pointers to structs of these names. */
struct _cl_platform_id {
  int unused;
};
struct _cl_device_id {
  int unused;
};
struct _cl_context {
  int unused;
};

static struct _cl_platform_id platform;
static struct _cl_device_id device;
static struct _cl_context context;

/* Gives an answer as OpenCL's functions do. */
static cl_int answer(const void *data, size_t bytes, size_t room, void *out, size_t *out_bytes) {
  if (out_bytes) *out_bytes = bytes;
  if (!out) return CL_SUCCESS;
  if (room < bytes) return CL_INVALID_VALUE;
  memcpy(out, data, bytes);
  return CL_SUCCESS;
}

static cl_int answer_text(const char *text, size_t room, void *out, size_t *out_bytes) {
  return answer(text, strlen(text) + 1, room, out, out_bytes);
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint room, cl_platform_id *out, cl_uint *count) {
  if (out && room > 0) out[0] = &platform;
  if (count) *count = 1;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id id, cl_platform_info what, size_t room,
                                                  void *out, size_t *out_bytes) {
  if (id != &platform) return CL_INVALID_PLATFORM;
  if (what == CL_PLATFORM_NAME) return answer_text("clalign's emulator", room, out, out_bytes);
  if (what == CL_PLATFORM_VERSION) return answer_text("OpenCL 1.2", room, out, out_bytes);
  return CL_INVALID_VALUE;
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id from, cl_device_type type, cl_uint room,
                                               cl_device_id *out, cl_uint *count) {
  if (from != &platform || !(type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)))
    return CL_DEVICE_NOT_FOUND;
  if (out && room > 0) out[0] = &device;
  if (count) *count = 1;
  return CL_SUCCESS;
}

/* What clalign reads as a number, in the width that OpenCL gives it; 0 bytes where there is no such
 * attribute. */
static size_t number(uint64_t *out, cl_device_info what) {
  switch (what) {
    case CL_DEVICE_TYPE: *out = CL_DEVICE_TYPE_GPU; return sizeof(cl_device_type);
    case CL_DEVICE_PLATFORM: *out = (uintptr_t)&platform; return sizeof(cl_platform_id);
    case CL_DEVICE_AVAILABLE: *out = CL_TRUE; return sizeof(cl_bool);
    case CL_DEVICE_MAX_COMPUTE_UNITS: *out = 2; return sizeof(cl_uint);
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT: *out = 1; return sizeof(cl_uint);
    case CL_DEVICE_WARP_SIZE_NV: *out = WARP_ITEMS; return sizeof(cl_uint);
    case 0x4008 /* CL_DEVICE_PCI_BUS_ID_NV */: *out = 0x3b; return sizeof(cl_uint);
    case 0x4009 /* CL_DEVICE_PCI_SLOT_ID_NV */: *out = 0; return sizeof(cl_uint);
    case CL_DEVICE_GLOBAL_MEM_SIZE: *out = UINT64_C(1) << 30; return sizeof(cl_ulong);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: *out = UINT64_C(1) << 28; return sizeof(cl_ulong);
    case CL_DEVICE_LOCAL_MEM_SIZE: *out = 48 << 10; return sizeof(cl_ulong);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: *out = GROUP_ITEMS_MOST; return sizeof(size_t);
    default: return 0;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t room, void *out,
                                                size_t *out_bytes) {
  uint64_t value = 0;
  const size_t bytes = number(&value, what);
  if (id != &device) return CL_INVALID_DEVICE;
  if (bytes > 0) return answer(&value, bytes, room, out, out_bytes); /* little-endian */
  if (what == CL_DEVICE_NAME) return answer_text("emulated GPU", room, out, out_bytes);
  if (what == CL_DEVICE_VENDOR) return answer_text("emulates NVIDIA's", room, out, out_bytes);
  if (what == CL_DEVICE_VERSION) return answer_text("OpenCL 1.2", room, out, out_bytes);
  if (what == CL_DRIVER_VERSION) return answer_text("0", room, out, out_bytes);
  if (what == CL_DEVICE_EXTENSIONS) return answer_text("cl_nv_device_attribute_query", room, out, out_bytes);
  return CL_INVALID_VALUE;
}

CL_API_ENTRY cl_int CL_API_CALL clCreateSubDevices(cl_device_id id,
                                                   const cl_device_partition_property *properties,
                                                   cl_uint room, cl_device_id *out, cl_uint *count) {
  return CL_INVALID_VALUE;
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseDevice(cl_device_id id) {
  return CL_SUCCESS;
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContext(
    const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *code) {
  if (code) *code = CL_SUCCESS;
  return &context;
}

CL_API_ENTRY cl_int CL_API_CALL clRetainContext(cl_context kept) {
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseContext(cl_context released) {
  return CL_SUCCESS;
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context of, cl_device_id id,
                                                               cl_command_queue_properties properties,
                                                               cl_int *code) {
  const cl_command_queue queue = commands_queue();
  if (code) *code = queue ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  return queue;
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue released) {
  commands_queue_free(released);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context of, cl_uint count,
                                                              const char **texts, const size_t *lengths,
                                                              cl_int *code) {
  emulated_program *program =
      program_create(texts[0], lengths && lengths[0] > 0 ? lengths[0] : strlen(texts[0]));
  if (count != 1) emulator_stop("clCreateProgramWithSource with %u texts", count);
  if (code) *code = program ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  return (cl_program)program;
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBinary(cl_context of, cl_uint count,
                                                              const cl_device_id *devices,
                                                              const size_t *lengths,
                                                              const unsigned char **binaries,
                                                              cl_int *accepted, cl_int *code) {
  if (code) *code = CL_INVALID_BINARY; /* the emulator gives no binaries */
  return NULL;
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                               const char *options,
                                               void(CL_CALLBACK *notify)(cl_program, void *), void *user) {
  return program_build((emulated_program *)program, options) ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id id,
                                                      cl_program_build_info what, size_t room, void *out,
                                                      size_t *out_bytes) {
  if (what != CL_PROGRAM_BUILD_LOG) return CL_INVALID_VALUE;
  return answer_text(program_log((const emulated_program *)program), room, out, out_bytes);
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info what, size_t room,
                                                 void *out, size_t *out_bytes) {
  const size_t none = 0;
  if (what != CL_PROGRAM_BINARY_SIZES) return CL_INVALID_VALUE;
  return answer(&none, sizeof none, room, out, out_bytes);
}

CL_API_ENTRY cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels,
                                                         cl_uint *count) {
  return CL_INVALID_PROGRAM_EXECUTABLE;
}

CL_API_ENTRY cl_int CL_API_CALL clRetainProgram(cl_program program) {
  program_keep((emulated_program *)program);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  commands_finish_all();
  program_free((emulated_program *)program);
  return CL_SUCCESS;
}
