#ifndef HOST_BOUND_PATH_DETOUR_H
#define HOST_BOUND_PATH_DETOUR_H

#include "bound/space_cross.h"

/* Removes detours. Long gaps of the path lead to other diagonals. In repeats, whose frequent words are no
 * matches, a chain takes such gaps although the letters straight on are as good or better. So a way goes
 * straight on from each long gap, and comes back to the path by one gap, where that gains most. The same is
 * done from the path's end. A way follows matches, and tries short gaps where they end. Each round lets it
 * fall further behind before it gains.
 *
 * letters: approximate number of letters to compare. The path does not depend on threads or time. Scheme and
 * pair must allow it (path_mend_possible). CLA_ERROR_MEMORY. */
cla_status path_detours(space_crosser *t, int64_t letters, cla_error *error);

#endif
