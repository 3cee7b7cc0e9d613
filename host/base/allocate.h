#ifndef HOST_BASE_ALLOCATE_H
#define HOST_BASE_ALLOCATE_H

#include <stdint.h>

#include "clalign/status.h"

/* Allocates count x size bytes, with the product checked against overflow. *out is never NULL on CLA_OK; a
 * count of 0 gives one byte. `what` names the thing in the CLA_ERROR_MEMORY message. The bytes are not set.
 * The caller frees *out with free(). */
cla_status allocate_array(void **out, int64_t count, int64_t size, const char *what, cla_error *error);

/* Like allocate_array, with all bytes set to zero. */
cla_status allocate_zeros(void **out, int64_t count, int64_t size, const char *what, cla_error *error);

/* Grows an array whose capacity is too small; called by allocate_grow. */
cla_status allocate_more(void **array, int64_t *capacity, int64_t needed, int64_t size, const char *what,
                         cla_error *error);

/* Grows *array so that it holds at least `needed` elements of `size` bytes, doubling *capacity. The new
 * elements are not set. */
static inline cla_status allocate_grow(void **array, int64_t *capacity, int64_t needed, int64_t size,
                                       const char *what, cla_error *error) {
#ifndef __clang_analyzer__ /* The analyzer cannot know that *array is not NULL if *capacity > 0. */
  if (needed <= *capacity) return CLA_OK;
#endif
  return allocate_more(array, capacity, needed, size, what, error);
}

/* Calls for typed arrays: `out` or `array` is the address of a pointer, whose type gives the size of an
 * element. */
#define ALLOCATE_ARRAY(out, count, what, error) \
  allocate_array((void **)(out), count, sizeof **(out), what, error)
#define ALLOCATE_ZEROS(out, count, what, error) \
  allocate_zeros((void **)(out), count, sizeof **(out), what, error)
#define ALLOCATE_GROW(array, capacity, needed, what, error) \
  allocate_grow((void **)(array), capacity, needed, sizeof **(array), what, error)

/* Sets and returns CLA_ERROR_MEMORY. For failures in threads that cannot set an error themselves. `what`
 * names the thing. */
cla_status allocate_failed(const char *what, cla_error *error);

/* Copies `text`; the caller frees *out with free(). */
cla_status allocate_text(char **out, const char *text, cla_error *error);

/* Builds for tests define CLALIGN_POISON. Unwritten memory then holds values higher than any real score, so a
 * read beyond the computed values gives a score that is too high, or a crash. */

typedef enum poison_kind {
  POISON_LETTERS, /* codes of letters */
  POISON_LINES,   /* H, E and F modulo 2^8, 2^16 or 2^32, or relative to a base */
  POISON_INTS,    /* numbers of 32 bits */
  POISON_LONGS    /* numbers of 64 bits */
} poison_kind;

#define POISON_PATTERN_BYTES 16

#ifdef CLALIGN_POISON
/* Chooses one of several sets of poison values. Call it before other threads begin. */
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
