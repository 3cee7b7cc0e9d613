#include "store/process_journals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"

#define PATTERN "journal-*.clj"
#define NUMBERS 1000000 /* more runs and processes than any batch has */

/* The caller frees *out. */
static cla_status path_of(char **out, const char *folder, const char *name, cla_error *error) {
  const size_t size = strlen(folder) + strlen(name) + 2;
  cla_status status = allocate_array((void **)out, (int64_t)size, 1, "a file name", error);
  if (status == CLA_OK) snprintf(*out, size, "%s/%s", folder, name);
  return status;
}

/* Makes an empty file of that name if there is none. */
static cla_status reserve(bool *there, const char *path, cla_error *error) {
  errno = 0;
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  *there = descriptor < 0 && errno == EEXIST;
  if (descriptor < 0 && !*there)
    return error_set(error, CLA_ERROR_OUTPUT, "cannot write %.1024s: %s; %s", path, strerror(errno),
                     output_remedy(errno));
  if (descriptor >= 0) close(descriptor);
  return CLA_OK;
}

cla_status process_journal_create(batch_journal **out, const char *folder, const uint8_t key[16],
                                  cla_error *error) {
  cla_status status = CLA_OK;
  bool there = true;
  *out = NULL;
  for (int number = 1; status == CLA_OK && there && number < NUMBERS; number++) {
    char name[40], *path = NULL;
    int64_t lost_bytes = 0;
    snprintf(name, sizeof name, "journal-%d.clj", number);
    status = path_of(&path, folder, name, error);
    if (status == CLA_OK) status = reserve(&there, path, error);
    if (status == CLA_OK && !there) status = batch_journal_open(out, path, key, &lost_bytes, error);
    free(path);
  }
  if (status == CLA_OK && !*out)
    status =
        error_set(error, CLA_ERROR_OUTPUT, "%.1024s has no room for another journal; begin again", folder);
  return status;
}

static cla_status add(process_journals *out, const char *path, const uint8_t key[16], int64_t *lost_bytes,
                      cla_error *error) {
  void *items = out->items;
  int64_t lost = 0;
  cla_status status =
      allocate_grow(&items, &out->capacity, out->count + 1, sizeof(batch_journal *), "journals", error);
  out->items = items;
  if (status == CLA_OK) status = batch_journal_open(&out->items[out->count], path, key, &lost, error);
  out->count += status == CLA_OK;
  *lost_bytes += lost;
  return status;
}

cla_status process_journals_open(process_journals *out, const char *folder, const uint8_t key[16],
                                 int64_t *lost_bytes, cla_error *error) {
  DIR *open = opendir(folder);
  cla_status status = CLA_OK;
  if (!open) return error_set(error, CLA_ERROR_INPUT, "cannot read %.1024s: %s", folder, strerror(errno));
  for (const struct dirent *entry; status == CLA_OK && (entry = readdir(open));) {
    char *path = NULL;
    if (fnmatch(PATTERN, entry->d_name, 0) != 0) continue;
    status = path_of(&path, folder, entry->d_name, error);
    if (status == CLA_OK) status = add(out, path, key, lost_bytes, error);
    free(path);
  }
  closedir(open);
  return status;
}

int64_t process_journals_count(const process_journals *journals) {
  int64_t count = 0;
  for (int64_t i = 0; i < journals->count; i++) count += batch_journal_count(journals->items[i]);
  return count;
}

cla_status process_journals_read(uint8_t **bytes, int64_t *length_bytes, journal_unit *unit,
                                 const process_journals *journals, int64_t first, cla_error *error) {
  cla_status status = CLA_OK;
  *bytes = NULL;
  for (int64_t i = 0; i < journals->count && status == CLA_OK && !*bytes; i++)
    status = batch_journal_read(bytes, length_bytes, unit, journals->items[i], first, error);
  return status;
}

void process_journals_close(process_journals *journals) {
  cla_error unused; /* nothing was written */
  for (int64_t i = 0; i < journals->count; i++) (void)batch_journal_close(journals->items[i], &unused);
  free(journals->items);
  *journals = (process_journals){0};
}
