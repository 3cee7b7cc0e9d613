#include "seq/word_index.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "seq/sequence.h"

/* Threads share the words: each goes through the whole sequence for its part of them. So a part's counters
 * are looked at in a small range of memory, and no two threads write into one. */
#define PART_WORDS (INT64_C(1) << 20) /* of a part, at most */
#define BLOCK 1024                    /* letters whose words of a part are gathered, then counted */

typedef struct index_work {
  word_index *index;
  const uint8_t *codes;
  int64_t letters, words, parts;
  bool counted; /* places are to be filled in; else words are counted */
  atomic_llong next;
} index_work;

/* Goes through the words of a sequence. Begins with at = 0 and zeros. */
typedef struct word_reader {
  int64_t at, value; /* the next letter, and the last ones, two bits each */
  int64_t known;     /* unambiguous letters up to there */
} word_reader;

/* Words from `first` on to before `end` that end in a block, in order. */
typedef struct block_words {
  int64_t first, end, count;
  int32_t values[BLOCK], places[BLOCK];
} block_words;

/* Without branches that depend on letters. */
static void gather_words(block_words *out, word_reader *r, const index_work *w) {
  const int size = w->index->word;
  const int64_t end = smaller(r->at + BLOCK, w->letters), mask = w->words - 1;
  const uint64_t words = (uint64_t)(out->end - out->first);
  int64_t count = 0;
  for (int64_t at = r->at; at < end; at++) {
    const uint8_t code = w->codes[at];
    r->value = (r->value << 2 | (code & 3)) & mask;
    r->known = code < SEQUENCE_UNAMBIGUOUS ? r->known + 1 : 0;
    out->values[count] = (int32_t)r->value;
    out->places[count] = (int32_t)(at - size + 1);
    count += ((uint64_t)(r->value - out->first) < words) & (r->known >= size);
  }
  r->at = end;
  out->count = count;
}

static void take_parts(void *user, int thread) {
  index_work *w = user;
  int32_t *next = w->index->begins + 1; /* after the second time, the begins */
  block_words b;
  (void)thread;
  for (int64_t part; (part = atomic_fetch_add(&w->next, 1)) < w->parts;) {
    b.first = w->words * part / w->parts;
    b.end = w->words * (part + 1) / w->parts;
    for (word_reader r = {0}; r.at < w->letters;) {
      gather_words(&b, &r, w);
      for (int64_t i = 0; i < b.count && !w->counted; i++) next[b.values[i] + 1]++;
      for (int64_t i = 0; i < b.count && w->counted; i++) w->index->places[next[b.values[i]]++] = b.places[i];
    }
  }
}

static void go_through(index_work *w, int threads) {
  atomic_store(&w->next, 0);
  parallel_run((int)smaller(threads, w->parts), take_parts, w);
}

cla_status word_index_make(word_index *out, const word_index_input *in, cla_error *error) {
  const int64_t words = INT64_C(1) << 2 * in->word;
  const int64_t parts = larger((words - 1) / PART_WORDS + 1, in->threads);
  index_work w = {.index = out,
                  .codes = in->codes,
                  .letters = in->letters,
                  .words = words,
                  .parts = smaller(parts, words)};
  out->word = in->word;
  cla_status status =
      allocate_zeros((void **)&out->begins, words + 2, sizeof *out->begins, "words of the target", error);
  if (status == CLA_OK)
    status =
        allocate_array((void **)&out->places, in->letters, sizeof *out->places, "words of the target", error);
  if (status != CLA_OK) return status;
  go_through(&w, in->threads);
  for (int64_t i = 1; i <= words; i++) out->begins[i + 1] += out->begins[i];
  w.counted = true;
  go_through(&w, in->threads);
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

int64_t word_index_value(const word_index *index, const uint8_t *codes) {
  int64_t value = 0;
  for (int i = 0; i < index->word; i++) {
    if (codes[i] >= SEQUENCE_UNAMBIGUOUS) return -1;
    value = value << 2 | codes[i];
  }
  return value;
}

void word_index_find_value(const int32_t **places, int64_t *count, const word_index *index, int64_t value,
                           word_range range) {
  const int64_t end = index->begins[value + 1];
  const int64_t from = lower_place(index, index->begins[value], end, range.first);
  *places = index->places + from;
  *count = lower_place(index, from, end, range.last + 1) - from;
}

bool word_index_find(const int32_t **places, int64_t *count, const word_index *index, const uint8_t *codes,
                     word_range range) {
  const int64_t value = word_index_value(index, codes);
  if (value >= 0) word_index_find_value(places, count, index, value, range);
  return value >= 0;
}
