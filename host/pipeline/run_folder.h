#ifndef HOST_PIPELINE_RUN_FOLDER_H
#define HOST_PIPELINE_RUN_FOLDER_H

#include "base/files.h"
#include "clalign/align.h"

/* The folder on disk that is a run directory (docs/internals/format-run-dir.md). */

/* Makes or finds options->run.directory, locks it, and removes unfinished files of a killed process. Errors:
 * CLA_ERROR_OPTION (a new run in a folder that has a run already), CLA_ERROR_INPUT (no run to resume),
 * CLA_ERROR_OUTPUT (another process works in the folder, or it cannot be written). */
cla_status run_folder_lock(file_lock **out, const cla_align_options *options, cla_error *error);

/* Sets *out to "folder/name", which the caller frees. */
cla_status run_folder_path(char **out, const char *folder, const char *name, cla_error *error);

/* run_folder_remove removes a file, run_folder_remove_rows the files of all rows. A file that cannot be
 * removed only takes disk space. */
void run_folder_remove(const char *folder, const char *name);
void run_folder_remove_rows(const char *folder);

/* Returns the free bytes of the disk on which the folder is, or will be made; 0: unknown. */
int64_t run_folder_free_bytes(const char *folder);

/* Sends "NAME in FOLDER REASON; INSTEAD" to options->callbacks.note. */
void run_folder_note(const cla_align_options *options, const char *name, const char *reason,
                     const char *instead);

#endif
