#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Replaces control characters, which may come from file names and file contents. A build log keeps its lines.
 */
static void keep_one_line(cla_error *error) {
  if (error->status == CLA_ERROR_DEVICE) return;
  for (char *letter = error->message; *letter; letter++)
    if ((unsigned char)*letter < ' ' || *letter == 127) *letter = '?';
}

cla_status error_set(cla_error *error, cla_status status, const char *format, ...) {
  if (!error) return status;
  va_list arguments;
  va_start(arguments, format);
  error->status = status;
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  keep_one_line(error);
  return status;
}

const char *cla_status_name(cla_status status) {
  switch (status) {
    case CLA_OK: return "ok";
    case CLA_ERROR_OPTION: return "option";
    case CLA_ERROR_INPUT: return "input";
    case CLA_ERROR_DEVICE: return "device";
    case CLA_ERROR_MEMORY: return "memory";
    case CLA_ERROR_OUTPUT: return "output";
    case CLA_ERROR_INTERRUPTED: return "interrupted";
    case CLA_ERROR_VERIFICATION: return "verification";
  }
  return "unknown";
}

void wrong_value_add_device(cla_error *error, const char *device, const char *kernel) {
  char names[512];
  if (!error) return;
  char *remedy = strstr(error->message, "; " WRONG_VALUE_REMEDY);
  if (!remedy) return;
  snprintf(names, sizeof names, " (device %.256s, kernel %.64s); %s", device, kernel, WRONG_VALUE_REMEDY);
  snprintf(remedy, sizeof error->message - (size_t)(remedy - error->message), "%s", names);
}

const char *output_remedy(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR: return "create the folder first or give another path";
    case EACCES:
    case EPERM:
    case EROFS: return "give a path that you may write to";
    case EISDIR: return "give the name of a file in it";
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return "free some space or give a path on another disk";
    case ENAMETOOLONG: return "give a shorter name";
    case EPIPE: return "the reader has gone";
    default: return "give another path";
  }
}

void error_list_add(char *list, size_t size, const char *word, const char *joint) {
  const size_t used = strlen(list);
  snprintf(list + used, size - used, "%s%s", used > 0 ? joint : "", word);
}

cla_status output_failed(const char *path, const char *what, int error_number, cla_error *error) {
  const int number = error_number ? error_number : EIO;
  cla_status status =
      error_set(error, CLA_ERROR_OUTPUT, "cannot write %s%.1024s%s: %s; %s", path ? "" : "the ",
                path ? path : what, path ? "" : " output", strerror(number), output_remedy(number));
  errno = number;
  return status;
}
