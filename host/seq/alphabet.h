#ifndef HOST_SEQ_ALPHABET_H
#define HOST_SEQ_ALPHABET_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alphabet.h"
#include "clalign/status.h"

#define ALPHABET_NO_CODE 255
#define ALPHABET_LETTERS_MOST 32

/* The letters of one kind of sequence in the order of their codes. */
typedef struct letter_set {
  cla_alphabet kind;
  int unambiguous; /* codes below this number stand for one residue each, and can match */
  char letters[ALPHABET_LETTERS_MOST + 1];
  /* Code of each byte, in either case; ALPHABET_NO_CODE: the set does not contain the letter. */
  uint8_t codes[256];
} letter_set;

extern const letter_set alphabet_dna, alphabet_protein;

/* Sets *out to the alphabet of that kind. CLA_ALPHABET_OWN is built in *room from `own`, which contains the
 * letters of a matrix. Fails with CLA_ERROR_OPTION if there is no such kind, or if `own` contains no letters,
 * too many letters, or a letter twice. */
cla_status alphabet_choose(const letter_set **out, letter_set *room, cla_alphabet kind, const char *own,
                           cla_error *error);

/* True if `letter`, in either case, can stand for an amino acid but not for a nucleotide: E F I J L O P Q X Z
 * and '*'. */
bool alphabet_is_amino_only(int letter);

/* Counts of codes, and the first position of each. Zero-initialise. */
typedef struct letter_tally {
  int64_t letters, counts[ALPHABET_LETTERS_MOST];
  int64_t first[ALPHABET_LETTERS_MOST]; /* first position of each code that occurs */
} letter_tally;

/* Adds the next `count` codes of a sequence to the tally. */
void letter_tally_add(letter_tally *tally, const uint8_t *codes, int64_t count);

/* Convert a tally, or codes, from alphabet_protein to alphabet_dna. All letters must be in both alphabets. */
void letter_tally_turn_into_dna(letter_tally *tally);
void alphabet_turn_into_dna(uint8_t *codes, int64_t length);

/* Like alphabet_detect, but decides from a tally of alphabet_protein's codes, with at least one letter. Does
 * not change the tally. */
cla_status alphabet_tell(const letter_set **out, const letter_tally *tally, const char *record,
                         cla_error *error);

/* Decides by the rule in clalign/sequence.h whether a sequence of `length` >= 1 letters, encoded by
 * alphabet_protein, is a protein or DNA. If it is DNA, converts the codes to those of alphabet_dna. Fails
 * with CLA_ERROR_INPUT if the rule does not decide. */
cla_status alphabet_detect(const letter_set **out, uint8_t *codes, int64_t length, const char *record,
                           cla_error *error);

/* Conversion of letters to codes and back, with vector instructions where the machine has them. */

/* Writes the codes of the bytes before the first byte that is no letter. Returns the number of codes. */
int64_t letter_codes_of(uint8_t *codes, const letter_set *set, const unsigned char *bytes, int64_t count);

/* Returns the codes that occur, as a bit set: bit i is set if code i occurs. */
uint32_t letter_codes_met(const uint8_t *codes, int64_t count);

/* bytes_outside returns true if some byte is outside the range least .. most. bytes_within returns the number
 * of bytes inside the range. */
bool bytes_outside(const unsigned char *bytes, int64_t count, unsigned char least, unsigned char most);
int64_t bytes_within(const unsigned char *bytes, int64_t count, unsigned char least, unsigned char most);

/* Writes the letters of the codes. Returns the codes that occur, as a bit set: bit i is set if code i
 * occurs. */
uint32_t letter_codes_spell(char *letters, const letter_set *set, const uint8_t *codes, int64_t count);

#endif
