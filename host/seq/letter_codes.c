#include "seq/alphabet.h"

#include <stdbool.h>
#include <string.h>

#include "base/loops.h"

/* Encodes letters one by one, up to the first byte that is no letter. Returns the number of letters
 * encoded. */
static int64_t encode_some(uint8_t *codes, const letter_set *set, const unsigned char *bytes, int64_t count) {
  int64_t done = 0;
  for (; done < count; done++) {
    const uint8_t code = set->codes[bytes[done]];
    if (code == ALPHABET_NO_CODE) break;
    codes[done] = code;
  }
  return done;
}

static uint32_t spell_some(char *letters, const letter_set *set, const uint8_t *codes, int64_t count) {
  uint32_t met = 0;
  for (int64_t i = 0; i < count; i++) {
    letters[i] = set->letters[codes[i]];
    met |= UINT32_C(1) << codes[i];
  }
  return met;
}

#if X86_VECTORS
#include <immintrin.h>

#define TOGETHER 16
#define BY_SIXTEEN __attribute__((target("ssse3")))

/* Encodes whole groups of 16 letters. Two tables of 16 entries contain the codes of the bytes 0x40 to 0x5f.
 * The bytes 0x60 to 0x7f (lower case) use the same tables. Stops at the first group with a byte that is no
 * letter, or outside both ranges. */
BY_SIXTEEN static int64_t encode_by_sixteen(uint8_t *codes, const letter_set *set, const unsigned char *bytes,
                                            int64_t count) {
  const __m128i first = _mm_loadu_si128((const __m128i *)(const void *)(set->codes + 0x40));
  const __m128i second = _mm_loadu_si128((const __m128i *)(const void *)(set->codes + 0x50));
  const __m128i block = _mm_set1_epi8((char)0xc0), of_letters = _mm_set1_epi8(0x40);
  const __m128i half = _mm_set1_epi8(0x10), place = _mm_set1_epi8(0x0f), none = _mm_set1_epi8(-1);
  int64_t done = 0;
  for (; done + TOGETHER <= count; done += TOGETHER) {
    const __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(bytes + done));
    const __m128i at = _mm_and_si128(some, place);
    const __m128i is_second = _mm_cmpeq_epi8(_mm_and_si128(some, half), half);
    const __m128i code = _mm_or_si128(_mm_and_si128(is_second, _mm_shuffle_epi8(second, at)),
                                      _mm_andnot_si128(is_second, _mm_shuffle_epi8(first, at)));
    const __m128i other = _mm_xor_si128(_mm_and_si128(some, block), of_letters);
    const __m128i bad = _mm_or_si128(other, _mm_cmpeq_epi8(code, none));
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(bad, _mm_setzero_si128())) != 0xffff) break;
    _mm_storeu_si128((__m128i *)(void *)(codes + done), code);
  }
  return done;
}

/* Converts whole groups of 16 codes to letters by a table, for an alphabet of at most 16 letters. */
BY_SIXTEEN static int64_t spell_by_sixteen(uint32_t *met, char *letters, const letter_set *set,
                                           const uint8_t *codes, int64_t count) {
  char table[TOGETHER] = {0};
  memcpy(table, set->letters, strlen(set->letters));
  const __m128i spelt = _mm_loadu_si128((const __m128i *)(const void *)table);
  const __m128i low = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m128i high = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128);
  __m128i met_low = _mm_setzero_si128(), met_high = met_low;
  uint8_t bits[2][TOGETHER];
  int64_t done = 0;
  for (; done + TOGETHER <= count; done += TOGETHER) {
    const __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(codes + done));
    _mm_storeu_si128((__m128i *)(void *)(letters + done), _mm_shuffle_epi8(spelt, some));
    met_low = _mm_or_si128(met_low, _mm_shuffle_epi8(low, some));
    met_high = _mm_or_si128(met_high, _mm_shuffle_epi8(high, some));
  }
  _mm_storeu_si128((__m128i *)(void *)bits[0], met_low);
  _mm_storeu_si128((__m128i *)(void *)bits[1], met_high);
  for (int i = 0; i < TOGETHER; i++) *met |= (uint32_t)bits[0][i] | (uint32_t)bits[1][i] << 8;
  return done;
}

/* Like encode_by_sixteen with 64 bytes at a time. A mask covers the last bytes, so that all bytes are
 * encoded. */
WIDEST_VECTORS static int64_t encode_by_sixty_four(uint8_t *codes, const letter_set *set,
                                                   const unsigned char *bytes, int64_t count) {
  const __m512i first =
      _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(set->codes + 0x40)));
  const __m512i second =
      _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(set->codes + 0x50)));
  const __m512i block = _mm512_set1_epi8((char)0xc0), of_letters = _mm512_set1_epi8(0x40);
  const __m512i half = _mm512_set1_epi8(0x10), place = _mm512_set1_epi8(0x0f);
  for (int64_t done = 0; done < count; done += 64) {
    const int64_t left = count - done;
    const __mmask64 all = left < 64 ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0);
    const __m512i some = _mm512_maskz_loadu_epi8(all, bytes + done), at = _mm512_and_si512(some, place);
    const __m512i code = _mm512_mask_shuffle_epi8(_mm512_shuffle_epi8(first, at),
                                                  _mm512_test_epi8_mask(some, half), second, at);
    const __mmask64 others = _mm512_cmpneq_epi8_mask(_mm512_and_si512(some, block), of_letters);
    const __mmask64 bad =
        (_mm512_movepi8_mask(code) | others) & all; /* as a signed byte, ALPHABET_NO_CODE is negative */
    _mm512_mask_storeu_epi8(codes + done, bad ? (bad - 1) & ~bad : all, code);
    if (bad) return done + __builtin_ctzll(bad);
  }
  return count;
}

/* Like spell_by_sixteen with 64 codes at a time. A mask covers the last codes, so that all codes are
 * converted. */
WIDEST_VECTORS static uint32_t spell_by_sixty_four(char *letters, const letter_set *set, const uint8_t *codes,
                                                   int64_t count) {
  char table[TOGETHER] = {0};
  memcpy(table, set->letters, strlen(set->letters));
  const __m512i spelt = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)table));
  const __m512i low =
      _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m512i high =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128));
  __m512i met_low = _mm512_setzero_si512(), met_high = met_low;
  for (int64_t done = 0; done < count; done += 64) {
    const int64_t left = count - done;
    const __mmask64 all = left < 64 ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0);
    const __m512i some = _mm512_maskz_loadu_epi8(all, codes + done);
    _mm512_mask_storeu_epi8(letters + done, all, _mm512_shuffle_epi8(spelt, some));
    met_low = _mm512_or_si512(met_low, _mm512_maskz_shuffle_epi8(all, low, some));
    met_high = _mm512_or_si512(met_high, _mm512_maskz_shuffle_epi8(all, high, some));
  }
  uint64_t lows = (uint64_t)_mm512_reduce_or_epi64(met_low);
  uint64_t highs = (uint64_t)_mm512_reduce_or_epi64(met_high);
  for (int bits = 32; bits >= 8; bits /= 2) {
    lows |= lows >> bits;
    highs |= highs >> bits;
  }
  return (uint32_t)(lows & 0xff) | (uint32_t)(highs & 0xff) << 8;
}

static bool can_do_sixteen(void) {
  return __builtin_cpu_supports("ssse3");
}
#else
#define TOGETHER 1
#endif

ALWAYS_INLINE uint32_t letter_codes_met_plainly(const uint8_t *codes, int64_t count) {
  uint32_t met = 0;
  for (int64_t i = 0; i < count; i++) met |= UINT32_C(1) << codes[i];
  return met;
}

BY_PROCESSOR(, uint32_t, letter_codes_met, letter_codes_met_plainly, (const uint8_t *codes, int64_t count),
             (codes, count))

#define VECTOR 64

ALWAYS_INLINE bool bytes_outside_plainly(const unsigned char *bytes, int64_t count, unsigned char least,
                                         unsigned char most) {
  const unsigned char span = (unsigned char)(most - least);
  unsigned char others = 0;
  if (count < VECTOR)
    for (int64_t i = 0; i < count; i++) others |= (unsigned char)(bytes[i] - least) > span;
  else /* the last vector may overlap the previous one */
    for (int64_t i = 0; i < count; i += VECTOR)
      for (const unsigned char *at = bytes + LEAST(i, count - VECTOR), *end = at + VECTOR; at < end; at++)
        others |= (unsigned char)(*at - least) > span;
  return others;
}

BY_PROCESSOR(, bool, bytes_outside, bytes_outside_plainly,
             (const unsigned char *bytes, int64_t count, unsigned char least, unsigned char most),
             (bytes, count, least, most))

#define SUMMED_AT_ONCE (3 * VECTOR) /* whole vectors, and at most as many bytes as one byte can count */

ALWAYS_INLINE int64_t bytes_within_plainly(const unsigned char *bytes, int64_t count, unsigned char least,
                                           unsigned char most) {
  const unsigned char span = (unsigned char)(most - least);
  int64_t within = 0, i = 0;
  for (; i + SUMMED_AT_ONCE <= count; i += SUMMED_AT_ONCE) {
    uint8_t some = 0;
    for (int k = 0; k < SUMMED_AT_ONCE; k++)
      some = (uint8_t)(some + ((unsigned char)(bytes[i + k] - least) <= span));
    within += some;
  }
  for (; i < count; i++) within += (unsigned char)(bytes[i] - least) <= span;
  return within;
}

BY_PROCESSOR(, int64_t, bytes_within, bytes_within_plainly,
             (const unsigned char *bytes, int64_t count, unsigned char least, unsigned char most),
             (bytes, count, least, most))

int64_t letter_codes_of(uint8_t *codes, const letter_set *set, const unsigned char *bytes, int64_t count) {
  int64_t done = 0;
#if TOGETHER > 1
  const bool one_case = memcmp(set->codes + 0x40, set->codes + 0x60, 32) == 0;
  if (one_case && vector_bytes() == 64) {
    done = encode_by_sixty_four(codes, set, bytes, count);
    if (done == count || set->codes[bytes[done]] == ALPHABET_NO_CODE) return done;
  }
  while (one_case && can_do_sixteen() && done + TOGETHER <= count) {
    done += encode_by_sixteen(codes + done, set, bytes + done, count - done);
    if (done + TOGETHER > count) break;
    const int64_t single = encode_some(codes + done, set, bytes + done, TOGETHER);
    done += single;
    if (single < TOGETHER) return done;
  }
#endif
  return done + encode_some(codes + done, set, bytes + done, count - done);
}

uint32_t letter_codes_spell(char *letters, const letter_set *set, const uint8_t *codes, int64_t count) {
  uint32_t met = 0;
  int64_t done = 0;
#if TOGETHER > 1
  const bool few = strlen(set->letters) <= TOGETHER;
  if (few && vector_bytes() == 64) return spell_by_sixty_four(letters, set, codes, count);
  if (few && can_do_sixteen()) done = spell_by_sixteen(&met, letters, set, codes, count);
#endif
  return met | spell_some(letters + done, set, codes + done, count - done);
}
