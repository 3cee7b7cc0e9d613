#include "base/folders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/allocate.h"
#include "base/atomic_file.h"
#include "base/error.h"

cla_status folders_make(const char *path, cla_error *error) {
  char *copy = NULL;
  cla_status status = allocate_text(&copy, path, error);
  if (status != CLA_OK) return status;
  for (char *slash = *copy ? strchr(copy + 1, '/') : NULL; slash && status == CLA_OK;
       slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    struct stat state;
    /* What is there is looked at first: a folder may be made only where it is missing, on a system that is
     * otherwise read-only. */
    if (stat(copy, &state) != 0 && mkdir(copy, 0777) != 0 && errno != EEXIST)
      status = error_set(error, CLA_ERROR_OUTPUT, "cannot make the folder %.1024s: %s; %s", copy,
                         strerror(errno), output_remedy(errno));
    *slash = '/';
  }
  free(copy);
  return status;
}
