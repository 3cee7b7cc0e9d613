#ifndef HOST_TRACE_PACK_CORRIDOR_H
#define HOST_TRACE_PACK_CORRIDOR_H

#include "dp/path.h"
#include "trace/corridor.h"
#include "trace/outside_path.h"

/* Finds the path of a pair of related sequences in a narrow corridor (trace/corridor.h) around the best way
 * back from its end, and proves that it is canonical (docs/internals/exactness.md). */

/* The begin of the path, and the cells computed for it. */
typedef struct corridor_start {
  int64_t row, column;
  int64_t cells;
} corridor_start;

/* Follows the path of a pair whose end node has rows and columns before it. *done is false, and `into` empty,
 * if there is no proof, or if scores and lengths allow none. CLA_ERROR_MEMORY. */
cla_status pack_corridor_trace(bool *done, corridor_start *start, path *into, const path_scheme *scheme,
                               const pack_pair *pair, cla_error *error);

/* Follows the corridor's directions back from the end, and adds the path's steps. known: output, its nodes by
 * row from 0 to the end's. *start: its begin, a fresh start or a node of the matrix' upper or left border.
 * *inside is false if it leaves the corridor. CLA_ERROR_MEMORY. */
cla_status corridor_follow(bool *inside, corridor_start *start, path *into, path_row *known, corridor *c,
                           cla_error *error);

/* Sets *out to an upper limit, twice as large as scores, of the pair's paths that leave the corridor and
 * score no less than the pair. A limit below twice the pair's score proves that there are none
 * (docs/internals/exactness.md). known: the best path in the corridor, for which `outside` was made.
 * CLA_ERROR_MEMORY. */
cla_status corridor_most_outside(int64_t *out, const corridor *c, const outside_path *outside,
                                 const path_row *known, const cla_scoring *scoring, cla_error *error);

#endif
