#ifndef HOST_TRACE_FAR_BANDS_H
#define HOST_TRACE_FAR_BANDS_H

#include "trace/band_block.h"

/* Bands of a traceback that other processes compute (docs/internals/several-devices.md). This process reads
 * the kept rows, has a band computed from a row's values, and later asks for the path through it. */
typedef struct far_bands far_bands;

/* Only the thread that has begun them calls these functions, but `compute`. Errors: CLA_ERROR_MEMORY, and a
 * failure of another process, whose message names it. */
typedef struct far_band_calls {
  /* Has the process compute the block's band, and waits for it, or until work->input.cancel. Any thread may
   * call it. It frees block->top, and sets block->cells and block->number. block->owner becomes `process`, or
   * stays 0 if no path leads through the band. */
  cla_status (*compute)(far_bands *far, int process, band_block *block, const band_work *work,
                        cla_error *error);
  /* Takes in what other processes have sent. */
  cla_status (*move)(far_bands *far, cla_error *error);
  /* band_block_take for a block of another process, which drops it then. */
  cla_status (*take)(bool *done, band_node *node, path *into, far_bands *far, const band_block *block,
                     cla_error *error);
  /* Lets the process of the block drop it. */
  void (*drop)(far_bands *far, const band_block *block);
  /* Waits until `count` threads, whose calls of `compute` are cancelled, have ended. The lock protects
   * `ended`, the number of those that have. */
  void (*await)(far_bands *far, pthread_mutex_t *lock, const int *ended, int count);
  /* Ends the part of other processes, and frees `far`. */
  void (*end)(far_bands *far);
} far_band_calls;

struct far_bands {
  const far_band_calls *calls;
  int processes;     /* number of processes, this one included */
  int threads;       /* number of threads of all other processes */
  int *process_of;   /* by such a thread, the number of its process, 1 .. processes - 1 */
  atomic_bool ended; /* other processes take no more bands */
};

#endif
