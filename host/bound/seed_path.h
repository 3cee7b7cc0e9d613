#ifndef HOST_BOUND_SEED_PATH_H
#define HOST_BOUND_SEED_PATH_H

#include "bound/bound_path.h"

/* A good path from exact matches: a chain of them, and between them chains of shorter matches, until what is
 * left is small enough for an optimal alignment. With `ends` it leads from the first corner of the matrix to
 * the last; else it is the part of the largest score, and has no runs where nothing was found. Before the
 * deadline it takes care, afterwards linear time. CLA_ERROR_MEMORY. */
cla_status seed_path_make(bound_path *out, const bound_pair *pair, bool ends, cla_error *error);

/* The memory that this takes, about, at most. */
int64_t seed_path_bytes(int64_t query_length, int64_t target_length);

#endif
