#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/options/device_options.h"
#include "cli/report/report.h"

static bool find_folder(char out[CLI_FOLDER_SIZE], const char *variable, const char *below_home) {
  const char *base = getenv(variable), *home = getenv("HOME");
  int length = 0;
  if (base && base[0] == '/')
    length = snprintf(out, CLI_FOLDER_SIZE, "%s/clalign", base);
  else if (home && home[0] == '/')
    length = snprintf(out, CLI_FOLDER_SIZE, "%s/%s/clalign", home, below_home);
  if (length > 0 && length < CLI_FOLDER_SIZE) return true;
  out[0] = '\0';
  return false;
}

bool cli_cache_folder(char out[CLI_FOLDER_SIZE]) {
  return find_folder(out, "XDG_CACHE_HOME", ".cache");
}

/* Returns $XDG_CONFIG_HOME/clalign, or else $HOME/.config/clalign, for files that the user keeps. */
static bool cli_config_folder(char out[CLI_FOLDER_SIZE]) {
  return find_folder(out, "XDG_CONFIG_HOME", ".config");
}

bool cli_tuning_folder(char out[CLI_FOLDER_SIZE]) {
  char config[CLI_FOLDER_SIZE];
  const bool found = cli_config_folder(config);
  const int length = found ? snprintf(out, CLI_FOLDER_SIZE, "%s/tuning", config) : 0;
  if (length > 0 && length < CLI_FOLDER_SIZE) return true;
  out[0] = '\0';
  return false;
}

/* CMakeLists.txt sets INSTALL_TUNING, the path from the installed program's folder to the installed records.
 * In the build folder it makes a link to those of the source tree. */
#define BUILD_TUNING "tuning"

/* Finds the folder of the running program. */
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

/* Finds the folder of the tuning records that are part of clalign. If CLALIGN_TUNING_PATH is set, it names
 * the folder (empty: none). Otherwise, the folder is that of the installation, or of the source tree in which
 * the program was built. Returns false if there is no such folder. */
static bool cli_shipped_tuning_folder(char out[CLI_FOLDER_SIZE]) {
  char program[CLI_FOLDER_SIZE];
  const char *named = getenv("CLALIGN_TUNING_PATH");
  int length = 0;
  if (named)
    length = snprintf(out, CLI_FOLDER_SIZE, "%s", named);
  else if (program_folder(program)) {
    length = snprintf(out, CLI_FOLDER_SIZE, "%s/%s", program, BUILD_TUNING);
    if (length < CLI_FOLDER_SIZE && !is_folder(out))
      length = snprintf(out, CLI_FOLDER_SIZE, "%s/%s", program, INSTALL_TUNING);
  }
  /* A folder named by the variable is always used, so that the user is warned if it does not exist. The other
   * folders may be missing, because the program may have been copied without them. */
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

/* Drivers that were installed beside the program, by pip into the same environment. */

/* Finds the library that a driver's .icd file names: that file, or one of its name beside the .icd file or in
 * `libraries`, because pip does not correct paths. */
static bool find_driver(char out[PATH_MAX], const char *icd, const char *libraries) {
  char line[PATH_MAX] = "";
  FILE *file = fopen(icd, "r");
  const bool named = file && fgets(line, sizeof line, file);
  if (file) fclose(file);
  line[strcspn(line, "\r\n")] = '\0';
  if (!named || !*line) return false;
  const char *slash = strrchr(line, '/'), *name = slash ? slash + 1 : line;
  const int folder_length = (int)(strrchr(icd, '/') - icd);
  if (slash && snprintf(out, PATH_MAX, "%s", line) < PATH_MAX && access(out, R_OK) == 0) return true;
  if (snprintf(out, PATH_MAX, "%.*s/%s", folder_length, icd, name) < PATH_MAX && access(out, R_OK) == 0)
    return true;
  return snprintf(out, PATH_MAX, "%s/%s", libraries, name) < PATH_MAX && access(out, R_OK) == 0;
}

/* Where the .icd files of an environment lie, from the program's folder: Intel's CPU runtime's, and
 * pocl-binary-distribution's. */
static const char *const icd_files[] = {"../etc/OpenCL/vendors/*.icd",
                                        "../lib/python3*/site-packages/pyopencl/.libs/*.icd"};

/* Names the environment's drivers to Khronos' loader, which has them beside the system's, unless the user
 * chose. */
static void name_own_drivers(void) {
  static char names[8 * PATH_MAX];
  char program[CLI_FOLDER_SIZE], pattern[PATH_MAX], libraries[PATH_MAX], driver[PATH_MAX];
  if (getenv("OCL_ICD_FILENAMES") || getenv("OCL_ICD_VENDORS") || getenv("OPENCL_VENDOR_PATH")) return;
  if (!program_folder(program) || snprintf(libraries, PATH_MAX, "%s/../lib", program) >= PATH_MAX) return;
  for (size_t i = 0; i < sizeof icd_files / sizeof icd_files[0]; i++) {
    glob_t found;
    if (snprintf(pattern, PATH_MAX, "%s/%s", program, icd_files[i]) >= PATH_MAX) continue;
    if (glob(pattern, 0, NULL, &found) != 0) continue;
    for (size_t k = 0; k < found.gl_pathc; k++)
      if (find_driver(driver, found.gl_pathv[k], libraries) &&
          strlen(names) + strlen(driver) + 2 < sizeof names)
        strcat(strcat(names, *names ? ":" : ""), driver);
    globfree(&found);
  }
  if (*names) setenv("OCL_ICD_FILENAMES", names, 1);
}

/* Names the linker of pip's clalign-pocl to the compiler inside pip's PoCL. That compiler would run the
 * system's gcc's `ld` otherwise, and end the process if it is missing. */
static void name_own_linker(void) {
  char program[CLI_FOLDER_SIZE], pattern[PATH_MAX];
  glob_t found;
  if (!program_folder(program) ||
      snprintf(pattern, PATH_MAX, "%s/../lib/python3*/site-packages/clalign_pocl", program) >= PATH_MAX)
    return;
  if (glob(pattern, 0, NULL, &found) != 0) return;
  setenv("COMPILER_PATH", found.gl_pathv[0], 0);
  globfree(&found);
}

#define VARIABLE "POCL_CACHE_DIR"

static char folder[PATH_MAX]; /* the temporary folder; empty: none */
static pid_t owner; /* the process that made the folder; its child processes do not remove the folder */
static char fault[640];

/* Finds PoCL's folder of built kernels as PoCL itself does. */
static void default_folder(char out[PATH_MAX]) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (cache && *cache)
    snprintf(out, PATH_MAX, "%s/pocl/kcache", cache);
  else if (home)
    snprintf(out, PATH_MAX, "%s/.cache/pocl/kcache", home);
  else
    snprintf(out, PATH_MAX, "/tmp/pocl/kcache");
}

/* Makes an empty folder with a new name. On failure returns false and sets errno. */
static bool make_folder(char out[PATH_MAX], const char *in, const char *name) {
  errno = ENAMETOOLONG;
  return snprintf(out, PATH_MAX, "%s/%s.XXXXXX", in, name) < PATH_MAX && mkdtemp(out);
}

/* Returns why PoCL cannot keep built kernels in `path`, which need not exist; NULL if it can. The folder must
 * be writable, and libraries must be loadable from it. */
static const char *why_unusable(const char *path) {
  char above[PATH_MAX], probe[PATH_MAX];
  struct stat about;
  struct statvfs mount;
  snprintf(above, sizeof above, "%s", path);
  while (stat(above, &about) != 0) {
    char *slash = strrchr(above, '/');
    if (slash == above || !slash) snprintf(above, sizeof above, "%s", slash ? "/" : ".");
    if (slash == above || !slash) break;
    *slash = '\0';
  }
  if (!make_folder(probe, above, ".clalign")) return strerror(errno);
  rmdir(probe);
  return statvfs(above, &mount) == 0 && (mount.f_flag & ST_NOEXEC) ? "mounted noexec" : NULL;
}

/* Lets PoCL find no device: from a folder mounted noexec it would crash when it loads a kernel. */
static void hide_pocl(void) {
  setenv(VARIABLE, "/proc/no-folder", 1);
}

void driver_folder_prepare(void) {
  static bool prepared;
  char usual[PATH_MAX];
  const char *set = getenv(VARIABLE), *temporary = getenv("TMPDIR");
  if (prepared) return;
  prepared = true;
  name_own_drivers();
  name_own_linker();
  if (set && *set) {
    const char *reason = why_unusable(set);
    if (!reason) return;
    snprintf(fault, sizeof fault, "%s names '%.256s', which cannot be used (%s): name another folder",
             VARIABLE, set, reason);
    hide_pocl();
    return;
  }
  default_folder(usual);
  const char *found = why_unusable(usual);
  if (!found) return;
  char reason[128]; /* a copy, because further folders are looked at */
  snprintf(reason, sizeof reason, "%s", found);
  const char *const places[] = {temporary && *temporary ? temporary : "/tmp", "/tmp", "/var/tmp", "/dev/shm"};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    if (why_unusable(places[i]) || !make_folder(folder, places[i], "clalign-pocl")) continue;
    owner = getpid();
    setenv(VARIABLE, folder, 1);
    atexit(driver_folder_remove);
    cli_set_clean_up(driver_folder_remove);
    interrupt_catch_crashes();
    return;
  }
  folder[0] = '\0';
  snprintf(
      fault, sizeof fault,
      "PoCL cannot use '%.256s' (%s), nor a folder in '%.64s' or /tmp: set %s to one that can be written "
      "and is not mounted noexec",
      usual, reason, places[0], VARIABLE);
  hide_pocl();
}

/* The kernel's entries are laid out as this struct is. */
_Static_assert(sizeof((struct dirent){0}.d_ino) == 8 && sizeof((struct dirent){0}.d_off) == 8, "64 bits");

/* Removes all files of a folder, by system calls only, because signal handlers may call this function. */
static void remove_content(int from) {
  _Alignas(struct dirent) char entries[2048];
  long length = 0;
  while ((length = syscall(SYS_getdents64, from, entries, sizeof entries)) > 0)
    for (long at = 0; at < length;) {
      const struct dirent *entry = (const struct dirent *)(const void *)(entries + at);
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
  /* Several passes are needed, because the driver's threads may still create files. */
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
