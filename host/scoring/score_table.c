#include "scoring/score_table.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "scoring/lane_width.h"
#include "seq/sequence.h"

#define PLAIN_CODES 4 /* codes below this number can match without look-ups (UNAMBIGUOUS in common.clh) */

/* Returns the matrix row of `letter`, or of the letter that replaces it; -1 if there is none. */
static int matrix_row(const cla_scoring *scoring, char letter) {
  const char *found = letter ? strchr(scoring->letters, letter) : NULL;
  if (!found && letter == 'T') found = strchr(scoring->letters, 'U');
  if (!found && (letter == 'J' || letter == 'U' || letter == 'O')) found = strchr(scoring->letters, 'X');
  if (!found) found = strchr(scoring->letters, '*');
  return found ? (int)(found - scoring->letters) : -1;
}

bool score_table_knows(const cla_scoring *scoring, char letter) {
  return scoring->matrix_size == 0 || matrix_row(scoring, letter) >= 0;
}

static int32_t matrix_lowest(const cla_scoring *scoring) {
  int32_t lowest = scoring->matrix[0];
  for (int row = 0; row < scoring->matrix_size; row++)
    for (int column = 0; column < scoring->matrix_size; column++) {
      int32_t value = scoring->matrix[row * CLA_MATRIX_STRIDE + column];
      if (value < lowest) lowest = value;
    }
  return lowest;
}

static int64_t size(unsigned set) {
  return __builtin_popcount(set);
}

/* Returns the integer nearest to sum / count; halves are rounded up. count > 0. */
static int64_t rounded(int64_t sum, int64_t count) {
  const int64_t twice = 2 * sum + count, whole = twice / (2 * count);
  return twice % (2 * count) < 0 ? whole - 1 : whole;
}

/* Returns the expected score of two IUPAC letters. All bases that a letter stands for are assumed to be
 * equally likely. */
static int32_t expected_score(const cla_scoring *scoring, int query, int target) {
  const unsigned first = nucleotide_bases[query], second = nucleotide_bases[target];
  const int64_t pairs = size(first) * size(second), equal = size(first & second);
  return (int32_t)rounded(equal * scoring->match + (pairs - equal) * scoring->mismatch, pairs);
}

/* Returns the score of two nucleotide letters in a scheme without a matrix. At least one of the letters is
 * ambiguous. */
static int32_t ambiguous_score(const cla_scoring *scoring, int query, int target) {
  switch (scoring->ambiguity) {
    case CLA_AMBIGUITY_NEUTRAL: return 0;
    case CLA_AMBIGUITY_EXPECTED: return expected_score(scoring, query, target);
    default: return scoring->mismatch;
  }
}

static int32_t pair_score(const cla_scoring *scoring, const char *letters, int unambiguous, int query,
                          int target) {
  if (scoring->matrix_size == 0 && query < unambiguous && target < unambiguous)
    return query == target ? scoring->match : scoring->mismatch;
  if (scoring->matrix_size == 0) return ambiguous_score(scoring, query, target);
  int row = matrix_row(scoring, letters[query]), column = matrix_row(scoring, letters[target]);
  if (row < 0 || column < 0) return matrix_lowest(scoring);
  return scoring->matrix[row * CLA_MATRIX_STRIDE + column];
}

static bool occurs(uint32_t letters, int code) {
  return letters >> code & 1;
}

/* True if a kernel without look-ups scores the two codes as a match. */
static bool is_plain_match(int query, int target) {
  return query == target && query < PLAIN_CODES;
}

/* Sets the highest and the lowest score of the letters that occur. Also sets whether kernels must look scores
 * up because `match` and `mismatch` do not suffice. */
static void summarise(score_table *table, uint32_t query_letters, uint32_t target_letters) {
  const int32_t *known[2] = {NULL, NULL}; /* scores of the first mismatch and of the first match */
  table->needs_lookup = false;
  table->maximum = INT32_MIN;
  table->minimum = INT32_MAX;
  for (int query = 0; query < CLA_MATRIX_STRIDE; query++)
    for (int target = 0; target < CLA_MATRIX_STRIDE; target++) {
      if (!occurs(query_letters, query) || !occurs(target_letters, target)) continue;
      const int32_t *value = &table->score[query * CLA_MATRIX_STRIDE + target];
      const bool match = is_plain_match(query, target);
      if (!known[match]) known[match] = value;
      if (*value != *known[match]) table->needs_lookup = true;
      if (*value > table->maximum) table->maximum = *value;
      if (*value < table->minimum) table->minimum = *value;
    }
  table->mismatch = known[0] ? *known[0] : 0;
  table->match = known[1] ? *known[1] : 0;
  /* kernels without look-ups need a match score of at least 0 and a mismatch score of at most 0 */
  if (table->match < 0 || table->mismatch > 0) table->needs_lookup = true;
}

/* Gives pairs that cannot occur a score that does no harm: the lowest score or, without look-ups, the score
 * that kernels compute. */
static void fill_rest(score_table *table, uint32_t query_letters, uint32_t target_letters) {
  for (int query = 0; query < CLA_MATRIX_STRIDE; query++)
    for (int target = 0; target < CLA_MATRIX_STRIDE; target++) {
      if (occurs(query_letters, query) && occurs(target_letters, target)) continue;
      const int32_t plain = is_plain_match(query, target) ? table->match : table->mismatch;
      table->score[query * CLA_MATRIX_STRIDE + target] = table->needs_lookup ? table->minimum : plain;
    }
}

void score_table_build(score_table *table, const cla_scoring *scoring, const char *letters, int unambiguous) {
  int count = (int)strlen(letters);
  memset(table, 0, sizeof *table);
  for (int query = 0; query < count; query++)
    for (int target = 0; target < count; target++)
      table->score[query * CLA_MATRIX_STRIDE + target] =
          pair_score(scoring, letters, unambiguous, query, target);
  const uint32_t all = (uint32_t)((UINT64_C(1) << count) - 1);
  summarise(table, all, all);
  fill_rest(table, all, all);
}

/* Returns the unambiguous codes that a letter stands for, as a set of bits. */
static uint32_t meanings(const letter_set *letters, int code) {
  const uint32_t unambiguous = (uint32_t)((UINT64_C(1) << letters->unambiguous) - 1);
  if (code < letters->unambiguous) return UINT32_C(1) << code;
  if (letters->kind == CLA_ALPHABET_DNA) return nucleotide_bases[code];
  const uint8_t *codes = letters->codes;
  switch (letters->letters[code]) {
    case 'B': return UINT32_C(1) << codes['D'] | UINT32_C(1) << codes['N'];
    case 'Z': return UINT32_C(1) << codes['E'] | UINT32_C(1) << codes['Q'];
    case 'J': return UINT32_C(1) << codes['I'] | UINT32_C(1) << codes['L'];
    default: return unambiguous & ~(UINT32_C(1) << codes['*']);
  }
}

static bool scores_as_match(const cla_scoring *scoring, const letter_set *letters, int query, int target) {
  const uint32_t of_query = meanings(letters, query), of_target = meanings(letters, target);
  const int32_t score = pair_score(scoring, letters->letters, letters->unambiguous, query, target);
  if ((of_query & of_target) == 0 || score <= 0) return false;
  for (int code = 0; code < letters->unambiguous; code++)
    if ((of_query | of_target) >> code & 1 &&
        score < pair_score(scoring, letters->letters, letters->unambiguous, code, code))
      return false;
  return true;
}

bool score_table_matches(uint32_t matches[CLA_MATRIX_STRIDE], const cla_scoring *scoring,
                         const letter_set *letters, uint32_t query_letters, uint32_t target_letters) {
  bool any = false;
  memset(matches, 0, CLA_MATRIX_STRIDE * sizeof *matches);
  if (scoring->matrix_size == 0 || (query_letters | target_letters) >> letters->unambiguous == 0)
    return false;
  for (int query = 0; letters->letters[query]; query++)
    for (int target = 0; letters->letters[target]; target++) {
      const bool plain = query < letters->unambiguous && target < letters->unambiguous;
      if (plain || !occurs(query_letters, query) || !occurs(target_letters, target)) continue;
      if (!scores_as_match(scoring, letters, query, target)) continue;
      matches[query] |= UINT32_C(1) << target;
      any = true;
    }
  return any;
}

void score_table_keep(score_table *table, uint32_t query_letters, uint32_t target_letters) {
  if (!table->needs_lookup) return;
  summarise(table, query_letters, target_letters);
  fill_rest(table, query_letters, target_letters);
}

void score_table_use(score_table *table, const cla_scoring *scoring, const used_pairs *used) {
  const int32_t lowest = lane_width_clamp(INT32_MIN, scoring);
  table->used = used;
  table->needs_lookup = true;
  if (lowest < table->minimum) table->minimum = lowest;
}

static cla_status check_known(const cla_scoring *scoring, const cla_sequence *sequence, const char *role,
                              cla_error *error) {
  const letter_set *letters = sequence_alphabet(sequence);
  for (int code = 0; letters->letters[code]; code++) {
    if (!(sequence_letters_met(sequence) >> code & 1) || score_table_knows(scoring, letters->letters[code]))
      continue;
    return error_set(error, CLA_ERROR_INPUT,
                     "the %s has '%c' at position %lld, which the score matrix %s has not, nor '*' for other "
                     "letters; complete the matrix or use another one",
                     role, letters->letters[code], (long long)sequence_find(sequence, (uint8_t)code) + 1,
                     scoring->matrix_name);
  }
  return CLA_OK;
}

cla_status pair_letters_check(const cla_scoring *scoring, const cla_sequence *query,
                              const cla_sequence *target, cla_error *error) {
  const cla_alphabet first = cla_sequence_alphabet(query), second = cla_sequence_alphabet(target);
  if (first != second || strcmp(sequence_alphabet(query)->letters, sequence_alphabet(target)->letters) != 0)
    return error_set(error, CLA_ERROR_INPUT,
                     "the query's letters are %s, the target's %s; give two sequences of one alphabet",
                     cla_alphabet_name(first), cla_alphabet_name(second));
  if (first == CLA_ALPHABET_OWN && strcmp(sequence_alphabet(query)->letters, scoring->letters) != 0)
    return error_set(
        error, CLA_ERROR_OPTION,
        "the sequences' own letters are %s, those of the score matrix are not; read the sequences "
        "with the matrix' letters",
        sequence_alphabet(query)->letters);
  if (first == CLA_ALPHABET_PROTEIN && scoring->by_letters && scoring->matrix_size == 0)
    return error_set(error, CLA_ERROR_OPTION,
                     "the sequences are proteins, and the scoring is the default of DNA, or that with some "
                     "values changed; choose one of proteins with cla_scoring_init_for, or begin with "
                     "cla_scoring_init for a match and mismatch score");
  if (first != CLA_ALPHABET_DNA && scoring->ambiguity != CLA_AMBIGUITY_MISMATCH)
    return error_set(
        error, CLA_ERROR_OPTION,
        "scores of ambiguous nucleotides are for DNA, not for %s; leave the ambiguity at mismatch",
        cla_alphabet_name(first));
  cla_status status = check_known(scoring, query, "query", error);
  return status == CLA_OK ? check_known(scoring, target, "target", error) : status;
}

/* True if the scheme still has the scores of cla_scoring_init. */
static bool is_untouched(const cla_scoring *scoring) {
  cla_scoring first;
  cla_scoring_init(&first);
  return scoring->match == first.match && scoring->mismatch == first.mismatch &&
         memcmp(scoring->gap, first.gap, sizeof first.gap) == 0 &&
         scoring->matrix_size == first.matrix_size && scoring->ambiguity == first.ambiguity &&
         scoring->units == first.units;
}

void pair_letters_scheme(cla_scoring *scoring, const cla_sequence *query, const cla_sequence *target) {
  if (!scoring->by_letters) return;
  const cla_alphabet alphabet = cla_sequence_alphabet(cla_sequence_length(query) > 0 ? query : target);
  if (is_untouched(scoring))
    cla_scoring_init_for(scoring, alphabet);
  else if (alphabet != CLA_ALPHABET_PROTEIN)
    scoring->by_letters = false;
}

void pair_strands_table(score_table *table, const cla_scoring *scoring, const cla_sequence *sequence) {
  const letter_set *letters = sequence_alphabet(sequence);
  score_table_build(table, scoring, letters->letters, letters->unambiguous);
}

void pair_letters_table(score_table *table, const cla_scoring *scoring, const cla_sequence *query,
                        const cla_sequence *target) {
  pair_strands_table(table, scoring, query);
  score_table_keep(table, sequence_letters_met(query), sequence_letters_met(target));
}

cla_status pair_letters_any_table(score_table *table, const cla_scoring *scoring, cla_error *error) {
  const cla_alphabet kind = scoring->matrix_size > 0 ? cla_scoring_alphabet(scoring) : CLA_ALPHABET_DNA;
  const letter_set *letters = NULL;
  letter_set room;
  cla_status status = alphabet_choose(&letters, &room, kind, scoring->letters, error);
  if (status == CLA_OK) score_table_build(table, scoring, letters->letters, letters->unambiguous);
  return status;
}
