#ifndef TESTS_DIFFERENTIAL_COUNTS_H
#define TESTS_DIFFERENTIAL_COUNTS_H

#include "differential/runs.h"

#define COUNT_WORDS 40

/* How many cases of each kind there were, and what became of them. */
typedef struct case_counts {
  struct {
    char word[CASE_WORD_SIZE];
    int64_t cases, different;
  } words[CATEGORY_COUNT][COUNT_WORDS];
  int64_t cases, pairs, different, refused;
} case_counts;

void counts_add(case_counts *counts, const drawn_case *one, verdict found);

/* The closing table. */
void counts_print(const case_counts *counts, double seconds);

#endif
