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
  int unambiguous; /* codes below it stand for one thing and can match */
  char letters[ALPHABET_LETTERS_MOST + 1];
  uint8_t codes[256]; /* by byte, in either case; ALPHABET_NO_CODE: no letter */
} letter_set;

extern const letter_set alphabet_dna, alphabet_protein;

/* The alphabet of that kind; CLA_ALPHABET_OWN is made in *room of the letters of a matrix. CLA_ERROR_OPTION
 * for no such kind, and for no, too many or equal letters. */
cla_status alphabet_choose(const letter_set **out, letter_set *room, cla_alphabet kind, const char *own,
                           cla_error *error);

/* Whether `letter` (either case) means an amino acid but no nucleotide: E F I J L O P Q X Z and '*'. */
bool alphabet_is_amino_only(int letter);

/* How often each code occurs, and where first. Zero-initialise. */
typedef struct letter_tally {
  int64_t letters, counts[ALPHABET_LETTERS_MOST];
  int64_t first[ALPHABET_LETTERS_MOST]; /* position of the first letter with each code that occurs */
} letter_tally;

/* Adds codes that follow. */
void letter_tally_add(letter_tally *tally, const uint8_t *codes, int64_t count);

/* Turns a tally, or codes, of alphabet_protein's into that of alphabet_dna's: each letter is of both. */
void letter_tally_turn_into_dna(letter_tally *tally);
void alphabet_turn_into_dna(uint8_t *codes, int64_t length);

/* alphabet_detect by a tally of alphabet_protein's codes, at least one, which stays as it is. */
cla_status alphabet_tell(const letter_set **out, const letter_tally *tally, const char *record,
                         cla_error *error);

/* Finds out whether `length` >= 1 codes of alphabet_protein are those of a protein or of DNA (the rule is in
 * clalign/sequence.h), and turns them into codes of *out. CLA_ERROR_INPUT if that cannot be said. */
cla_status alphabet_detect(const letter_set **out, uint8_t *codes, int64_t length, const char *record,
                           cla_error *error);

/* Letters to codes and back, many at once where the machine can. */

/* Writes the codes of the bytes up to the first one that is no letter; returns how many these are. */
int64_t letter_codes_of(uint8_t *codes, const letter_set *set, const unsigned char *bytes, int64_t count);

/* Returns the codes that occur, a bit each. */
uint32_t letter_codes_met(const uint8_t *codes, int64_t count);

/* Whether a byte is outside of least .. most; how many are not. */
bool bytes_outside(const unsigned char *bytes, int64_t count, unsigned char least, unsigned char most);
int64_t bytes_within(const unsigned char *bytes, int64_t count, unsigned char least, unsigned char most);

/* Writes the letters of the codes; returns the codes that occur, a bit each. */
uint32_t letter_codes_spell(char *letters, const letter_set *set, const uint8_t *codes, int64_t count);

#endif
