#ifndef HOST_SCORING_GAP_COSTS_H
#define HOST_SCORING_GAP_COSTS_H

#include <stdbool.h>

#include "clalign/scoring.h"

/* The costs of gaps. With two pieces a gap of k letters costs the lesser of
 *
 *      first + (k - 1) ext   and   first2 + (k - 1) ext2,     first2 > first, ext2 < ext
 *
 * So one more letter costs between ext2 and ext, a gap's first letter costs `first`, and a gap never costs
 * more than its parts: the cost is concave. */

static inline bool gap_two_pieces(const cla_scoring *scoring) {
  return scoring->gap_first2 > 0;
}

static inline int64_t gap_line(int64_t first, int64_t further, int64_t letters) {
  return first + (letters - 1) * further;
}

/* The cost of a gap of `letters` >= 0 letters. */
static inline int64_t gap_cost(const cla_scoring *scoring, int64_t letters) {
  if (letters <= 0) return 0;
  const int64_t cost = gap_line(scoring->gap_first, scoring->gap_ext, letters);
  if (!gap_two_pieces(scoring)) return cost;
  const int64_t long_cost = gap_line(scoring->gap_first2, scoring->gap_ext2, letters);
  return cost < long_cost ? cost : long_cost;
}

/* gap_cost for any number of letters >= 1. False if the cost passes 2^63. */
bool gap_cost_fits(int64_t *out, const cla_scoring *scoring, int64_t letters);

/* The least cost of a gap's further letter. */
static inline int64_t gap_least_ext(const cla_scoring *scoring) {
  return gap_two_pieces(scoring) ? scoring->gap_ext2 : scoring->gap_ext;
}

/* The most by which the value of an open gap lies below that of the node where it was opened. */
static inline int64_t gap_most_first(const cla_scoring *scoring) {
  return gap_two_pieces(scoring) ? scoring->gap_first2 : scoring->gap_first;
}

/* The most by which two gaps cost more than one of all their letters. */
static inline int64_t gap_most_cut(const cla_scoring *scoring) {
  return gap_most_first(scoring) - gap_least_ext(scoring);
}

#endif
