/* Vectors of unsigned lanes for one set of instructions. The including file chooses the set by defining
 * LANES_AVX512, LANES_AVX2 or neither. Names of functions end in 8 or 16, the number of bits of a lane;
 * functions without a number work on bytes. lanes_add8 and lanes_add16 saturate: a sum that is too large
 * becomes the largest value. lanes_plus and lanes_minus wrap around.
 *
 * A mask has LANES_MASK_BITS_n equal bits for each lane, from the first lane on. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LANE_OPERATION static inline __attribute__((always_inline))

#if defined LANES_AVX512
#include <immintrin.h>
#define LANES_BYTES 64
#define LANES_MASK_BITS_8 1
#define LANES_MASK_BITS_16 1
typedef __m512i lanes;
typedef __mmask64 lanes_mask8;
typedef __mmask32 lanes_mask16;
LANE_OPERATION lanes lanes_load(const void *from) {
  return _mm512_loadu_si512(from);
}
LANE_OPERATION void lanes_store(void *to, lanes a) {
  _mm512_storeu_si512(to, a);
}
LANE_OPERATION lanes lanes_and(lanes a, lanes b) {
  return _mm512_and_si512(a, b);
}
LANE_OPERATION lanes lanes_plus(lanes a, lanes b) {
  return _mm512_add_epi8(a, b);
}
LANE_OPERATION lanes lanes_minus(lanes a, lanes b) {
  return _mm512_sub_epi8(a, b);
}
LANE_OPERATION lanes lanes_max(lanes a, lanes b) {
  return _mm512_max_epu8(a, b);
}
/* Returns `a` - `b`, or 0 in lanes where `b` is larger. */
LANE_OPERATION lanes lanes_less_or_0(lanes a, lanes b) {
  return _mm512_subs_epu8(a, b);
}
LANE_OPERATION lanes lanes_set8(int value) {
  return _mm512_set1_epi8((char)value);
}
LANE_OPERATION lanes lanes_set16(int value) {
  return _mm512_set1_epi16((short)value);
}
LANE_OPERATION lanes lanes_add8(lanes a, lanes b) {
  return _mm512_adds_epu8(a, b);
}
LANE_OPERATION lanes lanes_add16(lanes a, lanes b) {
  return _mm512_adds_epu16(a, b);
}
LANE_OPERATION lanes lanes_min8(lanes a, lanes b) {
  return _mm512_min_epu8(a, b);
}
LANE_OPERATION lanes lanes_min16(lanes a, lanes b) {
  return _mm512_min_epu16(a, b);
}
LANE_OPERATION lanes_mask8 lanes_equal8(lanes a, lanes b) {
  return _mm512_cmpeq_epi8_mask(a, b);
}
LANE_OPERATION lanes_mask16 lanes_equal16(lanes a, lanes b) {
  return _mm512_cmpeq_epi16_mask(a, b);
}
LANE_OPERATION lanes_mask8 lanes_less8(lanes a, lanes b) {
  return _mm512_cmplt_epu8_mask(a, b);
}
LANE_OPERATION lanes_mask16 lanes_less16(lanes a, lanes b) {
  return _mm512_cmplt_epu16_mask(a, b);
}
LANE_OPERATION lanes lanes_choose8(lanes_mask8 mask, lanes yes, lanes no) {
  return _mm512_mask_blend_epi8(mask, no, yes);
}
LANE_OPERATION lanes lanes_choose16(lanes_mask16 mask, lanes yes, lanes no) {
  return _mm512_mask_blend_epi16(mask, no, yes);
}
LANE_OPERATION void lanes_keep8(uint8_t *to, lanes_mask8 mask) {
  const uint64_t bits = mask;
  memcpy(to, &bits, sizeof bits);
}
LANE_OPERATION void lanes_keep16(uint8_t *to, lanes_mask16 mask) {
  const uint32_t bits = mask;
  memcpy(to, &bits, sizeof bits);
}
LANE_OPERATION bool lanes_any8(lanes_mask8 mask) {
  return mask != 0;
}
/* Loads half of a table (16 bytes) for lanes_look_up. */
LANE_OPERATION lanes lanes_half(const uint8_t half[16]) {
  return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)half));
}
/* Looks up each byte, which must be below 32, in a table of two halves. */
LANE_OPERATION lanes lanes_look_up(lanes low, lanes high, lanes bytes) {
  const __mmask64 upper = _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(16));
  return _mm512_mask_shuffle_epi8(_mm512_shuffle_epi8(low, bytes), upper, high, bytes);
}
/* Interleaves the first (lanes_zip_high: last) eight bytes of each sixteen bytes of `a` and `b`. */
LANE_OPERATION lanes lanes_zip_low(lanes a, lanes b) {
  return _mm512_unpacklo_epi8(a, b);
}
LANE_OPERATION lanes lanes_zip_high(lanes a, lanes b) {
  return _mm512_unpackhi_epi8(a, b);
}
/* Returns the low bytes of all 16-bit elements of `a`, then of `b`. */
LANE_OPERATION lanes lanes_narrow(lanes a, lanes b) {
  return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi16_epi8(a)), _mm512_cvtepi16_epi8(b), 1);
}
/* Widens the bytes of the first (lanes_widen_high: last) half of `a` to elements of 16 bits. */
LANE_OPERATION lanes lanes_widen_low(lanes a) {
  return _mm512_cvtepu8_epi16(_mm512_castsi512_si256(a));
}
LANE_OPERATION lanes lanes_widen_high(lanes a) {
  return _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(a, 1));
}

#elif defined LANES_AVX2
#include <immintrin.h>
#define LANES_BYTES 32
#define LANES_MASK_BITS_8 1
#define LANES_MASK_BITS_16 2
typedef __m256i lanes;
typedef __m256i lanes_mask8, lanes_mask16;
LANE_OPERATION lanes lanes_load(const void *from) {
  return _mm256_loadu_si256(from);
}
LANE_OPERATION void lanes_store(void *to, lanes a) {
  _mm256_storeu_si256(to, a);
}
LANE_OPERATION lanes lanes_and(lanes a, lanes b) {
  return _mm256_and_si256(a, b);
}
LANE_OPERATION lanes lanes_plus(lanes a, lanes b) {
  return _mm256_add_epi8(a, b);
}
LANE_OPERATION lanes lanes_minus(lanes a, lanes b) {
  return _mm256_sub_epi8(a, b);
}
LANE_OPERATION lanes lanes_max(lanes a, lanes b) {
  return _mm256_max_epu8(a, b);
}
LANE_OPERATION lanes lanes_less_or_0(lanes a, lanes b) {
  return _mm256_subs_epu8(a, b);
}
LANE_OPERATION lanes lanes_set8(int value) {
  return _mm256_set1_epi8((char)value);
}
LANE_OPERATION lanes lanes_set16(int value) {
  return _mm256_set1_epi16((short)value);
}
LANE_OPERATION lanes lanes_add8(lanes a, lanes b) {
  return _mm256_adds_epu8(a, b);
}
LANE_OPERATION lanes lanes_add16(lanes a, lanes b) {
  return _mm256_adds_epu16(a, b);
}
LANE_OPERATION lanes lanes_min8(lanes a, lanes b) {
  return _mm256_min_epu8(a, b);
}
LANE_OPERATION lanes lanes_min16(lanes a, lanes b) {
  return _mm256_min_epu16(a, b);
}
LANE_OPERATION lanes_mask8 lanes_equal8(lanes a, lanes b) {
  return _mm256_cmpeq_epi8(a, b);
}
LANE_OPERATION lanes_mask16 lanes_equal16(lanes a, lanes b) {
  return _mm256_cmpeq_epi16(a, b);
}
LANE_OPERATION lanes_mask8 lanes_less8(lanes a, lanes b) {
  return _mm256_xor_si256(_mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a), _mm256_set1_epi8(-1));
}
LANE_OPERATION lanes_mask16 lanes_less16(lanes a, lanes b) {
  return _mm256_xor_si256(_mm256_cmpeq_epi16(_mm256_max_epu16(a, b), a), _mm256_set1_epi8(-1));
}
LANE_OPERATION lanes lanes_choose8(lanes_mask8 mask, lanes yes, lanes no) {
  return _mm256_blendv_epi8(no, yes, mask);
}
LANE_OPERATION lanes lanes_choose16(lanes_mask16 mask, lanes yes, lanes no) {
  return _mm256_blendv_epi8(no, yes, mask);
}
LANE_OPERATION void lanes_keep8(uint8_t *to, lanes_mask8 mask) {
  const int bits = _mm256_movemask_epi8(mask);
  memcpy(to, &bits, sizeof bits);
}
LANE_OPERATION void lanes_keep16(uint8_t *to, lanes_mask16 mask) {
  lanes_keep8(to, mask);
}
LANE_OPERATION bool lanes_any8(lanes_mask8 mask) {
  return !_mm256_testz_si256(mask, mask);
}
LANE_OPERATION lanes lanes_half(const uint8_t half[16]) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)half));
}
LANE_OPERATION lanes lanes_look_up(lanes low, lanes high, lanes bytes) {
  const lanes upper = _mm256_slli_epi16(bytes, 3); /* bit 4 of each byte becomes its highest bit */
  return _mm256_blendv_epi8(_mm256_shuffle_epi8(low, bytes), _mm256_shuffle_epi8(high, bytes), upper);
}
LANE_OPERATION lanes lanes_zip_low(lanes a, lanes b) {
  return _mm256_unpacklo_epi8(a, b);
}
LANE_OPERATION lanes lanes_zip_high(lanes a, lanes b) {
  return _mm256_unpackhi_epi8(a, b);
}
LANE_OPERATION lanes lanes_narrow(lanes a, lanes b) {
  const lanes low = _mm256_set1_epi16(0xff);
  return _mm256_permute4x64_epi64(_mm256_packus_epi16(_mm256_and_si256(a, low), _mm256_and_si256(b, low)),
                                  0xd8);
}
LANE_OPERATION lanes lanes_widen_low(lanes a) {
  return _mm256_cvtepu8_epi16(_mm256_castsi256_si128(a));
}
LANE_OPERATION lanes lanes_widen_high(lanes a) {
  return _mm256_cvtepu8_epi16(_mm256_extracti128_si256(a, 1));
}

#else /* vectors for any processor */
#ifdef __aarch64__
#include <arm_neon.h>
#endif
#define LANES_BYTES 16
#define LANES_MASK_BITS_8 8
#define LANES_MASK_BITS_16 16
typedef uint8_t lanes __attribute__((vector_size(LANES_BYTES)));
typedef uint16_t lanes_of16 __attribute__((vector_size(LANES_BYTES)));
typedef lanes lanes_mask8, lanes_mask16;
LANE_OPERATION lanes lanes_load(const void *from) {
  lanes a;
  memcpy(&a, from, sizeof a);
  return a;
}
LANE_OPERATION void lanes_store(void *to, lanes a) {
  memcpy(to, &a, sizeof a);
}
LANE_OPERATION lanes lanes_and(lanes a, lanes b) {
  return a & b;
}
LANE_OPERATION lanes lanes_plus(lanes a, lanes b) {
  return a + b;
}
LANE_OPERATION lanes lanes_minus(lanes a, lanes b) {
  return a - b;
}
LANE_OPERATION lanes lanes_set8(int value) {
  return (lanes){0} + (uint8_t)value;
}
LANE_OPERATION lanes lanes_set16(int value) {
  return (lanes)((lanes_of16){0} + (uint16_t)value);
}
LANE_OPERATION lanes lanes_choose8(lanes_mask8 mask, lanes yes, lanes no) {
  return (yes & mask) | (no & ~mask);
}
LANE_OPERATION lanes lanes_choose16(lanes_mask16 mask, lanes yes, lanes no) {
  return (yes & mask) | (no & ~mask);
}
LANE_OPERATION lanes_mask8 lanes_less8(lanes a, lanes b) {
  return (lanes)(a < b);
}
LANE_OPERATION lanes_mask16 lanes_less16(lanes a, lanes b) {
  return (lanes)((lanes_of16)a < (lanes_of16)b);
}
LANE_OPERATION lanes lanes_max(lanes a, lanes b) {
  return lanes_choose8(lanes_less8(a, b), b, a);
}
LANE_OPERATION lanes lanes_less_or_0(lanes a, lanes b) {
  return (a - b) & ~(lanes)lanes_less8(a, b);
}
LANE_OPERATION lanes lanes_add8(lanes a, lanes b) {
  const lanes sum = a + b;
  return sum | (lanes)(sum < a);
}
LANE_OPERATION lanes lanes_add16(lanes a, lanes b) {
  const lanes_of16 sum = (lanes_of16)a + (lanes_of16)b;
  return (lanes)(sum | (lanes_of16)(sum < (lanes_of16)a));
}
LANE_OPERATION lanes lanes_min8(lanes a, lanes b) {
  return lanes_choose8(lanes_less8(a, b), a, b);
}
LANE_OPERATION lanes lanes_min16(lanes a, lanes b) {
  return lanes_choose16(lanes_less16(a, b), a, b);
}
LANE_OPERATION lanes_mask8 lanes_equal8(lanes a, lanes b) {
  return (lanes)(a == b);
}
LANE_OPERATION lanes_mask16 lanes_equal16(lanes a, lanes b) {
  return (lanes)((lanes_of16)a == (lanes_of16)b);
}
LANE_OPERATION void lanes_keep8(uint8_t *to, lanes_mask8 mask) {
  lanes_store(to, mask);
}
LANE_OPERATION void lanes_keep16(uint8_t *to, lanes_mask16 mask) {
  lanes_store(to, mask);
}
LANE_OPERATION bool lanes_any8(lanes_mask8 mask) {
  uint64_t words[2];
  memcpy(words, &mask, sizeof words);
  return (words[0] | words[1]) != 0;
}
LANE_OPERATION lanes lanes_half(const uint8_t half[16]) {
  return lanes_load(half);
}
LANE_OPERATION lanes lanes_look_up(lanes low, lanes high, lanes bytes) {
#ifdef __aarch64__
  return vqtbl2q_u8((uint8x16x2_t){{low, high}}, bytes);
#else
  uint8_t table[32], of[LANES_BYTES];
  lanes_store(table, low);
  lanes_store(table + 16, high);
  lanes_store(of, bytes);
  for (int lane = 0; lane < LANES_BYTES; lane++) of[lane] = table[of[lane] & 31];
  return lanes_load(of);
#endif
}
#endif

#define LANES_MASK_BYTES_8 (LANES_BYTES * LANES_MASK_BITS_8 / 8)
#define LANES_MASK_BYTES_16 (LANES_BYTES / 2 * LANES_MASK_BITS_16 / 8)
