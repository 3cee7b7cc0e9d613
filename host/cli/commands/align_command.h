#ifndef HOST_CLI_COMMANDS_ALIGN_COMMAND_H
#define HOST_CLI_COMMANDS_ALIGN_COMMAND_H

/* What `clalign resume` repeats of `clalign align`. */

/* Aligns as the arguments of `clalign align` say. `resumed` is the command line of the run that is to go on
 * in the --run-dir among the arguments; NULL begins one. Returns the exit code. */
int align_command_run(int count, char **arguments, const char *resumed);

#endif
