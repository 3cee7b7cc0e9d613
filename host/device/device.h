#ifndef HOST_DEVICE_DEVICE_H
#define HOST_DEVICE_DEVICE_H

#include <CL/cl.h>
#include <stdatomic.h>

#include "base/allocate.h"
#include "clalign/device.h"
#include "device/device_use.h"

/* OpenCL for the rooms above: an opened device, its programs, its buffers, and names of errors. Knows nothing
 * of sequences. */

typedef struct device_program {
  char *name; /* the program's file and build options */
  cl_program program;
  char *unsaved_key; /* key of the cache entry to write, or NULL */
  bool proved;       /* the program has given correct results */
  struct device_program *next;
} device_program;

/* How many programs of the device were loaded, compiled and saved. Several threads may count
 * simultaneously. */
typedef struct build_counts {
  atomic_int from_cache;  /* loaded from the folder of built programs */
  atomic_int from_source; /* compiled */
  atomic_int refused;     /* compiled, because the driver refused a cached binary */
  atomic_int saved;       /* written to the folder of built programs */
} build_counts;

/* The OpenCL objects of an opened device. */
typedef struct device_objects {
  cl_context context;
  cl_command_queue queue; /* in-order queue */
  /* In-order queue for reading while `queue` works; the same as `queue` on some devices. */
  cl_command_queue transfers;
} device_objects;

struct cla_device {
  cla_device_info info;
  cl_device_id id;     /* a sub-device if the number of threads is restricted */
  cl_device_id parent; /* the listed device, of which `id` may be a sub-device */
  device_objects *on;  /* objects that device_start makes when they are first needed */
  char *kernel_path;   /* or NULL */
  char *cache_path;    /* or NULL */
  device_program *programs;
  build_counts builds;
  device_compiling compiling; /* or NULL */
  void *compiling_user;
  device_marks marks;
  device_use use;
  bool counted; /* program_save_join counts the device as open */
};

/* Lists all devices; a device's index in the list is the one that users give. The caller frees *ids and
 * *infos with free(). */
cla_status device_enumerate(cl_device_id **ids, cla_device_info **infos, size_t *count, cla_error *error);

/* Sets the chip and the PCI address of `info`, whose other texts are set (device_identity.c). */
void device_identify(cla_device_info *info, cl_device_id id);

/* True if the device has the extension of that name. */
bool device_has_extension(cl_device_id id, const char *name);

/* Makes the device's context and queues, which programs and buffers need, unless they exist. A GPU's driver
 * takes 0.1 s or more for that; runs that compute on the host alone save the time. CLA_ERROR_DEVICE,
 * CLA_ERROR_MEMORY. */
cla_status device_start(const cla_device *device, cla_error *error);

/* True if both devices have the same name. */
bool device_is_like(const cla_device *device, const cla_device *other);

/* Returns CLA_OK for CL_SUCCESS. Else sets a message with the call, the code's name and the device, and
 * returns CLA_ERROR_MEMORY if the code means lack of memory, CLA_ERROR_DEVICE if not. */
cla_status device_check(const cla_device *device, cl_int code, const char *call, cla_error *error);

/* Makes a read-write buffer of at least one byte, not zeroed. what: the buffer's name in messages. kind: the
 * kind of data that the buffer will hold. */
cla_status device_buffer(cl_mem *out, const cla_device *device, int64_t bytes, poison_kind kind,
                         const char *what, cla_error *error);

/* Like device_buffer, filled with `content`. For a small buffer, this saves a write command, which takes
 * most of the time on a CPU. */
cla_status device_buffer_with(cl_mem *out, const cla_device *device, int64_t bytes, const void *content,
                              const char *what, cla_error *error);

/* Poisons a part of a buffer whose old content must no longer be read. Does nothing in a plain build. */
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

/* Sets *out to the program of `file` ("name.cl") with `options`, which is built if the device does not have
 * it. The device owns the program. CLA_ERROR_DEVICE, with the options, the log and the numbered source, if
 * the build fails. */
cla_status device_build(cl_program *out, cla_device *device, const char *file, const char *options,
                        cla_error *error);

/* A request for a program. */
typedef struct wanted_program {
  const char *file;
  char options[256];
} wanted_program;

#define PROGRAMS_AT_ONCE 8

/* Builds up to PROGRAMS_AT_ONCE missing programs, at the same time if the driver can. If a build fails,
 * device_build tries again and reports the error. */
void device_build_ahead(cla_device *device, const wanted_program *wanted, int count);

/* Enqueues `groups` groups of `items` work-items each; in the kernel, GROUP_NUMBER (group_number.clh) is the
 * group's number. Every launch of a kernel goes through this function. */
cla_status device_launch(const cla_device *device, cl_kernel kernel, int64_t groups, int64_t items,
                         cla_error *error);

/* Stores the compiled programs in the folder of built programs, if the device has one. While other devices
 * are open, programs wait (program.h). Call it after the programs have given correct results, so that a
 * wrong program is never stored. There is another reason: PoCL 3.1 compiles a part only at a kernel's first
 * launch, so an earlier binary would be incomplete. */
void device_save_programs(cla_device *device);

/* Returns the name of an error code, such as "CL_OUT_OF_RESOURCES", or "unknown OpenCL error". */
const char *opencl_error_name(cl_int code);

/* Host memory that the device accesses fastest: drivers transfer its content without copying it first, even
 * while kernels run. Zero-initialise; the caller calls transfer_memory_free. */
typedef struct transfer_memory {
  cl_mem memory;
  void *data; /* valid until the memory grows */
  int64_t bytes;
} transfer_memory;

/* Makes the memory at least `bytes` large. Its content is lost if it has to grow. CLA_ERROR_MEMORY,
 * CLA_ERROR_DEVICE. */
cla_status transfer_memory_grow(transfer_memory *memory, const cla_device *device, int64_t bytes,
                                cla_error *error);
void transfer_memory_free(transfer_memory *memory, const cla_device *device);

#endif
