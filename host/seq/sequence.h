#ifndef HOST_SEQ_SEQUENCE_H
#define HOST_SEQ_SEQUENCE_H

#include "clalign/sequence.h"
#include "seq/alphabet.h"

/* Letter codes of nucleotides: A C G T are 0..3, then the IUPAC letters; U has T's code. */
#define SEQUENCE_LETTERS "ACGTRYSWKMBDHVN"
#define SEQUENCE_LETTER_COUNT 15
#define SEQUENCE_UNAMBIGUOUS 4 /* codes below it are unambiguous */

/* The codes of the whole record, one byte a letter; owned by the sequence. */
const uint8_t *sequence_codes(const cla_sequence *sequence);

/* What the codes mean; owned by the sequence or static. */
const letter_set *sequence_alphabet(const cla_sequence *sequence);

/* The codes that occur in the whole record, a bit each. */
uint32_t sequence_letters_met(const cla_sequence *sequence);

/* The first position of a code in the record, or -1. */
int64_t sequence_find(const cla_sequence *sequence, uint8_t code);

/* Letters of its range. */
static inline int64_t sequence_range_letters(const cla_sequence *sequence) {
  return cla_sequence_end(sequence) - cla_sequence_begin(sequence);
}

#endif
