#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "device/program_cache.h"

#define DAY_SECONDS INT64_C(86400)
#define HASH_DIGITS 32

typedef struct cached_file {
  char name[HASH_DIGITS + sizeof ".program"];
  int64_t used, bytes; /* seconds since the epoch; size */
} cached_file;

static bool is_entry(const char *name) {
  return strspn(name, "0123456789abcdef") == HASH_DIGITS && strcmp(name + HASH_DIGITS, ".program") == 0;
}

/* The names that atomic_file.h gives to files that are being written. */
static bool is_temporary(const char *name) {
  const size_t length = strlen(name);
  return strncmp(name, ".clalign-", 9) == 0 && length > 13 && strcmp(name + length - 4, ".tmp") == 0;
}

static int by_use(const void *a, const void *b) {
  const cached_file *left = a, *right = b;
  return left->used < right->used ? -1 : left->used > right->used;
}

/* Removing is safe while others read: they have the file open, or find none and build. */
void program_cache_trim(const char *folder, int64_t now, int64_t limit_bytes) {
  cached_file *files = NULL;
  int64_t count = 0, capacity = 0, all = 0;
  DIR *stream = opendir(folder);
  if (!stream) return;
  const int descriptor = dirfd(stream);
  for (const struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
    struct stat state;
    const bool temporary = is_temporary(entry->d_name);
    if ((!temporary && !is_entry(entry->d_name)) ||
        fstatat(descriptor, entry->d_name, &state, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(state.st_mode))
      continue;
    const int64_t unused = now - (int64_t)state.st_mtime;
    if (unused > (temporary ? 1 : PROGRAM_CACHE_DAYS) * DAY_SECONDS) {
      (void)unlinkat(descriptor, entry->d_name, 0);
      continue;
    }
    if (temporary || allocate_grow((void **)&files, &capacity, count + 1, sizeof *files, "the cache's files",
                                   NULL) != CLA_OK)
      continue;
    memcpy(files[count].name, entry->d_name, strlen(entry->d_name) + 1);
    files[count].used = (int64_t)state.st_mtime;
    files[count].bytes = (int64_t)state.st_size;
    all += files[count++].bytes;
  }
  if (files && all > limit_bytes) qsort(files, (size_t)count, sizeof *files, by_use);
  for (int64_t i = 0; files && i < count && all > limit_bytes; i++)
    if (unlinkat(descriptor, files[i].name, 0) == 0) all -= files[i].bytes;
  closedir(stream);
  free(files);
}
