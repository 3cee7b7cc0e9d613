#ifndef HOST_BOUND_PATH_MEND_H
#define HOST_BOUND_PATH_MEND_H

#include "bound/space_cross.h"

/* True if scheme and pair allow path_mend: scores are match and mismatch, and no pair is used. */
bool path_mend_possible(const bound_pair *pair);

/* Mends the path. Stretches that cost as much as unlike letters are aligned again in a band around their
 * diagonals (pair->banded), and replaced if that scores more. Chains of matches lead through unlike letters
 * by chance, and linear ways across large areas are poor. Detours are removed before and after that
 * (bound/path_detour.h). Bands take at most MEND_WORK_CELLS cells for each unit of `work`; the smallest
 * stretches come first. The path does not depend on threads or time. Errors: CLA_ERROR_MEMORY, and those of
 * pair->banded. */
cla_status path_mend(space_crosser *t, int64_t work, cla_error *error);

#define MEND_WORK_CELLS 4

#endif
