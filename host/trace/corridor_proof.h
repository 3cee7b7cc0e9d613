#ifndef HOST_TRACE_CORRIDOR_PROOF_H
#define HOST_TRACE_CORRIDOR_PROOF_H

#include "trace/corridor.h"
#include "trace/outside_path.h"

/* Twice the most that any path of the pair has that is not only in the corridor, of those that score no less
 * than the pair: less than twice its score proves that there is none (docs/internals/exactness.md). `outside`: by the
 * nodes of a path in the corridor, `known`, that no other is better than. CLA_ERROR_MEMORY. */
cla_status corridor_most_outside(int64_t *out, const corridor *c, const outside_path *outside,
                                 const path_row *known, const cla_scoring *scoring, cla_error *error);

#endif
