#ifndef HOST_RESULT_RESULT_MEMORY_H
#define HOST_RESULT_RESULT_MEMORY_H

#include <stdint.h>

#include "clalign/allocator.h"
#include "clalign/status.h"

/* Memory of results: the caller's where `allocator` has functions, else the heap's. */

/* CLA_ERROR_OPTION for an allocator with one function only. */
cla_status result_memory_check(const cla_allocator *allocator, cla_error *error);

/* As allocate_array, zeroed, from the allocator. */
cla_status result_memory_allocate(void **out, const cla_allocator *allocator, int64_t count, int64_t size,
                                  const char *what, cla_error *error);

/* NULL is allowed. */
void result_memory_release(const cla_allocator *allocator, void *memory);

#endif
