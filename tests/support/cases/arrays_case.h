#ifndef TESTS_SUPPORT_CASES_ARRAYS_CASE_H
#define TESTS_SUPPORT_CASES_ARRAYS_CASE_H

#include "clalign/arrays.h"

/* Random pairs as arrays, with options and room for their results. */

#define ARRAYS_PAIRS 90
#define ARRAYS_LETTERS_MOST 400

typedef struct arrays_case {
  cla_align_options options;
  cla_pair_arrays arrays;
  uint8_t *letters[2];
  int64_t offsets[2][ARRAYS_PAIRS + 1];
  int64_t score[ARRAYS_PAIRS], start[2][ARRAYS_PAIRS], end[2][ARRAYS_PAIRS], run_offsets[ARRAYS_PAIRS + 1];
  uint8_t strand[ARRAYS_PAIRS], status[ARRAYS_PAIRS];
  cla_packed_run runs[2 * ARRAYS_PAIRS * ARRAYS_LETTERS_MOST];
  cla_pair_results results;
} arrays_case;

/* Makes random pairs. Mode, strand, alphabet, number of threads and --score-only are random, too. Some
 * sequences have no letters. The caller calls arrays_case_end. */
void arrays_case_make(arrays_case *x, uint64_t seed);
void arrays_case_end(arrays_case *x);

/* Compares a pair's result with that of cla_align. */
void arrays_case_check(const arrays_case *x, uint64_t seed, int64_t pair);

/* Compares all pairs' results, and the number of failures. */
void arrays_case_check_all(const arrays_case *x, uint64_t seed);

#endif
