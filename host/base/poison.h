#ifndef HOST_BASE_POISON_H
#define HOST_BASE_POISON_H

#include <stdint.h>

/* With CLALIGN_POISON, as tests are built, memory that nobody has written yet has values that win where they
 * are read: then a read beyond what was computed is a score that is too high, or a crash, and not luck. */

typedef enum poison_kind {
  POISON_LETTERS, /* codes of letters */
  POISON_LINES,   /* H, E and F modulo 2^8, 2^16 or 2^32, or relative to a base */
  POISON_INTS,    /* numbers of 32 bits, */
  POISON_LONGS    /* or of 64 */
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
