#ifndef HOST_CLI_COMMANDS_RUN_ARGUMENTS_H
#define HOST_CLI_COMMANDS_RUN_ARGUMENTS_H

#include "cli/options/options.h"

/* The command line of a run, kept in its run directory: as JSON with the working folder, the arguments, and
 * the line as SAM files show it. */
typedef struct run_arguments {
  char *folder, *line; /* owned, as all here */
  char **items;
  int count;
} run_arguments;

/* The text for cla_align_options.run_text; the caller frees it. CLA_ERROR_MEMORY, CLA_ERROR_INPUT (no working
 * folder). */
cla_status run_arguments_text(char **out, const char *line, int count, char **arguments, cla_error *error);

/* Reads it back. CLA_ERROR_INPUT if it was not written by this program. */
cla_status run_arguments_read(run_arguments *out, const char *text, cla_error *error);
void run_arguments_free(run_arguments *arguments);

/* Adds those of `count` arguments of `syntax` that are options or, as chosen, positionals, without the
 * options that `leave_out` names (NULL ends it). CLA_ERROR_MEMORY. */
cla_status run_arguments_add(run_arguments *into, const cli_syntax *syntax, int count, char **arguments,
                             bool positionals, const char *const *leave_out, cla_error *error);

/* Adds one. CLA_ERROR_MEMORY. */
cla_status run_arguments_append(run_arguments *into, const char *argument, cla_error *error);

#endif
