#ifndef HOST_BATCH_BATCH_MEMORY_H
#define HOST_BATCH_BATCH_MEMORY_H

#include "clalign/batch.h"

/* What the memory of a batch is for. */
typedef struct batch_memory {
  int64_t pairs_ahead, letters_ahead; /* that are read and have no result yet, at the most */
  int64_t aligning_bytes;             /* of all that is in work at once, on all devices together */
} batch_memory;

/* Shares a budget out: an eighth for pairs on their way, as far as that is enough to have something to choose
 * from, and the rest for aligning. Pairs and letters are what the options say, if they say something. */
batch_memory batch_memory_share(int64_t bytes, const cla_batch_options *options);

/* How the paths of packs are traced. */
typedef struct trace_memory {
  int threads;        /* at once, in packs of all devices together */
  int64_t path_bytes; /* of each */
} trace_memory;

/* Half of what aligning may take is for the paths of packs, whose devices take the other half: so many bytes
 * for each of `threads`, or for fewer of them where that would be too little for each. */
trace_memory batch_memory_for_paths(int64_t aligning_bytes, int threads);

#endif
