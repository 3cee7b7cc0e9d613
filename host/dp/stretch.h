#ifndef HOST_DP_STRETCH_H
#define HOST_DP_STRETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* Exact costs of passing rows with unlike letters; regions and seeds find only a sixth of these costs
 * (docs/internals/bounds.md, "Unlike stretches"). The costs from a row of nodes to the end give those of the
 * row above, and so on upwards. */

#define COST_NEVER (INT32_MAX / 4) /* more than any path costs */

/* Costs of the scheme, twice as large as scores. */
typedef struct cost_scheme {
  int32_t match; /* cost of a letter that a free end leaves out; the score of a match */
  int32_t other; /* cost of the cheapest pair that is no match */
  int32_t first,
      ext; /* cost of a gap's first letter and of each further letter, each the cheaper of both pieces */
  bool free_start, free_end;
} cost_scheme;

/* Returns the cost of opening a gap, which a gap that comes from the chunk above has already paid. */
static inline int32_t cost_open_gap(const cost_scheme *costs) {
  return costs->first - costs->ext;
}

/* Rows that are computed together. */
typedef struct stretch_strip {
  int64_t row, rows; /* row of the strip's lower border; number of rows */
} stretch_strip;

typedef struct stretch {
  const uint8_t *query, *target;
  int64_t columns; /* letters of the target */
  const cost_scheme *costs;
  int threads;
  int64_t bucket;          /* diagonals of a bucket */
  int64_t diagonal, count; /* first diagonal (column less row); number of diagonals, in whole buckets */
  /* `h` and `f` have the costs of a border's nodes, by diagonal. On entry the border is the lowest one, on
   * return the uppermost one. On entry h <= f <= h + first - ext must hold, and neighbouring h must differ by
   * at most ext. */
  int32_t *h;          /* cost of the node outside of a gap */
  int32_t *f;          /* cost of the node within an open gap down the rows */
  int32_t beside[2];   /* cost of leaving by the first diagonal [0] and the last [1]; at least `h` there */
  const int32_t *ends; /* for each bucket, the cost of paths that end on the way */
  int32_t *least;      /* for each bucket of the uppermost border: lowered to the least cost in any state */
} stretch;

/* Returns the largest number of rows of a strip; 0 if the costs are too large for stretch_pass. */
int64_t stretch_rows_most(const cost_scheme *costs);

/* Computes strips, each from the uppermost row of the strip before. CLA_ERROR_MEMORY. */
cla_status stretch_pass(stretch *s, const stretch_strip *strips, int64_t count, cla_error *error);

#endif
