#ifndef HOST_DP_LETTER_LANES_H
#define HOST_DP_LETTER_LANES_H

#include <string.h>

#include "dp/pair_lanes_internal.h"
#include "seq/sequence.h"

/* Transposes the letters of many sequences: each result vector contains the letters of one position, with one
 * sequence per lane. Sixteen sequences and sixteen positions are transposed at a time. */

#define LETTERS_TOGETHER 16

typedef uint8_t sixteen_letters __attribute__((vector_size(LETTERS_TOGETHER)));

#if defined __clang__ || __GNUC__ >= 12
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (sixteen_letters){__VA_ARGS__})
#endif
#define LOWER_HALVES 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define UPPER_HALVES 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31

/* Moves byte i of vector k to byte k of vector i, by four perfect shuffles. */
static inline void transpose_letters(sixteen_letters of[LETTERS_TOGETHER]) {
  sixteen_letters shuffled[LETTERS_TOGETHER];
  for (int round = 0; round < 4; round++) {
    for (int k = 0; k < 8; k++) {
      shuffled[2 * k] = SHUFFLE(of[k], of[k + 8], LOWER_HALVES);
      shuffled[2 * k + 1] = SHUFFLE(of[k], of[k + 8], UPPER_HALVES);
    }
    memcpy(of, shuffled, sizeof shuffled);
  }
}

/* The sequences of sixteen neighbouring lanes. */
typedef struct letter_block {
  const uint8_t *letters[LETTERS_TOGETHER];
  int32_t lengths[LETTERS_TOGETHER], least; /* the least length of the sixteen */
} letter_block;

/* Starts a block at lane `lane`. Lanes from `count` on get the letters of lane 0. */
static inline void letter_block_begin(letter_block *of, const uint8_t *const *letters, const int32_t *lengths,
                                      int lane, int count) {
  of->least = INT32_MAX;
  for (int k = 0; k < LETTERS_TOGETHER; k++) {
    const int pair = lane + k < count ? lane + k : 0;
    const int next = lane + k + LETTERS_TOGETHER < count ? lane + k + LETTERS_TOGETHER : 0;
    of->letters[k] = letters[pair];
    of->lengths[k] = lengths[pair];
    of->least = lengths[pair] < of->least ? lengths[pair] : of->least;
    for (int32_t i = 0; i < lengths[next]; i += 64) __builtin_prefetch(letters[next] + i);
  }
}

/* Returns sixteen letters of a sequence from position `at` on. A mark replaces each ambiguous letter, and
 * fills the places behind the last letter. */
static inline sixteen_letters marked_letters(const uint8_t *letters, int32_t length, int32_t at,
                                             const letter_marks *marks) {
  uint8_t bytes[LETTERS_TOGETHER];
  const int32_t left = at < length ? length - at : 0,
                count = left < LETTERS_TOGETHER ? left : LETTERS_TOGETHER;
  sixteen_letters out;
  memset(bytes, marks->other, sizeof bytes);
  for (int32_t k = 0; k < count; k++)
    if (!marks->plain || letters[at + k] < SEQUENCE_UNAMBIGUOUS) bytes[k] = letters[at + k];
  memcpy(&out, bytes, sizeof out);
  return out;
}

static inline bool any_ambiguous(sixteen_letters letters) {
  uint64_t words[2];
  memcpy(words, &letters, sizeof words);
  return ((words[0] | words[1]) & UINT64_C(0xFCFCFCFCFCFCFCFC)) != 0;
}

/* Sets out[] to sixteen positions of the block from `at` on: one vector per position, one byte per lane. */
static inline void letter_block_at(sixteen_letters out[LETTERS_TOGETHER], const letter_block *of, int32_t at,
                                   const letter_marks *marks) {
  sixteen_letters any = {0};
  const bool inside = at + LETTERS_TOGETHER <= of->least;
  for (int k = 0; k < LETTERS_TOGETHER && inside; k++) {
    memcpy(&out[k], of->letters[k] + at, sizeof out[k]);
    any |= out[k];
  }
  if (!inside || (marks->plain && any_ambiguous(any)))
    for (int k = 0; k < LETTERS_TOGETHER; k++)
      out[k] = marked_letters(of->letters[k], of->lengths[k], at, marks);
  transpose_letters(out);
}

/* Stores `count` <= 16 letters in lanes of `bits` bits. */
static inline void put_letters(void *to, sixteen_letters letters, int count, int bits) {
  if (bits == 8) {
    memcpy(to, &letters, (size_t)count);
    return;
  }
  uint16_t wide[LETTERS_TOGETHER];
  for (int k = 0; k < LETTERS_TOGETHER; k++) wide[k] = letters[k];
  memcpy(to, wide, 2 * (size_t)count);
}

#endif
