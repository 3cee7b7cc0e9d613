#ifndef HOST_BASE_ALLOCATE_H
#define HOST_BASE_ALLOCATE_H

#include <stdint.h>

#include "clalign/status.h"

/* Allocates count x size bytes, with the product checked against overflow. *out is never NULL on CLA_OK; a
 * count of 0 gives one byte. what: name of the thing for the CLA_ERROR_MEMORY message. The caller frees with
 * free(). The bytes are not set (below). */
cla_status allocate_array(void **out, int64_t count, int64_t size, const char *what, cla_error *error);

/* allocate_array with zeros. */
cla_status allocate_zeros(void **out, int64_t count, int64_t size, const char *what, cla_error *error);

/* allocate_grow where there is no room. */
cla_status allocate_more(void **array, int64_t *capacity, int64_t needed, int64_t size, const char *what,
                         cla_error *error);

/* Grows *array so that it holds at least `needed` elements of `size` bytes, doubling *capacity. The new ones
 * are for nobody to read at first. */
static inline cla_status allocate_grow(void **array, int64_t *capacity, int64_t needed, int64_t size,
                                       const char *what, cla_error *error) {
#ifndef __clang_analyzer__ /* The analyzer does not know that there is an array where there is room. */
  if (needed <= *capacity) return CLA_OK;
#endif
  return allocate_more(array, capacity, needed, size, what, error);
}

/* Sets and returns CLA_ERROR_MEMORY for threads that ran out of memory. what: as for allocate_array. */
cla_status allocate_failed(const char *what, cla_error *error);

/* A copy of `text` on the heap. */
cla_status allocate_text(char **out, const char *text, cla_error *error);

/* Builds for tests define CLALIGN_POISON. Then unwritten memory has values that win wherever they are read.
 * So a read beyond the computed values gives a score that is too high, or a crash. */

typedef enum poison_kind {
  POISON_LETTERS, /* codes of letters */
  POISON_LINES,   /* H, E and F modulo 2^8, 2^16 or 2^32, or relative to a base */
  POISON_INTS,    /* numbers of 32 bits */
  POISON_LONGS    /* numbers of 64 bits */
} poison_kind;

#define POISON_PATTERN_BYTES 16

#ifdef CLALIGN_POISON
/* Other values from now on; before other threads begin. */
void poison_choose(uint64_t seed);

void poison_pattern(uint8_t out[POISON_PATTERN_BYTES], poison_kind kind);
void poison_memory(void *memory, int64_t bytes, poison_kind kind);
#else
static inline void poison_memory(void *memory, int64_t bytes, poison_kind kind) {
  (void)memory;
  (void)bytes;
  (void)kind;
}
#endif

#endif
