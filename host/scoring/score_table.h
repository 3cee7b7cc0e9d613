#ifndef HOST_SCORING_SCORE_TABLE_H
#define HOST_SCORING_SCORE_TABLE_H

#include <stdbool.h>

#include "clalign/scoring.h"
#include "clalign/sequence.h"
#include "scoring/gap_costs.h"
#include "scoring/used_pairs.h"
#include "seq/alphabet.h"

/* A scheme's scores by letter codes (seq/sequence.h), for schemes of any kind. */
typedef struct score_table {
  int32_t score[CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE]; /* [query code * CLA_MATRIX_STRIDE + target code] */
  int32_t maximum, minimum;                             /* over all codes of the alphabet */
  bool needs_lookup; /* false: equal codes below 4 score `match`, all other pairs `mismatch` */
  int32_t match, mismatch;
  const used_pairs *used; /* used pairs, which no path may make; not owned; or NULL */
} score_table;

/* Builds the table. letters: the alphabet's letters in the order of their codes. The first `unambiguous` of
 * them can match. */
void score_table_build(score_table *table, const cla_scoring *scoring, const char *letters, int unambiguous);

/* Limits the table to letters that occur in the query and in the target: a bit for each code, at least one.
 * If match and mismatch are right for all pairs of these letters, the table needs no look-ups any more. Else
 * pairs that cannot occur get the lowest score of those that can. So EDNAFULL is as fast as match and
 * mismatch for sequences without ambiguous letters. */
void score_table_keep(score_table *table, uint32_t query_letters, uint32_t target_letters);

/* Forbids used pairs. Scores must be looked up then, because only that way the kernels know used pairs. */
void score_table_use(score_table *table, const cla_scoring *scoring, const used_pairs *used);

/* Finds the pairs with an ambiguous letter that a matrix scores as matches: bit t of matches[q] is for the
 * codes q and t. Such letters share a meaning, and score at least what each of their meanings scores with
 * itself. Only pairs of the given letters are considered (sequence_letters_met). False if there is none. */
bool score_table_matches(uint32_t matches[CLA_MATRIX_STRIDE], const cla_scoring *scoring,
                         const letter_set *letters, uint32_t query_letters, uint32_t target_letters);

/* True if the scheme has scores of `letter`. */
bool score_table_knows(const cla_scoring *scoring, char letter);

/* The units of a point. */
static inline int32_t scoring_units(const cla_scoring *scoring) {
  return scoring->units > 0 ? scoring->units : 1;
}

/* Checks that both sequences have one alphabet and that the scheme has scores of all their letters.
 * CLA_ERROR_INPUT or CLA_ERROR_OPTION says what does not fit. The scheme itself must be checked before. */
cla_status pair_letters_check(const cla_scoring *scoring, const cla_sequence *query,
                              const cla_sequence *target, cla_error *error);

/* Sets the default scheme of the pair's alphabet, if none was chosen (by_letters). Changed values stay, and
 * with them by_letters, which pair_letters_check refuses for proteins. */
void pair_letters_scheme(cla_scoring *scoring, const cla_sequence *query, const cla_sequence *target);

/* Makes the table for the letters of the two sequences. */
void pair_letters_table(score_table *table, const cla_scoring *scoring, const cla_sequence *query,
                        const cla_sequence *target);

/* Makes the table for all letters of the scheme. */
cla_status pair_letters_any_table(score_table *table, const cla_scoring *scoring, cla_error *error);

/* The greatest common divisor, at least 0. */
int64_t common_divisor(int64_t a, int64_t b);

#endif
