#ifndef HOST_TRACE_OUTSIDE_DIFFERENCES_H
#define HOST_TRACE_OUTSIDE_DIFFERENCES_H

#include "trace/outside_path.h"

#define DIFFERENCES_BLOCK_BITS 6
#define DIFFERENCES_BLOCK (1 << DIFFERENCES_BLOCK_BITS) /* letters */
#define DIFFERENCES_TOGETHER 4                          /* blocks */

/* The fewest differences with which each of some blocks is anywhere in columns `first` to `last` of the
 * target, without the pairs of the known path: `paired` has its row by column, or -1. The first block begins
 * in `row`; there are `blocks` of them, DIFFERENCES_TOGETHER at the most. */
void outside_differences(int64_t *out, const pack_pair *pair, const int32_t *paired, int64_t row, int blocks,
                         int64_t first, int64_t last);

#endif
