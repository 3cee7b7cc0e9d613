#ifndef HOST_DEVICE_EMBEDDED_KERNELS_H
#define HOST_DEVICE_EMBEDDED_KERNELS_H

#include <stddef.h>

/* The files of cl/, embedded by tools/embed_kernels.c when the library is built. */
typedef struct embedded_kernel {
  const char *name;   /* the file's name without its folder, "common.clh" */
  const char *source; /* the file's text, zero-terminated, static */
} embedded_kernel;

/* In the order of the names, `embedded_kernel_count` of them. */
extern const embedded_kernel embedded_kernels[];
extern const size_t embedded_kernel_count;

#endif
