#ifndef HOST_TRACE_FAR_BANDS_H
#define HOST_TRACE_FAR_BANDS_H

#include "trace/band_block.h"

/* The bands of a traceback that are computed by other processes (docs/internals/several-devices.md). This
 * process reads the kept rows, sends a row's values to another process, and later asks that process for the
 * path through the band. */
typedef struct far_bands far_bands;

/* All functions but `compute` are called only by the thread that created `far`. Errors: CLA_ERROR_MEMORY,
 * and the failure of another process, with that process' number in the message. */
typedef struct far_band_calls {
  /* Asks process number `process` to compute the block's band. Waits until the band is ready, or
   * work->input.cancel is set. Any thread may call this function. The function frees block->top, and sets
   * block->cells and block->number. block->owner becomes `process`, or stays 0 if the band has no path. */
  cla_status (*compute)(far_bands *far, int process, band_block *block, const band_work *work,
                        cla_error *error);
  /* Handles the messages that other processes have sent. */
  cla_status (*move)(far_bands *far, cla_error *error);
  /* Like band_block_take, but for a block whose band another process stores. That process then frees the
   * block. */
  cla_status (*take)(bool *done, band_node *node, path *into, far_bands *far, const band_block *block,
                     cla_error *error);
  /* Tells the block's process to free the block. */
  void (*drop)(far_bands *far, const band_block *block);
  /* Waits until *ended, the number of threads that have ended, is `count`. Their calls of `compute` have
   * been cancelled. The lock protects *ended. */
  void (*await)(far_bands *far, pthread_mutex_t *lock, const int *ended, int count);
  /* Ends the work of other processes, and frees `far`. */
  void (*end)(far_bands *far);
} far_band_calls;

struct far_bands {
  const far_band_calls *calls;
  int processes;     /* number of processes, including this process */
  int threads;       /* number of threads of all other processes */
  int *process_of;   /* for each thread of other processes: the number of its process, 1 .. processes - 1 */
  atomic_bool ended; /* true: other processes accept no further bands */
};

#endif
