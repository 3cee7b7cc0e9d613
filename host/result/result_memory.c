#include "result/result_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"

cla_status result_memory_check(const cla_allocator *allocator, cla_error *error) {
  if (allocator->allocate && allocator->release) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "an allocator has two functions, one that allocates and one that releases; give both");
}

cla_status result_memory_allocate(void **out, const cla_allocator *allocator, int64_t count, int64_t size,
                                  const char *what, cla_error *error) {
  int64_t bytes = 0;
  *out = NULL;
  if (!allocator->allocate) return allocate_zeros(out, count, size, what, error);
  if (__builtin_mul_overflow(count, size, &bytes) || (uint64_t)bytes > SIZE_MAX)
    return error_set(error, CLA_ERROR_MEMORY, "%s of %lld x %lld bytes cannot be addressed", what,
                     (long long)count, (long long)size);
  if (bytes < 1) bytes = 1;
  *out = allocator->allocate((size_t)bytes, allocator->user);
  if (!*out)
    return error_set(error, CLA_ERROR_MEMORY, "the caller's allocator has no %lld bytes for %s",
                     (long long)bytes, what);
  memset(*out, 0, (size_t)bytes);
  return CLA_OK;
}

void result_memory_release(const cla_allocator *allocator, void *memory) {
  if (!memory) return;
  if (allocator->release)
    allocator->release(memory, allocator->user);
  else
    free(memory);
}
