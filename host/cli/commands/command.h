#ifndef HOST_CLI_COMMANDS_COMMAND_H
#define HOST_CLI_COMMANDS_COMMAND_H

#include "clalign/status.h"
#include "cli/options/options.h"

/* The program's commands, each in its own file cmd_<name>.c. `run` takes the arguments after the command's
 * name and returns the exit code. */

typedef struct command {
  const char *name;         /* NULL ends the table */
  const cli_syntax *syntax; /* the command's options */
  const char *purpose;      /* a few words for the list of commands */
  int (*run)(int count, char **arguments);
} command;

/* All commands, in the order in which the help lists them. */
extern const command commands[];
#define COMMANDS_MOST 24

extern const cli_syntax align_syntax, audit_syntax, batch_syntax, compare_syntax, fill_syntax, lift_syntax,
    resume_syntax, predict_syntax, show_syntax, verify_syntax, devices_syntax, tune_syntax, bench_syntax,
    simulate_syntax, help_syntax, version_syntax;

int cmd_align(int count, char **arguments);
int cmd_batch(int count, char **arguments);
int cmd_audit(int count, char **arguments);
int cmd_fill(int count, char **arguments);
int cmd_compare(int count, char **arguments);
int cmd_resume(int count, char **arguments);
int cmd_predict(int count, char **arguments);
int cmd_show(int count, char **arguments);
int cmd_verify(int count, char **arguments);
int cmd_lift(int count, char **arguments);
int cmd_devices(int count, char **arguments);
int cmd_tune(int count, char **arguments);
int cmd_bench(int count, char **arguments);
int cmd_simulate(int count, char **arguments);
int cmd_help(int count, char **arguments);
int cmd_version(int count, char **arguments);

/* Returns the command of that name, or NULL. */
const command *command_find(const char *name);

/* Returns CLA_ERROR_OPTION; the message names the most similar command. If `name` is a file, the message
 * shows the command that aligns it to `next`, the word after `name` (or NULL). */
cla_status command_unknown(const char *name, const char *next, cla_error *error);

/* Run `clalign align`, `batch` or `fill` with these arguments, and return the exit code. `clalign resume`
 * calls them, too: `resumed` is the command line of the run in --run-dir; NULL starts a new run. */
int align_command_run(int count, char **arguments, const char *resumed);
int batch_command_run(int count, char **arguments, const char *resumed);
int fill_command_run(int count, char **arguments, const char *resumed);

/* The command line of a run. The run directory stores it as JSON: the working folder, the arguments, and the
 * line for the headers of SAM files. */
typedef struct run_arguments {
  char *folder, *line; /* owned, like `items` */
  char *command;       /* name of the command; NULL: the run directory has it from its kind */
  char **items;
  int count;
} run_arguments;

/* Makes the text for cla_align_options.run.text; the caller frees it. `name`: run_arguments.command.
 * CLA_ERROR_MEMORY; CLA_ERROR_INPUT if there is no working folder. */
cla_status run_arguments_text(char **out, const char *name, const char *line, int count, char **arguments,
                              cla_error *error);

/* Reads a text of run_arguments_text. CLA_ERROR_INPUT if this program did not write it. */
cla_status run_arguments_read(run_arguments *out, const char *text, cla_error *error);
void run_arguments_free(run_arguments *arguments);

/* Adds those arguments of `from`, for a command with `syntax`, that are positional (`positionals` is true) or
 * options. Skips the options whose names are in `leave_out`, which ends with NULL. CLA_ERROR_MEMORY. */
cla_status run_arguments_add(run_arguments *into, const cli_syntax *syntax, const run_arguments *from,
                             bool positionals, const char *const *leave_out, cla_error *error);

/* Appends one argument. CLA_ERROR_MEMORY. */
cla_status run_arguments_append(run_arguments *into, const char *argument, cla_error *error);

/* Prints the script that completes clalign's command lines in a shell. CLA_ERROR_OPTION unless the shell is
 * bash, zsh or fish. */
cla_status help_completion_print(const char *shell, cla_error *error);

#endif
