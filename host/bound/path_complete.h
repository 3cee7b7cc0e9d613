#ifndef HOST_BOUND_PATH_COMPLETE_H
#define HOST_BOUND_PATH_COMPLETE_H

#include "bound/bound_path.h"
#include "scoring/path_ends.h"

/* Leads a path to where paths may begin and end: from either end along its diagonal up to the matrix' border,
 * or straight there in a gap, whichever scores more, and along the border where that end is not free. Linear
 * time. CLA_ERROR_MEMORY. */
cla_status bound_path_complete(bound_path *path, const bound_pair *pair, const path_ends *ends,
                               cla_error *error);

#endif
