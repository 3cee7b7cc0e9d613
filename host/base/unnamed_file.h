#ifndef HOST_BASE_UNNAMED_FILE_H
#define HOST_BASE_UNNAMED_FILE_H

#include <stdio.h>

#include "clalign/status.h"

/* Opens a file without a name, for reading and writing, which is gone once it is closed or the process has
 * ended: on the disk of the file `beside`, or where that is NULL in the system's folder for such files.
 * CLA_ERROR_OUTPUT. */
cla_status unnamed_file_open(FILE **out, const char *beside, cla_error *error);

#endif
