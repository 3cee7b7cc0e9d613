#include "device/program_entry.h"

#include <string.h>
#include <xxhash.h>

#include "base/allocate.h"

static const char magic[8] = {'C', 'L', 'A', 'P', 'R', 'O', 'G', '\n'};

/* Offsets in the header, and the bytes around key and binary. */
enum { VERSION_AT = 8, KEY_BYTES_AT = 16, BINARY_BYTES_AT = 24, HEADER_BYTES = 32 };
#define CHECKSUM_BYTES sizeof(XXH128_canonical_t)

static void put_number(uint8_t *at, uint64_t value) {
  for (int i = 0; i < 8; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get_number(const uint8_t *at) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value |= (uint64_t)at[i] << (8 * i);
  return value;
}

static XXH128_canonical_t checksum(const uint8_t *bytes, size_t length) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, length));
  return canonical;
}

cla_status program_entry_encode(uint8_t **out, size_t *out_bytes, const char *key, size_t key_bytes,
                                const uint8_t *binary, size_t binary_bytes, cla_error *error) {
  const size_t before = HEADER_BYTES + key_bytes + binary_bytes;
  void *memory = NULL;
  *out = NULL;
  *out_bytes = 0;
  cla_status status =
      allocate_array(&memory, (int64_t)(before + CHECKSUM_BYTES), 1, "a built program", error);
  if (status != CLA_OK) return status;
  uint8_t *bytes = memory;
  memcpy(bytes, magic, sizeof magic);
  put_number(bytes + VERSION_AT, PROGRAM_ENTRY_VERSION);
  put_number(bytes + KEY_BYTES_AT, key_bytes);
  put_number(bytes + BINARY_BYTES_AT, binary_bytes);
  memcpy(bytes + HEADER_BYTES, key, key_bytes);
  memcpy(bytes + HEADER_BYTES + key_bytes, binary, binary_bytes);
  const XXH128_canonical_t sum = checksum(bytes, before);
  memcpy(bytes + before, sum.digest, CHECKSUM_BYTES);
  *out = bytes;
  *out_bytes = before + CHECKSUM_BYTES;
  return CLA_OK;
}

bool program_entry_decode(const uint8_t **binary, size_t *binary_bytes, const uint8_t *bytes, size_t length,
                          const char *key, size_t key_bytes) {
  *binary = NULL;
  *binary_bytes = 0;
  if (length < HEADER_BYTES + CHECKSUM_BYTES || memcmp(bytes, magic, sizeof magic) != 0 ||
      get_number(bytes + VERSION_AT) != PROGRAM_ENTRY_VERSION ||
      get_number(bytes + KEY_BYTES_AT) != key_bytes)
    return false;
  const size_t rest = length - HEADER_BYTES - CHECKSUM_BYTES;
  if (rest <= key_bytes || get_number(bytes + BINARY_BYTES_AT) != rest - key_bytes) return false;
  const XXH128_canonical_t sum = checksum(bytes, length - CHECKSUM_BYTES);
  if (memcmp(bytes + length - CHECKSUM_BYTES, sum.digest, CHECKSUM_BYTES) != 0 ||
      memcmp(bytes + HEADER_BYTES, key, key_bytes) != 0)
    return false;
  *binary = bytes + HEADER_BYTES + key_bytes;
  *binary_bytes = rest - key_bytes;
  return true;
}
