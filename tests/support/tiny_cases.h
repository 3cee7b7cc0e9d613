#ifndef TESTS_SUPPORT_TINY_CASES_H
#define TESTS_SUPPORT_TINY_CASES_H

#include "clalign/align.h"
#include "support/all_alignments.h"

/* Random pairs that are small enough for a list of all alignments. */

#define TINY_LETTERS 6

/* A case: letters of few kinds, any mode and scheme. */
typedef struct tiny_case {
  uint8_t query[TINY_LETTERS], target[TINY_LETTERS];
  int64_t rows, columns;
  cla_scoring scoring;
  cla_mode mode;
  int free_ends;
  uint64_t seed;
} tiny_case;

void tiny_case_make(tiny_case *c, uint64_t seed);

/* The case as a problem with this scheme; not moved while it is used. */
typedef struct tiny_problem {
  score_table table;
  pair_problem problem;
} tiny_problem;

void tiny_problem_make(tiny_problem *out, const tiny_case *c, const cla_scoring *scoring);

/* Returns where a scheme has a cla_cost. */
int32_t *tiny_cost(cla_scoring *scoring, int cost);

/* Checks `usual` cases, or CASES of the environment, from seed 1 or FIRST on. `check` returns false for a
 * case without an alignment that has columns; more than one in `part` must have one. */
void tiny_cases_check(bool (*check)(uint64_t seed), uint64_t usual, uint64_t part);

/* Makes an alignment of the listed one, which is optimal. */
cla_alignment *tiny_case_alignment(const tiny_case *c, const listed_alignment *listed, cla_sequence *query,
                                   cla_sequence *target);

#endif
