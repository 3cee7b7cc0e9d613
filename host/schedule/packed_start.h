#ifndef HOST_SCHEDULE_PACKED_START_H
#define HOST_SCHEDULE_PACKED_START_H

#include "schedule/packed.h"

/* Where a local alignment cannot begin any more, found from its end backwards: no path with the pair's score
 * to its end node comes through row *row. It is 0 where there is no such row.
 *
 * Of a node let R be the most that a path from it to the end gains. What an optimal path has in a node is at
 * least 0, at most the score, and at most what as many pairs as there are rows or columns before it can gain:
 * so R is at least 0, and at least the score less that. All other nodes are left out, and a row without any
 * is one that no path crosses. Within a gap, R is what follows with the gap open. *cells is how many were
 * computed. CLA_ERROR_MEMORY. */
cla_status packed_start(int64_t *row, int64_t *cells, const packed_scheme *scheme, const packed_pair *pair,
                        cla_error *error);

#endif
