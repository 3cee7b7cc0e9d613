#include "trace/outside_differences.h"

#include <string.h>

#include "base/loops.h"

#define PLAIN_CODES 4

/* A bit for each letter of each block. */
typedef uint64_t block_words __attribute__((vector_size(8 * DIFFERENCES_TOGETHER)));
typedef int64_t block_counts __attribute__((vector_size(8 * DIFFERENCES_TOGETHER)));

/* Takes a letter's bit out: by memory, as words in registers are slow to write to one by one. */
ALWAYS_INLINE void take_out(block_words *words, uint64_t place) {
  uint64_t bits[DIFFERENCES_TOGETHER] = {0};
  block_words bit;
  bits[place / DIFFERENCES_BLOCK] = UINT64_C(1) << place % DIFFERENCES_BLOCK;
  memcpy(&bit, bits, sizeof bit);
  *words &= ~bit;
}

/* The letters of the blocks that are equal to each code. */
static void find_equal(block_words equal[PLAIN_CODES + 1], const uint8_t *query, int blocks) {
  memset(equal, 0, (PLAIN_CODES + 1) * sizeof *equal);
  for (int k = 0; k < blocks * DIFFERENCES_BLOCK; k++)
    if (query[k] < PLAIN_CODES)
      equal[query[k]][k / DIFFERENCES_BLOCK] |= UINT64_C(1) << k % DIFFERENCES_BLOCK;
}

ALWAYS_INLINE void find_differences(int64_t *out, const pack_pair *pair, const int32_t *paired, int64_t row,
                                    int blocks, int64_t first, int64_t last) {
  block_words equal[PLAIN_CODES + 1], plus, minus = {0};
  block_counts count, least;
  const uint64_t rows = (uint64_t)blocks * DIFFERENCES_BLOCK;
  find_equal(equal, pair->query + row, blocks);
  for (int b = 0; b < DIFFERENCES_TOGETHER; b++) {
    plus[b] = UINT64_MAX;
    count[b] = least[b] = DIFFERENCES_BLOCK;
  }
  for (int64_t j = first; j < last; j++) {
    const uint8_t code = pair->target[j];
    const uint64_t place = (uint64_t)(paired[j] - row);
    block_words same = equal[code < PLAIN_CODES ? code : PLAIN_CODES];
    if (place < rows) take_out(&same, place);
    const block_words vertical = same | minus;
    const block_words across = (((same & plus) + plus) ^ plus) | same;
    block_words rise = minus | ~(across | plus), fall = plus & across;
    count += (block_counts)(rise >> 63) - (block_counts)(fall >> 63);
    const block_counts less = count < least;
    least = (count & less) | (least & ~less);
    rise <<= 1;
    fall <<= 1;
    plus = fall | ~(vertical | rise);
    minus = rise & vertical;
  }
  for (int b = 0; b < blocks; b++) out[b] = least[b];
}

#if X86_VECTORS
__attribute__((target("avx2"))) static void find_avx2(int64_t *out, const pack_pair *pair,
                                                      const int32_t *paired, int64_t row, int blocks,
                                                      int64_t first, int64_t last) {
  find_differences(out, pair, paired, row, blocks, first, last);
}
#endif

void outside_differences(int64_t *out, const pack_pair *pair, const int32_t *paired, int64_t row, int blocks,
                         int64_t first, int64_t last) {
#if X86_VECTORS
  if (__builtin_cpu_supports("avx2")) {
    find_avx2(out, pair, paired, row, blocks, first, last);
    return;
  }
#endif
  find_differences(out, pair, paired, row, blocks, first, last);
}
