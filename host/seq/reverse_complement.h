#ifndef HOST_SEQ_REVERSE_COMPLEMENT_H
#define HOST_SEQ_REVERSE_COMPLEMENT_H

#include "seq/sequence.h"

/* The other strand of DNA: the complements of the letters, from the last to the first. */

/* The code of the complement by the code of a nucleotide: an IUPAC letter's stands for the complements of
 * what it stands for, so that R (A or G) and Y (C or T) change places, and S, W and N stay. */
extern const uint8_t nucleotide_complement[SEQUENCE_LETTER_COUNT];

/* `length` codes of nucleotides; the two do not overlap. */
void reverse_complement_codes(uint8_t *out, const uint8_t *codes, int64_t length);

/* CLA_ERROR_INPUT unless it is DNA. */
cla_status sequence_strand_check(const cla_sequence *sequence, cla_error *error);

/* A sequence of the other strand with the same name and location; the range is the one that holds the same
 * letters. CLA_ERROR_INPUT unless it is DNA, CLA_ERROR_MEMORY. The caller frees *out. */
cla_status sequence_reverse_complement(cla_sequence **out, const cla_sequence *sequence, cla_error *error);

/* One strand of a record of which nothing is copied. Positions count from the strand's first letter. */
typedef struct strand_letters {
  const uint8_t *codes; /* of the forward strand */
  int64_t length;
  bool reverse; /* of DNA only */
} strand_letters;

static inline uint8_t strand_code(const strand_letters *letters, int64_t position) {
  if (!letters->reverse) return letters->codes[position];
  return nucleotide_complement[letters->codes[letters->length - 1 - position]];
}

#endif
