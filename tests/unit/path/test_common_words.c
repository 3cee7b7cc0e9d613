/* Common words of two sequences, against all pairs of equal words. */

#include "base/extremes.h"
#include "path/common_words.h"
#include "seq/random_stream.h"
#include "support/test.h"

#define LETTERS 300000
#define FREQUENT 32 /* pairs of a word's places, and its places in a sequence, at most */
#define PLACES_MOST (40 * LETTERS)

typedef struct placed_word {
  uint64_t value;
  int64_t place;
} placed_word;

static uint8_t query[LETTERS], target[LETTERS];
static placed_word query_words[LETTERS], target_words[LETTERS];

/* Pairs of places of a word follow each other. */
static struct {
  keyed *pairs;
  uint8_t *last_of_word;
  int64_t count;
} expected;

static int64_t below(random_stream *stream, int64_t limit) {
  return (int64_t)random_stream_below(stream, (uint64_t)limit);
}

/* Letters, some of them ambiguous or the same again and again, and a copy with changes that is shifted. */
static void make_letters(random_stream *stream, int64_t rows, int64_t columns) {
  const int64_t kinds = below(stream, 3) ? 4 : 2, shift = below(stream, 50);
  for (int64_t i = 0; i < rows; i++) query[i] = (uint8_t)below(stream, kinds);
  for (int64_t n = below(stream, 40); n > 0; n--) query[below(stream, rows)] = SEQUENCE_UNAMBIGUOUS + 3;
  for (int64_t i = below(stream, rows), end = smaller(i + 60, rows); i < end; i++) query[i] = 0;
  for (int64_t i = 0; i < columns; i++)
    target[i] = i + shift < rows && below(stream, 15) ? query[i + shift] : (uint8_t)below(stream, kinds);
}

static int by_value(const void *first, const void *second) {
  const placed_word *a = first, *b = second;
  if (a->value != b->value) return a->value < b->value ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

static int by_key(const void *first, const void *second) {
  const keyed *a = first, *b = second;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->value > b->value) - (a->value < b->value);
}

static int64_t words_of(placed_word *out, const uint8_t *codes, int64_t begin, int64_t end, int letters) {
  int64_t count = 0;
  for (int64_t at = begin; at + letters <= end; at++) {
    uint64_t value = 0;
    int known = 0;
    while (known < letters && codes[at + known] < SEQUENCE_UNAMBIGUOUS)
      value = value << 2 | codes[at + known++];
    if (known == letters) out[count++] = (placed_word){value, at};
  }
  qsort(out, (size_t)count, sizeof *out, by_value);
  return count;
}

static int64_t group_end(const placed_word *words, int64_t count, int64_t from) {
  int64_t end = from;
  while (end < count && words[end].value == words[from].value) end++;
  return end;
}

static void expect_pairs(const bound_area *area, int letters) {
  const int64_t rows = words_of(query_words, query, area->query, area->query_stop, letters);
  const int64_t columns = words_of(target_words, target, area->target, area->target_stop, letters);
  expected.count = 0;
  for (int64_t i = 0, j = 0, i_end, j_end; i < rows && j < columns;) {
    const uint64_t a = query_words[i].value, b = target_words[j].value;
    i_end = a <= b ? group_end(query_words, rows, i) : i;
    j_end = b <= a ? group_end(target_words, columns, j) : j;
    const int64_t i_count = i_end - i, j_count = j_end - j;
    if (a == b && i_count <= FREQUENT && j_count <= FREQUENT && i_count * j_count <= FREQUENT)
      for (int64_t x = i; x < i_end; x++)
        for (int64_t y = j; y < j_end; y++) {
          const int64_t row = query_words[x].place, column = target_words[y].place;
          cr_assert_lt(expected.count, PLACES_MOST);
          expected.last_of_word[expected.count] = x == i_end - 1 && y == j_end - 1;
          expected.pairs[expected.count++] =
              (keyed){.key = (uint64_t)(column - area->target - row + area->query_stop), .value = row};
        }
    i = i_end;
    j = j_end;
  }
}

/* Of each word all pairs, or none; without sampling of each. Returns the words that there are. */
static int64_t check_words(const keyed_list *found, int sampling_bits, int64_t *all) {
  int64_t seen = 0, words = 0;
  bool taken = false;
  *all = 0;
  for (int64_t i = 0; i < expected.count; i++) {
    const bool first = i == 0 || expected.last_of_word[i - 1];
    const bool here = found->count > 0 && bsearch(&expected.pairs[i], found->items, (size_t)found->count,
                                                  sizeof *found->items, by_key) != NULL;
    if (first) taken = here;
    cr_assert_eq(here, taken);
    cr_assert(here || sampling_bits > 0);
    seen += here;
    words += first && here;
    *all += first;
  }
  cr_assert_eq(seen, found->count);
  return words;
}

static void check_area(const bound_area *area, word_choice choice, int threads) {
  const bound_pair pair = {
      .problem = {.query = query, .target = target, .rows = LETTERS, .columns = LETTERS}};
  common_words found = {0}, again = {0};
  int64_t all;
  expect_pairs(area, choice.letters);
  assert_ok(common_words_find(&found, &pair, area, choice, threads, &why));
  assert_ok(common_words_find(&again, &pair, area, choice, 1, &why));
  cr_assert_eq(found.places.count, again.places.count);
  for (int64_t i = 0; i < found.places.count; i++) {
    cr_assert(i == 0 || by_key(&found.places.items[i - 1], &found.places.items[i]) < 0);
    cr_assert(by_key(&found.places.items[i], &again.places.items[i]) == 0);
  }
  const int64_t sampled = check_words(&found.places, choice.sampling_bits, &all);
  if (all > 5000 && choice.sampling_bits <= 4)
    cr_expect(sampled << choice.sampling_bits > all / 2 && sampled << choice.sampling_bits < 2 * all,
              "%lld of %lld", (long long)sampled, (long long)all);
  free(found.places.items);
  free(again.places.items);
}

static void set_up(void) {
  expected.pairs = malloc(PLACES_MOST * sizeof *expected.pairs);
  expected.last_of_word = malloc(PLACES_MOST);
}

static void tear_down(void) {
  free(expected.pairs);
  free(expected.last_of_word);
}

Test(common_words, are_all_that_are_not_frequent_whatever_the_threads, .init = set_up, .fini = tear_down) {
  random_stream stream;
  random_stream_init(&stream, 6, 27);
  for (int turn = 0; turn < 60; turn++) {
    const int64_t most = turn % 20 == 0 ? LETTERS : turn % 4 == 0 ? 40000 : 3000;
    const int64_t least = most == LETTERS ? LETTERS / 2 : 1; /* more than a piece */
    /* In some turns one side is so short that a filter of its words is made. */
    const int64_t rows = (least + below(&stream, most - least + 1)) / (turn % 5 == 1 ? 20 : 1) + 1,
                  columns = (least + below(&stream, most - least + 1)) / (turn % 5 == 2 ? 20 : 1) + 1;
    const word_choice choice = {
        .letters = most == LETTERS ? 9 + (int)below(&stream, 20) : 5 + (int)below(&stream, 27),
        .sampling_bits = turn % 3 ? 0 : (int)below(&stream, 5)};
    const int64_t query_begin = below(&stream, rows), target_begin = below(&stream, columns);
    const bound_area whole = {.query_stop = rows, .target_stop = columns};
    const bound_area part = {.query = query_begin,
                             .query_stop = query_begin + below(&stream, rows - query_begin + 1),
                             .target = target_begin,
                             .target_stop = target_begin + below(&stream, columns - target_begin + 1)};
    make_letters(&stream, rows, columns);
    check_area(turn % 2 ? &part : &whole, choice, 1 + (int)below(&stream, 5));
  }
}
