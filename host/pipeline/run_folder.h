#ifndef HOST_PIPELINE_RUN_FOLDER_H
#define HOST_PIPELINE_RUN_FOLDER_H

#include "base/files.h"
#include "clalign/align.h"

/* The folder of a run as a place on a disk. */

/* Makes or finds options->run.directory, locks it, and removes what a process that was killed has left
 * half-written. CLA_ERROR_OPTION if a run is to begin and there is one, CLA_ERROR_INPUT if one is to go on
 * and there is none, CLA_ERROR_OUTPUT if another process works in the folder or it cannot be written. */
cla_status run_folder_lock(file_lock **out, const cla_align_options *options, cla_error *error);

/* "folder/name"; the caller frees it. */
cla_status run_folder_path(char **out, const char *folder, const char *name, cla_error *error);

/* Removes a file, or the files of all rows. Those that cannot be removed only cost disk. */
void run_folder_remove(const char *folder, const char *name);
void run_folder_remove_rows(const char *folder);

/* Free bytes on the disk that the folder is on, or will be once it is made; 0 if nobody knows. */
int64_t run_folder_free_bytes(const char *folder);

/* "NAME in FOLDER REASON; INSTEAD" to options->callbacks.note. */
void run_folder_note(const cla_align_options *options, const char *name, const char *reason,
                     const char *instead);

#endif
