#ifndef HOST_BASE_FILES_H
#define HOST_BASE_FILES_H

#include <stdbool.h>
#include <stdio.h>

#include "clalign/status.h"

/* An output file that appears under its name complete or not at all.
 *
 * Data go to a temporary file in the same folder, named ".clalign-<pid>-<n>.tmp", which is synced and renamed
 * on commit. A symbolic link stays; the file that it names is replaced. An existing file's permissions stay.
 * Only regular files are replaced. Other files (a pipe, /dev/stdout, /dev/null) are written directly, as is a
 * link to the process' standard output or error. */
typedef struct atomic_file atomic_file;

/* Opens `path` for writing; atomic_file_commit or atomic_file_discard must follow. CLA_ERROR_OUTPUT (no such
 * folder, no permission, a directory, a dangling link) names the path and the remedy. CLA_ERROR_MEMORY. */
cla_status atomic_file_open(atomic_file **out, const char *path, cla_error *error);

/* Returns the stream to write to, which `file` owns. atomic_file_commit checks the stream's error flag and
 * takes the reason from errno, so callers must leave errno as a failed write set it. */
FILE *atomic_file_stream(atomic_file *file);

/* Flushes, syncs, closes and renames, and frees `file` in every case. CLA_ERROR_OUTPUT (disk full, ...)
 * leaves the path as it was and removes the temporary file. */
cla_status atomic_file_commit(atomic_file *file, cla_error *error);

/* Closes and removes the temporary file and frees `file`; the path stays as it was. NULL is allowed. */
void atomic_file_discard(atomic_file *file);

/* True if a file without its folder has the name of an atomic file that is not complete. */
bool atomic_file_is_temporary(const char *name);

/* Sets *out to "folder/name", which the caller frees. CLA_ERROR_MEMORY. */
cla_status path_join(char **out, const char *folder, const char *name, cla_error *error);

/* True if there is a file "folder/name", whatever its kind. */
bool path_exists_in(const char *folder, const char *name);

/* Refuses (CLA_ERROR_OPTION) a run directory with files other than "lock": whoever deletes the run would
 * delete these files, too. `temporary`: files of atomic_file_is_temporary are allowed. */
cla_status folder_check_unused(const char *folder, bool temporary, cla_error *error);

/* True if a file's name ends in `ending`, such as ".gz", and is longer than that. Case is ignored. */
bool path_ends_in(const char *path, const char *ending);

/* The byte-order mark at the start of a text in UTF-8. The mark is not part of the text. */
#define TEXT_MARK "\xef\xbb\xbf"
#define TEXT_MARK_BYTES 3

/* A lock between processes: flock(2) on a file made for the lock. The system releases the lock when the
 * holding process ends, however it ends. */
typedef struct file_lock file_lock;

/* Takes the lock without waiting. An empty file is created if `path` does not exist; its folder must exist.
 * If another process holds the lock, *busy is true and *out NULL. Programs that the holder starts do not
 * inherit the lock. CLA_ERROR_OUTPUT names the path and the remedy, CLA_ERROR_MEMORY. */
cla_status file_lock_take(file_lock **out, bool *busy, const char *path, cla_error *error);

/* Removes the file and gives the lock back. NULL is allowed. */
void file_lock_release(file_lock *lock);

/* Takes the lock of a run directory, the file "lock" in it. `make`: makes the folder first if it is missing.
 * CLA_ERROR_OUTPUT also if another process holds the lock. */
cla_status folder_lock_take(file_lock **out, const char *folder, bool make, cla_error *error);

/* Makes the missing folders above `path`. CLA_ERROR_OUTPUT names the folder that cannot be made and the
 * remedy. CLA_ERROR_MEMORY. */
cla_status folders_make(const char *path, cla_error *error);

/* Opens a file without a name for reading and writing. The file vanishes when it is closed or the process
 * ends. It lies on the disk of the file `beside`, or in the system's folder for temporary files if `beside`
 * is NULL. CLA_ERROR_OUTPUT. */
cla_status unnamed_file_open(FILE **out, const char *beside, cla_error *error);

#endif
