/* cla_sequence_store reads sequences by their locations, from files that are used many times. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/sequence_internal.h"

#define BUCKETS 65536
#define ENTRY_BYTES 512 /* approximate memory of a sequence, excluding its letters */

typedef struct cached_record {
  int64_t file, number, bytes;
  cla_sequence *sequence;
  struct cached_record *next;          /* next record in the bucket */
  struct cached_record *newer, *older; /* neighbours in the list that is sorted by last use */
} cached_record;

/* A cache of sequences by file and record number. If the sequences take more than `most_bytes`, the least
 * recently used ones are removed. */
typedef struct record_cache {
  int64_t most_bytes, bytes;
  cached_record *newest, *oldest;
  cached_record *buckets[BUCKETS];
} record_cache;

static cla_status record_cache_make(record_cache **out, int64_t bytes, cla_error *error) {
  record_cache *memory = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&memory, 1, "sequences", error);
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

/* Removes the least recently used records until the remaining ones fit. The newest record stays, because
 * the caller may be using it. */
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

/* Returns a sequence, which is owned by the cache and valid until the next call; NULL if it is not in the
 * cache. */
static cla_sequence *record_cache_find(record_cache *cache, int64_t file, int64_t number) {
  cached_record *record = find_record(cache, file, number);
  if (!record) return NULL;
  unlink_record(cache, record);
  make_newest(cache, record);
  return record->sequence;
}

/* Adds a sequence, in place of any old one with the same number, and takes ownership of it. Frees the
 * sequence after an error. */
static cla_status record_cache_add(record_cache *cache, int64_t file, int64_t number, cla_sequence *sequence,
                                   cla_error *error) {
  cached_record *memory = NULL;
  cached_record *present = find_record(cache, file, number);
  if (present) remove_record(cache, present);
  cla_status status = ALLOCATE_ZEROS(&memory, 1, "sequences", error);
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

#define FILES_MOST 64 /* maximum number of open files */

/* All records of a file in memory. */
typedef struct loaded_file {
  char *path;
  cla_record_block records;
  record_index names;
  struct loaded_file *next; /* next file in the store's list */
} loaded_file;

typedef struct stored_file {
  char *path;
  size_t path_length;
  bool only_name;            /* no other file's name starts with this file's name and a colon */
  bool seen;                 /* whether to load the file has been decided */
  const loaded_file *loaded; /* NULL: records are read one by one */
  cla_sequence_file *file;
  int64_t number; /* number of the file among all files opened so far; part of the cache's keys */
  int64_t last_use;
} stored_file;

struct cla_sequence_store {
  stored_file files[FILES_MOST];
  stored_file *last; /* the file that was used last; NULL: none */
  int64_t opened, uses;
  record_cache *cache;
  loaded_file *loaded;
  int64_t most_loaded; /* number of bytes that may still be loaded */
};

cla_status cla_sequence_store_open(cla_sequence_store **out, int64_t bytes, cla_error *error) {
  cla_sequence_store *store = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&store, 1, "sequences", error);
  if (status) return status;
  store->most_loaded = bytes / 2;
  status = record_cache_make(&store->cache, bytes - store->most_loaded, error);
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

static void free_loaded(loaded_file *file) {
  cla_record_block_free(&file->records);
  record_index_free(&file->names);
  free(file->path);
  free(file);
}

void cla_sequence_store_close(cla_sequence_store *store) {
  if (!store) return;
  for (int i = 0; i < FILES_MOST; i++) close_file(&store->files[i]);
  for (loaded_file *file = store->loaded, *next; file; file = next) {
    next = file->next;
    free_loaded(file);
  }
  record_cache_free(store->cache);
  free(store);
}

/* True if `one` should be closed rather than `other`: it was last used longer ago. The standard input stays
 * open, because it cannot be opened again. */
static bool goes_before(const stored_file *one, const stored_file *other) {
  const bool kept = one->path && strcmp(one->path, "-") == 0;
  return !kept && (!other || one->last_use < other->last_use);
}

/* True if no other name in the file's folder starts with this file's name and a colon. Then a location that
 * starts so refers to this file, and the disk need not be searched again. */
static bool is_only_name(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const size_t length = strlen(name);
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  DIR *open = folder ? opendir(folder) : NULL;
  bool only = open && strcmp(path, "-") != 0;
  free(folder);
  for (const struct dirent *entry; only && (entry = readdir(open));)
    only = strncmp(entry->d_name, name, length) != 0 || entry->d_name[length] != ':';
  if (open) closedir(open);
  return only;
}

static cla_status open_file(stored_file **out, cla_sequence_store *store, const char *path,
                            cla_error *error) {
  stored_file *place = NULL;
  for (int i = 0; i < FILES_MOST; i++) {
    stored_file *file = &store->files[i];
    if (file->path && strcmp(file->path, path) == 0) {
      *out = store->last = file;
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
  place->path_length = strlen(path);
  place->only_name = is_only_name(path);
  *out = store->last = place;
  return CLA_OK;
}

/* True if the location is certainly FILE:SELECTION, where FILE is this file. */
static bool is_in(const stored_file *file, const char *location) {
  return file && file->only_name && strncmp(location, file->path, file->path_length) == 0 &&
         location[file->path_length] == ':';
}

/* A location, split into its file and its selection. */
typedef struct place {
  const char *location, *selection; /* `selection`: text after the file's name and a colon; NULL: none */
  stored_file *file;                /* valid until another file is opened */
  sequence_location split;          /* the caller frees it with sequence_location_free */
} place;

static cla_status find_file(place *out, cla_sequence_store *store, const char *location, cla_error *error) {
  stored_file *file = is_in(store->last, location) ? store->last : NULL;
  *out = (place){.location = location};
  for (int i = 0; i < FILES_MOST && !file; i++)
    if (is_in(&store->files[i], location)) file = store->last = &store->files[i];
  if (file) {
    out->selection = location + file->path_length + 1;
  } else {
    cla_status status = sequence_location_split(&out->split, location, error);
    if (!status) status = open_file(&file, store, out->split.file, error);
    if (status) return status;
    out->selection = out->split.selection;
  }
  out->file = file;
  file->last_use = ++store->uses;
  return CLA_OK;
}

/* True if reading the record again with these options would yield the cached sequence. */
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
  const int64_t key =
      2 * number + options->known; /* separate keys: the detected alphabet may differ from the given one */
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

static cla_status read_one(cla_sequence **out, cla_sequence_store *store, const place *at,
                           const cla_sequence_options *options, cla_error *error) {
  cla_sequence *whole = NULL;
  record_choice choice;
  int64_t number = 0;
  record_choice_begin(&choice, at->selection);
  cla_status status = sequence_file_choose(&number, &choice, at->file->file, error);
  if (!status) status = find_whole(&whole, store, at->file, number, options, error);
  return status ? status : cut(out, whole, &choice, at->location, sequence_file_shown(at->file->file), error);
}

cla_status cla_sequence_store_read(cla_sequence **out, cla_sequence_store *store, const char *location,
                                   const cla_sequence_options *options, cla_error *error) {
  static const cla_sequence_options none = {0};
  place at;
  *out = NULL;
  cla_status status = find_file(&at, store, location, error);
  if (!status) status = read_one(out, store, &at, options ? options : &none, error);
  sequence_location_free(&at.split);
  return status;
}

/* Reads all records of the file. Returns false if the file is not regular, is too large, or contains an
 * error. */
static bool load(loaded_file *out, const cla_sequence_store *store, const char *path,
                 const cla_sequence_options *options) {
  struct stat facts;
  cla_record_blocks *file = NULL;
  cla_record_block more = {0}, *records = &out->records;
  if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size > store->most_loaded ||
      cla_record_blocks_open(&file, path, options->qualities, NULL))
    return false;
  bool right = !allocate_text(&out->path, path, NULL) &&
               !cla_record_block_cut(records, file, INT64_MAX, store->most_loaded, NULL) &&
               !cla_record_block_cut(&more, file, 1, 1, NULL) && more.count == 0 && !records->failed &&
               !cla_record_block_parse(records, options, NULL);
  for (int64_t i = 0; i < records->count && right; i++)
    right = !records->status[i] &&
            !record_index_add(&out->names, 0, 0, records->names + records->name_offsets[i], NULL);
  right = right && !record_index_finish(&out->names, NULL);
  free(records->bytes); /* the parsed arrays replace the bytes */
  records->bytes = NULL;
  records->byte_capacity = 0;
  records->path = out->path;
  cla_record_block_free(&more);
  cla_record_blocks_close(file);
  return right;
}

/* Loads the file if the selection is a whole record. Each file is tried only once. */
static void consider(stored_file *file, cla_sequence_store *store, const char *selection,
                     const cla_sequence_options *options) {
  const char *colon = strrchr(selection, ':');
  if (file->seen || sequence_range_form(colon ? colon + 1 : selection)) return;
  file->seen = true;
  if (!options->known && options->alphabet != CLA_ALPHABET_PROTEIN) return;
  loaded_file *loaded = NULL;
  if (ALLOCATE_ZEROS(&loaded, 1, "sequences", NULL)) return;
  if (!load(loaded, store, file->path, options)) {
    free_loaded(loaded);
    return;
  }
  loaded->next = store->loaded;
  store->loaded = loaded;
  store->most_loaded -= loaded->records.offsets[loaded->records.count];
  file->loaded = loaded;
}

cla_status cla_sequence_store_find(cla_record_source *out, cla_sequence_store *store, const char *location,
                                   const cla_sequence_options *options, cla_error *error) {
  place at;
  int64_t same = 0;
  *out = (cla_record_source){0};
  cla_status status = find_file(&at, store, location, error);
  if (!status && at.selection) consider(at.file, store, at.selection, options);
  if (!status && at.selection && at.file->loaded) {
    out->index =
        record_index_find(&at.file->loaded->names, &same, at.selection, (int64_t)strlen(at.selection));
    if (same == 1) out->block = &at.file->loaded->records;
  }
  if (!status && !out->block) status = read_one(&out->sequence, store, &at, options, error);
  sequence_location_free(&at.split);
  return status;
}
