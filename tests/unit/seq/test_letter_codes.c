#include "seq/alphabet.h"

#include "seq/random_stream.h"
#include "support/test.h"

#define LETTERS_MOST 100

/* Against one letter after the other, at all lengths, with and without a byte that is no letter. */
static void check(const letter_set *set, random_stream *stream) {
  const uint64_t letters = strlen(set->letters);
  for (int length = 0; length < LETTERS_MOST; length++) {
    unsigned char bytes[LETTERS_MOST];
    uint8_t codes[LETTERS_MOST + 1], got[LETTERS_MOST + 1];
    char spelt[LETTERS_MOST + 1];
    uint32_t met = 0;
    for (int i = 0; i < length; i++) {
      codes[i] = (uint8_t)random_stream_below(stream, letters);
      bytes[i] = (unsigned char)set->letters[codes[i]];
      if (bytes[i] >= 'A' && bytes[i] <= 'Z' && random_stream_below(stream, 4) == 0) bytes[i] |= 0x20;
      met |= UINT32_C(1) << codes[i];
    }
    got[length] = 77;
    cr_expect_eq(letter_codes_of(got, set, bytes, length), length);
    cr_expect(memcmp(got, codes, (size_t)length) == 0, "%d letters", length);
    cr_expect_eq(got[length], 77);
    spelt[length] = '!';
    cr_expect_eq(letter_codes_spell(spelt, set, codes, length), met, "%d letters", length);
    for (int i = 0; i < length; i++) cr_expect_eq(spelt[i], set->letters[codes[i]]);
    cr_expect_eq(spelt[length], '!');
    if (length == 0) continue;
    static const unsigned char no_letters[] = {0, '\n', ' ', '1', '@', '[', '`', '{', 0x7f, 0x80, 0xc1, 0xff};
    const int at = (int)random_stream_below(stream, (uint64_t)length);
    bytes[at] = no_letters[random_stream_below(stream, sizeof no_letters)];
    cr_expect_eq(letter_codes_of(got, set, bytes, length), at, "byte %d at %d of %d", bytes[at], at, length);
  }
}

Test(letter_codes, are_those_of_the_table) {
  random_stream stream;
  random_stream_init(&stream, 5, 0);
  for (int turn = 0; turn < 20; turn++) {
    check(&alphabet_dna, &stream);
    check(&alphabet_protein, &stream);
  }
}

Test(letter_codes, letters_of_a_matrix_are_too) {
  letter_set room;
  const letter_set *set = NULL;
  random_stream stream;
  random_stream_init(&stream, 6, 0);
  assert_ok(alphabet_choose(&set, &room, CLA_ALPHABET_OWN, "HECO*", &why));
  for (int turn = 0; turn < 20; turn++) check(set, &stream);
}
