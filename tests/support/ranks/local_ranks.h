#ifndef TESTS_SUPPORT_RANKS_LOCAL_RANKS_H
#define TESTS_SUPPORT_RANKS_LOCAL_RANKS_H

#include "clalign/ranks.h"

/* Two ranks in this process: rank 0 is the calling thread's. Rank 1 is a thread that does what it is told of
 * tracebacks, with two threads. */
typedef struct local_ranks local_ranks;

local_ranks *local_ranks_begin(void);

/* Rank 0's. */
const cla_ranks *local_ranks_first(const local_ranks *all);

void local_ranks_end(local_ranks *all);

#endif
