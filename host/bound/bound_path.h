#ifndef HOST_BOUND_BOUND_PATH_H
#define HOST_BOUND_BOUND_PATH_H

#include "bound/bound_pair.h"
#include "clalign/alignment.h"

/* A path through the matrix, made from its start to its stop; positions count from the ranges' begins. Begins
 * as zero but for the start, ends with bound_path_free. */
typedef struct bound_path {
  int64_t query, target;           /* where it starts */
  int64_t query_stop, target_stop; /* where it has come to */
  cla_run *runs;                   /* neighbours of different kinds; owned */
  int64_t count, capacity;
} bound_path;

void bound_path_begin(bound_path *path, int64_t query, int64_t target);
void bound_path_free(bound_path *path);

/* Goes on by `length` >= 0 steps. CLA_ERROR_MEMORY. */
cla_status bound_path_add(bound_path *path, cla_run_kind kind, int64_t length, cla_error *error);

/* Cuts the path down to its part of the largest score, which begins and ends with a pair, and returns that
 * score; 0, and no runs, where no part is worth more. */
int64_t bound_path_keep_best_part(bound_path *path, const bound_pair *pair);

#endif
