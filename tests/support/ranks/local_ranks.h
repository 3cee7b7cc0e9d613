#ifndef TESTS_SUPPORT_RANKS_LOCAL_RANKS_H
#define TESTS_SUPPORT_RANKS_LOCAL_RANKS_H

#include "clalign/device.h"
#include "clalign/ranks.h"

/* Ranks within this process. The calling thread is rank 0. Each other rank is a thread that takes part in
 * tracebacks, with two threads, and if it has a device in sweeps and batches. */
typedef struct local_ranks local_ranks;

#define LOCAL_RANKS_MOST 5

/* Begins two ranks, or one more than there are devices in `of_others`; a device may be NULL. */
local_ranks *local_ranks_begin(cla_device *of_rank1);
local_ranks *local_ranks_begin_on(cla_device *const *of_others, int others);

/* The interface of rank 0. */
const cla_ranks *local_ranks_first(const local_ranks *all);

/* Lets rank 1 die before it sends the `count`-th message of that kind from now. */
void local_ranks_die(local_ranks *all, int kind, int count);

/* Number of blocks of rows that other ranks have swept. */
int64_t local_ranks_blocks(const local_ranks *all);

void local_ranks_end(local_ranks *all);

#endif
