#ifndef HOST_CLI_COMMANDS_HELP_MAN_H
#define HOST_CLI_COMMANDS_HELP_MAN_H

#include "cli/command.h"

/* Prints a man page on stdout: clalign(1), or clalign-COMMAND(1) of one command. */
void help_man_print(void);
void help_man_print_command(const command *entry);

#endif
