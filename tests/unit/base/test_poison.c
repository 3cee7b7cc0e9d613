/* Memory that nobody has written has values that win, where tests are built so. */

#include "base/allocate.h"
#include "support/test.h"

#define COUNT 37

Test(poison, arrays_have_it_and_zeros_have_not) {
  OWNED(free_memory) int64_t *array = NULL, *zeros = NULL;
  assert_ok(allocate_zeros((void **)&zeros, COUNT, sizeof *zeros, "zeros", &why));
  assert_ok(allocate_array((void **)&array, COUNT, sizeof *array, "an array", &why));
  for (int i = 0; i < COUNT; i++) cr_assert_eq(zeros[i], 0);
#ifdef CLALIGN_POISON
  for (int i = 0; i < COUNT; i++) cr_assert_gt(array[i], 20000, "[%d] is %lld", i, (long long)array[i]);
#endif
}

Test(poison, is_in_what_an_array_grows_by) {
  OWNED(free_memory) int32_t *array = NULL;
  int64_t capacity = 0;
  assert_ok(allocate_grow((void **)&array, &capacity, 3, sizeof *array, "an array", &why));
  const int64_t before = capacity;
  memset(array, 0, (size_t)before * sizeof *array);
  assert_ok(allocate_grow((void **)&array, &capacity, before + 1, sizeof *array, "an array", &why));
  for (int64_t i = 0; i < before; i++) cr_assert_eq(array[i], 0);
#ifdef CLALIGN_POISON
  for (int64_t i = before; i < capacity; i++) cr_assert_gt(array[i], 20000);
#endif
}

#ifdef CLALIGN_POISON
/* What follows a value that is known, modulo the width, as a line is read: it must climb or be high. */
static int64_t highest(uint64_t seed, int bits, int64_t known) {
  uint8_t bytes[16 * POISON_PATTERN_BYTES];
  int64_t last = known, most = known;
  poison_choose(seed);
  poison_memory(bytes, sizeof bytes, POISON_LINES);
  for (size_t i = 0; i < sizeof bytes; i += (size_t)bits / 8) {
    uint32_t low = 0;
    memcpy(&low, bytes + i, (size_t)bits / 8);
    last += (int32_t)((low - (uint32_t)last) << (32 - bits)) >> (32 - bits);
    if (last > most) most = last;
  }
  return most;
}

Test(poison, of_lines_rises_from_any_value) {
  for (int bits = 8; bits <= 32; bits *= 2)
    for (int64_t known = -1000; known < 1000; known += 7)
      cr_assert_gt(highest(0, bits, known), known + (INT64_C(1) << (bits - 2)), "%d bits, %lld", bits,
                   (long long)known);
}

Test(poison, of_letters_ends_no_text) {
  for (uint64_t seed = 0; seed < 6; seed++) {
    uint8_t letters[COUNT];
    poison_choose(seed);
    poison_memory(letters, COUNT, POISON_LETTERS);
    for (int i = 0; i < COUNT; i++) cr_assert(letters[i] > 0 && letters[i] < 4);
  }
}
#endif
