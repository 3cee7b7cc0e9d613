#ifndef HOST_TRACE_CORRIDOR_PATH_H
#define HOST_TRACE_CORRIDOR_PATH_H

#include "trace/corridor.h"
#include "trace/outside_path.h"
#include "trace/path.h"

/* The path that a corridor's directions tell of. */

/* Where it begins: a start, or a node of the matrix' upper or left border. */
typedef struct corridor_begin {
  int64_t row, column;
} corridor_begin;

/* Follows it back from the end, adds its steps, and notes its nodes in `known`, which has room for a row more
 * than the end node has before it. *inside is false if it leaves the corridor. CLA_ERROR_MEMORY. */
cla_status corridor_follow(bool *inside, corridor_begin *begin, path *into, path_row *known,
                           const corridor *c, cla_error *error);

#endif
