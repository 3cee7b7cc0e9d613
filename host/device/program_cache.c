#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/files.h"
#include "device/program.h"

#define ENTRY_BYTES_MOST (INT64_C(64) << 20)
#define DAY_SECONDS INT64_C(86400)

/* Adds a field to the key: a line "name LENGTH", then the value. The length makes sure that two different
 * lists of values never give the same key. */
static cla_status add_field(kernel_text *text, const char *name, const char *value, cla_error *error) {
  char head[64];
  const int length = snprintf(head, sizeof head, "%s %zu\n", name, strlen(value));
  cla_status status = kernel_text_add(text, head, (size_t)length, error);
  if (status == CLA_OK) status = kernel_text_add(text, value, strlen(value), error);
  return status == CLA_OK ? kernel_text_add(text, "\n", 1, error) : status;
}

cla_status program_cache_key(char **key, const cla_device *device, const char *options, const char *source,
                             cla_error *error) {
  kernel_text text = {0};
  char platform_version[256] = "";
  cl_platform_id platform = NULL;
  cl_int code = clGetDeviceInfo(device->parent, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
  if (code == CL_SUCCESS)
    code =
        clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof platform_version - 1, platform_version, NULL);
  cla_status status = device_check(device, code, "clGetPlatformInfo", error);
  const struct {
    const char *name, *value;
  } fields[] = {
      {"platform", device->info.platform},
      {"platform version", platform_version},
      {"device", device->info.name},
      {"device version", device->info.version},
      {"driver", device->info.driver},
      {"options", options},
      {"source", source},
  };
  for (size_t i = 0; i < sizeof fields / sizeof fields[0] && status == CLA_OK; i++)
    status = add_field(&text, fields[i].name, fields[i].value, error);
  if (status != CLA_OK) free(text.data);
  *key = status == CLA_OK ? text.data : NULL;
  return status;
}

bool program_cache_path(char *out, size_t size, const char *folder, const char *key) {
  const XXH128_hash_t hash = XXH3_128bits(key, strlen(key));
  const int length = snprintf(out, size, "%s/%016llx%016llx.program", folder, (unsigned long long)hash.high64,
                              (unsigned long long)hash.low64);
  return length > 0 && (size_t)length < size;
}

/* True if an open file is an entry that can be trusted: the user owns it, and nobody else can write it. */
static bool is_own(const struct stat *state) {
  return S_ISREG(state->st_mode) && state->st_uid == geteuid() && !(state->st_mode & (S_IWGRP | S_IWOTH)) &&
         state->st_size > 0 && state->st_size <= ENTRY_BYTES_MOST;
}

static bool read_all(int descriptor, uint8_t *out, size_t length) {
  while (length > 0) {
    const ssize_t got = read(descriptor, out, length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    out += got;
    length -= (size_t)got;
  }
  return true;
}

bool program_cache_load(uint8_t **binary, size_t *binary_bytes, const char *folder, const char *key) {
  char path[PATH_MAX];
  struct stat state;
  uint8_t *bytes = NULL;
  const uint8_t *found = NULL;
  bool loaded = false;
  *binary = NULL;
  *binary_bytes = 0;
  if (!program_cache_path(path, sizeof path, folder, key)) return false;
  /* O_NONBLOCK, so that a pipe under that name does not block the program. */
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return false;
  if (fstat(descriptor, &state) != 0 || !is_own(&state)) goto done;
  bytes = malloc((size_t)state.st_size);
  if (!bytes || !read_all(descriptor, bytes, (size_t)state.st_size)) goto done;
  loaded = program_entry_decode(&found, binary_bytes, bytes, (size_t)state.st_size, key);
  if (!loaded) goto done;
  memmove(bytes, found, *binary_bytes);
  *binary = bytes;
  bytes = NULL;
  /* The modification time is the day of last use, so most reads do not write it. */
  if (time(NULL) - state.st_mtime > DAY_SECONDS) (void)futimens(descriptor, NULL);

done:
  free(bytes);
  close(descriptor);
  return loaded;
}

bool program_cache_prepare(const char *folder) {
  char path[PATH_MAX];
  const size_t length = strlen(folder);
  if (length == 0 || length >= sizeof path) return false;
  memcpy(path, folder, length + 1);
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(path, 0700) != 0 && errno != EEXIST && access(path, F_OK) != 0) return false;
    *slash = '/';
  }
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
  return faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0;
}

bool program_cache_store(const char *folder, const char *key, const uint8_t *binary, size_t binary_bytes) {
  char path[PATH_MAX];
  uint8_t *bytes = NULL;
  size_t length = 0;
  atomic_file *file = NULL;
  bool stored = false;
  if (!program_cache_path(path, sizeof path, folder, key) || !program_cache_prepare(folder)) return false;
  if (program_entry_encode(&bytes, &length, key, binary, binary_bytes, NULL) != CLA_OK ||
      (int64_t)length > ENTRY_BYTES_MOST)
    goto done;
  /* A file of that name is unusable, or the caller would not store a new one. It may be a link, a pipe, or
   * another user's file, which an atomic file would not replace. */
  (void)unlink(path);
  if (atomic_file_open(&file, path, NULL) != CLA_OK) goto done;
  FILE *stream = atomic_file_stream(file);
  if (fchmod(fileno(stream), S_IRUSR | S_IWUSR) != 0 || fwrite(bytes, 1, length, stream) != length) {
    atomic_file_discard(file);
    goto done;
  }
  stored = atomic_file_commit(file, NULL) == CLA_OK;
  if (stored) program_cache_trim(folder, (int64_t)time(NULL), PROGRAM_CACHE_BYTES);

done:
  free(bytes);
  return stored;
}

#define HASH_DIGITS 32

typedef struct cached_file {
  char name[HASH_DIGITS + sizeof ".program"];
  int64_t used, bytes; /* time of last use in seconds since the epoch; size of the file */
} cached_file;

static bool is_entry(const char *name) {
  return strspn(name, "0123456789abcdef") == HASH_DIGITS && strcmp(name + HASH_DIGITS, ".program") == 0;
}

static int by_use(const void *a, const void *b) {
  const cached_file *left = a, *right = b;
  return left->used < right->used ? -1 : left->used > right->used;
}

/* Removing files is safe while other processes read them: a reader either has the file open, or finds none
 * and builds. */
void program_cache_trim(const char *folder, int64_t now, int64_t limit_bytes) {
  cached_file *files = NULL;
  int64_t count = 0, capacity = 0, all = 0;
  DIR *stream = opendir(folder);
  if (!stream) return;
  const int descriptor = dirfd(stream);
  for (const struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
    struct stat state;
    const bool temporary = atomic_file_is_temporary(entry->d_name);
    if ((!temporary && !is_entry(entry->d_name)) ||
        fstatat(descriptor, entry->d_name, &state, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(state.st_mode))
      continue;
    const int64_t unused = now - (int64_t)state.st_mtime;
    if (unused > (temporary ? 1 : PROGRAM_CACHE_DAYS) * DAY_SECONDS) {
      (void)unlinkat(descriptor, entry->d_name, 0);
      continue;
    }
    if (temporary || ALLOCATE_GROW(&files, &capacity, count + 1, "the cache's files", NULL) != CLA_OK)
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

static const char magic[8] = {'C', 'L', 'A', 'P', 'R', 'O', 'G', '\n'};

/* Offsets in the header, and the header's size. */
enum { VERSION_AT = 8, KEY_BYTES_AT = 16, BINARY_BYTES_AT = 24, HEADER_BYTES = 32 };
#define CHECKSUM_BYTES sizeof(XXH128_canonical_t)

static void put_number(uint8_t *at, uint64_t value) {
  for (int i = 0; i < 8; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get_number(const uint8_t *at) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value |= (uint64_t)at[i] << (8 * i);
  return value;
}

static XXH128_canonical_t checksum(const uint8_t *bytes, size_t length) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, length));
  return canonical;
}

cla_status program_entry_encode(uint8_t **out, size_t *out_bytes, const char *key, const uint8_t *binary,
                                size_t binary_bytes, cla_error *error) {
  const size_t key_bytes = strlen(key), before = HEADER_BYTES + key_bytes + binary_bytes;
  uint8_t *bytes = NULL;
  *out = NULL;
  *out_bytes = 0;
  cla_status status = ALLOCATE_ARRAY(&bytes, (int64_t)(before + CHECKSUM_BYTES), "a built program", error);
  if (status != CLA_OK) return status;
  memcpy(bytes, magic, sizeof magic);
  put_number(bytes + VERSION_AT, PROGRAM_ENTRY_VERSION);
  put_number(bytes + KEY_BYTES_AT, key_bytes);
  put_number(bytes + BINARY_BYTES_AT, binary_bytes);
  /* The key is stored with its length. NOLINTNEXTLINE(bugprone-not-null-terminated-result) */
  memcpy(bytes + HEADER_BYTES, key, key_bytes);
  memcpy(bytes + HEADER_BYTES + key_bytes, binary, binary_bytes);
  const XXH128_canonical_t sum = checksum(bytes, before);
  memcpy(bytes + before, sum.digest, CHECKSUM_BYTES);
  *out = bytes;
  *out_bytes = before + CHECKSUM_BYTES;
  return CLA_OK;
}

bool program_entry_decode(const uint8_t **binary, size_t *binary_bytes, const uint8_t *bytes, size_t length,
                          const char *key) {
  const size_t key_bytes = strlen(key);
  *binary = NULL;
  *binary_bytes = 0;
  if (length < HEADER_BYTES + CHECKSUM_BYTES || memcmp(bytes, magic, sizeof magic) != 0 ||
      get_number(bytes + VERSION_AT) != PROGRAM_ENTRY_VERSION ||
      get_number(bytes + KEY_BYTES_AT) != key_bytes)
    return false;
  const size_t rest = length - HEADER_BYTES - CHECKSUM_BYTES;
  if (rest <= key_bytes || get_number(bytes + BINARY_BYTES_AT) != rest - key_bytes) return false;
  const XXH128_canonical_t sum = checksum(bytes, length - CHECKSUM_BYTES);
  if (memcmp(bytes + length - CHECKSUM_BYTES, sum.digest, CHECKSUM_BYTES) != 0 ||
      memcmp(bytes + HEADER_BYTES, key, key_bytes) != 0)
    return false;
  *binary = bytes + HEADER_BYTES + key_bytes;
  *binary_bytes = rest - key_bytes;
  return true;
}
