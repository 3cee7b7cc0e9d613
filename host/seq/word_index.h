#ifndef HOST_SEQ_WORD_INDEX_H
#define HOST_SEQ_WORD_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

#define WORD_INDEX_LETTERS_MOST 12

/* The places of all words of unambiguous letters in a sequence. Each word has its own hash of 2 x word bits.
 * The high bits are the bucket, the low ones the tag. Begins as zero. */
typedef struct word_index {
  int word;        /* letters */
  int tag_bits;    /* <= 8 */
  int32_t *begins; /* by bucket, and one more; index of its first place in `places` */
  int32_t *places; /* places; in a bucket by tag, then ascending */
  uint8_t *tags;   /* theirs */
} word_index;

/* A sequence of fewer than 2^31 letters, words of 1 .. WORD_INDEX_LETTERS_MOST, and the threads that make
 * their index. */
typedef struct word_index_input {
  const uint8_t *codes;
  int64_t letters;
  int word, threads;
  int64_t round_words; /* words sorted at a time, rounded up to parts; 0: chosen; others for tests */
} word_index_input;

/* CLA_ERROR_MEMORY. */
cla_status word_index_make(word_index *out, const word_index_input *in, cla_error *error);
void word_index_free(word_index *index);

/* Places in a sequence; the last one is within. */
typedef struct word_range {
  int64_t first, last;
} word_range;

/* The places in the range of the word that begins at `codes`; false where it has an ambiguous letter. */
bool word_index_find(const int32_t **places, int64_t *count, const word_index *index, const uint8_t *codes,
                     word_range range);

/* word_index_find in steps, so that memory of many words can be fetched at once. First the word's hash, -1 if
 * it has an ambiguous letter. Then word_index_fetch_begin and word_index_fetch_places fetch its memory. At
 * last its places. */
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
