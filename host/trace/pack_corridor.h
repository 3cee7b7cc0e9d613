#ifndef HOST_TRACE_PACK_CORRIDOR_H
#define HOST_TRACE_PACK_CORRIDOR_H

#include "trace/corridor.h"
#include "trace/outside_path.h"
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

/* Follows the path that the corridor's directions tell of back from the end, adds its steps, and notes its
 * nodes in `known`, which has room for a row more than the end node has before it. *start gets where it
 * begins: a start, or a node of the matrix' upper or left border. *inside is false if it leaves the corridor.
 * CLA_ERROR_MEMORY. */
cla_status corridor_follow(bool *inside, corridor_start *start, path *into, path_row *known, corridor *c,
                           cla_error *error);

/* Twice the most that any path of the pair has that is not only in the corridor, of those that score no less
 * than the pair: less than twice its score proves that there is none (docs/internals/exactness.md).
 * `outside`: by the nodes of a path in the corridor, `known`, that no other is better than. CLA_ERROR_MEMORY.
 */
cla_status corridor_most_outside(int64_t *out, const corridor *c, const outside_path *outside,
                                 const path_row *known, const cla_scoring *scoring, cla_error *error);

#endif
