#ifndef HOST_SEQ_LETTER_STORE_H
#define HOST_SEQ_LETTER_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"
#include "seq/alphabet.h"
#include "seq/letter_range.h"

#define LOWER_CASE ('a' - 'A')

/* Letters that are appended piece by piece and encoded, with one byte per letter. A letter outside the
 * alphabet does not end the appending, because the reader must find the end of the record anyway. The first
 * such letter is stored, and letter_store_finish reports it. */
typedef struct letter_store {
  uint8_t *codes; /* owned until letter_store_finish succeeds and the caller takes it */
  int64_t length, capacity;
  letter_range *range;        /* not owned; only letters of this range are kept; NULL: all letters */
  const letter_set *alphabet; /* NULL: not detected yet; codes are those of alphabet_protein */
  bool allow_empty; /* a record without letters is no error; if its alphabet is not known, it counts as DNA */
  bool skip_blanks; /* spaces and tabs are layout, not letters */
  bool keep_qualities; /* qualities of FASTQ are kept */
  uint8_t *qualities;  /* quality of each letter, starting from 0; owned like the codes; NULL: none */
  int64_t quality_capacity;
  bool keep_case; /* the case of letters is kept */
  uint8_t *lower; /* LOWER_CASE or 0 for each letter; owned like the codes; NULL: not kept */
  int64_t lower_capacity;
  int bad_letter;       /* the first byte that is no letter; valid if bad_position > 0 */
  int64_t bad_position; /* position of bad_letter, 1-based; 0: none */
} letter_store;

/* Appends letters. The caller must have zero-initialised the store and set its options. Fails with
 * CLA_ERROR_MEMORY. */
cla_status letter_store_append(letter_store *store, const unsigned char *bytes, int64_t count,
                               cla_error *error);

/* Shrinks the codes to their length and finds the alphabet. `record` describes the record for messages, for
 * example "record 'chr1' of 'a.fa'". Fails with CLA_ERROR_INPUT if there are no letters (unless allow_empty
 * is set), if a letter is outside the alphabet, or if the letters could be either DNA or a protein. */
cla_status letter_store_finish(letter_store *store, const char *record, cla_error *error);

/* Frees the codes and empties the store. Keeps alphabet, allow_empty, skip_blanks, keep_qualities, keep_case
 * and range. */
void letter_store_clear(letter_store *store);

/* Returns the number of the record's letters so far, including letters that are not kept. */
int64_t letter_store_letters(const letter_store *store);

/* Appends FASTQ's qualities after the `before` qualities appended earlier. If a byte is no quality, sets
 * *wrong to it. Fails with CLA_ERROR_MEMORY. */
cla_status letter_store_append_qualities(letter_store *store, const unsigned char *bytes, int64_t count,
                                         int64_t before, int *wrong, cla_error *error);

#define QUALITY_LEAST '!' /* FASTQ's letter for quality 0 */
#define QUALITY_MOST '~'  /* FASTQ's letter for the highest quality */

/* Sets `lower` to LOWER_CASE for each lower-case letter, and to 0 for all other letters. */
void letter_store_case(uint8_t *lower, const unsigned char *bytes, int64_t count);

/* Returns the number of bytes that are not blanks. This is how letter_store_append counts letters with
 * skip_blanks. */
int64_t letter_store_count(const unsigned char *bytes, int64_t count);

#endif
