#ifndef HOST_TRACE_PACK_REACH_H
#define HOST_TRACE_PACK_REACH_H

#include "dp/path.h"
#include "packs/packs.h"

/* Finds the path of a pair in the nodes where it can run at all, computed from its end backwards.
 *
 * R of a node is the most that a path from it to the end gains. A path with the pair's score has the value
 * score - R in the node. That value has limits:
 *
 * - at most the score of a pair for each row or column before the node, whichever are fewer
 * - at most the largest H of a row above, if it is known (pack_rows), plus a pair for each row since
 * - in local mode, at least 0
 *
 * Nodes beyond the limits are dead: no optimal path comes through them. In an open gap, R is at most first -
 * ext more than with a new one. Each row keeps its nodes from the first live one to the last. Between related
 * sequences the largest H of a row lies on the path, and few others come near it. */

typedef struct pack_reach {
  bool done;           /* false: it would take too many nodes */
  bool met;            /* some path has the pair's score */
  int64_t row, column; /* begin of the path: a fresh start, or a node of the matrix' upper or left border */
  int64_t cells;       /* computed cells */
} pack_reach;

/* True if the values of a matrix with that scheme and size fit. */
bool pack_reach_takes(const path_scheme *scheme, int64_t rows, int64_t columns);

/* Follows the canonical path of a pair that pack_reach_takes, and adds its steps. Adds nothing if it can run
 * in more than `nodes_most` nodes, or if no path has the pair's score. CLA_ERROR_MEMORY. */
cla_status pack_reach_trace(pack_reach *out, path *into, const path_scheme *scheme, const pack_pair *pair,
                            int64_t nodes_most, cla_error *error);

#endif
