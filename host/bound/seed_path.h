#ifndef HOST_BOUND_SEED_PATH_H
#define HOST_BOUND_SEED_PATH_H

#include "bound/bound_path.h"

/* A good path from exact matches: a chain of them, and between them chains of shorter matches, until what is
 * left is small enough for an optimal alignment. With `ends` it leads from the first corner of the matrix to
 * the last; else it is the part of the largest score. It has no runs where nothing was found in time. Before
 * the deadline it takes care, afterwards linear time; `threads` >= 1 may work at the same time. Sequences
 * that have next to no words in common get a path along the diagonals of the corners. CLA_ERROR_MEMORY. */
cla_status seed_path_make(bound_path *out, const bound_pair *pair, bool ends, int threads, cla_error *error);

/* The memory that this takes, about, at most. */
int64_t seed_path_bytes(int64_t query_length, int64_t target_length, int threads);

#endif
