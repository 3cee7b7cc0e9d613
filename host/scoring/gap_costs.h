#ifndef HOST_SCORING_GAP_COSTS_H
#define HOST_SCORING_GAP_COSTS_H

#include <stdbool.h>

#include "clalign/scoring.h"

/* Costs of gaps. A gap of k letters costs the minimum of first + (k - 1) ext over the pieces of the scheme.
 * From each piece to the next, `first` increases and `ext` decreases. So a further letter costs at most the
 * first piece's `ext`, and at least the last piece's `ext`. A gap costs at most as much as two shorter gaps
 * with the same letters in total. */

/* Runs CALL(n) with the number of pieces as a constant n, so that compilers can unroll loops over the
 * pieces. */
#define BY_GAP_PIECES(pieces, CALL) \
  do {                              \
    if ((pieces) == 1) {            \
      CALL(1);                      \
    } else {                        \
      CALL(2);                      \
    }                               \
  } while (0)

/* Expands to DO(0, ..) DO(1, ..), once for each piece. It is used where compilers generate worse code for a
 * loop. */
#define EACH_GAP_PIECE(DO, ...) DO(0, __VA_ARGS__) DO(1, __VA_ARGS__)

/* JSON names of a piece's costs: the cost of the first letter, and of each further letter. */
extern const char *const gap_names[CLA_GAP_PIECES][2];

/* Returns the number of pieces, at least 1. */
static inline int gap_pieces(const cla_scoring *scoring) {
  int pieces = 1;
  while (pieces < CLA_GAP_PIECES && scoring->gap[pieces].first > 0) pieces++;
  return pieces;
}

/* Returns the number of lines of values in a row: one for H, and one for F of each piece. */
static inline int gap_lines(const cla_scoring *scoring) {
  return 1 + gap_pieces(scoring);
}
#define GAP_LINES (1 + CLA_GAP_PIECES) /* largest number of lines of values in a row */

/* Returns the last piece, the cheapest one for long gaps. */
static inline cla_gap_piece gap_last_piece(const cla_scoring *scoring) {
  return scoring->gap[gap_pieces(scoring) - 1];
}

static inline int64_t gap_line(int64_t first, int64_t further, int64_t letters) {
  return first + (letters - 1) * further;
}

/* Returns the cost of a gap of `letters` >= 0 letters. */
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

/* Sets *out to the cost of a gap of `letters` >= 1 letters. Returns false if the cost exceeds int64. */
bool gap_cost_fits(int64_t *out, const cla_scoring *scoring, int64_t letters);

/* Returns the least cost of a further letter of a gap. */
static inline int64_t gap_least_ext(const cla_scoring *scoring) {
  return gap_last_piece(scoring).ext;
}

/* Returns the largest possible difference between H of a node and the value of a gap opened at that node. */
static inline int64_t gap_most_first(const cla_scoring *scoring) {
  return gap_last_piece(scoring).first;
}

/* Returns the largest possible amount by which two gaps cost more than one gap with the same number of
 * letters. */
static inline int64_t gap_most_cut(const cla_scoring *scoring) {
  return gap_most_first(scoring) - gap_least_ext(scoring);
}

#endif
