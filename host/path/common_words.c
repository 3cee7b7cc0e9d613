/* Finds common words by hash. Threads first collect the words of pieces of the sequences. Then each thread
 * takes a range of hashes, sorts both sequences' words in that range, and merges them. */

#include "path/common_words.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "seq/sequence.h"

#define SORT_SHIFT 20 /* lowest bit of a hash by which words are sorted; sampling sets lower bits to 0 */
/* Number of bits by which words are sorted; words that agree in them are compared in full. */
#define SORT_BITS 22
#define PART_BITS 6
_Static_assert(SORT_SHIFT >= SEED_SAMPLING_LIMIT && SORT_SHIFT + SORT_BITS + PART_BITS <= 64,
               "bits of a hash");
_Static_assert(SORT_BITS % (2 * KEY_SORT_DIGIT) == 0, "an even number of digits: sorted in place");
#define PARTS (1 << PART_BITS)
#define PARTS_LEAST (INT64_C(1) << 14)   /* minimum letters of an area that is divided into several parts */
#define PIECE_LETTERS (INT64_C(1) << 17) /* letters of a piece */
/* If a sequence is at least this many times as long as the other one, a filter drops most of its words that
 * the other one lacks. */
#define FILTER_RATIO 8
#define FILTER_LOG_MOST 30 /* binary logarithm of a filter's maximum number of bits */
#define BLOCK 512          /* letters whose words are collected before they are added to the piece's list */
/* a word with more pairs of places is left out, because it does not help to choose an alignment */
#define FREQUENT 32

/* Hashes a word by the finalizer of splitmix64. This is a bijection of 64 bits, so equal hashes mean equal
 * words. The added first step maps the word 0, a run of A, to something other than 0. */
static inline uint64_t mix(uint64_t word) {
  word ^= UINT64_C(0x9e3779b97f4a7c15);
  word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
  return word ^ (word >> 31);
}

static inline uint64_t sorted_part(uint64_t hash) {
  return hash >> SORT_SHIFT & ((UINT64_C(1) << SORT_BITS) - 1);
}

enum { QUERY, TARGET, SEQUENCES };

/* The words of a sequence that start at letters [begin, end). */
typedef struct word_piece {
  int sequence;
  int64_t begin, end;
  keyed_list words; /* sorted by position */
  /* By part: at first the number of the piece's words in the part; later the index of the first of these
   * words in shared_words.words. */
  int64_t at[PARTS];
} word_piece;

typedef enum step { COLLECT, PLACE, PAIR } step;

/* The state that threads share. */
typedef struct shared_words {
  const bound_pair *pair;
  const bound_area *area;
  word_choice choice;
  step step;
  int collected; /* the sequence whose words are collected; SEQUENCES: both */
  uint64_t
      *filter;    /* has a set bit for the hash of each word of the shorter sequence; NULL: all words pass */
  int filter_log; /* logarithm of the filter's number of bits */
  word_piece *pieces;
  int64_t piece_count;
  int parts, part_shift;
  keyed *words[SEQUENCES]; /* by part, then by position */
  int64_t begins[SEQUENCES][PARTS + 1];
  keyed_list common[PARTS];
  int64_t part_most; /* number of words of a sequence's largest part */
  atomic_llong next;
  atomic_int failed; /* 0, or a cla_status other than CLA_OK */
} shared_words;

static int part_of(const shared_words *s, uint64_t hash) {
  return (int)(hash >> s->part_shift & (uint64_t)(s->parts - 1));
}

static uint64_t filter_place(const shared_words *s, uint64_t hash) {
  return hash >> (64 - s->filter_log);
}

/* Drops words that do not pass the filter. Returns how many are left. */
static int64_t keep_passing(keyed *words, int64_t count, const shared_words *s) {
  int64_t kept = 0;
  if (!s->filter) return count;
  for (int64_t i = 0; i < count; i++) { /* no branch depends on a word */
    const uint64_t place = filter_place(s, words[i].key);
    words[kept] = words[i];
    kept += (int64_t)(s->filter[place / 64] >> place % 64 & 1);
  }
  return kept;
}

static cla_status collect(word_piece *piece, const shared_words *s, const bound_pair *pair) {
  const int letters = s->choice.letters;
  const bool query = piece->sequence == QUERY;
  const uint8_t *codes = query ? s->pair->problem.query : s->pair->problem.target;
  const int64_t stop = smaller(piece->end + letters - 1, query ? s->area->query_stop : s->area->target_stop);
  const uint64_t mask = (UINT64_C(1) << 2 * letters) - 1,
                 zeros = (UINT64_C(1) << s->choice.sampling_bits) - 1;
  uint64_t value = 0;
  int64_t known = 0;
  keyed found[BLOCK];
  if (bound_pair_stopped(pair)) return CLA_OK;
  for (int64_t from = piece->begin, end; from < stop; from = end) {
    int64_t count = 0;
    end = smaller(from + BLOCK, stop);
    for (int64_t i = from; i < end; i++) { /* no branch depends on a letter */
      const uint8_t code = codes[i];
      known = code < SEQUENCE_UNAMBIGUOUS ? known + 1 : 0;
      value = (value << 2 | (code & 3)) & mask;
      const uint64_t hash = mix(value);
      found[count] = (keyed){.key = hash, .value = i - letters + 1};
      count += (known >= letters) & ((hash & zeros) == 0);
    }
    count = keep_passing(found, count, s);
    cla_status status = keyed_list_add_all(&piece->words, found, count, NULL);
    if (status != CLA_OK) return status;
  }
  for (int64_t i = 0; i < piece->words.count; i++) piece->at[part_of(s, piece->words.items[i].key)]++;
  return CLA_OK;
}

/* Moves the piece's words to their parts, and frees the piece's list. */
static void place(word_piece *piece, const shared_words *s) {
  keyed *words = s->words[piece->sequence];
  for (int64_t i = 0; i < piece->words.count; i++) {
    const keyed word = piece->words.items[i];
    words[piece->at[part_of(s, word.key)]++] = word;
  }
  free(piece->words.items);
  piece->words = (keyed_list){0};
}

/* A part of a sequence's words, sorted. */
typedef struct sorted_words {
  const keyed *items;
  int64_t count;
} sorted_words;

/* Returns the end index of the words that have the same sort key as the word at `from`. */
static int64_t group_end(const sorted_words *words, int64_t from) {
  const keyed *items = words->items;
  int64_t end = from + 1;
  while (end < words->count && sorted_part(items[end].key) == sorted_part(items[from].key)) end++;
  return end;
}

/* Adds the places (query position and diagonal) where a word of the query's group equals a word of the
 * target's group. */
static cla_status pair_groups(keyed_list *out, const bound_area *area, sorted_words query,
                              sorted_words target) {
  cla_status status = CLA_OK;
  if (query.count > FREQUENT || target.count > FREQUENT || query.count * target.count > FREQUENT)
    return CLA_OK;
  for (int64_t x = 0; x < query.count; x++)
    for (int64_t y = 0; y < target.count && status == CLA_OK; y++) {
      if (query.items[x].key != target.items[y].key) continue;
      const int64_t row = query.items[x].value, diagonal = target.items[y].value - area->target - row;
      status = keyed_list_add(out, (uint64_t)row, diagonal + area->query_stop, NULL);
    }
  return status;
}

static cla_status pair_part(keyed_list *out, const shared_words *s, int64_t part, keyed *scratch) {
  cla_status status = CLA_OK;
  sorted_words of[SEQUENCES];
  for (int q = 0; q < SEQUENCES; q++) {
    const int64_t begin = s->begins[q][part], count = s->begins[q][part + 1] - begin;
    of[q] = (sorted_words){key_sort_with(s->words[q] + begin, scratch, count, SORT_SHIFT, SORT_BITS), count};
  }
  const sorted_words query = of[QUERY], target = of[TARGET];
  for (int64_t i = 0, j = 0; status == CLA_OK && i < query.count && j < target.count;) {
    const uint64_t a = sorted_part(query.items[i].key), b = sorted_part(target.items[j].key);
    const int64_t i_end = a <= b ? group_end(&query, i) : i, j_end = b <= a ? group_end(&target, j) : j;
    if (a == b)
      status = pair_groups(out, s->area, (sorted_words){query.items + i, i_end - i},
                           (sorted_words){target.items + j, j_end - j});
    i = i_end;
    j = j_end;
  }
  return status;
}

/* Finds the common words of a part. *scratch belongs to the calling thread and is NULL at first. */
static cla_status take_part(shared_words *s, int64_t part, keyed **scratch) {
  keyed_list found = {0};
  cla_status status = CLA_OK;
  if (!*scratch) status = ALLOCATE_ARRAY(scratch, s->part_most, "sorting words", NULL);
  if (status == CLA_OK) status = pair_part(&found, s, part, *scratch);
  s->common[part] = found;
  return status;
}

static int64_t steps_of(const shared_words *s) {
  return s->step == PAIR ? s->parts : s->piece_count;
}

/* The work of one thread of parallel_run. */
static void take_steps(void *user, int thread) {
  shared_words *s = user;
  const bound_pair pair = bound_pair_of_thread(s->pair, thread);
  keyed *scratch = NULL;
  for (int64_t i; (i = atomic_fetch_add(&s->next, 1)) < steps_of(s);) {
    cla_status status = CLA_OK;
    const bool wanted = s->collected == SEQUENCES || s->pieces[i].sequence == s->collected;
    if (s->step == COLLECT)
      status = wanted ? collect(&s->pieces[i], s, &pair) : CLA_OK;
    else if (s->step == PLACE)
      place(&s->pieces[i], s);
    else
      status = take_part(s, i, &scratch);
    if (status != CLA_OK) atomic_store(&s->failed, (int)status);
  }
  free(scratch);
}

static cla_status take_all(shared_words *s, step of, int threads, cla_error *error) {
  s->step = of;
  atomic_store(&s->next, 0);
  parallel_run((int)smaller(threads, steps_of(s)), take_steps, s);
  return atomic_load(&s->failed) == CLA_OK ? CLA_OK : bound_memory_error(error);
}

static int64_t pieces_of(int64_t letters) {
  return (letters + PIECE_LETTERS - 1) / PIECE_LETTERS;
}

/* Divides the area's sequences into pieces. */
static cla_status cut(shared_words *s, cla_error *error) {
  const int64_t begins[] = {s->area->query, s->area->target};
  const int64_t stops[] = {s->area->query_stop, s->area->target_stop};
  s->piece_count = pieces_of(stops[QUERY] - begins[QUERY]) + pieces_of(stops[TARGET] - begins[TARGET]);
  cla_status status = ALLOCATE_ZEROS(&s->pieces, s->piece_count, "words of a bound", error);
  word_piece *next = s->pieces;
  for (int q = 0; q < SEQUENCES && status == CLA_OK; q++)
    for (int64_t at = begins[q]; at < stops[q]; at += PIECE_LETTERS)
      *next++ = (word_piece){.sequence = q, .begin = at, .end = smaller(at + PIECE_LETTERS, stops[q])};
  return status;
}

/* Makes the filter from the words of the sequence that was collected. */
static cla_status make_filter(shared_words *s, cla_error *error) {
  int64_t words = 0;
  for (int64_t i = 0; i < s->piece_count; i++) words += s->pieces[i].words.count;
  s->filter_log = 6;
  while (s->filter_log < FILTER_LOG_MOST && INT64_C(1) << s->filter_log < COMMON_WORDS_KEPT * words)
    s->filter_log++;
  const int64_t size = INT64_C(1) << (s->filter_log - 6);
  cla_status status = ALLOCATE_ZEROS(&s->filter, size, "a filter of words", error);
  for (int64_t i = 0; i < s->piece_count && status == CLA_OK; i++)
    for (int64_t k = 0; k < s->pieces[i].words.count; k++) {
      const uint64_t place = filter_place(s, s->pieces[i].words.items[k].key);
      s->filter[place / 64] |= UINT64_C(1) << place % 64;
    }
  return status;
}

/* Collects the words of both sequences. From a much longer sequence, collects only words that the other one
 * may have. */
static cla_status collect_all(shared_words *s, int threads, cla_error *error) {
  const int64_t rows = bound_area_rows(s->area), columns = bound_area_columns(s->area);
  const int shorter = rows <= columns ? QUERY : TARGET;
  s->collected = larger(rows, columns) / FILTER_RATIO < smaller(rows, columns) ? SEQUENCES : shorter;
  cla_status status = take_all(s, COLLECT, threads, error);
  if (status != CLA_OK || s->collected == SEQUENCES) return status;
  status = make_filter(s, error);
  s->collected = shorter == QUERY ? TARGET : QUERY;
  return status == CLA_OK ? take_all(s, COLLECT, threads, error) : status;
}

/* Allocates shared_words.words, and replaces the counts in each piece's `at` by indices. */
static cla_status make_room(shared_words *s, cla_error *error) {
  cla_status status = CLA_OK;
  for (int q = 0; q < SEQUENCES && status == CLA_OK; q++) {
    int64_t at = 0;
    for (int part = 0; part < s->parts; part++) {
      s->begins[q][part] = at;
      for (int64_t i = 0; i < s->piece_count; i++) {
        word_piece *piece = &s->pieces[i];
        if (piece->sequence != q) continue;
        const int64_t here = piece->at[part];
        piece->at[part] = at;
        at += here;
      }
      s->part_most = larger(s->part_most, at - s->begins[q][part]);
    }
    s->begins[q][s->parts] = at;
    status = ALLOCATE_ARRAY(&s->words[q], at, "words of a bound", error);
  }
  return status;
}

static cla_status join(keyed_list *out, const shared_words *s, cla_error *error) {
  cla_status status = CLA_OK;
  for (int part = 0; part < s->parts && status == CLA_OK; part++)
    status = keyed_list_add_all(out, s->common[part].items, s->common[part].count, error);
  return status;
}

static cla_status sort_places(keyed_list *places, const bound_area *area, cla_error *error) {
  cla_status status = key_sort(places, 0, key_bits((uint64_t)area->query_stop), error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < places->count; i++) {
    const keyed place = places->items[i];
    places->items[i] = (keyed){.key = (uint64_t)place.value, .value = (int64_t)place.key};
  }
  return key_sort(places, 0, key_bits((uint64_t)(area->query_stop + bound_area_columns(area))), error);
}

cla_status common_words_find(common_words *out, const bound_pair *pair, const bound_area *area,
                             word_choice choice, int threads, cla_error *error) {
  const bool large = larger(bound_area_rows(area), bound_area_columns(area)) >= PARTS_LEAST;
  shared_words s = {.pair = pair,
                    .area = area,
                    .choice = choice,
                    .parts = large ? PARTS : 1,
                    .part_shift = SORT_SHIFT + SORT_BITS};
  cla_status status = cut(&s, error);
  if (status == CLA_OK) status = collect_all(&s, threads, error);
  if (status != CLA_OK || bound_pair_stopped(pair)) goto done;
  status = make_room(&s, error);
  if (status == CLA_OK) status = take_all(&s, PLACE, threads, error);
  if (status == CLA_OK) status = take_all(&s, PAIR, threads, error);
  if (status == CLA_OK) status = join(&out->places, &s, error);
  out->sorted = s.begins[QUERY][s.parts] + s.begins[TARGET][s.parts] + out->places.count;
  if (status == CLA_OK) status = sort_places(&out->places, area, error);

done:
  for (int64_t i = 0; s.pieces && i < s.piece_count; i++) free(s.pieces[i].words.items);
  for (int part = 0; part < s.parts; part++) free(s.common[part].items);
  for (int q = 0; q < SEQUENCES; q++) free(s.words[q]);
  free(s.pieces);
  free(s.filter);
  return status;
}
