#ifndef HOST_PATH_SOURCE_PATH_H
#define HOST_PATH_SOURCE_PATH_H

#include "clalign/lower_bound.h"
#include "path/space_cross.h"

/* Makes a bound's path from exact matches, or from the user's path. */

/* Makes a good path from exact matches. The path follows a chain of matches and, in the areas between them,
 * chains of shorter matches, until each area is small enough for an optimal alignment. Two paths are made
 * in every mode: one along the best chain of all, one from the matrix' first corner to its last corner.
 * Both are cut and extended to `ends`, and the better one is the result. So no mode misses a path that
 * another mode finds. If a path may begin and end anywhere, the result is the part with the largest score.
 * Sequences with hardly any common words get a path along the corners' diagonals. A path without runs means
 * that nothing was found. The function takes linear time and at most twice `work` (space_crosser.work),
 * which `threads` >= 1 threads share. Fails with CLA_ERROR_MEMORY. */
cla_status seed_path_make(bound_path *out, const bound_pair *pair, const path_ends *ends, int64_t work,
                          int threads, cla_error *error);

/* Returns the number of threads, at most `threads`, that can work within `memory_bytes`; 0: not even one. */
int seed_path_threads(int64_t query_length, int64_t target_length, int threads, int64_t memory_bytes);

/* Where the user's path lies. */
typedef struct given_place {
  int64_t query_begin, target_begin; /* starts of the ranges in the records */
  bool ends;                         /* the path must be extended to the matrix' corners */
} given_place;

/* Makes t->path from the part of the user's path inside the ranges. *found is false if no part lies inside.
 * Fails with CLA_ERROR_OPTION if the runs are impossible, or with CLA_ERROR_MEMORY. */
cla_status given_path_make(bool *found, space_crosser *t, const cla_path *given, const given_place *at,
                           cla_error *error);

#endif
