#include "seq/word_index.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/key_sort.h"
#include "base/machine.h"
#include "seq/sequence.h"

/* The index is made in two steps. First, each thread takes pieces of the sequence, and distributes each
 * piece's words to parts; a part is a run of buckets. Then each thread takes parts, and sorts each part's
 * words by bucket and tag. A part is small enough for the processor's caches. */
#define PIECE_LETTERS (INT64_C(1) << 17)
#define PART_BITS 8
#define PARTS (1 << PART_BITS)
/* Number of words that are sorted in one round: the larger of ROUND_WORDS and letters / ROUND_SHARE. A
 * single part may have more. Each round reads the whole sequence. */
#define ROUND_WORDS (INT64_C(1) << 24)
#define ROUND_SHARE 8
#define TAG_BITS 8
#define TAGS (1 << TAG_BITS)
#define INSERTED_MOST 32 /* maximum number of words in a bucket that are sorted by insertion */

typedef struct placed_word {
  uint32_t hash;
  int32_t place;
} placed_word;

typedef enum step { COUNT, PLACE, SORT } step;

typedef struct index_work {
  word_index *index;
  const uint8_t *codes;
  int64_t letters, pieces;
  int parts, part_shift; /* number of parts; a hash is in part hash >> part_shift */
  step step;
  /* By piece and part: first the number of words, later the index in `words` of the next word. */
  int32_t (*at)[PARTS];
  int64_t begins[PARTS + 1];
  int first_part, end_part; /* range of parts that this round sorts */
  placed_word *words;       /* words of the round's parts */
  atomic_llong next;
} index_work;

/* A bijection that spreads words evenly over the buckets, regardless of which letters are frequent. */
static inline uint32_t hash_of(const word_index *index, uint32_t value) {
  return (value * UINT32_C(0x9e3779b1)) & (uint32_t)((UINT64_C(1) << 2 * index->word) - 1);
}

/* Processes the words that start in a piece. Step COUNT counts the words of each part. Step PLACE copies the
 * words of the round's parts into `words`. */
static void take_piece(index_work *w, int64_t piece) {
  const int size = w->index->word;
  const int64_t begin = piece * PIECE_LETTERS, end = smaller(begin + PIECE_LETTERS + size - 1, w->letters);
  const uint32_t mask = (uint32_t)((UINT64_C(1) << 2 * size) - 1);
  const bool counts = w->step == COUNT;
  int32_t *at = w->at[piece];
  uint32_t value = 0;
  int64_t known = 0;
  for (int64_t i = begin; i < end; i++) {
    const uint8_t code = w->codes[i];
    value = (value << 2 | (code & 3)) & mask;
    known = code < SEQUENCE_UNAMBIGUOUS ? known + 1 : 0;
    if (known < size) continue;
    const uint32_t hash = hash_of(w->index, value);
    const int part = (int)(hash >> w->part_shift);
    if (counts)
      at[part]++;
    else if (part >= w->first_part && part < w->end_part)
      w->words[at[part]++] = (placed_word){.hash = hash, .place = (int32_t)(i - size + 1)};
  }
}

/* Sorts the words of a bucket by tag, by insertion. Words with equal tags keep their order. */
static void insert_words(int32_t *places, uint8_t *tags, int64_t count) {
  for (int64_t i = 1; i < count; i++) {
    const int32_t place = places[i];
    const uint8_t tag = tags[i];
    int64_t to = i;
    for (; to > 0 && tags[to - 1] > tag; to--) {
      places[to] = places[to - 1];
      tags[to] = tags[to - 1];
    }
    places[to] = place;
    tags[to] = tag;
  }
}

/* Sorts the words of a bucket by tag, by counting. `copy` must have room for `count` words. */
static void count_words(int32_t *places, uint8_t *tags, int64_t count, placed_word *copy) {
  int64_t begins[TAGS] = {0}, sum = 0;
  for (int64_t i = 0; i < count; i++) copy[i] = (placed_word){.hash = tags[i], .place = places[i]};
  for (int64_t i = 0; i < count; i++) begins[tags[i]]++;
  for (int tag = 0; tag < TAGS; tag++) {
    const int64_t here = begins[tag];
    begins[tag] = sum;
    sum += here;
  }
  for (int64_t i = 0; i < count; i++) {
    const int64_t to = begins[copy[i].hash]++;
    places[to] = copy[i].place;
    tags[to] = (uint8_t)copy[i].hash;
  }
}

/* Sorts the words of a part into its buckets, and each bucket by tag. */
static void sort_part(const index_work *w, int part) {
  const word_index *index = w->index;
  const int tag_bits = index->tag_bits;
  const int64_t first = (int64_t)part << w->part_shift >> tag_bits,
                end = (int64_t)(part + 1) << w->part_shift >> tag_bits;
  const int64_t count = w->begins[part + 1] - w->begins[part];
  placed_word *words = w->words + (w->begins[part] - w->begins[w->first_part]);
  int32_t *begins = index->begins;
  for (int64_t i = 0; i < count; i++) begins[words[i].hash >> tag_bits]++;
  for (int64_t b = first, at = w->begins[part]; b < end; b++) {
    const int32_t here = begins[b];
    begins[b] = (int32_t)at;
    at += here;
  }
  for (int64_t i = 0; i < count; i++) {
    const int32_t to = begins[words[i].hash >> tag_bits]++;
    index->places[to] = words[i].place;
    index->tags[to] = (uint8_t)(words[i].hash & ((UINT32_C(1) << tag_bits) - 1));
  }
  for (int64_t b = first, at = w->begins[part], stop; b < end;
       b++, at = stop) { /* begins[b] is the end of bucket b at this point */
    stop = begins[b];
    begins[b] = (int32_t)at;
    if (tag_bits > 0 && stop - at <= INSERTED_MOST)
      insert_words(index->places + at, index->tags + at, stop - at);
    else if (tag_bits > 0)
      count_words(index->places + at, index->tags + at, stop - at, words);
  }
}

static int64_t steps_of(const index_work *w) {
  return w->step == SORT ? w->end_part - w->first_part : w->pieces;
}

static void take_steps(void *user, int thread) {
  index_work *w = user;
  (void)thread;
  for (int64_t i; (i = atomic_fetch_add(&w->next, 1)) < steps_of(w);)
    if (w->step == SORT)
      sort_part(w, w->first_part + (int)i);
    else
      take_piece(w, i);
}

static void take_all(index_work *w, step of, int threads) {
  w->step = of;
  atomic_store(&w->next, 0);
  parallel_run((int)smaller(threads, steps_of(w)), take_steps, w);
}

/* Starts a round: sets the index in `words` of the first word of each piece and part. */
static void begin_round(index_work *w) {
  const int64_t before = w->begins[w->first_part];
  for (int part = w->first_part; part < w->end_part; part++) {
    int64_t at = w->begins[part] - before;
    for (int64_t i = 0; i < w->pieces; i++) {
      const int32_t here = w->at[i][part];
      w->at[i][part] = (int32_t)at;
      at += here;
    }
  }
}

/* Puts words into buckets, in rounds of several parts. */
static cla_status sort_all(index_work *w, const word_index_input *in, cla_error *error) {
  const int64_t chosen = larger(ROUND_WORDS, in->letters / ROUND_SHARE);
  const int64_t round = in->round_words > 0 ? in->round_words : chosen;
  int64_t most = 0;
  for (int part = 0; part < w->parts; part++) most = larger(most, w->begins[part + 1] - w->begins[part]);
  cla_status status = ALLOCATE_ARRAY(&w->words, smaller(w->begins[w->parts], larger(round, most)),
                                     "words of the target", error);
  for (w->end_part = 0; status == CLA_OK && w->end_part < w->parts;) {
    w->first_part = w->end_part++;
    while (w->end_part < w->parts && w->begins[w->end_part + 1] - w->begins[w->first_part] <= round)
      w->end_part++;
    begin_round(w);
    take_all(w, PLACE, in->threads);
    take_all(w, SORT, in->threads);
  }
  return status;
}

cla_status word_index_make(word_index *out, const word_index_input *in, cla_error *error) {
  const char *what = "words of the target";
  const int bits = 2 * in->word;
  const int bucket_bits = (int)smaller(bits, larger(key_bits((uint64_t)in->letters), bits - TAG_BITS));
  const int part_bits = (int)smaller(PART_BITS, bucket_bits);
  index_work w = {.index = out,
                  .codes = in->codes,
                  .letters = in->letters,
                  .pieces = (in->letters + PIECE_LETTERS - 1) / PIECE_LETTERS,
                  .parts = 1 << part_bits,
                  .part_shift = bits - part_bits};
  out->word = in->word;
  out->tag_bits = bits - bucket_bits;
  cla_status status = ALLOCATE_ZEROS(&w.at, w.pieces, what, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&out->begins, (INT64_C(1) << bucket_bits) + 1, what, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&out->places, in->letters, what, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&out->tags, in->letters, what, error);
  if (status == CLA_OK) {
    take_all(&w, COUNT, in->threads);
    for (int part = 0; part < w.parts; part++) {
      w.begins[part + 1] = w.begins[part];
      for (int64_t i = 0; i < w.pieces; i++) w.begins[part + 1] += w.at[i][part];
    }
    out->begins[INT64_C(1) << bucket_bits] = (int32_t)w.begins[w.parts];
    status = sort_all(&w, in, error);
  }
  free(w.words);
  free(w.at);
  return status;
}

void word_index_free(word_index *index) {
  free(index->begins);
  free(index->places);
  free(index->tags);
  *index = (word_index){0};
}

/* Returns the index of the first place in [from, end) that is at least `least`; `end` if there is none. */
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

/* Returns the first index in [from, end) whose tag is at least `least`; `end` if there is none. */
static int64_t lower_tag(const word_index *index, int64_t from, int64_t end, int64_t least) {
  while (end - from > INSERTED_MOST) {
    const int64_t middle = from + (end - from) / 2;
    if (index->tags[middle] < least)
      from = middle + 1;
    else
      end = middle;
  }
  while (from < end && index->tags[from] < least) from++;
  return from;
}

int64_t word_index_hash(const word_index *index, const uint8_t *codes) {
  uint32_t value = 0;
  for (int i = 0; i < index->word; i++) {
    if (codes[i] >= SEQUENCE_UNAMBIGUOUS) return -1;
    value = value << 2 | codes[i];
  }
  return hash_of(index, value);
}

void word_index_find_hash(const int32_t **places, int64_t *count, const word_index *index, int64_t hash,
                          word_range range) {
  const int64_t bucket = hash >> index->tag_bits, tag = hash & ((INT64_C(1) << index->tag_bits) - 1);
  const int64_t begin = lower_tag(index, index->begins[bucket], index->begins[bucket + 1], tag);
  const int64_t end = lower_tag(index, begin, index->begins[bucket + 1], tag + 1);
  const int64_t from = lower_place(index, begin, end, range.first);
  *places = index->places + from;
  *count = lower_place(index, from, end, range.last + 1) - from;
}

bool word_index_find(const int32_t **places, int64_t *count, const word_index *index, const uint8_t *codes,
                     word_range range) {
  const int64_t hash = word_index_hash(index, codes);
  if (hash >= 0) word_index_find_hash(places, count, index, hash, range);
  return hash >= 0;
}
