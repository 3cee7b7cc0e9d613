#ifndef HOST_CLI_OPTIONS_HELP_H
#define HOST_CLI_OPTIONS_HELP_H

#include "cli/options/options.h"

/* Prints the command's help on stdout, as wide as the terminal. */
void cli_print_help(const cli_syntax *syntax);

/* Prints the list of commands. */
void cli_print_commands(void);

/* The exit codes, a line each: "0" and "a result"; an entry without a code ends them. */
extern const cli_example cli_exit_codes[];

/* The environment variables that the program reads, likewise. */
extern const cli_example cli_environment[];

#endif
