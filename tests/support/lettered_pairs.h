#ifndef TESTS_SUPPORT_LETTERED_PAIRS_H
#define TESTS_SUPPORT_LETTERED_PAIRS_H

#include <stdint.h>

#include "clalign/alignment.h"

/* Test cases with other letters and scores than those of random_pairs. They depend only on the seed and
 * max_length.
 *
 * - proteins with built-in matrices, or match and mismatch - DNA with ambiguous letters (EDNAFULL, neutral,
 * expected) - own alphabets of 1 to 32 letters with random matrices, symmetric or not */
typedef struct lettered_pair {
  cla_sequence *query, *target; /* related or not, 1 .. max_length letters; owned */
  cla_scoring scoring;
  cla_mode mode;
  const char *scheme; /* static */
  uint64_t seed;
} lettered_pair;

void lettered_pair_make(lettered_pair *pair, uint64_t seed, int64_t max_length);

/* Makes a pair of proteins without U, O and J, with the given built-in matrix and random gap costs. */
void lettered_pair_make_protein(lettered_pair *pair, uint64_t seed, int64_t max_length, const char *matrix);

/* Makes a pair of DNA with neutral ambiguous letters and random gap costs. */
void lettered_pair_make_neutral(lettered_pair *pair, uint64_t seed, int64_t max_length);

void lettered_pair_free(lettered_pair *pair);

#endif
