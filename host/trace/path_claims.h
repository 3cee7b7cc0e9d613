#ifndef HOST_TRACE_PATH_CLAIMS_H
#define HOST_TRACE_PATH_CLAIMS_H

#include "scoring/score_table.h"
#include "trace/small_block.h"

/* What the stages say of nodes on the path, to find the one that is wrong where the path does not give the
 * score. */

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

/* A path from the node (row, column) of two ranges, whose codes these are. */
typedef struct claimed_path {
  const cla_run *runs;
  size_t run_count;
  int64_t row, column;
  const uint8_t *query, *target;
  const score_table *table;
  const cla_scoring *scoring;
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
