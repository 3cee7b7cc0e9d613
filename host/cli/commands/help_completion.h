#ifndef HOST_CLI_COMMANDS_HELP_COMPLETION_H
#define HOST_CLI_COMMANDS_HELP_COMPLETION_H

#include "clalign/status.h"

/* Prints what completes clalign's command lines in a shell, on stdout; CLA_ERROR_OPTION for a shell other
 * than bash, zsh and fish. */
cla_status help_completion_print(const char *shell, cla_error *error);

#endif
