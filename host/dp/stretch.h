#ifndef HOST_DP_STRETCH_H
#define HOST_DP_STRETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* Exact costs of passing rows of unlike letters, of which regions and seeds know a sixth
 * (docs/internals/bounds.md, "Unlike stretches"). The costs from a row of nodes to the end are passed up row
 * by row. */

#define COST_NEVER (INT32_MAX / 4) /* more than any path costs */

/* Costs of the scheme, twice as large as scores. */
typedef struct cost_scheme {
  int32_t match;      /* a letter that a free end leaves out; a match's score */
  int32_t other;      /* the cheapest pair that is no match */
  int32_t first, ext; /* a gap's first letter and each further one, the cheaper of both pieces */
  bool free_start, free_end;
} cost_scheme;

/* The opening of a gap, which a gap from the chunk above has paid there. */
static inline int32_t cost_open_gap(const cost_scheme *costs) {
  return costs->first - costs->ext;
}

/* Rows that are passed together. */
typedef struct stretch_strip {
  int64_t row, rows; /* number of the lower border, and of the rows above it */
} stretch_strip;

typedef struct stretch {
  const uint8_t *query, *target;
  int64_t columns; /* letters of the target */
  const cost_scheme *costs;
  int threads;
  int64_t bucket;          /* diagonals of a bucket */
  int64_t diagonal, count; /* first diagonal (column less row) and number of diagonals, whole buckets */
  /* By diagonal: costs of the nodes on the lowest border on entry, on the uppermost on return. On entry they
   * must satisfy: h <= f <= h + first - ext, and neighbouring h differ by at most ext. */
  int32_t *h;          /* cost of the node outside of a gap */
  int32_t *f;          /* cost of the node within an open gap down the rows */
  int32_t beside[2];   /* cost of leaving by the first [0] and last [1] diagonal; at least h there */
  const int32_t *ends; /* by bucket: cost of paths that end on the way */
  int32_t *least;      /* by bucket of the uppermost border: lowered to the least cost in any state */
} stretch;

/* Most rows of a strip; 0: the costs are too large for stretch_pass. */
int64_t stretch_rows_most(const cost_scheme *costs);

/* Passes strips, each from the uppermost row of the one before. CLA_ERROR_MEMORY. */
cla_status stretch_pass(stretch *s, const stretch_strip *strips, int64_t count, cla_error *error);

#endif
