#include "seq/word_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "seq/sequence.h"

/* Goes through the words of a sequence. Begins with at = -1 and zeros. */
typedef struct word_reader {
  const uint8_t *codes;
  int64_t letters;
  int size;
  int64_t at, value; /* the word's last letter, and its letters, two bits each */
  int64_t known;     /* unambiguous letters up to there */
} word_reader;

static bool next_word(word_reader *r) {
  while (++r->at < r->letters) {
    const uint8_t code = r->codes[r->at];
    r->value = (r->value << 2 | (code & 3)) & ((INT64_C(1) << 2 * r->size) - 1);
    r->known = code < SEQUENCE_UNAMBIGUOUS ? r->known + 1 : 0;
    if (r->known >= r->size) return true;
  }
  return false;
}

cla_status word_index_make(word_index *out, const uint8_t *codes, int64_t letters, int word,
                           cla_error *error) {
  const int64_t words = INT64_C(1) << 2 * word;
  out->word = word;
  cla_status status =
      allocate_zeros((void **)&out->begins, words + 2, sizeof *out->begins, "words of the target", error);
  if (status == CLA_OK)
    status =
        allocate_array((void **)&out->places, letters, sizeof *out->places, "words of the target", error);
  if (status != CLA_OK) return status;
  int32_t *next = out->begins + 1; /* after the second pass, the begins */
  const word_reader begin = {.codes = codes, .letters = letters, .size = word, .at = -1};
  for (word_reader r = begin; next_word(&r);) next[r.value + 1]++;
  for (int64_t i = 1; i <= words; i++) next[i] += next[i - 1];
  for (word_reader r = begin; next_word(&r);) out->places[next[r.value]++] = (int32_t)(r.at - word + 1);
  return CLA_OK;
}

void word_index_free(word_index *index) {
  free(index->begins);
  free(index->places);
  *index = (word_index){0};
}

/* The first of the places from `from` on that is `least` or more. */
static int64_t lower_place(const word_index *index, int64_t from, int64_t end, int64_t least) {
  while (from < end) {
    const int64_t middle = from + (end - from) / 2;
    if (index->places[middle] < least)
      from = middle + 1;
    else
      end = middle;
  }
  return from;
}

bool word_index_find(const int32_t **places, int64_t *count, const word_index *index, const uint8_t *codes,
                     int64_t first, int64_t last) {
  int64_t value = 0;
  for (int i = 0; i < index->word; i++) {
    if (codes[i] >= SEQUENCE_UNAMBIGUOUS) return false;
    value = value << 2 | codes[i];
  }
  const int64_t end = index->begins[value + 1];
  const int64_t from = lower_place(index, index->begins[value], end, first);
  *places = index->places + from;
  *count = lower_place(index, from, end, last + 1) - from;
  return true;
}
