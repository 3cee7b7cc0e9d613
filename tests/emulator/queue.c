/* OpenCL's buffers, kernels and queues. */

#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/commands.h"

struct _cl_kernel {
  kernel_function *function;
  uint64_t arguments[KERNEL_ARGUMENTS_MOST];
  bool persistent, whole_strips;
};

/* A buffer is its memory, so that kernels take it as it is. */
static char *bytes_of(cl_mem buffer, size_t offset, size_t bytes) {
  if (offset + bytes > memory_bytes(buffer))
    emulator_stop("%zu bytes at %zu of a buffer of %zu", bytes, offset, memory_bytes(buffer));
  return (char *)buffer + offset;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes,
                                               void *host, cl_int *code) {
  void *memory = bytes > 0 ? memory_allocate(bytes) : NULL;
  if (memory && flags & CL_MEM_COPY_HOST_PTR) memcpy(memory, host, bytes);
  if (code)
    *code = memory ? CL_SUCCESS : bytes > 0 ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_INVALID_BUFFER_SIZE;
  return memory;
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem buffer) {
  commands_finish_all();
  memory_free(buffer);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clRetainMemObject(cl_mem buffer) {
  memory_keep(buffer);
  return CL_SUCCESS;
}

static cl_int copy(cl_command_queue queue, cl_bool blocking, void *to, const void *from, size_t bytes) {
  const cl_int code =
      commands_put(queue, &(command){.kind = COMMAND_COPY, .to = to, .from = from, .bytes = bytes});
  if (blocking) commands_finish(queue);
  return code;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    size_t offset, size_t bytes, void *into, cl_uint waits,
                                                    const cl_event *wait_list, cl_event *event) {
  return copy(queue, blocking, into, bytes_of(buffer, offset, bytes), bytes);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                     size_t offset, size_t bytes, const void *from,
                                                     cl_uint waits, const cl_event *wait_list,
                                                     cl_event *event) {
  return copy(queue, blocking, bytes_of(buffer, offset, bytes), from, bytes);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer,
                                                    const void *pattern, size_t pattern_bytes, size_t offset,
                                                    size_t bytes, cl_uint waits, const cl_event *wait_list,
                                                    cl_event *event) {
  command fill = {.kind = COMMAND_FILL,
                  .to = bytes_of(buffer, offset, bytes),
                  .bytes = bytes,
                  .pattern_bytes = pattern_bytes};
  const bool legal = pattern_bytes > 0 && (pattern_bytes & (pattern_bytes - 1)) == 0;
  if (!legal || pattern_bytes > sizeof fill.pattern || bytes % pattern_bytes != 0 ||
      offset % pattern_bytes != 0)
    return CL_INVALID_VALUE;
  memcpy(fill.pattern, pattern, pattern_bytes);
  return commands_put(queue, &fill);
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                  cl_map_flags flags, size_t offset, size_t bytes,
                                                  cl_uint waits, const cl_event *wait_list, cl_event *event,
                                                  cl_int *code) {
  if (code) *code = CL_SUCCESS;
  commands_finish(queue);
  return bytes_of(buffer, offset, bytes);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *mapped,
                                                        cl_uint waits, const cl_event *wait_list,
                                                        cl_event *event) {
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue queue) {
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  commands_finish(queue);
  return CL_SUCCESS;
}

struct _cl_event {
  cl_command_queue queue;
  _Atomic cl_int state;
};

void commands_mark(cl_event event) {
  event->state = CL_COMPLETE;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint waits,
                                                            const cl_event *wait_list, cl_event *event) {
  *event = malloc(sizeof **event);
  if (!*event) return CL_OUT_OF_HOST_MEMORY;
  **event = (struct _cl_event){.queue = queue, .state = CL_QUEUED};
  return commands_put(queue, &(command){.kind = COMMAND_MARK, .mark = *event});
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info what, size_t room, void *out,
                                               size_t *out_bytes) {
  if (what != CL_EVENT_COMMAND_EXECUTION_STATUS || room < sizeof event->state) return CL_INVALID_VALUE;
  commands_look(event->queue);
  const cl_int state = event->state;
  memcpy(out, &state, sizeof state);
  if (out_bytes) *out_bytes = sizeof event->state;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event *events) {
  for (cl_uint i = 0; i < count; i++) commands_finish(events[i]->queue);
  return CL_SUCCESS;
}

/* The event's mark may still be in the queue. */
CL_API_ENTRY cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  commands_finish(event->queue);
  free(event);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *name, cl_int *code) {
  const char *options = program_options((const emulated_program *)program);
  kernel_function *function = program_kernel((const emulated_program *)program, name);
  struct _cl_kernel *kernel = function ? calloc(1, sizeof *kernel) : NULL;
  if (code) *code = kernel ? CL_SUCCESS : function ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_KERNEL_NAME;
  if (!kernel) return NULL;
  kernel->function = function;
  kernel->persistent =
      strstr(options, "-DPERSISTENT=1") && !strstr(options, "-DPAIRS=1") && !strstr(name, "_top");
  kernel->whole_strips = strstr(options, "-DPRUNE=1") != NULL;
  return kernel;
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  free(kernel);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes,
                                               const void *value) {
  if (index >= KERNEL_ARGUMENTS_MOST) return CL_INVALID_ARG_INDEX;
  if (bytes != sizeof kernel->arguments[0]) return CL_INVALID_ARG_SIZE;
  memcpy(kernel->arguments + index, value, bytes);
  return CL_SUCCESS;
}

/* Where strips.clh has the launch's counters, the first of which hands out strips, and what it covers. */
enum { COUNTERS = 10, DIAGONAL = 15, DIAGONALS, FIRST_STRIP, LAST_STRIP };

/* clalign cuts a persistent launch in several where it takes long or there is no room for more rows: by
 * diagonals, or by strips with pruning. So does the emulator, now and then, because regions of tests are
 * small. It also lets more groups come than were asked for: any number can do the work. */
static void run_part(command *what) {
  emulated_launch launch = what->launch;
  const int from = what->whole_strips ? FIRST_STRIP : DIAGONAL;
  if (!what->begun) {
    what->begun = true;
    what->left_from = (int64_t)launch.arguments[from];
    what->left_end = what->whole_strips ? (int64_t)launch.arguments[LAST_STRIP] + 1
                                        : what->left_from + (int64_t)launch.arguments[DIAGONALS];
  }
  const int64_t left = what->left_end - what->left_from,
                count = chance(2) ? left : 1 + chance((uint32_t)left);
  launch.arguments[from] = (uint64_t)what->left_from;
  launch.arguments[what->whole_strips ? LAST_STRIP : DIAGONALS] =
      (uint64_t)(what->whole_strips ? what->left_from + count - 1 : count);
  memset((void *)(uintptr_t)launch.arguments[COUNTERS], 0, sizeof(cl_int));
  launch.groups += chance(3);
  emulator_run(&launch);
  what->left_from += count;
}

bool commands_run(command *what, bool part) {
  if (!what->persistent) {
    emulator_run(&what->launch);
    return true;
  }
  do {
    run_part(what);
  } while (!part && what->left_from < what->left_end);
  return what->left_from >= what->left_end;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                       cl_uint dimensions, const size_t *offset,
                                                       const size_t *global, const size_t *local,
                                                       cl_uint waits, const cl_event *wait_list,
                                                       cl_event *event) {
  if (dimensions != 1 || offset || !local || global[0] == 0 || global[0] % local[0] != 0)
    return CL_INVALID_WORK_GROUP_SIZE;
  command run = {.kind = COMMAND_RUN,
                 .launch = {.function = kernel->function,
                            .groups = (int64_t)(global[0] / local[0]),
                            .items = (int)local[0]},
                 .persistent = kernel->persistent,
                 .whole_strips = kernel->whole_strips};
  memcpy(run.launch.arguments, kernel->arguments, sizeof run.launch.arguments);
  return commands_put(queue, &run);
}
