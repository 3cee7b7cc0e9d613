#ifndef HOST_PIPELINE_RUN_FOLDER_H
#define HOST_PIPELINE_RUN_FOLDER_H

#include "base/files.h"
#include "clalign/align.h"

/* The folder on disk that is a run directory (docs/internals/format-run-dir.md). */

/* Creates or finds options->run.directory, locks it, and removes unfinished files of a killed process. Fails
 * with CLA_ERROR_OPTION if a new run is started in a folder that already contains a run. Fails with
 * CLA_ERROR_INPUT if there is no run to resume. Fails with CLA_ERROR_OUTPUT if another process uses the
 * folder, or if the folder cannot be written. */
cla_status run_folder_lock(file_lock **out, const cla_align_options *options, cla_error *error);

/* Remove a file, or the files of all rows. Failing to remove a file is no error: the file only takes disk
 * space. */
void run_folder_remove(const char *folder, const char *name);
void run_folder_remove_rows(const char *folder);

/* Returns the free bytes of the disk where the folder is or will be; 0: not known. */
int64_t run_folder_free_bytes(const char *folder);

/* Sends "NAME in FOLDER REASON; INSTEAD" to options->callbacks.note. */
void run_folder_note(const cla_align_options *options, const char *name, const char *reason,
                     const char *instead);

#endif
