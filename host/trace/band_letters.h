#ifndef HOST_TRACE_BAND_LETTERS_H
#define HOST_TRACE_BAND_LETTERS_H

#include "scoring/score_table.h"
#include "trace/band_line.h"

/* Scores and letters in the form that trace/band_line.h takes: less what a row makes values fall by. */

/* M, the largest score of a table or 0. */
int64_t band_match(const score_table *table);

/* The least score that makes a difference where all nodes are within reach: what costs more than two gaps of
 * a letter each is never on a path; it must not look as if it gave the same value. */
int64_t band_least_score(const cla_scoring *scoring);

/* Scores below `least` count as that; values fall by `row_step` in each row. */
band_costs band_costs_of(const score_table *table, const cla_scoring *scoring, int64_t least,
                         int64_t row_step);

/* The scores for band_line's `scores`, to be freed with free(). CLA_ERROR_MEMORY. */
cla_status band_scores_make(int32_t **out, const score_table *table, int64_t least, int64_t row_step,
                            cla_error *error);

/* One letter as it is compared or, `by_table`, as its part of the index of the scores. */
int32_t band_letter(uint8_t code, bool of_query, bool by_table);

#endif
