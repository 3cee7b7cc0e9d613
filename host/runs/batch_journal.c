#include "runs/batch_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "base/machine.h"

#define MAGIC "CLABAT\r\n"
#define VERSION 1
#define NATIVE_ORDER UINT32_C(0x01020304) /* stored in the writing machine's byte order */
#define SYNC_SECONDS 1.0

typedef struct journal_head {
  char magic[8];
  uint32_t version, byte_order;
  uint8_t key[16];
} journal_head;

/* Head of an entry. The entry's content comes after it. */
typedef struct entry_head {
  journal_unit unit;
  int64_t length_bytes; /* bytes of the content */
  uint64_t checksum;    /* XXH3-64 of the key, the entry's offset, the fields above and the content */
} entry_head;

_Static_assert(sizeof(journal_head) == 32 && sizeof(entry_head) == 32, "the layout has no padding");

/* The pairs of an entry, and the entry's place in the file. */
typedef struct entry_place {
  int64_t first, past, offset;
} entry_place;

struct batch_journal {
  char *path;
  int descriptor;
  uint8_t key[16];
  int64_t end;         /* end of the last entry, and of the file */
  entry_place *places; /* in the order of their pairs */
  int64_t count, capacity;
  double synced; /* time of the last sync */
};

static cla_status cannot_write(const batch_journal *journal, cla_error *error) {
  const int reason = errno ? errno : EIO;
  return error_set(error, CLA_ERROR_OUTPUT, "cannot write %.1024s: %s; %s", journal->path, strerror(reason),
                   output_remedy(reason));
}

/* Writes all bytes, and continues after short writes. Returns false after an error. */
static bool write_all(int descriptor, const void *bytes, int64_t length, int64_t offset) {
  const uint8_t *at = bytes;
  while (length > 0) {
    const ssize_t count = pwrite(descriptor, at, (size_t)length, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    offset += count;
    length -= count;
  }
  return true;
}

/* Reads `length` bytes. *whole is false if the file ends before. A read error is reported, because it does
 * not mean that the file is damaged. */
static cla_status read_all(bool *whole, const batch_journal *journal, void *bytes, int64_t length,
                           int64_t offset, cla_error *error) {
  uint8_t *at = bytes;
  *whole = false;
  while (length > 0) {
    const ssize_t count = pread(journal->descriptor, at, (size_t)length, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return error_set(error, CLA_ERROR_INPUT, "cannot read %.1024s: %s; nothing in it was changed",
                       journal->path, strerror(errno));
    if (count == 0) return CLA_OK;
    at += count;
    offset += count;
    length -= count;
  }
  *whole = true;
  return CLA_OK;
}

static cla_status make(batch_journal **out, const char *path, const uint8_t key[16], cla_error *error) {
  batch_journal *memory = NULL;
  cla_status status = ALLOCATE_ZEROS(&memory, 1, "a journal", error);
  *out = memory;
  if (status != CLA_OK) return status;
  (*out)->descriptor = -1;
  memcpy((*out)->key, key, sizeof(*out)->key);
  return allocate_text(&(*out)->path, path, error);
}

static cla_status write_head(batch_journal *journal, cla_error *error) {
  journal_head head = {.version = VERSION, .byte_order = NATIVE_ORDER};
  memcpy(head.magic, MAGIC, sizeof head.magic);
  memcpy(head.key, journal->key, sizeof head.key);
  errno = 0;
  if (ftruncate(journal->descriptor, 0) != 0 || !write_all(journal->descriptor, &head, sizeof head, 0) ||
      fsync(journal->descriptor) != 0)
    return cannot_write(journal, error);
  journal->end = sizeof head;
  return CLA_OK;
}

static cla_status open_file(batch_journal *journal, int flags, cla_error *error) {
  errno = 0;
  journal->descriptor = open(journal->path, O_RDWR | O_CREAT | O_CLOEXEC | flags, 0666);
  return journal->descriptor >= 0 ? CLA_OK : cannot_write(journal, error);
}

static void free_journal(batch_journal *journal) {
  if (journal->descriptor >= 0) close(journal->descriptor);
  free(journal->path);
  free(journal->places);
  free(journal);
}

static cla_status finish_open(batch_journal **out, batch_journal *journal, cla_status status) {
  *out = NULL;
  if (status == CLA_OK)
    *out = journal;
  else if (journal)
    free_journal(journal);
  return status;
}

cla_status batch_journal_create(batch_journal **out, const char *path, const uint8_t key[16],
                                cla_error *error) {
  batch_journal *journal = NULL;
  cla_status status = make(&journal, path, key, error);
  if (status == CLA_OK) status = open_file(journal, O_EXCL, error);
  if (status == CLA_OK) status = write_head(journal, error);
  return finish_open(out, journal, status);
}

static uint64_t entry_checksum(const batch_journal *journal, const entry_head *head, int64_t offset,
                               const void *content) {
  const int64_t numbers[] = {offset, head->unit.first, head->unit.past, head->length_bytes};
  uint8_t about[sizeof journal->key + sizeof numbers];
  memcpy(about, journal->key, sizeof journal->key);
  memcpy(about + sizeof journal->key, numbers, sizeof numbers);
  return XXH3_64bits_withSeed(content, (size_t)head->length_bytes, XXH3_64bits(about, sizeof about));
}

/* Reads the entry at `offset` of a file of `size` bytes. *content is NULL if the entry is incomplete or
 * altered. */
static cla_status read_entry(void **content, entry_head *head, const batch_journal *journal, int64_t offset,
                             int64_t size, cla_error *error) {
  bool whole = false;
  *content = NULL;
  if (size - offset < (int64_t)sizeof *head) return CLA_OK;
  cla_status status = read_all(&whole, journal, head, sizeof *head, offset, error);
  if (status != CLA_OK || !whole) return status;
  const int64_t left = size - offset - (int64_t)sizeof *head;
  if (head->length_bytes < 0 || head->length_bytes > left || head->unit.first < 0 ||
      head->unit.past <= head->unit.first)
    return CLA_OK;
  status = allocate_array(content, head->length_bytes, 1, "an entry of a journal", error);
  if (status == CLA_OK)
    status = read_all(&whole, journal, *content, head->length_bytes, offset + (int64_t)sizeof *head, error);
  if (status == CLA_OK && whole && entry_checksum(journal, head, offset, *content) == head->checksum)
    return CLA_OK;
  free(*content);
  *content = NULL;
  return status;
}

static int compare_places(const void *left, const void *right) {
  const entry_place *a = left, *b = right;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return (a->offset > b->offset) - (a->offset < b->offset);
}

static cla_status note_place(batch_journal *journal, const journal_unit *unit, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&journal->places, &journal->capacity, journal->count + 1, "a journal", error);
  if (status == CLA_OK)
    journal->places[journal->count++] =
        (entry_place){.first = unit->first, .past = unit->past, .offset = journal->end};
  return status;
}

/* Notes the places of all complete entries, and truncates the file after the last of them. */
static cla_status survey(batch_journal *journal, int64_t size, int64_t *lost_bytes, cla_error *error) {
  cla_status status = CLA_OK;
  journal->end = sizeof(journal_head);
  while (status == CLA_OK) {
    entry_head head;
    void *content = NULL;
    status = read_entry(&content, &head, journal, journal->end, size, error);
    if (status != CLA_OK || !content) break;
    free(content);
    status = note_place(journal, &head.unit, error);
    journal->end += (int64_t)sizeof head + head.length_bytes;
  }
  if (status != CLA_OK) return status;
  if (journal->count > 0)
    qsort(journal->places, (size_t)journal->count, sizeof *journal->places, compare_places);
  *lost_bytes = size - journal->end;
  errno = 0;
  if (*lost_bytes > 0 && ftruncate(journal->descriptor, journal->end) != 0)
    return cannot_write(journal, error);
  return CLA_OK;
}

static cla_status check_head(const batch_journal *journal, cla_error *error) {
  journal_head head;
  bool whole = false;
  const cla_status status = read_all(&whole, journal, &head, sizeof head, 0, error);
  if (status != CLA_OK) return status;
  if (!whole || memcmp(head.magic, MAGIC, sizeof head.magic) != 0)
    return error_set(
        error, CLA_ERROR_INPUT,
        "%.1024s is no journal of a batch, or is altered; restore it, or delete it to begin again",
        journal->path);
  if (head.version != VERSION || head.byte_order != NATIVE_ORDER)
    return error_set(error, CLA_ERROR_INPUT,
                     "%.1024s has format version %u or another byte order; this program reads %d of its own "
                     "machine: resume it where it began",
                     journal->path, (unsigned)head.version, VERSION);
  if (memcmp(head.key, journal->key, sizeof head.key) != 0)
    return error_set(error, CLA_ERROR_INPUT,
                     "%.1024s is of another batch; restore it, or delete it to begin again", journal->path);
  return CLA_OK;
}

cla_status batch_journal_open(batch_journal **out, const char *path, const uint8_t key[16],
                              int64_t *lost_bytes, cla_error *error) {
  struct stat facts;
  batch_journal *journal = NULL;
  *lost_bytes = 0;
  cla_status status = make(&journal, path, key, error);
  if (status == CLA_OK) status = open_file(journal, 0, error);
  if (status == CLA_OK && fstat(journal->descriptor, &facts) != 0) status = cannot_write(journal, error);
  if (status != CLA_OK) return finish_open(out, journal, status);
  /* A shorter file comes from a run that was killed before it wrote the head. Nothing in it can be lost. */
  if (facts.st_size < (off_t)sizeof(journal_head)) {
    status = write_head(journal, error);
  } else {
    status = check_head(journal, error);
    if (status == CLA_OK) status = survey(journal, facts.st_size, lost_bytes, error);
  }
  return finish_open(out, journal, status);
}

int64_t batch_journal_count(const batch_journal *journal) {
  return journal->count;
}

/* Finds the first pair, from `first` on, with which an entry starts. If several entries start with this pair,
 * returns the place of the last of them; NULL: there is no such entry. */
static const entry_place *find_place(const batch_journal *journal, int64_t first) {
  int64_t low = 0, high = journal->count;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (journal->places[middle].first < first)
      low = middle + 1;
    else
      high = middle;
  }
  while (low + 1 < journal->count && journal->places[low + 1].first == journal->places[low].first) low++;
  return low < journal->count ? &journal->places[low] : NULL;
}

bool batch_journal_next(journal_unit *unit, const batch_journal *journal, int64_t first) {
  const entry_place *place = find_place(journal, first);
  if (place) *unit = (journal_unit){place->first, place->past};
  return place;
}

cla_status batch_journal_read(uint8_t **bytes, int64_t *length_bytes, journal_unit *unit,
                              batch_journal *journal, int64_t first, cla_error *error) {
  entry_head head;
  void *content = NULL;
  *bytes = NULL;
  const entry_place *place = find_place(journal, first);
  if (!place || place->first != first) return CLA_OK;
  cla_status status = read_entry(&content, &head, journal, place->offset, journal->end, error);
  if (status != CLA_OK) return status;
  if (!content)
    return error_set(error, CLA_ERROR_INPUT,
                     "%.1024s was altered while it was in use; resume the batch again", journal->path);
  *bytes = content;
  *length_bytes = head.length_bytes;
  *unit = head.unit;
  return CLA_OK;
}

static cla_status sync_now(batch_journal *journal, cla_error *error) {
  journal->synced = machine_seconds();
  errno = 0;
  return fdatasync(journal->descriptor) == 0 ? CLA_OK : cannot_write(journal, error);
}

cla_status batch_journal_add(batch_journal *journal, const journal_unit *unit, const void *bytes,
                             int64_t length_bytes, cla_error *error) {
  entry_head head = {.unit = *unit, .length_bytes = length_bytes};
  head.checksum = entry_checksum(journal, &head, journal->end, bytes);
  const int64_t after = journal->end + (int64_t)sizeof head;
  errno = 0;
  if (!write_all(journal->descriptor, &head, sizeof head, journal->end) ||
      !write_all(journal->descriptor, bytes, length_bytes, after)) {
    cla_status status = cannot_write(journal, error);
    (void)!ftruncate(journal->descriptor, journal->end); /* if this fails, the next run truncates the file */
    return status;
  }
  journal->end = after + length_bytes;
  return machine_seconds() - journal->synced < SYNC_SECONDS ? CLA_OK : sync_now(journal, error);
}

cla_status batch_journal_close(batch_journal *journal, cla_error *error) {
  if (!journal) return CLA_OK;
  cla_status status = sync_now(journal, error);
  free_journal(journal);
  return status;
}
