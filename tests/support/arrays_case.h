#ifndef TESTS_SUPPORT_ARRAYS_CASE_H
#define TESTS_SUPPORT_ARRAYS_CASE_H

#include "clalign/arrays.h"

/* Random pairs as arrays, with options and room for what is found of them. */

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

/* Mode, strand, alphabet, threads and paths or scores alone are random, too. Some pairs lack letters. Ends
 * with arrays_case_end. */
void arrays_case_make(arrays_case *x, uint64_t seed);
void arrays_case_end(arrays_case *x);

/* Compares what was found of a pair with cla_align. */
void arrays_case_check(const arrays_case *x, uint64_t seed, int64_t pair);

/* Compares all pairs, and how many failed. */
void arrays_case_check_all(const arrays_case *x, uint64_t seed);

#endif
