/* Buffers, each between pages that nobody may touch: an access beside one ends the process. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emulator/emulator.h"

#define ALIGNMENT 16 /* of what kernels read at once */
#define NOBODY_EXPECTS 0xa5

typedef struct buffer {
  struct buffer *next;
  char *data, *pages;
  size_t bytes, page_bytes;
  int owners;
} buffer;

static buffer *buffers;
static unsigned count; /* made so far */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *memory_allocate(size_t bytes) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t used = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT,
               inner = (used + page - 1) / page * page;
  buffer *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->bytes = bytes;
  made->owners = 1;
  made->page_bytes = inner + 2 * page;
  made->pages = mmap(NULL, made->page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made->pages == MAP_FAILED || mprotect(made->pages + page, inner, PROT_READ | PROT_WRITE) != 0) {
    free(made);
    return NULL;
  }
  memset(made->pages + page, NOBODY_EXPECTS, inner);
  pthread_mutex_lock(&lock);
  /* Beside the page behind it or, every fourth time, the page before it. */
  made->data = made->pages + page + (count++ % 4 < 3 ? inner - used : 0);
  made->next = buffers;
  buffers = made;
  pthread_mutex_unlock(&lock);
  return made->data;
}

/* The link that leads to the buffer; stops the process if there is none. */
static buffer **find(const void *memory) {
  buffer **link = &buffers;
  while (*link && (*link)->data != memory) link = &(*link)->next;
  if (!*link) emulator_stop("%p is no buffer", memory);
  return link;
}

void memory_free(void *memory) {
  pthread_mutex_lock(&lock);
  buffer **link = find(memory), *found = *link;
  const bool last = --found->owners == 0;
  if (last) *link = found->next;
  pthread_mutex_unlock(&lock);
  if (!last) return;
  munmap(found->pages, found->page_bytes);
  free(found);
}

void memory_keep(void *memory) {
  pthread_mutex_lock(&lock);
  (*find(memory))->owners++;
  pthread_mutex_unlock(&lock);
}

size_t memory_bytes(const void *memory) {
  pthread_mutex_lock(&lock);
  const size_t bytes = (*find(memory))->bytes;
  pthread_mutex_unlock(&lock);
  return bytes;
}

void memory_describe(char *text, size_t size, const void *address) {
  const char *at = address;
  snprintf(text, size, "address %p, which is of no buffer", address);
  for (const buffer *b = buffers; b; b = b->next) {
    if (at < b->pages || at >= b->pages + b->page_bytes) continue;
    snprintf(text, size, "byte %lld of a buffer of %zu", (long long)(at - b->data), b->bytes);
  }
}
