#ifndef HOST_BASE_FOLDERS_H
#define HOST_BASE_FOLDERS_H

#include "clalign/status.h"

/* Makes the folders that `path` lies in and that are not there. CLA_ERROR_OUTPUT names the one that cannot be
 * made and the remedy, CLA_ERROR_MEMORY. */
cla_status folders_make(const char *path, cla_error *error);

#endif
