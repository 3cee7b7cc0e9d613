#include <string.h>
#include <xxhash.h>

#include "device/program.h"
#include "tuning/tuning_record.h"

/* Each part is hashed, with the hash of all earlier parts as the seed. */

static uint64_t add_text(uint64_t hash, const char *text) {
  return XXH64(text, strlen(text), hash);
}

/* Adds a kernel's text without empty lines, because removed comments leave empty lines. */
static uint64_t add_source(uint64_t hash, const char *source) {
  while (*source) {
    const size_t length = strcspn(source, "\n");
    if (length > 0) hash = XXH64(source, length, hash);
    source += length + (source[length] == '\n');
  }
  return hash;
}

static uint64_t add_number(uint64_t hash, int64_t number) {
  unsigned char bytes[8]; /* least significant byte first, on every host */
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)((uint64_t)number >> (8 * i));
  return XXH64(bytes, sizeof bytes, hash);
}

static uint64_t add_values(uint64_t hash, const int *values) {
  for (; *values; values++) hash = add_number(hash, *values);
  return add_number(hash, 0);
}

/* Adds all fields of a variant that affect the meaning or the speed of configs. The summary is only a text,
 * so it is left out. */
static uint64_t add_variant(uint64_t hash, const kernel_variant *variant) {
  const int64_t numbers[] = {variant->lane_bits,        variant->takes.matrix,
                             variant->value_limit,      variant->items,
                             variant->lanes_per_item,   variant->chains,
                             variant->for_cpus,         variant->packed_pairs,
                             variant->short_vectors,    variant->shuffles,
                             variant->bus_words,        variant->persistent.single_tiles,
                             variant->persistent.slant, variant->persistent.wide_slant,
                             variant->score_bits,       variant->local_bytes.lane,
                             variant->local_bytes.row,  variant->local_bytes.group};
  hash = add_text(hash, variant->name);
  hash = add_text(hash, variant->options ? variant->options : "");
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) hash = add_number(hash, numbers[i]);
  if (variant->segments) hash = add_values(hash, variant->segments);
  return add_values(add_values(hash, variant->lanes), variant->alphas);
}

uint64_t tuning_signature(void) {
  uint64_t hash = add_number(0, KERNEL_TILE_LIMIT);
  for (size_t i = 0; i < embedded_kernel_count; i++)
    hash = add_source(add_text(hash, embedded_kernels[i].name), embedded_kernels[i].source);
  for (int i = 0; i < kernel_variant_count; i++) hash = add_variant(hash, kernel_variants[i]);
  return hash ? hash : 1;
}
