#ifndef HOST_PATH_PATH_MEND_H
#define HOST_PATH_PATH_MEND_H

#include "path/space_cross.h"

/* True if path_mend can work on the pair: `banded` is set, the scheme has only match and mismatch scores, and
 * no pair is used. */
bool path_mend_possible(const bound_pair *pair);

/* Mends the path. Stretches that cost as much as unlike letters are aligned again in a band around their
 * diagonals (pair->banded), and replaced if the new alignment scores more. Such stretches arise because
 * chains of matches cross unlike letters by chance, and ways of linear time across large areas are poor.
 * Detours are removed before and after mending. Bands take at most MEND_WORK_CELLS cells for each unit of
 * `work`; the smallest stretches come first. The path does not depend on threads or time. Errors:
 * CLA_ERROR_MEMORY, and those of pair->banded. */
cla_status path_mend(space_crosser *t, int64_t work, cla_error *error);

#define MEND_WORK_CELLS 4

/* Removes detours. Long gaps lead the path to other diagonals. In repeats, whose frequent words are not used
 * as matches, a chain takes long gaps although the letters on its own diagonal are as good or better. So from
 * the begin of each long gap a straight way is tried: it stays near the diagonal and returns to the path by
 * one gap, where it gains most. The same is done backwards from the path's end. A straight way follows
 * matches, and tries short gaps at mismatches. From round to round, a straight way may fall further behind
 * before it gains.
 *
 * letters: approximate limit of the letters compared. The path does not depend on threads or time.
 * path_mend_possible must be true. CLA_ERROR_MEMORY. */
cla_status path_detours(space_crosser *t, int64_t letters, cla_error *error);

#endif
