#ifndef HOST_SEQ_ALPHABET_H
#define HOST_SEQ_ALPHABET_H

#include <stdbool.h>
#include <stdint.h>

#define ALPHABET_NO_CODE 255

/* The code (seq/sequence.h) of every byte in either case; ALPHABET_NO_CODE for what is no letter of the
 * alphabet. */
extern const uint8_t alphabet_codes[256];

/* Whether `letter` (either case) means an amino acid but no nucleotide: E F I J L O P Q X Z and '*'. */
bool alphabet_is_amino_only(int letter);

#endif
