#ifndef HOST_DP_PATH_H
#define HOST_DP_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alignment.h"
#include "dp/borders.h"

/* The runs of a path, collected from its end to its start. */
typedef struct path {
  cla_run *runs; /* runs, the path's last run first */
  int64_t count, capacity;
} path;

/* Adds `length` >= 0 steps before the path. If the path's first run is of the same kind, that run becomes
 * longer. */
cla_status path_add(path *p, cla_run_kind kind, int64_t length, cla_error *error);

/* Adds the steps of `more` before the path. */
cla_status path_add_all(path *p, const path *more, cla_error *error);

/* Moves the runs, in forward order, to the caller, who frees them. The path is empty afterwards. */
void path_finish(path *p, cla_run **runs, size_t *count);

void path_free(path *p);

/* The point that the traceback has reached: a node, its state (H, or F within a gap of query letters), and
 * the exact value of that state. */
typedef struct trace_point {
  int64_t row, column; /* node of the matrix */
  int64_t value;
  query_gap in_query_gap;
  bool at_start; /* the path is complete */
} trace_point;

#endif
