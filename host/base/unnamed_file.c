#include "base/unnamed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/error.h"

/* The folder of `beside`; false if its name is too long. */
static bool folder_of(char folder[PATH_MAX], const char *beside) {
  const char *slash = strrchr(beside, '/');
  const size_t length = slash ? (size_t)(slash - beside) + 1 : 0;
  if (length >= PATH_MAX) return false;
  memcpy(folder, beside, length);
  strcpy(folder + length, length > 0 ? "" : ".");
  return true;
}

/* -1 where the file system knows no files without names. */
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
