#ifndef HOST_PIPELINE_RUN_FOLDER_H
#define HOST_PIPELINE_RUN_FOLDER_H

#include "base/files.h"
#include "clalign/align.h"

/* The folder of a run on its disk. */

/* Makes or finds options->run.directory, locks it, and removes unfinished files of a killed process.
 * CLA_ERROR_OPTION if a new run meets an old one, CLA_ERROR_INPUT if there is no run to resume.
 * CLA_ERROR_OUTPUT if another process works in the folder, or if it cannot be written. */
cla_status run_folder_lock(file_lock **out, const cla_align_options *options, cla_error *error);

/* "folder/name"; the caller frees it. */
cla_status run_folder_path(char **out, const char *folder, const char *name, cla_error *error);

/* Remove a file, and the files of all rows. A file that cannot be removed only costs disk. */
void run_folder_remove(const char *folder, const char *name);
void run_folder_remove_rows(const char *folder);

/* Free bytes of the disk on which the folder is, or will be made; 0: unknown. */
int64_t run_folder_free_bytes(const char *folder);

/* Sends "NAME in FOLDER REASON; INSTEAD" to options->callbacks.note. */
void run_folder_note(const cla_align_options *options, const char *name, const char *reason,
                     const char *instead);

#endif
