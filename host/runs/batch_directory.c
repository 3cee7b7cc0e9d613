/* Implements cla_batch_directory: the manifest, the lock and the journal of a batch. */

#include "clalign/batch_directory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "clalign/version.h"
#include "runs/batch_journal.h"
#include "runs/sealed_json.h"

#define FORMAT "clalign batch"
#define MANIFEST "batch.json"
#define JOURNAL "journal.clj"

struct cla_batch_directory {
  uint8_t key[16];
  file_lock *lock;
  batch_journal *journal;
  uint8_t *content; /* content of the next entry: the unit's mark, the number of pairs, then the pairs */
  int64_t length, capacity;
  int64_t pairs;
};

/* Head of a pair in an entry. The pair's alignments come after it. */
typedef struct pair_head {
  int64_t index, length_bytes; /* length_bytes: bytes of the alignments; 0: no alignments */
} pair_head;

/* Head of an entry. */
typedef struct unit_head {
  cla_pairs_mark mark;
  int64_t pairs;
} unit_head;

/* The facts that identify a sequence of a pair. */
typedef struct side_mark {
  int64_t alphabet, begin, end;
  uint64_t name; /* XXH3-64 of the name */
  uint8_t checksum[16];
} side_mark;

static side_mark mark_side(const cla_sequence *sequence) {
  const char *name = cla_sequence_name(sequence);
  side_mark mark = {.alphabet = cla_sequence_alphabet(sequence),
                    .begin = cla_sequence_begin(sequence),
                    .end = cla_sequence_end(sequence),
                    .name = XXH3_64bits(name, strlen(name))};
  cla_sequence_checksum(sequence, mark.checksum);
  return mark;
}

void cla_pairs_mark_add(cla_pairs_mark *mark, const cla_sequence *query, const cla_sequence *target) {
  const struct {
    cla_pairs_mark before;
    side_mark query, target;
  } all = {.before = *mark, .query = mark_side(query), .target = mark_side(target)};
  const XXH128_hash_t hash = XXH3_128bits(&all, sizeof all);
  *mark = (cla_pairs_mark){.value = {hash.low64, hash.high64}};
}

bool cla_batch_directory_exists(const char *folder) {
  char *path = NULL;
  const bool there = path_join(&path, folder, MANIFEST, NULL) == CLA_OK && access(path, F_OK) == 0;
  free(path);
  return there;
}

/* Refuses a folder that holds a batch already, or any other files: whoever deletes the run's folder would
 * delete these files, too. */
static cla_status refuse_files(const char *folder, cla_error *error) {
  if (cla_batch_directory_exists(folder))
    return error_set(
        error, CLA_ERROR_OPTION,
        "%.1024s holds a batch already; 'clalign resume %.256s' goes on with it, or give another "
        "--run-dir",
        folder, folder);
  return folder_check_unused(folder, false, error);
}

static cla_status write_manifest(uint8_t key[16], const char *folder, const char *text, cla_error *error) {
  char *path = NULL;
  json_t *object = json_pack("{s:s, s:s}", "program", CLA_VERSION_STRING, "text", text);
  cla_status status = CLA_OK;
  if (!object)
    status = error_set(error, CLA_ERROR_MEMORY,
                       "out of memory for a run directory, or its text is no UTF-8; free some memory");
  if (status == CLA_OK) status = sealed_json_checksum(key, object, error);
  if (status == CLA_OK) status = path_join(&path, folder, MANIFEST, error);
  if (status == CLA_OK) status = sealed_json_write(path, FORMAT, object, error);
  json_decref(object);
  free(path);
  return status;
}

/* Reads batch.json. *key receives the checksum of the object that write_manifest made, without the keys added
 * by sealed_json_write. */
static cla_status read_manifest(char **text, uint8_t key[16], const char *folder, cla_error *error) {
  cla_error reason = {.message = ""};
  char *path = NULL;
  json_t *object = NULL;
  *text = NULL;
  if (!cla_batch_directory_exists(folder))
    return error_set(
        error, CLA_ERROR_INPUT,
        "%.1024s holds no batch: it has no " MANIFEST "; give the folder of an earlier --run-dir", folder);
  cla_status status = path_join(&path, folder, MANIFEST, &reason);
  if (status == CLA_OK) status = sealed_json_read(&object, path, FORMAT, &reason);
  if (status == CLA_OK) {
    const char *found = json_string_value(json_object_get(object, "text"));
    status =
        found ? allocate_text(text, found, &reason) : error_set(&reason, CLA_ERROR_INPUT, "lacks its text");
    json_object_del(object, "format");
    json_object_del(object, "version");
    if (status == CLA_OK) status = sealed_json_checksum(key, object, &reason);
  }
  if (status != CLA_OK) sealed_json_explain(error, status, path, &reason);
  json_decref(object);
  free(path);
  return status;
}

cla_status cla_batch_directory_text(char **out, const char *folder, cla_error *error) {
  uint8_t key[16];
  return read_manifest(out, key, folder, error);
}

static cla_status open_directory(cla_batch_directory *directory, const char *folder, const char *text,
                                 cla_error *error) {
  uint8_t *key = directory->key;
  char *path = NULL;
  cla_status status = refuse_files(folder, error);
  if (status == CLA_OK) status = folder_lock_take(&directory->lock, folder, true, error);
  if (status == CLA_OK) status = refuse_files(folder, error); /* another process may have been faster */
  if (status == CLA_OK) status = write_manifest(key, folder, text, error);
  if (status == CLA_OK) status = path_join(&path, folder, JOURNAL, error);
  if (status == CLA_OK) status = batch_journal_create(&directory->journal, path, key, error);
  free(path);
  return status;
}

static cla_status reopen_directory(cla_batch_directory *directory, const char *folder, int64_t *lost_bytes,
                                   cla_error *error) {
  uint8_t *key = directory->key;
  char *path = NULL, *text = NULL;
  cla_status status = read_manifest(&text, key, folder, error);
  if (status == CLA_OK) status = folder_lock_take(&directory->lock, folder, false, error);
  if (status == CLA_OK) status = path_join(&path, folder, JOURNAL, error);
  if (status == CLA_OK) status = batch_journal_open(&directory->journal, path, key, lost_bytes, error);
  free(text);
  free(path);
  return status;
}

static void free_directory(cla_batch_directory *directory) {
  file_lock_release(directory->lock);
  free(directory->content);
  free(directory);
}

static cla_status finish_open(cla_batch_directory **out, cla_batch_directory *directory, cla_status status) {
  if (status == CLA_OK) {
    cla_batch_directory_drop(directory);
    *out = directory;
    return CLA_OK;
  }
  (void)batch_journal_close(directory->journal, NULL);
  free_directory(directory);
  return status;
}

cla_status cla_batch_directory_begin(cla_batch_directory **out, const char *folder, const char *text,
                                     cla_error *error) {
  cla_batch_directory *memory = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&memory, 1, "a run directory", error);
  return status == CLA_OK ? finish_open(out, memory, open_directory(memory, folder, text, error)) : status;
}

cla_status cla_batch_directory_resume(cla_batch_directory **out, const char *folder, int64_t *lost_bytes,
                                      cla_error *error) {
  cla_batch_directory *memory = NULL;
  *out = NULL;
  *lost_bytes = 0;
  cla_status status = ALLOCATE_ZEROS(&memory, 1, "a run directory", error);
  if (status != CLA_OK) return status;
  return finish_open(out, memory, reopen_directory(memory, folder, lost_bytes, error));
}

int64_t cla_batch_directory_units(const cla_batch_directory *directory) {
  return batch_journal_count(directory->journal);
}

static cla_status append(cla_batch_directory *directory, const void *bytes, int64_t length,
                         cla_error *error) {
  cla_status status = ALLOCATE_GROW(&directory->content, &directory->capacity, directory->length + length,
                                    "an entry of a journal", error);
  if (status != CLA_OK || length == 0) return status;
  memcpy(directory->content + directory->length, bytes, (size_t)length);
  directory->length += length;
  return CLA_OK;
}

void cla_batch_directory_drop(cla_batch_directory *directory) {
  directory->length = directory->pairs = 0;
}

cla_status cla_batch_directory_put(cla_batch_directory *directory, int64_t index,
                                   const cla_alignment *const *alignments, size_t count, cla_error *error) {
  static const unit_head later;
  pair_head head = {.index = index};
  uint8_t *packed = NULL;
  cla_status status = directory->length == 0 ? append(directory, &later, sizeof later, error) : CLA_OK;
  if (status == CLA_OK && count > 0)
    status = cla_alignments_pack(&packed, &head.length_bytes, alignments, count, error);
  if (status == CLA_OK) status = append(directory, &head, sizeof head, error);
  if (status == CLA_OK) status = append(directory, packed, head.length_bytes, error);
  directory->pairs += status == CLA_OK;
  free(packed);
  return status;
}

cla_status cla_batch_directory_finish_unit(cla_batch_directory *directory, int64_t first, int64_t past,
                                           const cla_pairs_mark *mark, cla_error *error) {
  const journal_unit unit = {.first = first, .past = past};
  const unit_head head = {.mark = *mark, .pairs = directory->pairs};
  cla_status status = directory->length == 0 ? append(directory, &head, sizeof head, error) : CLA_OK;
  if (status != CLA_OK) return status;
  memcpy(directory->content, &head, sizeof head);
  status = batch_journal_add(directory->journal, &unit, directory->content, directory->length, error);
  cla_batch_directory_drop(directory);
  return status;
}

static cla_status impossible(cla_error *error) {
  return error_set(error, CLA_ERROR_INPUT,
                   "the run directory's " JOURNAL " holds impossible values; delete it to begin again");
}

/* The bytes of a block begin with this head instead of a unit's head. */
static const unit_head block_head = {.mark = {{0, 0}}, .pairs = -1};

bool cla_batch_directory_of_blocks(const cla_batch_directory *directory) {
  uint8_t *bytes = NULL;
  int64_t length = 0, first = 0, past = 0;
  journal_unit unit;
  cla_error unused;
  if (!cla_batch_directory_next(&first, &past, directory, 0)) return false;
  if (batch_journal_read(&bytes, &length, &unit, directory->journal, first, &unused) != CLA_OK || !bytes)
    return false;
  const bool of_blocks =
      length >= (int64_t)sizeof block_head && memcmp(bytes, &block_head, sizeof block_head) == 0;
  free(bytes);
  return of_blocks;
}

bool cla_batch_directory_next(int64_t *out_first, int64_t *out_past, const cla_batch_directory *directory,
                              int64_t first) {
  journal_unit unit;
  if (!batch_journal_next(&unit, directory->journal, first)) return false;
  *out_first = unit.first;
  *out_past = unit.past;
  return true;
}

cla_status cla_batch_directory_keep(cla_batch_directory *directory, int64_t first, int64_t past,
                                    const void *bytes, int64_t length, cla_error *error) {
  const journal_unit unit = {.first = first, .past = past};
  cla_batch_directory_drop(directory);
  cla_status status = append(directory, &block_head, sizeof block_head, error);
  if (status == CLA_OK) status = append(directory, bytes, length, error);
  if (status == CLA_OK)
    status = batch_journal_add(directory->journal, &unit, directory->content, directory->length, error);
  cla_batch_directory_drop(directory);
  return status;
}

cla_status cla_batch_directory_find(uint8_t **bytes, int64_t *length, cla_batch_directory *directory,
                                    int64_t first, cla_error *error) {
  journal_unit unit;
  cla_status status = batch_journal_read(bytes, length, &unit, directory->journal, first, error);
  if (status != CLA_OK || !*bytes) return status;
  *length -= (int64_t)sizeof block_head;
  if (*length >= 0 && memcmp(*bytes, &block_head, sizeof block_head) == 0) {
    memmove(*bytes, *bytes + sizeof block_head, (size_t)*length);
    return CLA_OK;
  }
  free(*bytes);
  *bytes = NULL;
  return impossible(error);
}

cla_status cla_batch_directory_close(cla_batch_directory *directory, cla_error *error) {
  if (!directory) return CLA_OK;
  cla_status status = batch_journal_close(directory->journal, error);
  free_directory(directory);
  return status;
}

void cla_finished_unit_free(cla_finished_unit *unit) {
  if (!unit) return;
  for (size_t i = 0; i < unit->count; i++)
    cla_alignments_free(unit->pairs[i].alignments, unit->pairs[i].count);
  free(unit->pairs);
  free(unit);
}

/* Takes the next `length` bytes of an entry: returns their address and moves *at behind them. NULL if the
 * entry has fewer. */
static const uint8_t *take(const uint8_t **at, const uint8_t *end, int64_t length) {
  const uint8_t *bytes = *at;
  if (length < 0 || length > end - bytes) return NULL;
  *at += length;
  return bytes;
}

static cla_status decode_unit(cla_finished_unit *unit, const uint8_t *bytes, int64_t length,
                              cla_error *error) {
  const uint8_t *at = bytes, *end = bytes + length;
  unit_head head;
  const uint8_t *taken = take(&at, end, sizeof head);
  if (!taken) return impossible(error);
  memcpy(&head, taken, sizeof head);
  if (head.pairs < 0 || head.pairs > (end - at) / (int64_t)sizeof(pair_head)) return impossible(error);
  unit->mark = head.mark;
  cla_status status = ALLOCATE_ZEROS(&unit->pairs, head.pairs, "finished pairs", error);
  for (int64_t i = 0; i < head.pairs && status == CLA_OK; i++) {
    cla_finished_pair *pair = &unit->pairs[i];
    pair_head about;
    taken = take(&at, end, sizeof about);
    if (!taken) return impossible(error);
    memcpy(&about, taken, sizeof about);
    taken = take(&at, end, about.length_bytes);
    if (!taken || about.index < unit->first || about.index >= unit->past) return impossible(error);
    pair->index = about.index;
    unit->count++;
    if (about.length_bytes > 0)
      status = cla_alignments_unpack(&pair->alignments, &pair->count, taken, about.length_bytes,
                                     "an entry of the run directory's " JOURNAL, error);
  }
  return status == CLA_OK && at != end ? impossible(error) : status;
}

cla_status cla_batch_directory_load(cla_finished_unit **out, cla_batch_directory *directory, int64_t first,
                                    cla_error *error) {
  uint8_t *bytes = NULL;
  int64_t length = 0;
  journal_unit range;
  cla_finished_unit *unit = NULL;
  *out = NULL;
  cla_status status = batch_journal_read(&bytes, &length, &range, directory->journal, first, error);
  if (status != CLA_OK || !bytes) return status;
  status = ALLOCATE_ZEROS(&unit, 1, "finished pairs", error);
  if (status == CLA_OK) {
    unit->first = range.first;
    unit->past = range.past;
    status = decode_unit(unit, bytes, length, error);
  }
  free(bytes);
  if (status == CLA_OK)
    *out = unit;
  else
    cla_finished_unit_free(unit);
  return status;
}
