#ifndef HOST_CLI_BATCH_COMMAND_H
#define HOST_CLI_BATCH_COMMAND_H

/* What `clalign resume` repeats of `clalign batch`. */

/* Aligns as the arguments of `clalign batch` say. Returns the exit code. */
int batch_command_run(int count, char **arguments);

#endif
