#ifndef TESTS_FUZZ_FUZZ_PAIR_H
#define TESTS_FUZZ_FUZZ_PAIR_H

#include "clalign/sequence.h"

/* The pair of DNA sequences, "q" and "t", of which the inputs of fuzz_bound_path are. They differ in a few
 * letters and a gap of 5 in the query. */
typedef struct fuzz_pair {
  cla_sequence *query, *target;
} fuzz_pair;

#define FUZZ_PAIR_LETTERS 120 /* of the query */
#define FUZZ_PAIR_GAP 5
#define FUZZ_PAIR_ENDS 10

void fuzz_pair_make(fuzz_pair *out);
void fuzz_pair_free(fuzz_pair *pair);

#endif
