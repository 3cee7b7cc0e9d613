#ifndef TESTS_SUPPORT_COUNTING_MEMORY_H
#define TESTS_SUPPORT_COUNTING_MEMORY_H

#include <stdbool.h>

#include "clalign/allocator.h"

/* An allocator that recognises its own pieces. */
typedef struct counting_memory {
  int allocated, released; /* numbers of pieces */
  int foreign;             /* number of released pieces that were not allocated here */
  int fail_at;             /* number of the allocation, from 1, that fails; 0: none */
} counting_memory;

cla_allocator counting_memory_allocator(counting_memory *memory);

/* True if this allocator made the piece. */
bool counting_memory_owns(const void *pointer);

#endif
