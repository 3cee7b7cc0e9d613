/* cla_sequence_store: sequences by their locations, of files that are asked many times. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/sequence_internal.h"

#define BUCKETS 65536
#define ENTRY_BYTES 512 /* approximate memory of a sequence beside its letters */

typedef struct cached_record {
  int64_t file, number, bytes;
  cla_sequence *sequence;
  struct cached_record *next;          /* in the bucket */
  struct cached_record *newer, *older; /* by the time of last use */
} cached_record;

/* Sequences that were read, by file and number of the record, in a bounded number of bytes: the longest
 * unused goes first. */
typedef struct record_cache {
  int64_t most_bytes, bytes;
  cached_record *newest, *oldest;
  cached_record *buckets[BUCKETS];
} record_cache;

static cla_status record_cache_make(record_cache **out, int64_t bytes, cla_error *error) {
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

static void record_cache_free(record_cache *cache) {
  if (!cache) return;
  while (cache->newest) remove_record(cache, cache->newest);
  free(cache);
}

static cached_record *find_record(record_cache *cache, int64_t file, int64_t number) {
  cached_record *record = *bucket_of(cache, file, number);
  while (record && (record->file != file || record->number != number)) record = record->next;
  return record;
}

/* Finds a sequence. The cache owns it, and it is valid until the next call. NULL: it is not there. */
static cla_sequence *record_cache_find(record_cache *cache, int64_t file, int64_t number) {
  cached_record *record = find_record(cache, file, number);
  if (!record) return NULL;
  unlink_record(cache, record);
  make_newest(cache, record);
  return record->sequence;
}

/* Takes the sequence over, in place of the one with that number; frees it on failure. */
static cla_status record_cache_add(record_cache *cache, int64_t file, int64_t number, cla_sequence *sequence,
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

#define FILES_MOST 64    /* most files open at once */
#define FILES_INDEXED 32 /* most files that are indexed to know their records' lengths */
#define GZIP_RATIO 4     /* approximate letters per byte of a gzip file */

typedef struct stored_file {
  char *path;
  cla_sequence_file *file;
  int64_t number; /* number among all opened files; records in the cache have it */
  int64_t last_use;
} stored_file;

struct cla_sequence_store {
  stored_file files[FILES_MOST];
  int64_t opened, uses;
  record_cache *cache;
};

cla_status cla_sequence_store_open(cla_sequence_store **out, int64_t bytes, cla_error *error) {
  void *memory = NULL;
  *out = NULL;
  cla_status status = allocate_zeros(&memory, 1, sizeof(cla_sequence_store), "sequences", error);
  if (status) return status;
  cla_sequence_store *store = memory;
  status = record_cache_make(&store->cache, bytes, error);
  if (status)
    free(store);
  else
    *out = store;
  return status;
}

static void close_file(stored_file *file) {
  cla_sequence_file_close(file->file);
  free(file->path);
  *file = (stored_file){0};
}

void cla_sequence_store_close(cla_sequence_store *store) {
  if (!store) return;
  for (int i = 0; i < FILES_MOST; i++) close_file(&store->files[i]);
  record_cache_free(store->cache);
  free(store);
}

/* Whether to close one file rather than the other: the one that was longest unused. The standard input stays
 * open, because it cannot be opened again. */
static bool goes_before(const stored_file *one, const stored_file *other) {
  const bool kept = one->path && strcmp(one->path, "-") == 0;
  return !kept && (!other || one->last_use < other->last_use);
}

static cla_status open_file(stored_file **out, cla_sequence_store *store, const char *path,
                            cla_error *error) {
  stored_file *place = NULL;
  for (int i = 0; i < FILES_MOST; i++) {
    stored_file *file = &store->files[i];
    if (file->path && strcmp(file->path, path) == 0) {
      *out = file;
      return CLA_OK;
    }
    if (goes_before(file, place)) place = file;
  }
  close_file(place);
  cla_status status = cla_sequence_file_open(&place->file, path, error);
  if (!status) status = allocate_text(&place->path, path, error);
  if (status) {
    close_file(place);
    return status;
  }
  place->number = store->opened++;
  *out = place;
  return CLA_OK;
}

/* Whether reading the sequence again with these options would give the kept one. */
static bool serves(const cla_sequence *sequence, const cla_sequence_options *options) {
  const letter_set *letters = sequence_alphabet(sequence);
  if (cla_sequence_length(sequence) == 0 && !options->allow_empty) return false;
  if (!options->known) return true;
  if (letters->kind != options->alphabet) return false;
  return letters->kind != CLA_ALPHABET_OWN || strcmp(letters->letters, options->own) == 0;
}

static cla_status find_whole(cla_sequence **out, cla_sequence_store *store, stored_file *file, int64_t number,
                             const cla_sequence_options *options, cla_error *error) {
  cla_sequence *read = NULL;
  const int64_t key = 2 * number + options->known; /* the alphabet that is detected may be another */
  *out = record_cache_find(store->cache, file->number, key);
  if (*out && serves(*out, options)) return CLA_OK;
  cla_status status = cla_sequence_file_read(&read, file->file, number, options, error);
  if (!status && !read)
    status = error_set(error, CLA_ERROR_INPUT, "%s was altered while it was read; leave it as it is",
                       sequence_file_shown(file->file));
  if (!status) status = record_cache_add(store->cache, file->number, key, read, error);
  *out = status ? NULL : read;
  return status;
}

static cla_status cut(cla_sequence **out, cla_sequence *whole, const record_choice *choice,
                      const char *location, const char *file, cla_error *error) {
  char record[SHOWN_LOCATION_SIZE + SHOWN_NAME_SIZE + 32], name[SHOWN_NAME_SIZE];
  int64_t begin = 0, end = cla_sequence_length(whole);
  cla_status status = CLA_OK;
  const char *range = record_choice_range(choice);
  (void)snprintf(record, sizeof record, "record '%s' of %s",
                 shown_text(name, sizeof name, cla_sequence_name(whole)), file);
  if (range) status = sequence_range_parse(&begin, &end, range, end, record, error);
  return status ? status : sequence_view(out, whole, location, begin, end, error);
}

cla_status cla_sequence_store_read(cla_sequence **out, cla_sequence_store *store, const char *location,
                                   const cla_sequence_options *options, cla_error *error) {
  static const cla_sequence_options none = {0};
  sequence_location split = {0};
  stored_file *file = NULL;
  cla_sequence *whole = NULL;
  record_choice choice;
  int64_t number = 0;
  *out = NULL;
  if (!options) options = &none;
  cla_status status = sequence_location_split(&split, location, error);
  if (!status) status = open_file(&file, store, split.file, error);
  if (status) goto done;
  file->last_use = ++store->uses;
  record_choice_begin(&choice, split.selection);
  status = sequence_file_choose(&number, &choice, file->file, error);
  if (!status) status = find_whole(&whole, store, file, number, options, error);
  if (!status) status = cut(out, whole, &choice, location, sequence_file_shown(file->file), error);
done:
  sequence_location_free(&split);
  return status;
}

/* Letters of the range that a selection ends with; false: it ends with none. */
static bool range_letters(int64_t *letters, const char *selection) {
  const char *colon = selection ? strrchr(selection, ':') : NULL;
  const char *range = colon ? colon + 1 : selection;
  int64_t begin = 0, end = INT64_MAX;
  cla_error unused;
  if (!range || !sequence_range_form(range) ||
      sequence_range_parse(&begin, &end, range, INT64_MAX, "", &unused) != CLA_OK || end == INT64_MAX)
    return false; /* none, or one to the record's end */
  *letters = end - begin;
  return true;
}

/* Whether its records are worth knowing for this. */
static bool is_indexed(const cla_sequence_store *store, const sequence_location *split) {
  for (int i = 0; i < FILES_MOST; i++)
    if (store->files[i].path && strcmp(store->files[i].path, split->file) == 0) return true;
  return split->selection && store->opened < FILES_INDEXED;
}

static int64_t file_letters(const char *path, int64_t bytes) {
  const size_t length = strlen(path);
  const bool gzip = length > 3 && strcmp(path + length - 3, ".gz") == 0;
  return gzip ? GZIP_RATIO * bytes : bytes;
}

static cla_status record_letters(int64_t *letters, cla_sequence_store *store, const sequence_location *split,
                                 cla_error *error) {
  stored_file *file = NULL;
  record_choice choice;
  int64_t number = 0;
  cla_status status = open_file(&file, store, split->file, error);
  if (status) return status;
  file->last_use = ++store->uses;
  if (!sequence_file_seeks(file->file)) return CLA_OK; /* a packed file would be unpacked up to the record */
  record_choice_begin(&choice, split->selection);
  status = sequence_file_choose(&number, &choice, file->file, error);
  if (!status) *letters = cla_sequence_file_letters(file->file, number);
  return status;
}

cla_status cla_sequence_store_letters(int64_t *letters, cla_sequence_store *store, const char *location,
                                      cla_error *error) {
  sequence_location split = {0};
  struct stat facts;
  *letters = 0;
  cla_status status = sequence_location_split(&split, location, error);
  if (status || range_letters(letters, split.selection) || stat(split.file, &facts) != 0 ||
      !S_ISREG(facts.st_mode))
    goto done;
  if (is_indexed(store, &split))
    status = record_letters(letters, store, &split, error);
  else
    *letters = file_letters(split.file, facts.st_size);
done:
  sequence_location_free(&split);
  return status;
}
