#ifndef TESTS_SUPPORT_REPEAT_PAIRS_H
#define TESTS_SUPPORT_REPEAT_PAIRS_H

#include "clalign/scoring.h"
#include "packs/packs.h"
#include "seq/random_stream.h"

/* Pairs with many paths that are as good as the best one or nearly so, some of them far away from it. They
 * have tandem repeats of periods 1 to 60 with different numbers of copies, few different letters, and gaps
 * of up to 140 letters. Ends may be letters of one sequence only. Schemes have many ties. */

#define REPEAT_PAIR_LETTERS_MOST 1400
#define REPEAT_PAIR_AMBIGUOUS 14 /* N */

typedef struct repeat_pair {
  uint8_t query[REPEAT_PAIR_LETTERS_MOST], target[REPEAT_PAIR_LETTERS_MOST];
  int rows, columns; /* at least 130 each, and about at most `length` */
  cla_scoring scoring;
  score_table table;
  path_scheme scheme;
  pack_pair pair; /* has score and end by the oracle */
  unsigned long long seed;
  random_stream stream; /* for further random numbers */
} repeat_pair;

typedef enum repeat_scheme {
  REPEAT_PLAIN,      /* match and mismatch, gap costs of one piece */
  REPEAT_TWO_PIECES, /* match and mismatch, gap costs of two pieces */
  REPEAT_PENALTIES,  /* no match score, gap costs of one or two pieces; starts are fixed */
  REPEAT_MATRIX      /* asymmetric matrix, gap costs of one or two pieces */
} repeat_scheme;

/* Makes a pair that depends only on the other arguments; `length` is 200 to 1000. Any ends may be free.
 * Returns false if the end is on a border, so that there is no path to find. Aborts the test if the oracle
 * fails. */
bool repeat_pair_make(repeat_pair *pair, repeat_scheme scheme, uint64_t seed, int length);

/* Begins a global pair with a random query, the default scheme and no target yet. */
void repeat_pair_begin(repeat_pair *pair, int rows, uint64_t seed);

/* Adds letters to the target. */
void repeat_pair_put(repeat_pair *pair, const uint8_t *letters, int count);

/* Sets scheme, score and end of a pair that has letters, costs and ends. Returns and aborts like
 * repeat_pair_make. */
bool repeat_pair_score(repeat_pair *pair);

/* Draws a number below `limit`. */
int repeat_pair_below(random_stream *stream, int limit);

#endif
