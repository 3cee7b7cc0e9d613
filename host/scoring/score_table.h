#ifndef HOST_SCORING_SCORE_TABLE_H
#define HOST_SCORING_SCORE_TABLE_H

#include <stdbool.h>

#include "clalign/scoring.h"
#include "clalign/sequence.h"
#include "scoring/gap_costs.h"
#include "scoring/used_pairs.h"
#include "seq/alphabet.h"

/* The pair scores of any scheme, by letter codes (seq/sequence.h). */
typedef struct score_table {
  int32_t score[CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE]; /* [query code * CLA_MATRIX_STRIDE + target code] */
  int32_t maximum, minimum;                             /* extremes over all pairs that can occur */
  bool needs_lookup; /* false: two equal codes below 4 score `match`, all other pairs score `mismatch` */
  int32_t match, mismatch;
  const used_pairs *used; /* pairs that no path may use again, not owned; NULL: none */
} score_table;

/* Builds the table. `letters` are the alphabet's letters in the order of their codes. Only the first
 * `unambiguous` letters can match. */
void score_table_build(score_table *table, const cla_scoring *scoring, const char *letters, int unambiguous);

/* Limits the table to the letters that occur in the query and in the target. They are given as one bit for
 * each code, with at least one bit set. If `match` and `mismatch` are the scores of all pairs that can
 * occur, the table needs no look-ups. Otherwise, pairs that cannot occur get the lowest score of those that
 * can. So EDNAFULL is as fast as match and mismatch scores if no sequence has ambiguous letters. */
void score_table_keep(score_table *table, uint32_t query_letters, uint32_t target_letters);

/* Forbids used pairs. Scores must then be looked up, because only kernels that look scores up can exclude
 * used pairs. */
void score_table_use(score_table *table, const cla_scoring *scoring, const used_pairs *used);

/* Finds the pairs with an ambiguous letter that a matrix scores as matches. In such a pair, the two letters
 * share a meaning, and the pair scores at least as much as each shared meaning with itself. Bit t of
 * matches[q] stands for the codes q and t. Only letters of the two given sets are considered
 * (sequence_letters_met). Returns false if there is no such pair. */
bool score_table_matches(uint32_t matches[CLA_MATRIX_STRIDE], const cla_scoring *scoring,
                         const letter_set *letters, uint32_t query_letters, uint32_t target_letters);

/* True if the scheme has scores for `letter`. */
bool score_table_knows(const cla_scoring *scoring, char letter);

/* Returns the number of units per point. */
static inline int32_t scoring_units(const cla_scoring *scoring) {
  return scoring->units > 0 ? scoring->units : 1;
}

/* Checks that both sequences have the same alphabet, and that the scheme has scores for all their letters.
 * Fails with CLA_ERROR_INPUT or CLA_ERROR_OPTION. The scheme itself must have been checked before. */
cla_status pair_letters_check(const cla_scoring *scoring, const cla_sequence *query,
                              const cla_sequence *target, cla_error *error);

/* Sets the default scheme of the pair's alphabet, if no scheme was chosen (by_letters). Values that the
 * user changed are kept. If the user changed values and the letters are proteins, by_letters remains set.
 * pair_letters_check then refuses the scheme. */
void pair_letters_scheme(cla_scoring *scoring, const cla_sequence *query, const cla_sequence *target);

/* Makes the table for the letters of the two sequences. */
void pair_letters_table(score_table *table, const cla_scoring *scoring, const cla_sequence *query,
                        const cla_sequence *target);

/* Makes the table for all letters of the sequence's alphabet. Paths on the query's other strand need it:
 * that strand may have letters that the query lacks. */
void pair_strands_table(score_table *table, const cla_scoring *scoring, const cla_sequence *sequence);

/* Makes the table for all letters of the scheme's alphabet. */
cla_status pair_letters_any_table(score_table *table, const cla_scoring *scoring, cla_error *error);

/* Return the greatest common divisor, at least 0. */
int64_t common_divisor(int64_t a, int64_t b);
__int128 common_divisor_wide(__int128 a, __int128 b);

#endif
