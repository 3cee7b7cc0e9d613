/* Has results in memory of its own: an arena, which is given up as a whole, without freeing one thing after
 * the other.
 *
 * The allocator is for what the library returns. Here `release` does nothing, so cla_alignment_free need not
 * even be called; in general each result ends with it, and it finds the allocator in the result. */

#include <inttypes.h>

#include "example_error.h"

#define ARENA_BYTES (1 << 20)
#define ALIGNMENT_BYTES 16

typedef struct arena {
  _Alignas(ALIGNMENT_BYTES) unsigned char bytes[ARENA_BYTES];
  size_t used;
} arena;

static void *take(size_t bytes, void *user) {
  arena *own = user;
  const size_t rounded = (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
  if (rounded < bytes || rounded > ARENA_BYTES - own->used) return NULL;
  void *memory = own->bytes + own->used;
  own->used += rounded;
  return memory;
}

static void keep(void *memory, void *user) {
  (void)memory;
  (void)user;
}

int main(void) {
  static arena results;
  const cla_allocator allocator = {.allocate = take, .release = keep, .user = &results};
  cla_device *device = NULL;
  cla_sequence *query = NULL, *target = NULL;
  cla_results found = {.count = 0};
  cla_align_options options;
  cla_error error;
  cla_align_options_init(&options);
  options.allocator = &allocator;
  options.several.most = 2;
  cla_status status = cla_device_open(&device, NULL, &error);
  if (status == CLA_OK) status = cla_sequence_from_letters(&query, "repeat", "ACGTTGCATTACGG", 14, &error);
  if (status == CLA_OK)
    status = cla_sequence_from_letters(&target, "target", "ACGTTGCATTACGGACGTTGCATTCGG", 27, &error);
  if (status == CLA_OK) status = cla_align_several(&found, device, query, target, &options, &error);
  for (size_t i = 0; i < found.count; i++) {
    const unsigned char *place = (const unsigned char *)found.alignments[i];
    printf("score %" PRId64 ", %s the arena\n", found.alignments[i]->score,
           place >= results.bytes && place < results.bytes + results.used ? "in" : "outside");
  }
  cla_sequence_free(target);
  cla_sequence_free(query);
  cla_device_close(device);
  return example_end(status, &error);
}
