#include "base/poison.h"

#include <string.h>

#define CHOICES 3

#ifdef CLALIGN_POISON
static int choice;

void poison_choose(uint64_t seed) {
  choice = (int)(seed % CHOICES);
}

/* Below 2^31, and more than pairs of tests score. */
static uint64_t high_number(poison_kind kind) {
  static const uint32_t ints[CHOICES] = {1000003, 20011, UINT32_C(1) << 30 | 3};
  static const uint64_t longs[CHOICES] = {1000003, 20011, UINT64_C(1) << 40 | 3};
  return kind == POISON_LONGS ? longs[choice] : (uint64_t)ints[choice] << 32 | ints[choice];
}

/* Modulo any width the first rises from value to value; the others are high where values are unsigned, or
 * signed. */
static uint8_t line_byte(int i) {
  return choice == 0 ? (uint8_t)(16 * i + 8) : choice == 1 ? 0xeb : 0x73;
}

/* Not 0, which ends texts. */
static uint8_t letter(int i) {
  static const uint8_t codes[] = {2, 1, 3, 1};
  return choice == 0 ? codes[i % 4] : (uint8_t)choice;
}

void poison_pattern(uint8_t out[POISON_PATTERN_BYTES], poison_kind kind) {
  const uint64_t number = high_number(kind);
  for (int i = 0; i < POISON_PATTERN_BYTES; i++)
    if (kind == POISON_LETTERS)
      out[i] = letter(i);
    else if (kind == POISON_LINES)
      out[i] = line_byte(i);
    else
      out[i] = (uint8_t)(number >> i % 8 * 8);
}

void poison_memory(void *memory, int64_t bytes, poison_kind kind) {
  uint8_t pattern[POISON_PATTERN_BYTES], *to = memory;
  poison_pattern(pattern, kind);
  for (int64_t done = 0, next; done < bytes; done = next) {
    next = done > 0 ? 2 * done : POISON_PATTERN_BYTES;
    if (next > bytes) next = bytes;
    memcpy(to + done, done > 0 ? to : pattern, (size_t)(next - done));
  }
}
#endif
