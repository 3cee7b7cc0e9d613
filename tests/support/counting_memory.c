#include "support/counting_memory.h"

#include <stdlib.h>
#include <string.h>

/* Bytes before each piece, a multiple of malloc's alignment. */
#define MARK_BYTES 16
static const char mark[MARK_BYTES] = "counting_memory";

static void *allocate(size_t bytes, void *user) {
  counting_memory *memory = user;
  if (++memory->allocated == memory->fail_at) {
    memory->allocated--;
    memory->fail_at = -1;
    return NULL;
  }
  char *piece = malloc(bytes + MARK_BYTES);
  if (!piece) return NULL;
  memcpy(piece, mark, MARK_BYTES);
  memset(piece + MARK_BYTES, 0xa5, bytes); /* not zero, because callers must not rely on zeros */
  return piece + MARK_BYTES;
}

static void release(void *pointer, void *user) {
  counting_memory *memory = user;
  if (!counting_memory_owns(pointer)) {
    memory->foreign++;
    return;
  }
  memory->released++;
  memset((char *)pointer - MARK_BYTES, 0, MARK_BYTES);
  free((char *)pointer - MARK_BYTES);
}

cla_allocator counting_memory_allocator(counting_memory *memory) {
  return (cla_allocator){.allocate = allocate, .release = release, .user = memory};
}

bool counting_memory_owns(const void *pointer) {
  return memcmp((const char *)pointer - MARK_BYTES, mark, MARK_BYTES) == 0;
}
