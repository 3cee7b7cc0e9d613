#ifndef HOST_SCORING_AMBIGUITY_H
#define HOST_SCORING_AMBIGUITY_H

#include "clalign/scoring.h"

/* What a pair of nucleotides scores of which at least one is ambiguous, without a matrix. */
int32_t ambiguous_score(const cla_scoring *scoring, char query, char target);

#endif
