#include "scoring/pair_letters.h"

#include <string.h>

#include "base/error.h"
#include "seq/sequence.h"

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
  if (first != CLA_ALPHABET_DNA && scoring->ambiguity != CLA_AMBIGUITY_MISMATCH)
    return error_set(
        error, CLA_ERROR_OPTION,
        "scores of ambiguous nucleotides are for DNA, not for %s; leave the ambiguity at mismatch",
        cla_alphabet_name(first));
  cla_status status = check_known(scoring, query, "query", error);
  return status == CLA_OK ? check_known(scoring, target, "target", error) : status;
}

void pair_letters_table(score_table *table, const cla_scoring *scoring, const cla_sequence *query,
                        const cla_sequence *target) {
  const letter_set *letters = sequence_alphabet(query);
  score_table_build(table, scoring, letters->letters, letters->unambiguous);
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
