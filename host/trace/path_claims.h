#ifndef HOST_TRACE_PATH_CLAIMS_H
#define HOST_TRACE_PATH_CLAIMS_H

#include "dp/path.h"
#include "scoring/pair_problem.h"

/* A value that a stage claims for a node of the path. If a path does not have the score that was claimed,
 * its claims show which stage is wrong. */
typedef struct path_claim {
  int64_t row, column, value;
  bool in_gap;       /* the node is within a gap, of either piece of gap costs */
  const char *stage; /* the stage that traced the path from the previous claim to this node */
} path_claim;

/* The claims for a path, in the order from its end to its start. */
typedef struct path_claims {
  path_claim *items;
  int64_t count, capacity;
  const char *last_stage; /* the stage that traced the path to its start; NULL: none yet */
} path_claims;

/* Adds a claim for `point`; `stage` has traced the path to that point. CLA_ERROR_MEMORY. */
cla_status path_claims_add(path_claims *claims, const trace_point *point, const char *stage,
                           cla_error *error);

void path_claims_free(path_claims *claims);

/* A path of the pair that starts in node (row, column). */
typedef struct claimed_path {
  const cla_run *runs;
  size_t run_count;
  int64_t row, column;
  pair_problem problem;
} claimed_path;

/* The first claim, counted from the path's start, that differs from the path's value. */
typedef struct wrong_claim {
  const path_claim *claim;
  const char *stage; /* the stage that traced the path from (row, column) to the claim */
  int64_t row, column;
  int64_t value; /* the path's value at the claim's node, unless missed */
  bool missed;   /* the path does not pass through the claim's node */
} wrong_claim;

/* Finds the first wrong claim. Returns false if the path agrees with all claims. */
bool path_claims_find_wrong(wrong_claim *out, const path_claims *claims, const claimed_path *traced);

/* If there is a wrong claim, replaces the verification's message in `error` by a message about that claim. In
 * any case the message ends with WRONG_VALUE_REMEDY. */
void path_claims_blame(cla_error *error, const path_claims *claims, const claimed_path *traced);

#endif
