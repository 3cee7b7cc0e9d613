#ifndef HOST_SEQ_WORD_INDEX_H
#define HOST_SEQ_WORD_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

#define WORD_INDEX_LETTERS_MOST 12

/* The places of all words of a sequence, except words with an ambiguous letter. Each word has its own hash of
 * 2 x `word` bits: the high bits are its bucket, the low bits its tag. Zero-initialise; the caller calls
 * word_index_free. */
typedef struct word_index {
  int word;     /* letters of a word */
  int tag_bits; /* bits of a tag, at most 8 */
  /* For each bucket, the index in `places` of its first place; then the end of the last bucket. */
  int32_t *begins;
  int32_t *places; /* places of words; sorted by bucket, then by tag, then by place */
  uint8_t *tags;   /* tag of the word at each place of `places` */
} word_index;

/* A sequence of fewer than 2^31 letters, the length of words (1 .. WORD_INDEX_LETTERS_MOST), and the number
 * of threads. */
typedef struct word_index_input {
  const uint8_t *codes;
  int64_t letters;
  int word, threads;
  /* Number of words sorted in a round, rounded up to whole parts; 0: word_index_make chooses. Other values
   * are for tests. */
  int64_t round_words;
} word_index_input;

/* Makes the index of a sequence's words. Fails with CLA_ERROR_MEMORY. */
cla_status word_index_make(word_index *out, const word_index_input *in, cla_error *error);
void word_index_free(word_index *index);

/* Places `first` to `last` of a sequence, both inclusive. */
typedef struct word_range {
  int64_t first, last;
} word_range;

/* Finds the places, within the range, of the word that starts at `codes`. Returns false if this word has an
 * ambiguous letter. */
bool word_index_find(const int32_t **places, int64_t *count, const word_index *index, const uint8_t *codes,
                     word_range range);

/* word_index_find in steps, so that the memory of many words can be prefetched. word_index_hash returns the
 * word's hash, or -1 if the word has an ambiguous letter. word_index_fetch_begin and then
 * word_index_fetch_places prefetch the word's memory. word_index_find_hash finds the places. */
int64_t word_index_hash(const word_index *index, const uint8_t *codes);
void word_index_find_hash(const int32_t **places, int64_t *count, const word_index *index, int64_t hash,
                          word_range range);

static inline void word_index_fetch_begin(const word_index *index, int64_t hash) {
  if (hash >= 0) __builtin_prefetch(&index->begins[hash >> index->tag_bits]);
}
static inline void word_index_fetch_places(const word_index *index, int64_t hash) {
  if (hash < 0) return;
  const int32_t begin = index->begins[hash >> index->tag_bits];
  __builtin_prefetch(&index->places[begin]);
  __builtin_prefetch(&index->tags[begin]);
}

#endif
