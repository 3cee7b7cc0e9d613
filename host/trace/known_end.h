#ifndef HOST_TRACE_KNOWN_END_H
#define HOST_TRACE_KNOWN_END_H

#include "dp/path.h"
#include "scoring/pair_problem.h"

/* The canonical path to an end that is known. */
typedef struct known_end_path {
  int64_t start_row, start_column;
  cla_run *runs; /* from start to end; from malloc, the caller's; NULL if there are none */
  size_t run_count;
  int64_t cells; /* computed on the way */
} known_end_path;

/* Finds the path with that score to the problem's last node, on the calling thread. It looks for it in a live
 * band, or in a small block where a band has no room. Rows and columns are 1 or more, and a local score is
 * above 0. It may take `path_bytes` of memory. CLA_ERROR_DEVICE if no path has the score; CLA_ERROR_MEMORY,
 * also where path_bytes are too few. */
cla_status known_end_trace(known_end_path *out, const pair_problem *problem, int64_t score,
                           int64_t path_bytes, cla_error *error);

#endif
