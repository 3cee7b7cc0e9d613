#ifndef HOST_DEVICE_KERNEL_SOURCE_H
#define HOST_DEVICE_KERNEL_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "clalign/status.h"

/* The kernels' text: the embedded files of cl/, or a folder's that replace them. */

/* Text that grows at the end. Zero-initialise; free `data` (NULL while nothing was added) with free(). */
typedef struct kernel_text {
  char *data; /* zero-terminated */
  int64_t length, capacity;
} kernel_text;

cla_status kernel_text_add(kernel_text *text, const char *from, size_t length, cla_error *error);

/* Appends the file called `name` with its includes in place, so that no compiler has to look for files.
 * `folder` replaces the embedded files unless NULL. CLA_ERROR_DEVICE names a file that is missing. */
cla_status kernel_source_collect(kernel_text *out, const char *folder, const char *name, cla_error *error);

#endif
