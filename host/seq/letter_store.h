#ifndef HOST_SEQ_LETTER_STORE_H
#define HOST_SEQ_LETTER_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"
#include "seq/alphabet.h"
#include "seq/letter_range.h"

#define LOWER_CASE ('a' - 'A')

/* Letters that are appended piece by piece and encoded, one byte a letter. The first letter outside the
 * alphabet does not stop the appending, because the reader must find the record's end anyway. That letter is
 * remembered, and letter_store_finish reports it. */
typedef struct letter_store {
  uint8_t *codes; /* owned until letter_store_finish succeeds and the caller takes them */
  int64_t length, capacity;
  letter_range *range;        /* only letters of this range are kept; NULL: all letters; not owned */
  const letter_set *alphabet; /* NULL: not yet detected, and the codes are those of alphabet_protein */
  bool allow_empty;    /* a record without letters is no error; if its alphabet is not known, it is DNA */
  bool skip_blanks;    /* spaces and tabs are layout, not letters */
  bool keep_qualities; /* qualities of FASTQ are kept */
  uint8_t *qualities;  /* quality of each letter, from 0; owned like the codes; NULL: none */
  int64_t quality_capacity;
  bool keep_case; /* the case of letters is kept */
  uint8_t *lower; /* LOWER_CASE or 0 for each letter; owned like the codes; NULL: not kept */
  int64_t lower_capacity;
  int bad_letter;       /* the first byte that is no letter, valid if bad_position > 0 */
  int64_t bad_position; /* position of bad_letter, 1-based; 0: none */
} letter_store;

/* Appends letters. The store must be zero-initialised, and its options set. CLA_ERROR_MEMORY. */
cla_status letter_store_append(letter_store *store, const unsigned char *bytes, int64_t count,
                               cla_error *error);

/* Shrinks the codes to their length and finds the alphabet. `record` describes the record for messages, for
 * example "record 'chr1' of 'a.fa'". CLA_ERROR_INPUT if there are no letters (without allow_empty), if a
 * letter is outside the alphabet, or if the letters could be DNA or a protein. */
cla_status letter_store_finish(letter_store *store, const char *record, cla_error *error);

/* Frees the codes and empties the store; alphabet, allow_empty, skip_blanks, keep_qualities,
 * keep_case and range stay. */
void letter_store_clear(letter_store *store);

/* Returns the number of the record's letters so far, kept or not. */
int64_t letter_store_letters(const letter_store *store);

/* Appends FASTQ's qualities behind the `before` earlier ones. *wrong is set to a byte that is no quality, if
 * there is one. CLA_ERROR_MEMORY. */
cla_status letter_store_append_qualities(letter_store *store, const unsigned char *bytes, int64_t count,
                                         int64_t before, int *wrong, cla_error *error);

#define QUALITY_LEAST '!' /* FASTQ's letter for quality 0 */
#define QUALITY_MOST '~'  /* FASTQ's letter for the highest quality */

/* Sets `lower` to LOWER_CASE for each letter in lower case, to 0 for all others. */
void letter_store_case(uint8_t *lower, const unsigned char *bytes, int64_t count);

/* Returns the number of bytes that are not blanks, as letter_store_append counts letters with skip_blanks. */
int64_t letter_store_count(const unsigned char *bytes, int64_t count);

#endif
