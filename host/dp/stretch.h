#ifndef HOST_DP_STRETCH_H
#define HOST_DP_STRETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* Exact costs of paths through rows in which the sequences are dissimilar. There, bounds by regions and
 * seeds find only a sixth of the costs (docs/internals/bounds.md, "Unlike stretches"). Costs are those from
 * a node to the end; they are computed row by row, upwards, from the costs of the row below. */

#define COST_NEVER (INT32_MAX / 4) /* more than the cost of any path */

/* Costs of the scheme; one unit of score is two units of cost. */
typedef struct cost_scheme {
  int32_t match; /* cost of a letter that is left out at a free end; equal to the score of a match */
  int32_t other; /* cost of the cheapest mismatch */
  int32_t first,
      ext; /* cost of a gap's first letter and of each further letter, each the minimum over the pieces */
  bool free_start, free_end;
} cost_scheme;

/* Returns the cost of opening a gap. A gap that continues from the chunk above has already paid this cost. */
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
  int64_t diagonal, count; /* first diagonal (column - row); number of diagonals, a multiple of `bucket` */
  /* Costs of a border's nodes, by diagonal. On entry, `h` and `f` contain those of the lowest border, on
   * return those of the uppermost. On entry, h <= f <= h + first - ext must hold, and neighbouring h must
   * differ by at most ext. */
  int32_t *h;          /* cost of the node outside of a gap */
  int32_t *f;          /* cost of the node within an open gap down the rows */
  int32_t beside[2];   /* cost of leaving across the first [0] or the last [1] diagonal; at least that
                          diagonal's `h` */
  const int32_t *ends; /* for each bucket, the least cost of paths that end within the strips */
  int32_t *least; /* for each bucket of the uppermost border: the least cost in any state, if lower than on
                     entry */
} stretch;

/* Returns the largest number of rows of a strip, or 0 if the costs are too large for stretch_pass. */
int64_t stretch_rows_most(const cost_scheme *costs);

/* Computes `count` strips, each from the uppermost row of the strip before it. CLA_ERROR_MEMORY. */
cla_status stretch_pass(stretch *s, const stretch_strip *strips, int64_t count, cla_error *error);

#endif
