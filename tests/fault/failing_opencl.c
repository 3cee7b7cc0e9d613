/* Loaded before OpenCL (LD_PRELOAD), makes calls fail, like a device that goes away or runs out of memory in
 * a run.
 *
 * - CLALIGN_FAIL=FUNCTION:N:CODE: the N-th call of the function, and all later ones, return CODE. Functions:
 *   clGetPlatformIDs, clEnqueueNDRangeKernel, clCreateBuffer, clEnqueueReadBuffer
 * - with :one after it: only the queue or context of the N-th call fails from then on; other devices go on
 * - clEnqueueReadBuffer:N:1: only the N-th read is wrong, by one in each word
 * - clGetPlatformIDs:N:1: eight threads abort together in the N-th call, like a driver's without memory
 * - CLALIGN_FAIL_COUNT: file that gets the number of calls
 * - CLALIGN_MEMORY_MOST: file that gets the most bytes that all buffers had at once
 * - CLALIGN_BUILDS: file that gets the most programs built at once; the first one waits ten seconds for a
 * second one */

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static atomic_long building, building_most;
static atomic_long calls, bytes, bytes_most; /* bytes: of the buffers that there are */
static _Atomic(const void *) lost;           /* the queue or context that fails */

/* The code with which this call of `name` on `whose` queue or context must fail, or CL_SUCCESS. */
static cl_int failure(const char *name, const void *whose) {
  const char *text = getenv("CLALIGN_FAIL");
  char function[64], one[8] = "";
  long number = 0;
  int code = 0;
  if (!text || sscanf(text, "%63[^:]:%ld:%d:%7s", function, &number, &code, one) < 3) return CL_SUCCESS;
  if (strcmp(function, name) != 0) return CL_SUCCESS;
  const long call = atomic_fetch_add(&calls, 1) + 1;
  if (call < number || (code == 1 && call > number)) return CL_SUCCESS;
  const void *none = NULL;
  if (!one[0] || atomic_compare_exchange_strong(&lost, &none, whose)) return code;
  return none == whose ? code : CL_SUCCESS;
}

static void leave(const char *variable, long number) {
  const char *path = getenv(variable);
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", number);
  fclose(file);
}

static __attribute__((destructor)) void leave_numbers(void) {
  leave("CLALIGN_FAIL_COUNT", atomic_load(&calls));
  leave("CLALIGN_MEMORY_MOST", atomic_load(&bytes_most));
  leave("CLALIGN_BUILDS", atomic_load(&building_most));
}

/* The next library's function; through memcpy, because C has no cast from an object to a function. */
static void find(void *function, const char *name) {
  void *symbol = dlsym(RTLD_NEXT, name);
  if (!symbol) abort();
  memcpy(function, &symbol, sizeof symbol);
}

#define CRASHES 8

static int abort_together(void *user) {
  static atomic_int ready;
  (void)user;
  atomic_fetch_add(&ready, 1);
  while (atomic_load(&ready) < CRASHES) thrd_yield();
  abort();
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint size, cl_platform_id *platforms, cl_uint *count) {
  cl_int (*next)(cl_uint, cl_platform_id *, cl_uint *);
  const cl_int code = failure("clGetPlatformIDs", NULL);
  if (code < CL_SUCCESS) return code;
  if (code > CL_SUCCESS) {
    thrd_t threads[CRASHES];
    for (int i = 0; i < CRASHES; i++) thrd_create(&threads[i], abort_together, NULL);
    for (int i = 0; i < CRASHES; i++) thrd_join(threads[i], NULL);
  }
  find(&next, "clGetPlatformIDs");
  return next(size, platforms, count);
}

static void raise_to(atomic_long *most, long now) {
  for (long before = atomic_load(most); before < now;)
    if (atomic_compare_exchange_weak(most, &before, now)) break;
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                               const char *options,
                                               void(CL_CALLBACK *notify)(cl_program, void *), void *user) {
  cl_int (*next)(cl_program, cl_uint, const cl_device_id *, const char *,
                 void(CL_CALLBACK *)(cl_program, void *), void *);
  raise_to(&building_most, atomic_fetch_add(&building, 1) + 1);
  for (int i = 0; getenv("CLALIGN_BUILDS") && i < 10000 && atomic_load(&building_most) < 2; i++) usleep(1000);
  find(&next, "clBuildProgram");
  const cl_int code = next(program, count, devices, options, notify, user);
  atomic_fetch_sub(&building, 1);
  return code;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                       cl_uint dimensions, const size_t *offset,
                                                       const size_t *global, const size_t *local,
                                                       cl_uint waits, const cl_event *wait_list,
                                                       cl_event *event) {
  cl_int (*next)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,
                 cl_uint, const cl_event *, cl_event *);
  const cl_int code = failure("clEnqueueNDRangeKernel", queue);
  if (code != CL_SUCCESS) return code;
  find(&next, "clEnqueueNDRangeKernel");
  return next(queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    size_t offset, size_t size, void *into, cl_uint waits,
                                                    const cl_event *wait_list, cl_event *event) {
  cl_int (*next)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *,
                 cl_event *);
  const cl_int code = failure("clEnqueueReadBuffer", queue);
  const bool altered = code == 1;
  if (code != CL_SUCCESS && !altered) return code;
  find(&next, "clEnqueueReadBuffer");
  const cl_int result = next(queue, buffer, blocking, offset, size, into, waits, wait_list, event);
  if (altered && result == CL_SUCCESS && size >= 4 && clFinish(queue) == CL_SUCCESS)
    for (size_t word = 0; word < size / 4; word++) ((int32_t *)into)[word]++;
  return result;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                               void *host, cl_int *code) {
  cl_mem (*next)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
  const cl_int failed = failure("clCreateBuffer", context);
  if (failed != CL_SUCCESS) {
    if (code) *code = failed;
    return NULL;
  }
  find(&next, "clCreateBuffer");
  cl_mem made = next(context, flags, size, host, code);
  const long now = made ? atomic_fetch_add(&bytes, (long)size) + (long)size : 0;
  raise_to(&bytes_most, now);
  return made;
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem buffer) {
  cl_int (*next)(cl_mem);
  size_t size = 0;
  if (clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, NULL) == CL_SUCCESS)
    atomic_fetch_sub(&bytes, (long)size); /* clalign has each but once */
  find(&next, "clReleaseMemObject");
  return next(buffer);
}
