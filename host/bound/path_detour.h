#ifndef HOST_BOUND_PATH_DETOUR_H
#define HOST_BOUND_PATH_DETOUR_H

#include "bound/space_cross.h"

/* Two neighbouring long gaps of the path, one in either sequence, lead to another diagonal and back. In
 * repeats, whose frequent words are no matches, a chain does so although the letters between them are as good
 * or nearly so straight on. Such a detour is aligned again along the diagonal before it or behind it, with
 * one gap for what is left. What scores more takes its place, up to a few times, so that detours within
 * detours go, too.
 *
 * Bands take up to so many cells. The path does not depend on threads or time. The scheme and the pair must
 * allow it (path_mend_possible). CLA_ERROR_MEMORY. */
cla_status path_detours(space_crosser *t, int64_t cells, cla_error *error);

#endif
