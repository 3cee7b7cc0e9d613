/* OpenCL for the systems: kernels, launches, copies. */

#include "study.h"

cla_status study_kernel(cl_kernel *out, const study_task *task, const char *name, const char *options,
                        cla_error *error) {
  cl_program program = NULL;
  cl_int code = CL_SUCCESS;
  const cla_status status = device_build(&program, task->device, task->system->source, options, error);
  if (status != CLA_OK) return status;
  *out = clCreateKernel(program, name, &code);
  return device_check(task->device, code, "clCreateKernel", error);
}

cla_status study_launch(const study_task *task, cl_kernel kernel, int64_t groups, int64_t items,
                        cla_error *error) {
  const size_t local = (size_t)items, global = (size_t)(groups * items);
  const cl_int code =
      clEnqueueNDRangeKernel(task->device->on->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  return device_check(task->device, code, "clEnqueueNDRangeKernel", error);
}

cla_status study_wait(const study_task *task, cla_error *error) {
  return device_check(task->device, clFinish(task->device->on->queue), "clFinish", error);
}

cla_status study_read(const study_task *task, cl_mem from, void *to, int64_t bytes, cla_error *error) {
  const cl_int code =
      clEnqueueReadBuffer(task->device->on->queue, from, CL_TRUE, 0, (size_t)bytes, to, 0, NULL, NULL);
  return device_check(task->device, code, "clEnqueueReadBuffer", error);
}

cla_status study_write(const study_task *task, cl_mem to, const void *from, int64_t bytes, cla_error *error) {
  const cl_int code =
      clEnqueueWriteBuffer(task->device->on->queue, to, CL_TRUE, 0, (size_t)bytes, from, 0, NULL, NULL);
  return device_check(task->device, code, "clEnqueueWriteBuffer", error);
}

cla_status study_zeros(cl_mem *out, const study_task *task, int64_t bytes, const char *what,
                       cla_error *error) {
  const cl_int zero = 0;
  const cla_status status = device_buffer(out, task->device, bytes, POISON_INTS, what, error);
  if (status != CLA_OK) return status;
  const cl_int code =
      clEnqueueFillBuffer(task->device->on->queue, *out, &zero, sizeof zero, 0, (size_t)bytes, 0, NULL, NULL);
  return device_check(task->device, code, "clEnqueueFillBuffer", error);
}
