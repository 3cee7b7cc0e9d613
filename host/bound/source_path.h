#ifndef HOST_BOUND_SOURCE_PATH_H
#define HOST_BOUND_SOURCE_PATH_H

#include "bound/space_cross.h"
#include "clalign/lower_bound.h"

/* Where a bound's path comes from: exact matches, or the user. */

/* A good path from exact matches: a chain of them, and between them chains of shorter matches, until what is
 * left is small enough for an optimal alignment. One path follows the best chain of all, one leads from the
 * first corner of the matrix to the last. Both are made whatever the ends, and the better of both, cut and
 * led to `ends`, is the result: it scores no less than that of other ends would, cut and led likewise. A path
 * that begins and ends anywhere is the part of the largest score. It has no runs where nothing was found. It
 * takes linear time and twice `work` (bound/space_cross.h), which `threads` >= 1 may do at the same time.
 * Sequences that have next to no words in common get a path along the diagonals of the corners.
 * CLA_ERROR_MEMORY. */
cla_status seed_path_make(bound_path *out, const bound_pair *pair, const path_ends *ends, int64_t work,
                          int threads, cla_error *error);

/* How many threads may work at the same time in so much memory, about: 1 .. `threads`, or 0 if there is too
 * little for one. */
int seed_path_threads(int64_t query_length, int64_t target_length, int threads, int64_t memory_bytes);

/* Where the user's path lies. */
typedef struct given_place {
  int64_t query_begin, target_begin; /* of the ranges in the records */
  bool ends;                         /* the path is to be led on to the matrix' corners */
} given_place;

/* Makes t->path from the user's: the part of it that lies in the ranges. *found is false where nothing of it
 * does. CLA_ERROR_OPTION for runs that cannot be, CLA_ERROR_MEMORY. */
cla_status given_path_make(bool *found, space_crosser *t, const cla_path *given, const given_place *at,
                           cla_error *error);

#endif
