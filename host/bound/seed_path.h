#ifndef HOST_BOUND_SEED_PATH_H
#define HOST_BOUND_SEED_PATH_H

#include "bound/bound_path.h"

/* A good path from exact matches: a chain of them, and between them chains of shorter matches, until what is
 * left is small enough for an optimal alignment. With `ends` it leads from the first corner of the matrix to
 * the last; else it is the part of the largest score. It has no runs where nothing was found. It takes linear
 * time and `work` (bound/space_cross.h), which `threads` >= 1 may do at the same time. Sequences that have
 * next to no words in common get a path along the diagonals of the corners. CLA_ERROR_MEMORY. */
cla_status seed_path_make(bound_path *out, const bound_pair *pair, bool ends, int64_t work, int threads,
                          cla_error *error);

/* How many threads may work at the same time in so much memory, about: 1 .. `threads`, or 0 if there is too
 * little for one. */
int seed_path_threads(int64_t query_length, int64_t target_length, int threads, int64_t memory_bytes);

#endif
