#ifndef HOST_TRACE_PATH_H
#define HOST_TRACE_PATH_H

#include "scoring/pair_problem.h"
#include "store/run_state.h"

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

/* Where the traceback stands: at a node, in state H, or in state F inside a gap that consumes query
 * letters, with the exact value of that state. */
typedef struct trace_point {
  int64_t row, column; /* matrix node */
  int64_t value;
  query_gap in_query_gap;
  bool at_start; /* the path is complete */
} trace_point;

/* What a stage says of a node on the path. Where the path does not give the score, claims tell which stage is
 * wrong. */
typedef struct path_claim {
  int64_t row, column, value;
  bool in_gap; /* the value is that of a gap that is open: paths have it by one of two pieces of costs */
  const char *stage; /* that led there, from the claim before */
} path_claim;

/* From the path's end to its start. */
typedef struct path_claims {
  path_claim *items;
  int64_t count, capacity;
  const char *last_stage; /* that led to the start; NULL: not yet */
} path_claims;

/* CLA_ERROR_MEMORY. */
cla_status path_claims_add(path_claims *claims, const trace_point *point, const char *stage,
                           cla_error *error);

void path_claims_free(path_claims *claims);

/* A path of the pair from the node (row, column) on. */
typedef struct claimed_path {
  const cla_run *runs;
  size_t run_count;
  int64_t row, column;
  pair_problem problem;
} claimed_path;

/* The first claim along the path, from its start, that the path does not give, and what it gives instead. */
typedef struct wrong_claim {
  const path_claim *claim;
  const char *stage; /* that traced the path from `row`, `column` to the claim */
  int64_t row, column;
  int64_t value; /* of the path; not set if it misses the node */
  bool missed;
} wrong_claim;

/* False if the path gives all claims. */
bool path_claims_find_wrong(wrong_claim *out, const path_claims *claims, const claimed_path *traced);

/* Puts the claim that is wrong in place of a verification's message; without one it stays. WRONG_VALUE_REMEDY
 * follows. */
void path_claims_blame(cla_error *error, const path_claims *claims, const claimed_path *traced);

#endif
