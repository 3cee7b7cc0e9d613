#ifndef TESTS_SUPPORT_RANKS_LOCAL_RANKS_H
#define TESTS_SUPPORT_RANKS_LOCAL_RANKS_H

#include "clalign/device.h"
#include "clalign/ranks.h"

/* Ranks in this process: rank 0 is the calling thread's. The others are a thread each that does what it is
 * told of tracebacks, with two threads, and of sweeps and batches, if it has a device. */
typedef struct local_ranks local_ranks;

#define LOCAL_RANKS_MOST 5

/* Two ranks; or one more than the devices, which may be none. */
local_ranks *local_ranks_begin(cla_device *of_rank1);
local_ranks *local_ranks_begin_on(cla_device *const *of_others, int others);

/* Rank 0's. */
const cla_ranks *local_ranks_first(const local_ranks *all);

/* Has rank 1 die when it is to send the message of that kind that is the count-th from now. */
void local_ranks_die(local_ranks *all, int kind, int count);

/* Blocks of rows that other ranks have swept. */
int64_t local_ranks_blocks(const local_ranks *all);

void local_ranks_end(local_ranks *all);

#endif
