#include "seq/record_cache.h"

#include <stdlib.h>
#include <xxhash.h>

#include "base/allocate.h"

#define BUCKETS 65536
#define ENTRY_BYTES 512 /* that a sequence takes beside its letters, about */

typedef struct cached_record {
  int64_t file, number, bytes;
  cla_sequence *sequence;
  struct cached_record *next;          /* in the bucket */
  struct cached_record *newer, *older; /* by the time of last use */
} cached_record;

struct record_cache {
  int64_t most_bytes, bytes;
  cached_record *newest, *oldest;
  cached_record *buckets[BUCKETS];
};

cla_status record_cache_make(record_cache **out, int64_t bytes, cla_error *error) {
  void *memory = NULL;
  *out = NULL;
  cla_status status = allocate_zeros(&memory, 1, sizeof(record_cache), "sequences", error);
  if (status) return status;
  *out = memory;
  (*out)->most_bytes = bytes;
  return CLA_OK;
}

static cached_record **bucket_of(record_cache *cache, int64_t file, int64_t number) {
  const int64_t key[2] = {file, number};
  return &cache->buckets[XXH3_64bits(key, sizeof key) % BUCKETS];
}

static void unlink_record(record_cache *cache, cached_record *record) {
  if (record->newer) record->newer->older = record->older;
  if (record->older) record->older->newer = record->newer;
  if (cache->newest == record) cache->newest = record->older;
  if (cache->oldest == record) cache->oldest = record->newer;
  record->newer = record->older = NULL;
}

static void make_newest(record_cache *cache, cached_record *record) {
  record->older = cache->newest;
  if (cache->newest) cache->newest->newer = record;
  cache->newest = record;
  if (!cache->oldest) cache->oldest = record;
}

static void remove_record(record_cache *cache, cached_record *record) {
  cached_record **link = bucket_of(cache, record->file, record->number);
  while (*link != record) link = &(*link)->next;
  *link = record->next;
  unlink_record(cache, record);
  cache->bytes -= record->bytes;
  cla_sequence_free(record->sequence);
  free(record);
}

/* All but the newest, which the caller may be using. */
static void shrink(record_cache *cache) {
  while (cache->bytes > cache->most_bytes && cache->oldest != cache->newest)
    remove_record(cache, cache->oldest);
}

void record_cache_free(record_cache *cache) {
  if (!cache) return;
  while (cache->newest) remove_record(cache, cache->newest);
  free(cache);
}

static cached_record *find_record(record_cache *cache, int64_t file, int64_t number) {
  cached_record *record = *bucket_of(cache, file, number);
  while (record && (record->file != file || record->number != number)) record = record->next;
  return record;
}

cla_sequence *record_cache_find(record_cache *cache, int64_t file, int64_t number) {
  cached_record *record = find_record(cache, file, number);
  if (!record) return NULL;
  unlink_record(cache, record);
  make_newest(cache, record);
  return record->sequence;
}

cla_status record_cache_add(record_cache *cache, int64_t file, int64_t number, cla_sequence *sequence,
                            cla_error *error) {
  void *memory = NULL;
  cached_record *present = find_record(cache, file, number);
  if (present) remove_record(cache, present);
  cla_status status = allocate_zeros(&memory, 1, sizeof(cached_record), "sequences", error);
  if (status) {
    cla_sequence_free(sequence);
    return status;
  }
  cached_record *record = memory, **bucket = bucket_of(cache, file, number);
  *record = (cached_record){.file = file,
                            .number = number,
                            .bytes = cla_sequence_length(sequence) + ENTRY_BYTES,
                            .sequence = sequence,
                            .next = *bucket};
  *bucket = record;
  cache->bytes += record->bytes;
  make_newest(cache, record);
  shrink(cache);
  return CLA_OK;
}
