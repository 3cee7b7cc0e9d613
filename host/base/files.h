#ifndef HOST_BASE_FILES_H
#define HOST_BASE_FILES_H

#include <stdbool.h>
#include <stdio.h>

#include "clalign/status.h"

/* An output file that appears under its name complete or not at all.
 *
 * Data go to a temporary file in the same folder, named ".clalign-<pid>-<n>.tmp", which is synced and renamed
 * on commit. A symbolic link stays, and its file is replaced. An existing file's permissions stay. Only
 * regular files are replaced. Others (a pipe, /dev/stdout, /dev/null) are written directly, and so is a link
 * to the process' standard output or error. */
typedef struct atomic_file atomic_file;

/* Errors: CLA_ERROR_OUTPUT (no such folder, no permission, a directory, a dangling link) naming the path
 * and the remedy, CLA_ERROR_MEMORY. End with atomic_file_commit or atomic_file_discard. */
cla_status atomic_file_open(atomic_file **out, const char *path, cla_error *error);

/* The stream to write to; owned by the file. Commit examines its error flag, and takes the reason from errno.
 * So callers must leave errno as a failed write set it. */
FILE *atomic_file_stream(atomic_file *file);

/* Flushes, syncs, closes and renames, and frees `file` in every case. CLA_ERROR_OUTPUT (disk full, ...)
 * leaves the path as it was and removes the temporary file. */
cla_status atomic_file_commit(atomic_file *file, cla_error *error);

/* Closes and removes the temporary file and frees `file`; the path stays as it was. NULL is allowed. */
void atomic_file_discard(atomic_file *file);

/* Whether a file's name has the ending, such as ".gz", in either case, and something before it. */
bool path_ends_in(const char *path, const char *ending);

/* Unicode's mark at the begin of a text in UTF-8. It is not part of the text. */
#define TEXT_MARK "\xef\xbb\xbf"
#define TEXT_MARK_BYTES 3

/* A lock between processes that ends with the process that holds it, however it ends: flock(2) on a file of
 * its own. */
typedef struct file_lock file_lock;

/* Creates the file, empty, where it is missing and takes the lock without waiting; *busy says that another
 * process has it, and *out is NULL then. Children that the holder starts do not inherit it (exec). The folder
 * must exist. CLA_ERROR_OUTPUT names the path and the remedy, CLA_ERROR_MEMORY. */
cla_status file_lock_take(file_lock **out, bool *busy, const char *path, cla_error *error);

/* Removes the file and gives the lock back. NULL is allowed. */
void file_lock_release(file_lock *lock);

/* Makes the missing folders above `path`. CLA_ERROR_OUTPUT names the folder that cannot be made and the
 * remedy. CLA_ERROR_MEMORY. */
cla_status folders_make(const char *path, cla_error *error);

/* Opens a file without a name for reading and writing. It is gone once it is closed or the process ends. It
 * lies on the disk of the file `beside`; NULL: in the system's folder for temporary files. CLA_ERROR_OUTPUT.
 */
cla_status unnamed_file_open(FILE **out, const char *beside, cla_error *error);

#endif
