#include "base/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/atomic_file.h"
#include "base/error.h"

struct file_lock {
  int descriptor;
  char *path;
};

/* Whether the locked file still is the one of that name: the holder before may have removed it between our
 * open and our lock, and a lock on a removed file keeps nobody away. */
static bool still_there(int descriptor, const char *path) {
  struct stat ours, named;
  return fstat(descriptor, &ours) == 0 && stat(path, &named) == 0 && ours.st_dev == named.st_dev &&
         ours.st_ino == named.st_ino;
}

cla_status file_lock_take(file_lock **out, bool *busy, const char *path, cla_error *error) {
  file_lock *lock = NULL;
  *out = NULL;
  *busy = false;
  cla_status status = allocate_zeros((void **)&lock, 1, sizeof *lock, "a lock", error);
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
  unlink(lock->path); /* while it is ours */
  close(lock->descriptor);
  free(lock->path);
  free(lock);
}
