#ifndef HOST_RESULT_PATH_SCORE_H
#define HOST_RESULT_PATH_SCORE_H

#include <stddef.h>

#include "clalign/alignment.h"
#include "scoring/score_table.h"

/* Adds up a path letter by letter, by the scheme's table alone and not by any rule of the kernels. The codes
 * begin at the path's starts and reach as far as the runs do. False if the sum passes 2^63: *query_letters
 * then says after how many letters of the query. */
bool path_score(int64_t *out, int64_t *query_letters, const cla_run *runs, size_t run_count,
                const uint8_t *query_codes, const uint8_t *target_codes, const score_table *table,
                const cla_scoring *scoring);

/* The score of an alignment with a path, of sequences as its positions have them, which it fits
 * (path_check_fit). CLA_ERROR_VERIFICATION if it passes 2^63, CLA_ERROR_MEMORY. */
cla_status alignment_rescore(int64_t *out, const cla_alignment *alignment, const cla_sequence *query,
                             const cla_sequence *target, cla_error *error);

#endif
