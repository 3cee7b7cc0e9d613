#ifndef HOST_PATH_PATH_MEND_H
#define HOST_PATH_PATH_MEND_H

#include "path/space_cross.h"

/* True if scheme and pair allow path_mend: scores are match and mismatch, and no pair is used. */
bool path_mend_possible(const bound_pair *pair);

/* Mends the path. Stretches that cost as much as unlike letters are aligned again in a band around their
 * diagonals (pair->banded), and replaced if that scores more. Chains of matches lead through unlike letters
 * by chance, and linear ways across large areas are poor. Detours are removed before and after that. Bands
 * take at most MEND_WORK_CELLS cells for each unit of `work`; the smallest stretches come first. The path
 * does not depend on threads or time. Errors: CLA_ERROR_MEMORY, and those of pair->banded. */
cla_status path_mend(space_crosser *t, int64_t work, cla_error *error);

#define MEND_WORK_CELLS 4

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
