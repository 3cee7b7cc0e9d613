#include "pipeline/run_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "rows/row_file.h"
#include "runs/run_state.h"

void run_folder_remove(const char *folder, const char *name) {
  char *path = NULL;
  if (path_join(&path, folder, name, NULL) == CLA_OK) unlink(path);
  free(path);
}

static bool is_row(const char *name) {
  return row_file_number(name) >= 0;
}

static void remove_all(const char *folder, bool (*which)(const char *name)) {
  DIR *open = opendir(folder);
  if (!open) return;
  for (const struct dirent *entry; (entry = readdir(open));)
    if (which(entry->d_name)) run_folder_remove(folder, entry->d_name);
  closedir(open);
}

void run_folder_remove_rows(const char *folder) {
  remove_all(folder, is_row);
}

cla_status run_folder_lock(file_lock **out, const cla_align_options *options, cla_error *error) {
  const char *folder = options->run.directory;
  *out = NULL;
  if (options->run.resume && !run_manifest_exists(folder))
    return error_set(error, CLA_ERROR_INPUT,
                     "%.1024s is no run directory: it has no manifest.json; give the folder of an earlier "
                     "--run-dir",
                     folder);
  cla_status status = CLA_OK;
  if (!options->run.resume && !run_manifest_exists(folder)) status = folder_check_unused(folder, true, error);
  if (status == CLA_OK) status = folder_lock_take(out, folder, !options->run.resume, error);
  if (status != CLA_OK) return status;
  if (!options->run.resume && run_manifest_exists(folder)) {
    file_lock_release(*out);
    *out = NULL;
    return error_set(error, CLA_ERROR_OPTION,
                     "%.1024s holds a run already; 'clalign resume %.256s' goes on with it, or give another "
                     "--run-dir",
                     folder, folder);
  }
  remove_all(folder, atomic_file_is_temporary);
  return CLA_OK;
}

int64_t run_folder_free_bytes(const char *folder) {
  struct statvfs state;
  char *path = NULL;
  int64_t bytes = 0;
  if (allocate_text(&path, folder, NULL) != CLA_OK) return 0;
  int code = statvfs(path, &state);
  while (code != 0) { /* go up to the nearest existing folder */
    char *slash = strrchr(path, '/');
    if (slash) *slash = '\0';
    code = statvfs(!slash ? "." : path[0] ? path : "/", &state);
    if (!slash) break;
  }
  if (code == 0) bytes = (int64_t)(state.f_bavail * state.f_frsize);
  free(path);
  return bytes;
}

void run_folder_note(const cla_align_options *options, const char *name, const char *reason,
                     const char *instead) {
  char line[1024];
  if (!options->callbacks.note) return;
  snprintf(line, sizeof line, "%.64s in %.400s %.300s; %.128s", name, options->run.directory, reason,
           instead);
  options->callbacks.note(line, options->callbacks.note_user);
}
