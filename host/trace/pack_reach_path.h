#ifndef HOST_TRACE_PACK_REACH_PATH_H
#define HOST_TRACE_PACK_REACH_PATH_H

#include "trace/pack_reach.h"
#include "trace/path.h"

/* Follows the canonical path of a pair from its end, within its reach, row by row with directions of all
 * cells, up to *row and *column: its start, or a node of the matrix' upper or left border, and adds its
 * steps. *met is false, and nothing is added, if no path has the pair's score. The pair is one that
 * pack_reach_takes. *cells grows. CLA_ERROR_MEMORY. */
cla_status pack_short_trace(int64_t *row, int64_t *column, path *into, bool *met, int64_t *cells,
                            const path_scheme *scheme, const pack_pair *pair, const pack_reach *reach,
                            cla_error *error);

#endif
