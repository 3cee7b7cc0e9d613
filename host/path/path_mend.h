#ifndef HOST_PATH_PATH_MEND_H
#define HOST_PATH_PATH_MEND_H

#include "path/space_cross.h"

/* True if path_mend can process the pair: `banded` is set, the scheme has only match and mismatch scores, and
 * no pair is used. */
bool path_mend_possible(const bound_pair *pair);

/* Mends the path. Stretches that cost as much as dissimilar letters are aligned again in a band around
 * their diagonals (pair->banded). They are replaced if the new alignment scores more. They arise where
 * chains of matches cross dissimilar letters by chance, and where methods of linear time cross large areas.
 * Detours are removed before and after mending. Bands take at most MEND_WORK_CELLS cells for each unit of
 * `work`; the smallest stretches are aligned first. The path does not depend on threads or time. Fails with
 * CLA_ERROR_MEMORY, or as pair->banded does. */
cla_status path_mend(space_crosser *t, int64_t work, cla_error *error);

#define MEND_WORK_CELLS 4

/* Removes detours: long gaps to other diagonals, although the letters on the path's own diagonal match as
 * well or better. Chains have such gaps in repeats, whose frequent words are not used as matches. So a
 * straight way is tried from the start of each long gap. It stays near the diagonal, and returns to the
 * path by one gap where the gain is largest. The same is done backwards from the path's end. A straight way
 * follows matches, and tries short gaps at mismatches. From round to round, it may fall further behind
 * before it gains. `letters`: approximate limit on the number of letters compared. The path does not depend
 * on threads or time. path_mend_possible must be true. Fails with CLA_ERROR_MEMORY. */
cla_status path_detours(space_crosser *t, int64_t letters, cla_error *error);

#endif
