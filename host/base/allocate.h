#ifndef HOST_BASE_ALLOCATE_H
#define HOST_BASE_ALLOCATE_H

#include <stdint.h>

#include "clalign/status.h"

/* Allocates count x size bytes, with the product checked against overflow; never returns NULL on
 * CLA_OK (a count of 0 gives one byte). `what` names the thing in the CLA_ERROR_MEMORY message. The
 * caller frees with free(). What is there at first is for nobody to read (base/poison.h). */
cla_status allocate_array(void **out, int64_t count, int64_t size, const char *what, cla_error *error);

/* The same, zeroed. */
cla_status allocate_zeros(void **out, int64_t count, int64_t size, const char *what, cla_error *error);

/* Grows *array so that it holds at least `needed` elements of `size` bytes, doubling *capacity. The new ones
 * are for nobody to read at first. */
cla_status allocate_grow(void **array, int64_t *capacity, int64_t needed, int64_t size, const char *what,
                         cla_error *error);

/* A copy of `text` on the heap. */
cla_status allocate_text(char **out, const char *text, cla_error *error);

#endif
