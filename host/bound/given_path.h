#ifndef HOST_BOUND_GIVEN_PATH_H
#define HOST_BOUND_GIVEN_PATH_H

#include "bound/bound_path.h"
#include "clalign/lower_bound.h"

/* Makes a path from the user's: what of it lies in the ranges, which begin at query_begin and target_begin of
 * the records, led on to the matrix' corners with `ends`, for `work` (bound/space_cross.h). *found is false
 * where nothing of it lies in them. CLA_ERROR_OPTION for runs that cannot be, CLA_ERROR_MEMORY. */
cla_status given_path_make(bound_path *out, bool *found, const bound_pair *pair, const cla_path *given,
                           int64_t query_begin, int64_t target_begin, bool ends, int64_t work, int threads,
                           cla_error *error);

#endif
