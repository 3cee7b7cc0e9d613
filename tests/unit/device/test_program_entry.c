
#include "device/program.h"
#include "support/test.h"

static const char key[] = "driver 3\n1.0\nsource 7\nkernel;\n";
static const uint8_t binary[] = {0, 1, 2, 250, 251, '\n', 0, 9};

static uint8_t *encode(size_t *length) {
  uint8_t *bytes = NULL;
  assert_ok(program_entry_encode(&bytes, length, key, binary, sizeof binary, &why));
  return bytes;
}

static bool decodes(const uint8_t *bytes, size_t length, const char *wanted) {
  const uint8_t *found = NULL;
  size_t found_bytes = 0;
  const bool good = program_entry_decode(&found, &found_bytes, bytes, length, wanted);
  if (good) {
    cr_assert_eq(found_bytes, sizeof binary);
    cr_assert_arr_eq(found, binary, sizeof binary);
  } else {
    cr_assert_null(found);
    cr_assert_eq(found_bytes, 0);
  }
  return good;
}

Test(program_entry, gives_back_the_binary_under_its_key) {
  size_t length = 0;
  OWNED(free_memory) uint8_t *bytes = encode(&length);
  cr_assert(decodes(bytes, length, key));
}

Test(program_entry, refuses_another_key) {
  size_t length = 0;
  OWNED(free_memory) uint8_t *bytes = encode(&length);
  char other[sizeof key];
  for (size_t i = 0; i < strlen(key); i++) {
    memcpy(other, key, sizeof key);
    other[i] ^= 1;
    cr_assert_not(decodes(bytes, length, other), "letter %zu", i);
  }
  memcpy(other, key, sizeof key);
  other[strlen(key) - 1] = '\0';
  cr_assert_not(decodes(bytes, length, other));
  cr_assert_not(decodes(bytes, length, ""));
}

Test(program_entry, refuses_every_truncation_and_addition) {
  size_t length = 0;
  OWNED(free_memory) uint8_t *bytes = encode(&length);
  for (size_t shorter = 0; shorter < length; shorter++) {
    OWNED(free_memory)
    uint8_t *part = malloc(shorter + 1); /* of its own, so that a sanitizer sees a read beyond the end */
    memcpy(part, bytes, shorter);
    part = realloc(part, shorter ? shorter : 1);
    cr_assert_not(decodes(part, shorter, key), "%zu of %zu bytes", shorter, length);
  }
  OWNED(free_memory) uint8_t *longer = calloc(length + 1, 1);
  memcpy(longer, bytes, length);
  cr_assert_not(decodes(longer, length + 1, key));
}

Test(program_entry, refuses_every_flipped_bit) {
  size_t length = 0;
  OWNED(free_memory) uint8_t *bytes = encode(&length);
  for (size_t i = 0; i < 8 * length; i++) {
    bytes[i / 8] ^= (uint8_t)(1 << i % 8);
    cr_assert_not(decodes(bytes, length, key), "bit %zu", i);
    bytes[i / 8] ^= (uint8_t)(1 << i % 8);
  }
  cr_assert(decodes(bytes, length, key));
}

Test(program_entry, refuses_an_empty_binary) {
  OWNED(free_memory) uint8_t *bytes = NULL;
  size_t length = 0;
  cr_assert_eq(program_entry_encode(&bytes, &length, key, binary, 0, NULL), CLA_OK);
  const uint8_t *found = NULL;
  size_t found_bytes = 0;
  cr_assert_not(program_entry_decode(&found, &found_bytes, bytes, length, key));
}
