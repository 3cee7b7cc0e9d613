#ifndef TESTS_SUPPORT_REFERENCE_DIFFERENCE_H
#define TESTS_SUPPORT_REFERENCE_DIFFERENCE_H

#include "clalign/alignment.h"
#include "reference/reference.h"

/* Whether two lists of runs are the same. */
bool same_runs(const cla_run *a, size_t a_count, const cla_run *b, size_t b_count);

/* What of an alignment is not as the oracle has it, which computed the strand that got->strand says, as a
 * word; NULL if all is. Without a path only score and end cell are compared. */
const char *reference_difference(const cla_alignment *got, const reference_alignment *want);

#endif
