#ifndef TESTS_SUPPORT_REFERENCE_DIFFERENCE_H
#define TESTS_SUPPORT_REFERENCE_DIFFERENCE_H

#include "clalign/alignment.h"
#include "reference/reference.h"

/* True if two lists of runs are equal. */
bool same_runs(const cla_run *a, size_t a_count, const cla_run *b, size_t b_count);

/* Compares an alignment with the oracle's result for the strand got->strand. Returns the first difference as
 * a word, or NULL. Without a path only score and end cell are compared. */
const char *reference_difference(const cla_alignment *got, const reference_alignment *want);

#endif
