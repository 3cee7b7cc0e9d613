/* Counts the words that the strands of a pair have in common. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "clalign/align.h"
#include "path/common_words.h"
#include "seq/sequence.h"

/* Two random sequences of 3 million letters have less than one common word of this length. A sequence and
 * its copy with a fifth of the letters changed have over a hundred. */
#define WORD_LETTERS 18
/* Binary logarithm of the approximate number of words that are sampled from the longer sequence. */
#define WORDS_LOG 13

static cla_status count_words(int64_t *out, const bound_pair *pair, cla_error *error) {
  common_words words = {.sorted = 0};
  const bound_area whole = {.query_stop = pair->problem.rows, .target_stop = pair->problem.columns};
  word_choice choice = {.letters = WORD_LETTERS};
  const int64_t letters = larger(pair->problem.rows, pair->problem.columns);
  while (letters >> (WORDS_LOG + choice.sampling_bits) > 0 && choice.sampling_bits < SEED_SAMPLING_LIMIT)
    choice.sampling_bits++;
  cla_status status = common_words_find(&words, pair, &whole, choice, 1, error);
  *out = words.places.count;
  free(words.places.items);
  return status;
}

cla_status cla_strand_words(int64_t out[2], const cla_sequence *query, const cla_sequence *target,
                            cla_error *error) {
  bound_pair pair = {.problem = pair_problem_of(query, target, (path_scheme){0})};
  uint8_t *turned = NULL;
  out[0] = out[1] = 0;
  if (cla_sequence_alphabet(query) != CLA_ALPHABET_DNA || cla_sequence_alphabet(target) != CLA_ALPHABET_DNA)
    return error_set(error, CLA_ERROR_OPTION, "only DNA has another strand; compare DNA");
  if (pair.problem.rows < WORD_LETTERS || pair.problem.columns < WORD_LETTERS) return CLA_OK;
  cla_status status = count_words(&out[CLA_STRAND_FORWARD], &pair, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&turned, pair.problem.rows, "the other strand", error);
  if (status == CLA_OK) {
    reverse_complement_codes(turned, pair.problem.query, pair.problem.rows);
    pair.problem.query = turned;
    status = count_words(&out[CLA_STRAND_REVERSE], &pair, error);
  }
  free(turned);
  return status;
}
