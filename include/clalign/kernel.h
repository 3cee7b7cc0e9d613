#ifndef CLALIGN_KERNEL_H
#define CLALIGN_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kernel variants, with the names that cla_kernel_choice uses. All variants give the same results. The
 * device and the scores determine which variants can run. */

typedef struct cla_kernel_info {
  const char *name;    /* static */
  const char *summary; /* a few words; static */
  int lane_bits;       /* bits of a value in a lane */
  bool for_cpus;       /* made for CPU devices; slow on others */
} cla_kernel_info;

/* Lists all variants, the fastest first. The caller frees *out with cla_kernels_free. Errors:
 * CLA_ERROR_MEMORY. */
cla_status cla_kernels_list(cla_kernel_info **out, size_t *count, cla_error *error);

/* Frees the list; NULL is allowed. */
void cla_kernels_free(cla_kernel_info *kernels);

#ifdef __cplusplus
}
#endif

#endif
