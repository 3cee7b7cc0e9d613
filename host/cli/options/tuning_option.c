#include "cli/options/tuning_option.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/report/report.h"

/* CMakeLists.txt sets:
 *   BUILD_FOLDER     where the program is built,
 *   SOURCE_TUNING    the records in the source tree,
 *   INSTALL_TUNING   the way from the installed program's folder to the installed records. */

/* The folder of the running program. */
static bool program_folder(char out[CLI_FOLDER_SIZE]) {
  const ssize_t length = readlink("/proc/self/exe", out, CLI_FOLDER_SIZE - 1);
  if (length <= 0) return false;
  out[length] = '\0';
  char *slash = strrchr(out, '/');
  if (!slash) return false;
  *slash = '\0';
  return true;
}

static bool is_folder(const char *path) {
  struct stat state;
  return stat(path, &state) == 0 && S_ISDIR(state.st_mode);
}

bool cli_shipped_tuning_folder(char out[CLI_FOLDER_SIZE]) {
  char program[CLI_FOLDER_SIZE];
  const char *named = getenv("CLALIGN_TUNING_PATH");
  int length = 0;
  if (named)
    length = snprintf(out, CLI_FOLDER_SIZE, "%s", named);
  else if (program_folder(program))
    length = strcmp(program, BUILD_FOLDER) == 0
                 ? snprintf(out, CLI_FOLDER_SIZE, "%s", SOURCE_TUNING)
                 : snprintf(out, CLI_FOLDER_SIZE, "%s/%s", program, INSTALL_TUNING);
  /* What was named is used, or warned of; what is looked for may be missing: a program can be copied alone.
   */
  if (length > 0 && length < CLI_FOLDER_SIZE && (named || is_folder(out))) return true;
  out[0] = '\0';
  return false;
}

cla_status cli_tuning_load(cla_tuning **out, const cla_device *device, bool quiet, cla_error *error) {
  char user[CLI_FOLDER_SIZE], shipped[CLI_FOLDER_SIZE];
  const cla_tuning_folders folders = {.user = cli_tuning_folder(user) ? user : NULL,
                                      .shipped = cli_shipped_tuning_folder(shipped) ? shipped : NULL};
  size_t count = 0;
  cla_status status = cla_tuning_load(out, device, &folders, error);
  if (status != CLA_OK) return status;
  const cla_tuning_warning *warnings = cla_tuning_warnings(*out, &count);
  for (size_t i = 0; i < count; i++)
    if (warnings[i].malformed || !quiet) cli_warn(warnings[i].text);
  return CLA_OK;
}
