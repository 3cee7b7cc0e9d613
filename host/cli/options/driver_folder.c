#include "cli/options/driver_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/report/interrupt.h"

#define VARIABLE "POCL_CACHE_DIR"

static char folder[PATH_MAX]; /* the temporary one; empty: none */
static pid_t owner;           /* children leave it alone */
static char fault[512];

/* PoCL's own rule. */
static void default_folder(char out[PATH_MAX]) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (cache && *cache)
    snprintf(out, PATH_MAX, "%s/pocl/kcache", cache);
  else if (home)
    snprintf(out, PATH_MAX, "%s/.cache/pocl/kcache", home);
  else
    snprintf(out, PATH_MAX, "/tmp/pocl/kcache");
}

/* Makes an empty folder of a new name; false with errno. */
static bool make_folder(char out[PATH_MAX], const char *in, const char *name) {
  errno = ENAMETOOLONG;
  return snprintf(out, PATH_MAX, "%s/%s.XXXXXX", in, name) < PATH_MAX && mkdtemp(out);
}

/* Whether folders can be made there, or in the deepest folder above it that is there; false with errno. */
static bool can_write(const char *path) {
  char above[PATH_MAX], probe[PATH_MAX];
  struct stat about;
  snprintf(above, sizeof above, "%s", path);
  while (stat(above, &about) != 0) {
    char *slash = strrchr(above, '/');
    if (slash == above || !slash) snprintf(above, sizeof above, "%s", slash ? "/" : ".");
    if (slash == above || !slash) break;
    *slash = '\0';
  }
  if (!make_folder(probe, above, ".clalign")) return false;
  rmdir(probe);
  return true;
}

void driver_folder_prepare(void) {
  static bool prepared;
  char usual[PATH_MAX];
  const char *set = getenv(VARIABLE), *temporary = getenv("TMPDIR");
  if (prepared) return;
  prepared = true;
  if (set && *set) {
    if (!can_write(set))
      snprintf(fault, sizeof fault, "%s names '%.256s', which cannot be written (%s): name another folder",
               VARIABLE, set, strerror(errno));
    return;
  }
  default_folder(usual);
  if (can_write(usual)) return;
  const int reason = errno;
  const char *const places[] = {temporary && *temporary ? temporary : "/tmp", "/tmp", "/var/tmp", "/dev/shm"};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    if (!make_folder(folder, places[i], "clalign-pocl")) continue;
    owner = getpid();
    setenv(VARIABLE, folder, 1);
    atexit(driver_folder_remove);
    interrupt_catch_crashes();
    return;
  }
  folder[0] = '\0';
  snprintf(fault, sizeof fault,
           "PoCL cannot write '%.256s' (%s), nor can a folder be made in '%.64s' or /tmp: set %s to one "
           "that can be written",
           usual, strerror(reason), places[0], VARIABLE);
}

/* System calls only, because a signal handler may come here. */
static void remove_content(int from) {
  _Alignas(struct dirent64) char entries[2048];
  ssize_t length = 0;
  while ((length = getdents64(from, entries, sizeof entries)) > 0)
    for (ssize_t at = 0; at < length;) {
      const struct dirent64 *entry = (const struct dirent64 *)(const void *)(entries + at);
      at += entry->d_reclen;
      if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
      if (unlinkat(from, entry->d_name, 0) == 0) continue;
      const int inner = openat(from, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (inner < 0) continue;
      remove_content(inner);
      close(inner);
      unlinkat(from, entry->d_name, AT_REMOVEDIR);
    }
}

void driver_folder_remove(void) {
  if (!folder[0] || getpid() != owner) return;
  const int kept = errno;
  /* Again, for what was made meanwhile: the driver's threads may still be at work. */
  for (int pass = 0; pass < 3; pass++) {
    const int top = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (top < 0) break;
    remove_content(top);
    close(top);
    if (rmdir(folder) == 0) break;
  }
  errno = kept;
}

const char *driver_folder_fault(void) {
  return fault;
}
