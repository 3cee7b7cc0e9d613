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
  letter_range *range; /* of the letters, which alone stays when it is finished; NULL: all; not owned */
  const letter_set *alphabet; /* NULL: to be detected; until then codes are alphabet_protein's, which has
                               every letter of DNA too */
  bool allow_empty;           /* no letters are no error; the alphabet is then DNA, if it is not known */
  bool skip_blanks;           /* spaces and tabs are layout, not letters */
  bool keep_qualities;        /* FASTQ's are wanted, too: */
  uint8_t *qualities;         /* as many as letters, from 0; owned likewise; NULL: none */
  int64_t quality_capacity;
  bool keep_case; /* of letters: */
  uint8_t *lower; /* as many as letters, LOWER_CASE or 0; owned likewise; NULL: not kept */
  int64_t lower_capacity;
  int bad_letter;       /* a byte, valid if bad_position > 0 */
  int64_t bad_position; /* 1-based; 0: none */
} letter_store;

/* Zero-initialise, set alphabet, allow_empty and skip_blanks, append. Returns CLA_OK or CLA_ERROR_MEMORY. */
cla_status letter_store_append(letter_store *store, const unsigned char *bytes, int64_t count,
                               cla_error *error);

/* Shrinks the codes to their length and finds the alphabet. CLA_ERROR_INPUT for no letters (without
 * allow_empty), a letter outside the alphabet, or letters that could be of either; `record` describes the
 * record for the message, for example "record 'chr1' of 'a.fa'". */
cla_status letter_store_finish(letter_store *store, const char *record, cla_error *error);

/* Frees the codes and empties the store; alphabet, allow_empty, skip_blanks, keep_qualities,
 * keep_case and range stay. */
void letter_store_clear(letter_store *store);

/* Letters of the record so far, those that are not kept too. */
int64_t letter_store_letters(const letter_store *store);

/* Appends FASTQ's qualities, of which there are `before` so far. CLA_ERROR_MEMORY. *wrong is a byte that is
 * none, or 0. */
cla_status letter_store_append_qualities(letter_store *store, const unsigned char *bytes, int64_t count,
                                         int64_t before, int *wrong, cla_error *error);

#define QUALITY_LEAST '!' /* FASTQ's quality of 0, */
#define QUALITY_MOST '~'  /* and the highest one */

/* LOWER_CASE of letters in lower case, 0 of all others. */
void letter_store_case(uint8_t *lower, const unsigned char *bytes, int64_t count);

/* How many of `count` bytes letter_store_append would take for letters with skip_blanks. */
int64_t letter_store_count(const unsigned char *bytes, int64_t count);

#endif
