#ifndef HOST_SEQ_LETTER_STORE_H
#define HOST_SEQ_LETTER_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"
#include "seq/alphabet.h"
#include "seq/letter_range.h"

#define LOWER_CASE ('a' - 'A')

/* Letters on their way to codes: one byte a letter, appended piece by piece. The first letter outside the
 * alphabet does not stop the appending (the reader must find the record's end anyway), it is remembered
 * and reported by letter_store_finish. */
typedef struct letter_store {
  uint8_t *codes; /* owned until letter_store_finish succeeds and the caller takes them */
  int64_t length, capacity;
  letter_range *range;        /* range whose letters alone are kept; NULL: all letters; not owned */
  const letter_set *alphabet; /* NULL: to be detected; until then codes are alphabet_protein's, which has
                               every letter of DNA too */
  bool allow_empty;           /* no letters are no error; the alphabet is then DNA, if it is not known */
  bool skip_blanks;           /* spaces and tabs are layout, not letters */
  bool keep_qualities;        /* FASTQ's qualities are kept */
  uint8_t *qualities;         /* by letter, from 0; owned like the codes; NULL: none */
  int64_t quality_capacity;
  bool keep_case; /* the case of letters is kept */
  uint8_t *lower; /* by letter; LOWER_CASE or 0; owned like the codes; NULL: not kept */
  int64_t lower_capacity;
  int bad_letter;       /* a byte, valid if bad_position > 0 */
  int64_t bad_position; /* 1-based; 0: none */
} letter_store;

/* Zero-initialise, set alphabet, allow_empty and skip_blanks, append. Returns CLA_OK or CLA_ERROR_MEMORY. */
cla_status letter_store_append(letter_store *store, const unsigned char *bytes, int64_t count,
                               cla_error *error);

/* Shrinks the codes to their length and finds the alphabet. CLA_ERROR_INPUT if there are no letters (without
 * allow_empty), if a letter is outside the alphabet, or if letters could be of either alphabet. record: the
 * record's description for messages, for example "record 'chr1' of 'a.fa'". */
cla_status letter_store_finish(letter_store *store, const char *record, cla_error *error);

/* Frees the codes and empties the store; alphabet, allow_empty, skip_blanks, keep_qualities,
 * keep_case and range stay. */
void letter_store_clear(letter_store *store);

/* Letters of the record so far, those that are not kept too. */
int64_t letter_store_letters(const letter_store *store);

/* Appends FASTQ's qualities behind the `before` earlier ones. *wrong: a byte that is no quality, or 0.
 * CLA_ERROR_MEMORY. */
cla_status letter_store_append_qualities(letter_store *store, const unsigned char *bytes, int64_t count,
                                         int64_t before, int *wrong, cla_error *error);

#define QUALITY_LEAST '!' /* FASTQ's letter for quality 0 */
#define QUALITY_MOST '~'  /* FASTQ's letter for the highest quality */

/* LOWER_CASE of letters in lower case, 0 of all others. */
void letter_store_case(uint8_t *lower, const unsigned char *bytes, int64_t count);

/* How many of `count` bytes letter_store_append would take for letters with skip_blanks. */
int64_t letter_store_count(const unsigned char *bytes, int64_t count);

#endif
