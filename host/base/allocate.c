#include "base/allocate.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static cla_status out_of_memory(int64_t count, int64_t size, const char *what, cla_error *error) {
  return error_set(
      error, CLA_ERROR_MEMORY,
      "out of memory: %s needs %lld x %lld bytes; free some memory or use a smaller budget or range", what,
      (long long)count, (long long)size);
}

/* Guesses the kind of elements from their size. */
static poison_kind kind_of(int64_t size) {
  return size == 1 ? POISON_LETTERS : size == 2 ? POISON_LINES : size == 4 ? POISON_INTS : POISON_LONGS;
}

static bool is_possible(int64_t count, int64_t size) {
  return count >= 0 && size > 0 && (count == 0 || size <= PTRDIFF_MAX / count);
}

cla_status allocate_zeros(void **out, int64_t count, int64_t size, const char *what, cla_error *error) {
  *out = is_possible(count, size) ? calloc(count > 0 ? (size_t)count : 1, (size_t)size) : NULL;
  return *out ? CLA_OK : out_of_memory(count, size, what, error);
}

cla_status allocate_array(void **out, int64_t count, int64_t size, const char *what, cla_error *error) {
  *out = is_possible(count, size) ? malloc(count > 0 ? (size_t)(count * size) : 1) : NULL;
  if (!*out) return out_of_memory(count, size, what, error);
  poison_memory(*out, count * size, kind_of(size));
  return CLA_OK;
}

cla_status allocate_more(void **array, int64_t *capacity, int64_t needed, int64_t size, const char *what,
                         cla_error *error) {
  int64_t grown = *capacity < 16 ? 16 : *capacity;
  while (grown < needed && grown <= INT64_MAX / 2) grown *= 2;
  if (grown < needed || size > PTRDIFF_MAX / grown) return out_of_memory(needed, size, what, error);
  void *moved = realloc(*array, (size_t)(grown * size));
  if (!moved) return out_of_memory(grown, size, what, error);
  poison_memory((char *)moved + *capacity * size, (grown - *capacity) * size, kind_of(size));
  *array = moved;
  *capacity = grown;
  return CLA_OK;
}

cla_status allocate_failed(const char *what, cla_error *error) {
  return error_set(error, CLA_ERROR_MEMORY, "out of memory for %s; free some memory", what);
}

cla_status allocate_text(char **out, const char *text, cla_error *error) {
  size_t size = strlen(text) + 1;
  void *copy = NULL;
  cla_status status = allocate_array(&copy, (int64_t)size, 1, "a name", error);
  if (copy) memcpy(copy, text, size);
  *out = copy;
  return status;
}

#define CHOICES 3

#ifdef CLALIGN_POISON
static int choice;

void poison_choose(uint64_t seed) {
  choice = (int)(seed % CHOICES);
}

/* Returns 8 bytes that hold one number of 64 bits or two of 32 bits. The numbers are above the scores of the
 * tests' pairs; those of 32 bits are below 2^31. */
static uint64_t high_number(poison_kind kind) {
  static const uint32_t ints[CHOICES] = {1000003, 20011, UINT32_C(1) << 30 | 3};
  static const uint64_t longs[CHOICES] = {1000003, 20011, UINT64_C(1) << 40 | 3};
  return kind == POISON_LONGS ? longs[choice] : (uint64_t)ints[choice] << 32 | ints[choice];
}

/* With choice 0, each value is higher than the one before, modulo any width. With choice 1, values are high
 * if they are unsigned; with choice 2, if they are signed. */
static uint8_t line_byte(int i) {
  return choice == 0 ? (uint8_t)(16 * i + 8) : choice == 1 ? 0xeb : 0x73;
}

/* A letter code that is not 0, because 0 ends texts. */
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
