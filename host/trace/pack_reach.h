#ifndef HOST_TRACE_PACK_REACH_H
#define HOST_TRACE_PACK_REACH_H

#include "packs/packs.h"
#include "trace/path.h"

/* The path of a pair by where it can run at all, which is found from its end backwards.
 *
 * Let R of a node be the most that a path from it to the end gains. A path with the pair's score has the
 * value score - R in the node. That value has limits:
 *
 *      at most what pairs can score, one for each row or column before the node, whichever are fewer;
 *      at most the largest H of a row above, if it is known (pack_rows), and a pair for each row since;
 *      in local mode, at least 0.
 *
 * Nodes outside of them are dead: no optimal path comes through them. Within a gap R is what follows with the
 * gap open, at most first - ext more than R of a new one. In each row the nodes from the first live one to
 * the last are kept. Between related sequences the largest H of a row is on the path, and few others come
 * near it. */

typedef struct pack_reach {
  bool done;           /* false where it would take too many nodes */
  bool met;            /* some path has the pair's score */
  int64_t row, column; /* where the path begins: a start, or a node of the matrix' upper or left border */
  int64_t cells;       /* computed */
} pack_reach;

/* Whether the values of a matrix of so many rows and columns fit. */
bool pack_reach_takes(const path_scheme *scheme, int64_t rows, int64_t columns);

/* Follows the canonical path of a pair that pack_reach_takes and adds its steps, unless there are more than
 * `nodes_most` nodes where it can run, or none has the pair's score. CLA_ERROR_MEMORY. */
cla_status pack_reach_trace(pack_reach *out, path *into, const path_scheme *scheme, const pack_pair *pair,
                            int64_t nodes_most, cla_error *error);

#endif
