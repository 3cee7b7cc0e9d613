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
  char *unsaved_key; /* key of the cache entry to write, or NULL */
  bool proved;       /* the program has given right results */
  struct device_program *next;
} device_program;

/* The origins of the device's programs, counted by threads. */
typedef struct build_counts {
  atomic_int from_cache;  /* taken from the folder of built programs */
  atomic_int from_source; /* compiled */
  atomic_int refused;     /* compiled because the driver refused a cached binary */
  atomic_int saved;       /* written to the folder */
} build_counts;

/* OpenCL's objects of an opened device. */
typedef struct device_objects {
  cl_context context;
  cl_command_queue queue; /* in order */
  /* In order: what is read while `queue` goes on. On some devices it is `queue` itself. */
  cl_command_queue transfers;
} device_objects;

struct cla_device {
  cla_device_info info;
  cl_device_id id;     /* a sub-device where threads are restricted */
  cl_device_id parent; /* the listed device; differs from id for a sub-device */
  device_objects *on;  /* made when they are first needed: see device_start */
  char *kernel_path;   /* or NULL */
  char *cache_path;    /* or NULL */
  device_program *programs;
  build_counts builds;
  device_compiling compiling; /* or NULL */
  void *compiling_user;
  device_marks marks;
  device_use use;
  bool counted; /* the device is counted among the open ones (program.h) */
};

/* All devices in the order of the list; the caller frees both with free(). */
cla_status device_enumerate(cl_device_id **ids, cla_device_info **infos, size_t *count, cla_error *error);

/* Makes the device's context and queues, unless they exist. Programs and buffers need them. A GPU's driver
 * takes a tenth of a second or more, which runs on the host alone save. CLA_ERROR_DEVICE, CLA_ERROR_MEMORY.
 */
cla_status device_start(const cla_device *device, cla_error *error);

/* True if both devices have the same names. */
bool device_is_like(const cla_device *device, const cla_device *other);

/* CLA_OK for CL_SUCCESS, else a message with the call, the symbolic name and the device. `code`s that mean
 * memory become CLA_ERROR_MEMORY, the rest CLA_ERROR_DEVICE. */
cla_status device_check(const cla_device *device, cl_int code, const char *call, cla_error *error);

/* A read-write buffer of at least one byte, not zeroed. what: its name in errors. kind: the kind of its
 * future content.
 */
cla_status device_buffer(cl_mem *out, const cla_device *device, int64_t bytes, poison_kind kind,
                         const char *what, cla_error *error);

/* device_buffer with `content`. A small buffer then needs no command of its own, which on a CPU takes most of
 * the time.
 */
cla_status device_buffer_with(cl_mem *out, const cla_device *device, int64_t bytes, const void *content,
                              const char *what, cla_error *error);

/* Poisons a part of a buffer whose old content must not be read any more. Does nothing in a plain build. */
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

/* A request for a program. */
typedef struct wanted_program {
  const char *file;
  char options[256];
} wanted_program;

#define PROGRAMS_AT_ONCE 8

/* Builds up to PROGRAMS_AT_ONCE missing programs, at the same time if the driver can. Failures are left to
 * device_build, which tries again and reports them. */
void device_build_ahead(cla_device *device, const wanted_program *wanted, int count);

/* Enqueues `groups` groups of `items` work-items each; in the kernel, GROUP_NUMBER (group_number.clh)
 * tells them apart. Every launch of a kernel goes through here. */
cla_status device_launch(const cla_device *device, cl_kernel kernel, int64_t groups, int64_t items,
                         cla_error *error);

/* Stores the compiled programs in the folder of built programs, if the device has one. While other devices
 * are open, programs wait (program.h). Call it once they have given right results, so that a
 * wrong program is never kept. Besides, PoCL 3.1 goes on compiling at a kernel's first launch, and the binary
 * has all of it only then. */
void device_save_programs(cla_device *device);

/* "CL_OUT_OF_RESOURCES" and so on; "unknown OpenCL error" for codes that the headers do not name. */
const char *opencl_error_name(cl_int code);

/* Host memory that the device reaches best. Drivers transfer it without a copy of their own, and while
 * kernels run. Begins as zero. */
typedef struct transfer_memory {
  cl_mem memory;
  void *data; /* valid until it grows */
  int64_t bytes;
} transfer_memory;

/* Makes it at least `bytes` large. Its content is lost if it grows. CLA_ERROR_MEMORY, CLA_ERROR_DEVICE. */
cla_status transfer_memory_grow(transfer_memory *memory, const cla_device *device, int64_t bytes,
                                cla_error *error);
void transfer_memory_free(transfer_memory *memory, const cla_device *device);

#endif
