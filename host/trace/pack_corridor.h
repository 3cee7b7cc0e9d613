#ifndef HOST_TRACE_PACK_CORRIDOR_H
#define HOST_TRACE_PACK_CORRIDOR_H

#include "packs/packs.h"
#include "trace/path.h"

/* The path of a pair of related sequences, found in a narrow corridor (trace/corridor.h) around the best
 * way back from its end, and the proof that it is the canonical one (docs/internals/exactness.md). */

/* Where the path begins, and what was computed for it. */
typedef struct corridor_start {
  int64_t row, column;
  int64_t cells;
} corridor_start;

/* Follows the path of a pair with an end node that has rows and columns before it. *done is false, and `into`
 * empty, where there is no proof, or scores and lengths are such that none is looked for. CLA_ERROR_MEMORY.
 */
cla_status pack_corridor_trace(bool *done, corridor_start *start, path *into, const path_scheme *scheme,
                               const pack_pair *pair, cla_error *error);

#endif
