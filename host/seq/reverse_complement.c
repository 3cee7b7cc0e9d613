#include "seq/reverse_complement.h"

#include <stddef.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/sequence_object.h"

/* A C G T R Y S W K M B D H V N become T G C A Y R S W M K V H D B N. */
const uint8_t nucleotide_complement[SEQUENCE_LETTER_COUNT] = {3, 2, 1,  0,  5,  4,  6, 7,
                                                              9, 8, 13, 12, 11, 10, 14};

void reverse_complement_codes(uint8_t *out, const uint8_t *codes, int64_t length) {
  for (int64_t i = 0; i < length; i++) out[i] = nucleotide_complement[codes[length - 1 - i]];
}

cla_status sequence_strand_check(const cla_sequence *sequence, cla_error *error) {
  const cla_alphabet kind = cla_sequence_alphabet(sequence);
  if (kind == CLA_ALPHABET_DNA) return CLA_OK;
  return error_set(error, CLA_ERROR_INPUT,
                   "only DNA has a reverse strand, and the query is of %s; use the strand forward",
                   kind == CLA_ALPHABET_PROTEIN ? "amino acids" : "own letters");
}

cla_status sequence_reverse_complement(cla_sequence **out, const cla_sequence *sequence, cla_error *error) {
  const int64_t length = cla_sequence_length(sequence);
  letter_store letters = {.alphabet = sequence_alphabet(sequence), .length = length, .capacity = length};
  *out = NULL;
  cla_status status = sequence_strand_check(sequence, error);
  if (status == CLA_OK)
    status = allocate_array((void **)&letters.codes, length, 1, "the reverse complement", error);
  if (status != CLA_OK) return status;
  reverse_complement_codes(letters.codes, sequence_codes(sequence), length);
  status = sequence_create(out, cla_sequence_name(sequence), cla_sequence_location(sequence), &letters,
                           length - cla_sequence_end(sequence), length - cla_sequence_begin(sequence), error);
  letter_store_clear(&letters);
  return status;
}
