#ifndef TESTS_SUPPORT_COUNTING_MEMORY_H
#define TESTS_SUPPORT_COUNTING_MEMORY_H

#include <stdbool.h>

#include "clalign/allocator.h"

/* A caller's memory that knows its own pieces. */
typedef struct counting_memory {
  int allocated, released; /* so many */
  int foreign;             /* released that were never allocated here */
  int fail_at;             /* the allocation, from 1, that gets nothing; 0: none */
} counting_memory;

cla_allocator counting_memory_allocator(counting_memory *memory);

/* Whether the pointer is what this memory gave. */
bool counting_memory_owns(const void *pointer);

#endif
