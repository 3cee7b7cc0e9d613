/* Places of words, against a look at every place. */

#include "base/extremes.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "seq/word_index.h"
#include "support/test.h"

#define LETTERS 300000
#define FEW_LETTERS 5000

static uint8_t codes[LETTERS];

static int64_t below(random_stream *stream, int64_t limit) {
  return (int64_t)random_stream_below(stream, (uint64_t)limit);
}

static void make_codes(random_stream *stream, int64_t letters) {
  const int64_t kinds = below(stream, 3) ? 4 : 2, odd = below(stream, 2) ? 0 : below(stream, 40);
  for (int64_t i = 0; i < letters; i++) codes[i] = (uint8_t)below(stream, kinds);
  for (int64_t n = 0; n < odd; n++) codes[below(stream, letters)] = SEQUENCE_UNAMBIGUOUS + 10;
}

static bool word_is_at(int64_t place, int64_t of, int word) {
  for (int k = 0; k < word; k++)
    if (codes[place + k] != codes[of + k] || codes[of + k] >= SEQUENCE_UNAMBIGUOUS) return false;
  return true;
}

static void expect_places(const word_index *index, int64_t letters, int64_t of, int64_t first, int64_t last) {
  const int32_t *places = NULL;
  int64_t count = 0, seen = 0;
  const bool known = word_is_at(of, of, index->word);
  cr_assert_eq(word_index_find(&places, &count, index, codes + of, (word_range){first, last}), known);
  for (int64_t at = larger(first, 0); known && at <= smaller(last, letters - index->word); at++) {
    if (!word_is_at(at, of, index->word)) continue;
    cr_assert_lt(seen, count);
    cr_assert_eq(places[seen++], at);
  }
  cr_assert(!known || seen == count);
}

Test(word_index, finds_the_places_of_each_word_whatever_the_threads) {
  random_stream stream;
  random_stream_init(&stream, 5, 23);
  for (int turn = 0; turn < 60; turn++) {
    const int64_t most = turn % 10 ? FEW_LETTERS : LETTERS;
    const int64_t letters = WORD_INDEX_LETTERS_MOST + below(&stream, most - WORD_INDEX_LETTERS_MOST);
    const word_index_input input = {.codes = codes,
                                    .letters = letters,
                                    .word = 1 + (int)below(&stream, turn % 8 ? 8 : WORD_INDEX_LETTERS_MOST),
                                    .threads = 1 + (int)below(&stream, 5),
                                    .round_words = turn % 3 ? 0 : 1 + below(&stream, letters)};
    word_index index = {0};
    make_codes(&stream, letters);
    assert_ok(word_index_make(&index, &input, &why));
    for (int n = 0; n < 20; n++) {
      const int64_t first = below(&stream, letters + 200) - 100;
      expect_places(&index, letters, below(&stream, letters - input.word + 1), first,
                    first + below(&stream, letters));
    }
    word_index_free(&index);
  }
}

Test(word_index, has_no_place_in_a_sequence_shorter_than_a_word) {
  const word_index_input input = {.codes = codes, .letters = 3, .word = 4, .threads = 2};
  const int32_t *places = NULL;
  int64_t count = 1;
  word_index index = {0};
  memset(codes, 0, sizeof codes);
  assert_ok(word_index_make(&index, &input, &why));
  cr_expect(word_index_find(&places, &count, &index, codes, (word_range){0, 10}));
  cr_expect_eq(count, 0);
  word_index_free(&index);
}
