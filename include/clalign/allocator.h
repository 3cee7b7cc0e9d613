#ifndef CLALIGN_ALLOCATOR_H
#define CLALIGN_ALLOCATOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The memory of results. A caller with its own memory (an arena, shared memory, a language's heap) sets both
 * functions, and all results are stored in that memory. Memory for computing always comes from malloc.
 *
 * Both functions are called from the thread that called the library, or that frees the result. */
typedef struct cla_allocator {
  void *(*allocate)(size_t bytes,
                    void *user); /* allocates bytes >= 1, aligned as by malloc; NULL if that fails */
  void (*release)(void *memory, void *user); /* frees memory from `allocate`, never NULL */
  void *user;                                /* passed to both functions; must outlive the results */
} cla_allocator;

#ifdef __cplusplus
}
#endif

#endif
