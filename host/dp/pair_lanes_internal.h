#ifndef HOST_DP_PAIR_LANES_INTERNAL_H
#define HOST_DP_PAIR_LANES_INTERNAL_H

#include <endian.h>
#include <string.h>

#include "dp/pair_lanes.h"
#include "seq/sequence.h"

/* A group as the vectors take it. Elements are of a lane's width. */
struct lanes_space {
  void *query, *target; /* letters: a vector for each row, for each column */
  void *h, *f, *f2;     /* by column: losses of the row above, and of gaps into the row */
  void *pairs;          /* by column: losses of the row's pairs, where they are looked up */
  uint8_t *masks;       /* of each cell */
  uint16_t *left, *top; /* losses of the matrix' borders */
  uint32_t *runs;
  int64_t vectors, mask_bytes, border, run_room; /* room of these, in bytes or elements */
  int64_t row_cells; /* from a cell to the one below it in the band's first column or the matrix' */
  int masks_of_cell;
  bool one_query; /* all pairs have it, and losses of pairs are bytes */
};

/* Masks of a cell, in this order: of the second piece only with two pieces, STARTED only where paths start
 * anywhere. OPENS_DOWN tells of the gap into the cell below, OPENS_ACROSS of that into the next cell. */
enum {
  FROM_PAIR_MASK,
  ACROSS_MASK,
  OPENS_ACROSS_MASK,
  OPENS_DOWN_MASK,
  ACROSS2_MASK,
  OPENS_ACROSS2_MASK,
  DOWN_MASK,
  OPENS_DOWN2_MASK,
  MASKS_MOST = 9
};

/* What stands for letters that are none of the unambiguous ones, where nothing is looked up, and behind a
 * sequence's last letter. */
typedef struct letter_marks {
  bool plain; /* nothing is looked up */
  uint8_t other;
} letter_marks;

/* Eight letters from position `at` on, the first one in the lowest byte. */
static inline uint64_t letters_at(const uint8_t *letters, int32_t length, int32_t at,
                                  const letter_marks *marks) {
  uint64_t bytes = 0x0101010101010101u * marks->other;
  if (at + 8 <= length)
    memcpy(&bytes, letters + at, 8);
  else if (at < length)
    memcpy(&bytes, letters + at, (size_t)(length - at));
  bytes = le64toh(bytes);
  if (!marks->plain || (bytes & 0xFCFCFCFCFCFCFCFCu) == 0) return bytes;
  for (int k = 0; k < 64; k += 8)
    if ((bytes >> k & 255) >= SEQUENCE_UNAMBIGUOUS)
      bytes = (bytes & ~((uint64_t)255 << k)) | (uint64_t)marks->other << k;
  return bytes;
}

/* Byte i of word k becomes byte k of word i. */
static inline void transpose_bytes(uint64_t words[8]) {
#define EXCHANGE(k, apart, low)                                       \
  do {                                                                \
    const uint64_t a = words[k], b = words[(k) + (apart)];            \
    words[k] = (a & (low)) | (b & (low)) << 8 * (apart);              \
    words[(k) + (apart)] = (a >> 8 * (apart) & (low)) | (b & ~(low)); \
  } while (0)
  for (int k = 0; k < 8; k += 2) EXCHANGE(k, 1, UINT64_C(0x00FF00FF00FF00FF));
  for (int k = 0; k < 8; k += k % 4 == 0 ? 1 : 3) EXCHANGE(k, 2, UINT64_C(0x0000FFFF0000FFFF));
  for (int k = 0; k < 4; k++) EXCHANGE(k, 4, UINT64_C(0x00000000FFFFFFFF));
#undef EXCHANGE
}

/* The sequences of eight lanes that follow each other. */
typedef struct eight_letters {
  const uint8_t *letters[8];
  int32_t lengths[8], least; /* the shortest one's */
} eight_letters;

static inline void eight_letters_begin(eight_letters *of, const uint8_t *const *letters,
                                       const int32_t *lengths, int lane, int count) {
  of->least = INT32_MAX;
  for (int k = 0; k < 8; k++) {
    const int pair = lane + k < count ? lane + k : 0, next = lane + k + 8 < count ? lane + k + 8 : 0;
    of->letters[k] = letters[pair];
    of->lengths[k] = lengths[pair];
    of->least = lengths[pair] < of->least ? lengths[pair] : of->least;
    for (int32_t i = 0; i < lengths[next]; i += 64) __builtin_prefetch(letters[next] + i);
  }
}

/* Eight positions of them: a word for each, with a byte for each lane. */
static inline void eight_letters_at(uint64_t words[8], const eight_letters *of, int32_t at,
                                    const letter_marks *marks) {
  uint64_t any = UINT64_MAX;
  if (at + 8 <= of->least) {
    any = 0;
    for (int k = 0; k < 8; k++) {
      memcpy(&words[k], of->letters[k] + at, 8);
      any |= words[k];
      words[k] = le64toh(words[k]);
    }
  }
  if (any & UINT64_C(0xFCFCFCFCFCFCFCFC))
    for (int k = 0; k < 8; k++) words[k] = letters_at(of->letters[k], of->lengths[k], at, marks);
  transpose_bytes(words);
}

/* Every second byte of a word's lower half becomes an empty one. */
static inline uint64_t widen_bytes(uint64_t word) {
  word = (word | word << 16) & 0x0000FFFF0000FFFFu;
  return (word | word << 8) & 0x00FF00FF00FF00FFu;
}

/* Puts eight bytes, the lowest one first, into lanes of so many bits. */
static inline void put_bytes(void *to, uint64_t bytes, int bits) {
  const uint64_t low = bits == 8 ? bytes : widen_bytes(bytes & UINT32_MAX), high = widen_bytes(bytes >> 32);
  const uint64_t words[2] = {htole64(low), htole64(high)};
  memcpy(to, words, (size_t)bits);
}

extern const lanes_way lanes_ways_plain[2];
#if defined __x86_64__
extern const lanes_way lanes_ways_avx2[2], lanes_ways_avx512[2];
#endif

#endif
