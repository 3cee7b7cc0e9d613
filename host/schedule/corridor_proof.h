#ifndef HOST_SCHEDULE_CORRIDOR_PROOF_H
#define HOST_SCHEDULE_CORRIDOR_PROOF_H

#include "schedule/corridor.h"
#include "schedule/outside_path.h"

/* Twice the most that any path of the pair has that is not only in the corridor, of those that score no less
 * than the pair: less than twice its score proves that there is none (docs/exactness.md). `known` is a path
 * in the corridor that no other is better than. CLA_ERROR_MEMORY. */
cla_status corridor_most_outside(int64_t *out, outside_kind kind, const corridor *c, const path_row *known,
                                 const packed_scheme *scheme, const packed_pair *pair, cla_error *error);

#endif
