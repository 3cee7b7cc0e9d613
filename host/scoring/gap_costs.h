#ifndef HOST_SCORING_GAP_COSTS_H
#define HOST_SCORING_GAP_COSTS_H

#include <stdbool.h>

#include "clalign/scoring.h"

/* The costs of gaps. A gap of k letters costs the least of first + (k - 1) ext over all pieces of the scheme.
 * From piece to piece `first` rises and `ext` falls. So one more letter costs between the last `ext` and the
 * first one. A gap never costs more than its parts: the cost is concave. */

/* Runs CALL(n) with the number of pieces as a constant n, so that compilers unroll loops over pieces. */
#define BY_GAP_PIECES(pieces, CALL) \
  do {                              \
    if ((pieces) == 1) {            \
      CALL(1);                      \
    } else {                        \
      CALL(2);                      \
    }                               \
  } while (0)

/* DO(0, ..) DO(1, ..): a text for each piece, for expressions that compilers do not make of loops. */
#define EACH_GAP_PIECE(DO, ...) DO(0, __VA_ARGS__) DO(1, __VA_ARGS__)

/* The names of a piece's costs in JSON: of the first letter, and of a further one. */
extern const char *const gap_names[CLA_GAP_PIECES][2];

/* The number of pieces, at least 1. */
static inline int gap_pieces(const cla_scoring *scoring) {
  int pieces = 1;
  while (pieces < CLA_GAP_PIECES && scoring->gap[pieces].first > 0) pieces++;
  return pieces;
}

/* The number of lines of a row: H, and F of each piece. */
static inline int gap_lines(const cla_scoring *scoring) {
  return 1 + gap_pieces(scoring);
}
#define GAP_LINES (1 + CLA_GAP_PIECES) /* most lines of a row */

/* The last piece, the cheapest one for long gaps. */
static inline cla_gap_piece gap_last_piece(const cla_scoring *scoring) {
  return scoring->gap[gap_pieces(scoring) - 1];
}

static inline int64_t gap_line(int64_t first, int64_t further, int64_t letters) {
  return first + (letters - 1) * further;
}

/* The cost of a gap of `letters` >= 0 letters. */
static inline int64_t gap_cost(const cla_scoring *scoring, int64_t letters) {
  const int pieces = gap_pieces(scoring);
  int64_t least = INT64_MAX;
  if (letters <= 0) return 0;
  for (int k = 0; k < pieces; k++) {
    const int64_t cost = gap_line(scoring->gap[k].first, scoring->gap[k].ext, letters);
    if (cost < least) least = cost;
  }
  return least;
}

/* gap_cost for any number of letters >= 1. False if the cost passes 2^63. */
bool gap_cost_fits(int64_t *out, const cla_scoring *scoring, int64_t letters);

/* The least cost of a gap's further letter. */
static inline int64_t gap_least_ext(const cla_scoring *scoring) {
  return gap_last_piece(scoring).ext;
}

/* The most by which the value of an open gap lies below that of the node where it was opened. */
static inline int64_t gap_most_first(const cla_scoring *scoring) {
  return gap_last_piece(scoring).first;
}

/* The most by which two gaps cost more than one of all their letters. */
static inline int64_t gap_most_cut(const cla_scoring *scoring) {
  return gap_most_first(scoring) - gap_least_ext(scoring);
}

#endif
