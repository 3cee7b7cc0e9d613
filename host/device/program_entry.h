#ifndef HOST_DEVICE_PROGRAM_ENTRY_H
#define HOST_DEVICE_PROGRAM_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/status.h"

/* A built program as the bytes of a file. Integers are little-endian:
 *
 *    0  8  "CLAPROG\n"
 *    8  8  version of this format
 *   16  8  bytes of the key
 *   24  8  bytes of the binary
 *   32     the key, then the binary
 *    . 16  XXH3-128 of all before it, canonical; the file ends here
 *
 * The key says what the binary was made from (host/device/program_cache.h); it is compared in full on
 * reading, so that two keys with the same file name cannot be mistaken for each other. */

#define PROGRAM_ENTRY_VERSION 1

/* The entry of `binary` under `key`, on the heap. CLA_ERROR_MEMORY. */
cla_status program_entry_encode(uint8_t **out, size_t *out_bytes, const char *key, size_t key_bytes,
                                const uint8_t *binary, size_t binary_bytes, cla_error *error);

/* Finds the binary within `bytes`. False unless they are exactly what program_entry_encode makes for `key`
 * and some binary of at least one byte. */
bool program_entry_decode(const uint8_t **binary, size_t *binary_bytes, const uint8_t *bytes, size_t length,
                          const char *key, size_t key_bytes);

#endif
