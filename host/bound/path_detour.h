#ifndef HOST_BOUND_PATH_DETOUR_H
#define HOST_BOUND_PATH_DETOUR_H

#include "bound/space_cross.h"

/* Long gaps of the path lead to other diagonals. In repeats, whose frequent words are no matches, a chain
 * takes them although the letters straight on are as good or better. So a way goes straight on from each long
 * gap, and comes back to the path by one gap, where that gains most; likewise from the path's end. It follows
 * matches, and looks for short gaps where they end. Each round lets it fall further behind before it gains.
 *
 * About so many letters are compared. The path does not depend on threads or time. The scheme and the pair
 * must allow it (path_mend_possible). CLA_ERROR_MEMORY. */
cla_status path_detours(space_crosser *t, int64_t letters, cla_error *error);

#endif
