#ifndef HOST_BASE_FILE_LOCK_H
#define HOST_BASE_FILE_LOCK_H

#include <stdbool.h>

#include "clalign/status.h"

/* A lock between processes that ends with the process that holds it, however it ends: flock(2) on a file of
 * its own. */
typedef struct file_lock file_lock;

/* Creates the file, empty, where it is missing and takes the lock without waiting; *busy says that another
 * process has it, and *out is NULL then. Children that the holder starts do not inherit it (exec). The folder
 * must exist. CLA_ERROR_OUTPUT names the path and the remedy, CLA_ERROR_MEMORY. */
cla_status file_lock_take(file_lock **out, bool *busy, const char *path, cla_error *error);

/* Removes the file and gives the lock back. NULL is allowed. */
void file_lock_release(file_lock *lock);

#endif
