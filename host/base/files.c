#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"

struct atomic_file {
  FILE *stream;
  char *path;      /* the given path, for messages */
  char *target;    /* the path with links resolved; NULL: the file is written directly */
  char *temporary; /* a new file beside `target`; NULL: the file is written directly */
};

bool path_ends_in(const char *path, const char *ending) {
  const size_t length = strlen(path), part = strlen(ending);
  return length > part && strcasecmp(path + length - part, ending) == 0;
}

static cla_status fail(const char *path, int error_number, cla_error *error) {
  return error_set(error, CLA_ERROR_OUTPUT, "cannot write %.1024s: %s; %s", path, strerror(error_number),
                   output_remedy(error_number));
}

static void free_file(atomic_file *file) {
  if (!file) return;
  free(file->path);
  free(file->target);
  free(file->temporary);
  free(file);
}

static bool same_file(const struct stat *a, int descriptor) {
  struct stat b;
  return fstat(descriptor, &b) == 0 && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

/* Opens a file that is written directly. Returns -1 with errno 0 if the file is to be replaced by renaming.
 */
static int open_direct(const char *path, const struct stat *state) {
  struct stat link;
  bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
  /* /dev/stdout leads to the very file that the shell opened. Replacing it would lose the output of other
   * writers, and reopening it would overwrite its content. */
  if (is_link && same_file(state, STDOUT_FILENO)) return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (is_link && same_file(state, STDERR_FILENO)) return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (S_ISREG(state->st_mode)) {
    errno = 0;
    return -1;
  }
  return open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
}

/* Creates a new file beside `target`. The new name does not contain the name of `target`, which may have the
 * maximal length. The umask decides the mode, as for any new file; mkstemp would make it private. */
static cla_status open_temporary(atomic_file *file, int *descriptor, cla_error *error) {
  static atomic_uint counter;
  void *memory = NULL;
  const char *slash = strrchr(file->target, '/');
  int folder = slash ? (int)(slash - file->target) + 1 : 0;
  size_t size = (size_t)folder + 64;
  cla_status status = allocate_array(&memory, (int64_t)size, 1, "a file name", error);
  if (status != CLA_OK) return status;
  file->temporary = memory;
  do {
    unsigned number = atomic_fetch_add(&counter, 1);
    snprintf(file->temporary, size, "%.*s.clalign-%ld-%u.tmp", folder, file->target, (long)getpid(), number);
    *descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (*descriptor < 0 && errno == EEXIST);
  if (*descriptor >= 0) return CLA_OK;
  int error_number = errno;
  free(file->temporary);
  file->temporary = NULL;
  return fail(file->path, error_number, error);
}

static cla_status open_descriptor(atomic_file *file, int *descriptor, cla_error *error) {
  struct stat state;
  bool exists = stat(file->path, &state) == 0;
  if (!exists && (errno != ENOENT || !*file->path)) return fail(file->path, errno, error);
  size_t length = strlen(file->path);
  if ((exists && S_ISDIR(state.st_mode)) || (length > 0 && file->path[length - 1] == '/'))
    return fail(file->path, EISDIR, error);
  if (!exists) {
    if (lstat(file->path, &state) == 0)
      return error_set(error, CLA_ERROR_OUTPUT,
                       "cannot write %.1024s: it is a link to a missing file; remove it or give another path",
                       file->path);
    cla_status status = allocate_text(&file->target, file->path, error);
    return status == CLA_OK ? open_temporary(file, descriptor, error) : status;
  }
  *descriptor = open_direct(file->path, &state);
  if (*descriptor >= 0) return CLA_OK;
  if (errno != 0) return fail(file->path, errno, error);
  if (faccessat(AT_FDCWD, file->path, W_OK, AT_EACCESS) != 0) return fail(file->path, errno, error);
  file->target = realpath(file->path, NULL);
  if (!file->target) return fail(file->path, errno, error);
  cla_status status = open_temporary(file, descriptor, error);
  if (status == CLA_OK && fchmod(*descriptor, state.st_mode & 07777) != 0)
    status = fail(file->path, errno, error);
  return status;
}

cla_status atomic_file_open(atomic_file **out, const char *path, cla_error *error) {
  atomic_file *file = NULL;
  int descriptor = -1;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&file, 1, "an output file", error);
  if (status != CLA_OK) return status;
  status = allocate_text(&file->path, path, error);
  if (status == CLA_OK) status = open_descriptor(file, &descriptor, error);
  if (status != CLA_OK) goto done;
  file->stream = fdopen(descriptor, "w");
  if (!file->stream) {
    status = fail(path, errno, error);
    goto done;
  }
  descriptor = -1;
  *out = file;
  file = NULL;
done:
  if (descriptor >= 0) close(descriptor);
  if (file && file->temporary) unlink(file->temporary);
  free_file(file);
  errno = 0; /* atomic_file_commit reads errno to find why a write failed */
  return status;
}

FILE *atomic_file_stream(atomic_file *file) {
  return file->stream;
}

/* Makes the rename itself survive a power failure. It is no error if the file system cannot do that. */
static void sync_folder(const char *target) {
  char folder[PATH_MAX];
  const char *slash = strrchr(target, '/');
  int length = slash == target ? 1 : slash ? (int)(slash - target) : 0;
  if (length >= PATH_MAX) return;
  snprintf(folder, sizeof folder, "%.*s", length > 0 ? length : 1, length > 0 ? target : ".");
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)fsync(descriptor);
  close(descriptor);
}

cla_status atomic_file_commit(atomic_file *file, cla_error *error) {
  /* The errno of an earlier failed write, after which fflush may have nothing to write. */
  const int earlier = ferror(file->stream) && errno ? errno : EIO;
  int error_number = 0;
  errno = 0;
  if (fflush(file->stream) != 0 || ferror(file->stream)) error_number = errno ? errno : earlier;
  if (!error_number && file->temporary && fsync(fileno(file->stream)) != 0) error_number = errno;
  errno = 0;
  if (fclose(file->stream) != 0 && !error_number) error_number = errno ? errno : EIO;
  if (!error_number && file->temporary && rename(file->temporary, file->target) != 0) error_number = errno;
  if (error_number && file->temporary) unlink(file->temporary);
  if (!error_number && file->temporary) sync_folder(file->target);
  cla_status status = error_number ? fail(file->path, error_number, error) : CLA_OK;
  free_file(file);
  return status;
}

void atomic_file_discard(atomic_file *file) {
  if (!file) return;
  fclose(file->stream);
  if (file->temporary) unlink(file->temporary);
  free_file(file);
}

struct file_lock {
  int descriptor;
  char *path;
};

/* True if `path` still names the locked file. The previous holder may have removed the file after this
 * process opened it and before it locked it. A lock on a removed file keeps nobody away. */
static bool still_there(int descriptor, const char *path) {
  struct stat ours, named;
  return fstat(descriptor, &ours) == 0 && stat(path, &named) == 0 && ours.st_dev == named.st_dev &&
         ours.st_ino == named.st_ino;
}

cla_status file_lock_take(file_lock **out, bool *busy, const char *path, cla_error *error) {
  file_lock *lock = NULL;
  *out = NULL;
  *busy = false;
  cla_status status = ALLOCATE_ZEROS(&lock, 1, "a lock", error);
  if (status != CLA_OK) return status;
  lock->descriptor = -1;
  status = allocate_text(&lock->path, path, error);
  while (status == CLA_OK && !*out && !*busy) {
    lock->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock->descriptor >= 0 && flock(lock->descriptor, LOCK_EX | LOCK_NB) == 0) {
      if (still_there(lock->descriptor, path)) *out = lock;
    } else if (lock->descriptor >= 0 && errno == EWOULDBLOCK) {
      *busy = true;
    } else if (errno != EINTR) {
      status = error_set(error, CLA_ERROR_OUTPUT, "cannot lock %.1024s: %s; %s", path, strerror(errno),
                         output_remedy(errno));
    }
    if (!*out && lock->descriptor >= 0) close(lock->descriptor);
  }
  if (!*out) {
    free(lock->path);
    free(lock);
  }
  return status;
}

void file_lock_release(file_lock *lock) {
  if (!lock) return;
  unlink(lock->path); /* remove the file while the lock is still held */
  close(lock->descriptor);
  free(lock->path);
  free(lock);
}

cla_status folders_make(const char *path, cla_error *error) {
  char *copy = NULL;
  cla_status status = allocate_text(&copy, path, error);
  if (status != CLA_OK) return status;
  for (char *slash = *copy ? strchr(copy + 1, '/') : NULL; slash && status == CLA_OK;
       slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    struct stat state;
    /* mkdir is not called for existing folders, because it would fail on a read-only file system. */
    if (stat(copy, &state) != 0 && mkdir(copy, 0777) != 0 && errno != EEXIST)
      status = error_set(error, CLA_ERROR_OUTPUT, "cannot make the folder %.1024s: %s; %s", copy,
                         strerror(errno), output_remedy(errno));
    *slash = '/';
  }
  free(copy);
  return status;
}

/* Sets `folder` to the folder of `beside`; false if the name is too long. */
static bool folder_of(char folder[PATH_MAX], const char *beside) {
  const char *slash = strrchr(beside, '/');
  const size_t length = slash ? (size_t)(slash - beside) + 1 : 0;
  if (length >= PATH_MAX) return false;
  memcpy(folder, beside, length);
  strcpy(folder + length, length > 0 ? "" : ".");
  return true;
}

/* Opens a file without a name in the folder of `beside`; -1 if the file system has no such files. */
static int open_nameless(const char *beside) {
  char folder[PATH_MAX];
  return folder_of(folder, beside) ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;
}

cla_status unnamed_file_open(FILE **out, const char *beside, cla_error *error) {
  const int descriptor = beside ? open_nameless(beside) : -1;
  *out = descriptor >= 0 ? fdopen(descriptor, "w+") : tmpfile();
  if (*out) return CLA_OK;
  const int error_number = errno;
  if (descriptor >= 0) close(descriptor);
  return error_set(error, CLA_ERROR_OUTPUT, "cannot open a temporary file: %s; %s", strerror(error_number),
                   output_remedy(error_number));
}

bool atomic_file_is_temporary(const char *name) {
  const size_t length = strlen(name);
  return strncmp(name, ".clalign-", 9) == 0 && length > 13 && strcmp(name + length - 4, ".tmp") == 0;
}

cla_status path_join(char **out, const char *folder, const char *name, cla_error *error) {
  const size_t size = strlen(folder) + strlen(name) + 2;
  cla_status status = ALLOCATE_ARRAY(out, (int64_t)size, "a file name", error);
  if (status == CLA_OK) snprintf(*out, size, "%s/%s", folder, name);
  return status;
}

bool path_exists_in(const char *folder, const char *name) {
  char *path = NULL;
  struct stat state;
  const bool exists = path_join(&path, folder, name, NULL) == CLA_OK && lstat(path, &state) == 0;
  free(path);
  return exists;
}

cla_status folder_check_unused(const char *folder, bool temporary, cla_error *error) {
  cla_status status = CLA_OK;
  DIR *open = opendir(folder);
  if (!open) return CLA_OK; /* a new folder is empty */
  for (const struct dirent *entry; status == CLA_OK && (entry = readdir(open));) {
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "lock") == 0) continue;
    if (temporary && atomic_file_is_temporary(name)) continue;
    status = error_set(error, CLA_ERROR_OPTION,
                       "--run-dir %.1024s holds other files ('%.256s'); give a folder that is new or empty",
                       folder, name);
  }
  closedir(open);
  return status;
}

cla_status folder_lock_take(file_lock **out, const char *folder, bool make, cla_error *error) {
  char *path = NULL;
  bool busy = false;
  cla_status status = path_join(&path, folder, "lock", error);
  if (status == CLA_OK && make) status = folders_make(path, error);
  if (status == CLA_OK) status = file_lock_take(out, &busy, path, error);
  free(path);
  if (status == CLA_OK && busy)
    return error_set(
        error, CLA_ERROR_OUTPUT,
        "another process works in the run directory %.1024s; wait for it, or choose another folder", folder);
  return status;
}
