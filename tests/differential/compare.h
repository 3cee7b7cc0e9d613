#ifndef TESTS_DIFFERENTIAL_COMPARE_H
#define TESTS_DIFFERENTIAL_COMPARE_H

#include "differential/oracle.h"

#define DIFFERENCE_SIZE 1024

/* What is wanted of a pair, by the oracle and by the case's least score. */
typedef struct wanted {
  oracle_result result;
  size_t count;     /* alignments that are reported */
  bool claim_fails; /* the case's bound is above what can be reached */
} wanted;

/* What is wanted of each of the case's pairs, and their best scores. End with wanted_free. */
void wanted_make(wanted out[CASE_PAIRS_MOST], int64_t best[CASE_PAIRS_MOST], const drawn_case *one);
void wanted_free(wanted want[CASE_PAIRS_MOST], const drawn_case *one);

/* The case's bound and least score, in the scheme's units, for the first pair's best score. */
int64_t case_bound(const drawn_case *one, int64_t best);
int64_t case_least(const drawn_case *one, int64_t best);

/* The path of a case whose bound is one: all of the best one, or its first half. End with cla_path_free. */
void case_path(cla_path *path, const drawn_case *one, const case_pair *pair);

/* Whether alignments are what is wanted; else `text` says what is not. Each path is also scored anew from its
 * runs and letters. */
bool compare_alignments(char text[DIFFERENCE_SIZE], const drawn_case *one, const case_pair *pair,
                        const wanted *want, cla_alignment *const *got, size_t count);

#endif
