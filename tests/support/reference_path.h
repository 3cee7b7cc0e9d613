#ifndef TESTS_SUPPORT_REFERENCE_PATH_H
#define TESTS_SUPPORT_REFERENCE_PATH_H

#include "reference/reference.h"

/* Finds the canonical alignment by the oracle's matrices. CLA_ERROR_MEMORY, also if the matrix exceeds
 * REFERENCE_CELL_LIMIT. The caller frees *out with reference_alignment_free. */
cla_status reference_align(reference_alignment *out, const pair_problem *problem, cla_error *error);

#endif
