#ifndef HOST_TRACE_PATH_H
#define HOST_TRACE_PATH_H

#include "clalign/alignment.h"

/* The runs of a path, collected from its end to its start. */
typedef struct path {
  cla_run *runs; /* last run first */
  int64_t count, capacity;
} path;

/* Adds `length` >= 0 steps before those that are there; joins them with a run of the same kind. */
cla_status path_add(path *p, cla_run_kind kind, int64_t length, cla_error *error);

/* Adds the steps of `more` before those that are there. */
cla_status path_add_all(path *p, const path *more, cla_error *error);

/* Puts the runs in forward order and hands them over; the path is empty afterwards. */
void path_finish(path *p, cla_run **runs, size_t *count);

void path_free(path *p);

#endif
