#ifndef HOST_DEVICE_DEVICE_H
#define HOST_DEVICE_DEVICE_H

#include <CL/cl.h>
#include <stdatomic.h>

#include "base/allocate.h"
#include "clalign/device.h"
#include "device/device_use.h"

/* OpenCL for the rooms above: an opened device, its programs, buffers and error names. Knows nothing of
 * sequences. */

typedef struct device_program {
  char *name; /* file and options */
  cl_program program;
  char *unsaved_key; /* under which it will be cached; NULL: no need to */
  bool proved;       /* has given right results */
  struct device_program *next;
} device_program;

/* How the device's programs came about: threads count. */
typedef struct build_counts {
  atomic_int from_cache;  /* taken from the folder of built programs */
  atomic_int from_source; /* compiled */
  atomic_int refused;     /* of the latter: a cached binary was there that the driver did not take */
  atomic_int saved;       /* written to the folder */
} build_counts;

/* OpenCL's objects of an opened device. */
typedef struct device_objects {
  cl_context context;
  cl_command_queue queue; /* in order */
  cl_command_queue
      transfers; /* in order: what is read while `queue` goes on; on some devices `queue` itself */
} device_objects;

struct cla_device {
  cla_device_info info;
  cl_device_id id;     /* a sub-device where threads are restricted */
  cl_device_id parent; /* what the list holds; differs from id for a sub-device */
  device_objects *on;  /* made when they are first needed: see device_start */
  char *kernel_path;   /* or NULL */
  char *cache_path;    /* or NULL */
  device_program *programs;
  build_counts builds;
  device_compiling compiling; /* or NULL */
  void *compiling_user;
  device_marks marks;
  device_use use;
  bool counted; /* among those that are open (program.h) */
};

/* All devices in the order of the list; the caller frees both with free(). */
cla_status device_enumerate(cl_device_id **ids, cla_device_info **infos, size_t *count, cla_error *error);

/* Makes the device's context and queues, unless they are there: programs and buffers begin with it. It takes
 * a GPU's driver a tenth of a second and more, which those spare that compute on the host alone.
 * CLA_ERROR_DEVICE, CLA_ERROR_MEMORY. */
cla_status device_start(const cla_device *device, cla_error *error);

/* Whether both are of one kind, by their names. */
bool device_is_like(const cla_device *device, const cla_device *other);

/* CLA_OK for CL_SUCCESS, else a message with the call, the symbolic name and the device. `code`s that mean
 * memory become CLA_ERROR_MEMORY, the rest CLA_ERROR_DEVICE. */
cla_status device_check(const cla_device *device, cl_int code, const char *call, cla_error *error);

/* A read-write buffer of at least one byte; `what` names it in the error. Nothing is zeroed; `kind` is what
 * it will have. */
cla_status device_buffer(cl_mem *out, const cla_device *device, int64_t bytes, poison_kind kind,
                         const char *what, cla_error *error);

/* The same, made with `content`: this spares a small buffer a command of its own, which on a CPU is most of
 * the time that it takes. */
cla_status device_buffer_with(cl_mem *out, const cla_device *device, int64_t bytes, const void *content,
                              const char *what, cla_error *error);

/* For a part of a buffer that is used anew: what it had is for nobody to read any more. In a plain build
 * nothing is done. */
#ifdef CLALIGN_POISON
cla_status device_poison(const cla_device *device, cl_mem memory, int64_t offset, int64_t bytes,
                         poison_kind kind, cla_error *error);
#else
static inline cla_status device_poison(const cla_device *device, cl_mem memory, int64_t offset, int64_t bytes,
                                       poison_kind kind, cla_error *error) {
  (void)device, (void)memory, (void)offset, (void)bytes, (void)kind, (void)error;
  return CLA_OK;
}
#endif

/* The program of `file` ("name.cl") built with `options`, from the device's list or built now; owned by the
 * device. A failed build gives CLA_ERROR_DEVICE with the options, the log and the numbered source. */
cla_status device_build(cl_program *out, cla_device *device, const char *file, const char *options,
                        cla_error *error);

/* A program that will be asked for. */
typedef struct wanted_program {
  const char *file;
  char options[256];
} wanted_program;

#define PROGRAMS_AT_ONCE 8

/* Builds those of up to PROGRAMS_AT_ONCE programs that are not there yet, side by side where the driver can.
 * What fails is left to device_build, which tries again and says why. */
void device_build_ahead(cla_device *device, const wanted_program *wanted, int count);

/* Enqueues `groups` groups of `items` work-items each; in the kernel, GROUP_NUMBER (group_number.clh)
 * tells them apart. Every launch of a kernel goes through here. */
cla_status device_launch(const cla_device *device, cl_kernel kernel, int64_t groups, int64_t items,
                         cla_error *error);

/* Puts the programs that were compiled into the folder of built programs, if the device has one; while other
 * devices are open they wait (program.h). Called once they have run and given right results: a program
 * that is known to be wrong is never kept, and PoCL, which goes on compiling when a kernel is first launched,
 * then has all of it in the binary (PoCL 3.1). */
void device_save_programs(cla_device *device);

/* "CL_OUT_OF_RESOURCES" and so on; "unknown OpenCL error" for codes that the headers do not name. */
const char *opencl_error_name(cl_int code);

/* Memory of the host that the device reaches best: drivers copy from and to it without a copy of their own,
 * and while kernels run. Begins as zero. */
typedef struct transfer_memory {
  cl_mem memory;
  void *data; /* valid until it grows */
  int64_t bytes;
} transfer_memory;

/* Makes it so large, if it is smaller. What it had is lost. CLA_ERROR_MEMORY, CLA_ERROR_DEVICE. */
cla_status transfer_memory_grow(transfer_memory *memory, const cla_device *device, int64_t bytes,
                                cla_error *error);
void transfer_memory_free(transfer_memory *memory, const cla_device *device);

#endif
