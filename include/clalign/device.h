#ifndef CLALIGN_DEVICE_H
#define CLALIGN_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* OpenCL devices: the list of devices, and an opened device. */

/* The kinds of devices. */
typedef enum cla_device_kind {
  CLA_DEVICE_CPU,  /* the host's processor */
  CLA_DEVICE_GPU,  /* a GPU */
  CLA_DEVICE_OTHER /* an accelerator of another kind */
} cla_device_kind;

/* The ways in which the work-groups of a launch can wait for each other. */
typedef enum cla_counters {
  CLA_COUNTERS_NONE,    /* not at all */
  CLA_COUNTERS_ATOMICS, /* by OpenCL's atomics of device scope, with acquire and release */
  CLA_COUNTERS_PTX,     /* by NVIDIA's equivalent instructions; known only of an opened device */
} cla_counters;

/* The ways in which work-items of a sub-group can read each other's registers. */
typedef enum cla_shuffle {
  CLA_SHUFFLE_NONE, /* not at all, or only with a size of sub-groups that kernels cannot choose */
  CLA_SHUFFLE_KHR,  /* cl_khr_subgroup_shuffle */
  CLA_SHUFFLE_INTEL /* cl_intel_subgroups */
} cla_shuffle;

/* The properties of a device. */
typedef struct cla_device_info {
  int index;                    /* position in the list, the same from run to run on an unchanged machine */
  cla_device_kind kind;         /* CPU, GPU or other */
  char name[256];               /* name; all texts are unchanged from the driver */
  char platform[256];           /* the driver's OpenCL platform */
  char vendor[256];             /* maker of the device */
  char version[256];            /* version of OpenCL */
  char driver[256];             /* the driver's version */
  int compute_units;            /* number of compute units in use, which `threads` may restrict */
  int native_short_lanes;       /* preferred 16-bit vector width, >= 1 */
  int64_t memory_bytes;         /* global memory */
  int64_t max_allocation_bytes; /* largest single buffer */
  int64_t local_memory_bytes;   /* largest local memory of a work-group */
  int64_t max_group_size;       /* largest number of work-items in a work-group */
  cla_counters counters;        /* way in which work-groups wait for each other */
  cla_shuffle shuffle;          /* way in which work-items read each other's registers */
  int sub_group_sizes; /* sum of the sub-group sizes (powers of two) that a kernel can choose; 0 without
                          shuffle */
  int lockstep_items;  /* number of work-items that the hardware runs in lockstep (warp, wavefront); 0: not
                          known */
  bool packed_pairs;   /* has NVIDIA's packed 16-bit instructions (sm_90); known only of an opened device */
  char chip[64];       /* the chip's generation: "sm_90", "gfx1100", "ip 12.55" (Intel), a CPU's name by LLVM;
                          empty:       not known */
  char pci[16];        /* the PCI address, "0000:3b:00.0"; empty: not known */
} cla_device_info;

/* True if this machine may have a GPU, judged by its device files. No driver is loaded, because that takes
 * long. */
bool cla_devices_may_have_gpu(void);

/* Lists the OpenCL devices. If there is no device, the status is CLA_OK and *count is 0. The caller frees
 * *out with cla_devices_free. */
cla_status cla_devices_list(cla_device_info **out, size_t *count, cla_error *error);

/* Sets `error` to the reason why the list of devices is empty, with the remedy. Possible reasons: no driver
 * is installed, drivers cannot be loaded, virtual memory is limited, or a driver has no device. PoCL has no
 * device if it cannot write its folder for built kernels, which is set in the environment. `vendors` is the
 * folder or file that lists drivers, as in OCL_ICD_VENDORS of the ocl-icd loader; NULL: /etc/OpenCL/vendors.
 * Returns CLA_ERROR_DEVICE. */
cla_status cla_devices_missing(const char *vendors, cla_error *error);

/* Frees a list of devices; NULL is allowed. */
void cla_devices_free(cla_device_info *devices);

/* The device to open, and how to open it; all zero: the first GPU, else the first device, with all its
 * compute units. */
typedef struct cla_device_options {
  /* The index of a device in the list; or cpu or gpu, for the first device of that kind; or a part of a name,
   * in either case. NULL: the first GPU, else the first device. */
  const char *select;
  int threads; /* threads of a CPU device; 0: as many as affinity and cgroup allow, minus `left_threads` */
  /* Threads kept free for other work; the device gets at least one thread. A driver that cannot be restricted
   * uses all threads. */
  int left_threads;
  const char *kernel_path; /* folder whose .cl and .clh files, also in its subfolders, replace the embedded
                            * files; NULL: none */
  /* Folder in which built programs are stored for the next process, created if needed; NULL: none. If the
   * folder cannot be read or written, or contains bad files, programs are compiled, without an error. */
  const char *cache_path;
} cla_device_options;

/* An opened device with its built programs. The context and the queues are created at the first computation,
 * so that pairs computed by the host alone do not wait for a GPU's driver. Threads may share a device: calls
 * of cla_align and cla_align_several take turns. A waiting call reports the wait to its progress callback,
 * which can cancel the call. A callback of such a call must not use the device for another call. To compute
 * at the same time, open the device more than once. */
typedef struct cla_device cla_device;

/* Opens a device. `options` may be NULL. Errors: CLA_ERROR_DEVICE if there is no device, if no device or
 * several devices have that name, or if a driver fails. Some drivers fail only at the first computation. */
cla_status cla_device_open(cla_device **out, const cla_device_options *options, cla_error *error);

/* Closes the device. Neither the device nor objects created for it (cla_tune_worker) may be used afterwards.
 * NULL is allowed. */
void cla_device_close(cla_device *device);

/* Returns the properties of the device, which are valid until the device is closed. */
const cla_device_info *cla_device_describe(const cla_device *device);

/* Writes the device's extensions, separated by blanks, cut to `size` bytes with the terminating zero. */
void cla_device_extensions(char *out, size_t size, const cla_device *device);

/* Writes name and version of OpenCL's loader, such as "ocl-icd 2.3.1"; empty if it does not tell. */
void cla_opencl_loader(char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
