#ifndef HOST_SCORING_PAIR_LETTERS_H
#define HOST_SCORING_PAIR_LETTERS_H

#include "clalign/scoring.h"
#include "clalign/sequence.h"
#include "scoring/score_table.h"

/* Whether the two sequences are of one alphabet and the scheme knows all their letters: CLA_OK, or
 * CLA_ERROR_INPUT or CLA_ERROR_OPTION that says what does not go together. The scheme itself has been
 * checked. */
cla_status pair_letters_check(const cla_scoring *scoring, const cla_sequence *query,
                              const cla_sequence *target, cla_error *error);

/* The table of scores of the letters that the two sequences have. */
void pair_letters_table(score_table *table, const cla_scoring *scoring, const cla_sequence *query,
                        const cla_sequence *target);

/* The same of any letters that the scheme is for. */
cla_status pair_letters_any_table(score_table *table, const cla_scoring *scoring, cla_error *error);

#endif
