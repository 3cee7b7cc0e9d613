#ifndef HOST_SEQ_WORD_INDEX_H
#define HOST_SEQ_WORD_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

#define WORD_INDEX_LETTERS_MOST 12

/* Where each word of unambiguous letters stands in a sequence. Begins as zero. */
typedef struct word_index {
  int word;        /* letters */
  int32_t *begins; /* by word: of its places; one more */
  int32_t *places; /* ascending */
} word_index;

/* A sequence of fewer than 2^31 letters, words of 1 .. WORD_INDEX_LETTERS_MOST, and the threads that make
 * their index. */
typedef struct word_index_input {
  const uint8_t *codes;
  int64_t letters;
  int word, threads;
} word_index_input;

/* CLA_ERROR_MEMORY. */
cla_status word_index_make(word_index *out, const word_index_input *in, cla_error *error);
void word_index_free(word_index *index);

/* The places first .. last of the word that begins at `codes`; false where it has an ambiguous letter. */
bool word_index_find(const int32_t **places, int64_t *count, const word_index *index, const uint8_t *codes,
                     int64_t first, int64_t last);

#endif
