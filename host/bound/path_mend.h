#ifndef HOST_BOUND_PATH_MEND_H
#define HOST_BOUND_PATH_MEND_H

#include "bound/space_cross.h"

/* Whether the scheme and the pair allow it: scores of match and mismatch, and no pair that is used. */
bool path_mend_possible(const bound_pair *pair);

/* Stretches of the path that cost as much as unlike letters do are aligned again, from their first node to
 * their last one, in a band about their diagonals (pair->banded). Chains of matches lead through unlike
 * letters by chance, and linear ways across large areas are poor. What comes out better takes the old
 * stretch's place.
 *
 * Before and after that, detours are taken out (bound/path_detour.h).
 *
 * Bands take up to MEND_WORK_CELLS cells for each unit of `work`, those of the smallest stretches first. The
 * path does not depend on threads or time. CLA_ERROR_MEMORY, and what pair->banded returns. */
cla_status path_mend(space_crosser *t, int64_t work, cla_error *error);

#define MEND_WORK_CELLS 4

#endif
