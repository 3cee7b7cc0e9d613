#ifndef HOST_CLI_OPTIONS_TUNING_OPTION_H
#define HOST_CLI_OPTIONS_TUNING_OPTION_H

#include <stdbool.h>

#include "clalign/tune.h"
#include "cli/options/default_folders.h"

/* Tuning records: where the program looks for them, and what it says of those that it cannot use. */

/* The folder of the records that come with clalign: what CLALIGN_TUNING_PATH names (empty: none), else that
 * of the installation or of the source tree that the program was built in. False where there is none. */
bool cli_shipped_tuning_folder(char out[CLI_FOLDER_SIZE]);

/* Loads the records for the device, the user's from cli_tuning_folder. Warns on stderr of malformed ones in
 * any case, of stale ones unless `quiet`. CLA_ERROR_MEMORY. */
cla_status cli_tuning_load(cla_tuning **out, const cla_device *device, bool quiet, cla_error *error);

#endif
