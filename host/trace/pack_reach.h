#ifndef HOST_TRACE_PACK_REACH_H
#define HOST_TRACE_PACK_REACH_H

#include "packs/packs.h"

/* Where an optimal path of a pair can run, found from its end backwards.
 *
 * Of a node let R be the most that a path from it to the end gains. A path with the pair's score has in the
 * node what is missing, score - R, and that is at most
 *
 *      what as many pairs as there are rows or columns before the node can score,
 *      the largest H of a row above, where that is known (pack_rows), and a pair for each row since,
 *      and, in local mode, at least 0.
 *
 * All other nodes are dead: no optimal path comes through them. Within a gap R is what follows with the gap
 * open, at most first - ext more than R of a new one. In each row the nodes from the first live one to the
 * last are kept. Between related sequences the largest H of a row is on the path, and few others come near
 * it. */

/* The nodes of a row that are not known to be dead: none if last < first. */
typedef struct reach_row {
  int32_t first, last;
} reach_row;

typedef struct pack_reach {
  int64_t row; /* the first one that may hold part of the path: 0, or one below a row without live nodes */
  reach_row *rows; /* from `row` to the end's; owned */
  int64_t cells;   /* computed */
} pack_reach;

/* Whether the values of a matrix of so many rows and columns fit. */
bool pack_reach_takes(const path_scheme *scheme, int64_t rows, int64_t columns);

/* *done is false, and nothing is owned, if there are more than `cells_most` nodes. CLA_ERROR_MEMORY. */
cla_status pack_reach_find(pack_reach *out, bool *done, const path_scheme *scheme, const pack_pair *pair,
                           int64_t cells_most, cla_error *error);

#endif
