#ifndef TESTS_SUPPORT_CASES_POTENTIAL_CASE_H
#define TESTS_SUPPORT_CASES_POTENTIAL_CASE_H

#include "bounds/potential.h"
#include "reference/reference.h"
#include "seq/random_stream.h"

/* Small pairs with their optimum by the oracle, and a potential with chunks and buckets of few rows and
 * diagonals. */

#define POTENTIAL_CASE_LETTERS 400
#define POTENTIAL_CASE_RUNS (8 * POTENTIAL_CASE_LETTERS) /* most runs of a bound's path */

/* A pair with a scheme, its ends and the optimum. */
typedef struct potential_case {
  uint64_t seed;
  random_stream stream;
  uint8_t letters[2][2 * POTENTIAL_CASE_LETTERS];
  int64_t counts[2], most, kinds; /* letters of each sequence so far; most letters of a sequence; number of
                                   * different letters */
  bool local;
  cla_scoring scoring;
  score_table table;
  pair_problem problem;
  reference_alignment want;
  lower_bound bound; /* has the path of `want` */
  potential_shape shape;
  potential *potential;
  potential_levels levels;
  int64_t parts_end[CLA_LEVELS_MOST];                           /* by level: the row after its last part */
  int64_t left[CLA_LEVELS_MOST][2 * POTENTIAL_CASE_LETTERS][2]; /* by level and row: first and last diagonal
                                                                 * left */
  int64_t budget; /* the most by which the bound scores less than the optimum */
  int64_t behind; /* the most by which paths that matter do; 0 unless costs are `plain` */
  int64_t spare;  /* the bound minus their least score; if above 0, a band may miss the path */
} potential_case;

/* Draws a number from the case's stream, 0 .. limit - 1. */
static inline int64_t below(potential_case *x, int64_t limit) {
  return (int64_t)random_stream_below(&x->stream, (uint64_t)limit);
}

/* Pairs for the set-ups.
 *
 * - letters: a query of random letters, tandem repeats or both, and a target with most of it
 * - cores: common cores between unlike flanks
 * - pieces: a query and its copy, piece by piece
 * - the others: such pieces between unlike letters, local; a target in which few of the shape's seeds are
 * unbroken */
void potential_case_letters(potential_case *x);
void potential_case_cores(potential_case *x);
void potential_case_pieces(potential_case *x);
void potential_case_flanked(potential_case *x);
void potential_case_broken(potential_case *x);

/* Makes a scheme; `of` has match, mismatch, gap_first, gap_ext, gap_first2, gap_ext2. */
cla_scoring potential_case_scoring(const int32_t of[6]);

/* Sets scheme and ends for the letters that have been made. */
void potential_case_scheme(potential_case *x, const cla_scoring *scoring, path_ends ends);

/* The score of a match by the case's scheme. */
int64_t potential_case_match(const potential_case *x);

/* The first makes a pair, with the optimum as its bound. The second also makes a potential, whose bound is
 * the optimum less the budget. Both return false if no potential is possible, or it would be useless. */
bool potential_case_set_up_pair(potential_case *x, uint64_t seed, void (*make)(potential_case *x));
bool potential_case_set_up(potential_case *x, uint64_t seed, void (*make)(potential_case *x));
void potential_case_tear_down(potential_case *x);

/* Makes the potential from pair, bound and shape, and notes what its levels leave. */
void potential_case_make(potential_case *x);

/* Returns the bound's path, or a worse one that begins earlier and replaces some pairs by gaps, within the
 * budget. */
lower_bound potential_case_worse_bound(potential_case *x, cla_run *runs);

#endif
