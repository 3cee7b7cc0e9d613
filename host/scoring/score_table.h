#ifndef HOST_SCORING_SCORE_TABLE_H
#define HOST_SCORING_SCORE_TABLE_H

#include <stdbool.h>

#include "clalign/scoring.h"
#include "clalign/sequence.h"
#include "scoring/gap_costs.h"
#include "scoring/used_pairs.h"
#include "seq/alphabet.h"

/* A scheme's scores by letter codes (seq/sequence.h), whatever way the scheme was given in. */
typedef struct score_table {
  int32_t score[CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE]; /* [query code * CLA_MATRIX_STRIDE + target code] */
  int32_t maximum, minimum;                             /* over the codes of `letters` */
  bool needs_lookup; /* false: equal codes below 4 score `match`, all other pairs `mismatch` */
  int32_t match, mismatch;
  const used_pairs *used; /* pairs that no path may make, whatever they score; not owned; NULL: none */
} score_table;

/* `letters` lists the alphabet's letters in the order of their codes; the first `unambiguous` of them can
 * match. */
void score_table_build(score_table *table, const cla_scoring *scoring, const char *letters, int unambiguous);

/* Says that only these letters occur in the query and in the target: a bit for each code, at least one. Where
 * the pairs that they can make need no look-up, the table gets the scores of the plainest scheme that is
 * right for them; else pairs that cannot occur get the lowest score of those that can. So EDNAFULL is as fast
 * as match and mismatch for sequences without ambiguous letters. */
void score_table_keep(score_table *table, uint32_t query_letters, uint32_t target_letters);

/* Takes pairs away: no path may make them, which the kernels know only where they look scores up. */
void score_table_use(score_table *table, const cla_scoring *scoring, const used_pairs *used);

/* Of pairs with an ambiguous letter, those that a matrix scores as matches: bit t of matches[q] is for the
 * codes q and t. The two letters have a meaning in common, and score at least what each thing that one of
 * them stands for scores with itself. Only pairs of these letters are looked at (sequence_letters_met). False
 * if there is none. */
bool score_table_matches(uint32_t matches[CLA_MATRIX_STRIDE], const cla_scoring *scoring,
                         const letter_set *letters, uint32_t query_letters, uint32_t target_letters);

/* Whether the scheme says what `letter` scores. */
bool score_table_knows(const cla_scoring *scoring, char letter);

/* The units of a point. */
static inline int32_t scoring_units(const cla_scoring *scoring) {
  return scoring->units > 0 ? scoring->units : 1;
}

/* Whether the two sequences are of one alphabet and the scheme knows all their letters: CLA_OK, or
 * CLA_ERROR_INPUT or CLA_ERROR_OPTION that says what does not go together. The scheme itself has been
 * checked. */
cla_status pair_letters_check(const cla_scoring *scoring, const cla_sequence *query,
                              const cla_sequence *target, cla_error *error);

/* The scheme of the pair's alphabet where nobody has chosen one (by_letters), else the scheme as it is.
 * Changed values stay, and with them the mark for proteins, which pair_letters_check refuses. */
void pair_letters_scheme(cla_scoring *scoring, const cla_sequence *query, const cla_sequence *target);

/* The table of scores of the letters that the two sequences have. */
void pair_letters_table(score_table *table, const cla_scoring *scoring, const cla_sequence *query,
                        const cla_sequence *target);

/* The same of any letters that the scheme is for. */
cla_status pair_letters_any_table(score_table *table, const cla_scoring *scoring, cla_error *error);

#endif
