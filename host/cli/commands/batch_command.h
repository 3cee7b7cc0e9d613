#ifndef HOST_CLI_COMMANDS_BATCH_COMMAND_H
#define HOST_CLI_COMMANDS_BATCH_COMMAND_H

/* What `clalign resume` repeats of `clalign batch`. */

/* Aligns as the arguments of `clalign batch` say. `resumed` is the command line of the batch that is to go on
 * in the --run-dir among the arguments; NULL begins one. Returns the exit code. */
int batch_command_run(int count, char **arguments, const char *resumed);

#endif
