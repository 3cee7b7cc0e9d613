#ifndef HOST_CLI_COMMANDS_COMMAND_H
#define HOST_CLI_COMMANDS_COMMAND_H

#include "clalign/status.h"
#include "cli/options/options.h"

/* The program's commands, each in its own file cmd_<name>.c. */

/* A call of a command. */
typedef struct command_call {
  const cli_arguments *parsed;
  int count; /* the arguments after the command's name, as typed */
  char **arguments;
  const char *line; /* the command line for headers of files; that of the first run if it is resumed */
  bool resumed;     /* the call goes on with the run in --run-dir */
  bool resumable;   /* set by the command: after an interrupt, `clalign resume` or the same command goes on */
  int code;         /* exit code of another command that was run in place of this one, and has ended */
} command_call;

typedef struct command {
  const cli_syntax *syntax; /* name and options */
  const char *purpose;      /* a few words for the list of commands */
  void (*begin)(void);      /* sets the options' defaults; NULL: there are none */
  cla_status (*run)(command_call *call, cla_error *error);
} command;

/* All commands, in the order in which the help lists them; NULL ends the table. */
extern const command *const commands[];
#define COMMANDS_MOST 24

extern const command align_command, batch_command, compare_command, audit_command, fill_command,
    resume_command, predict_command, show_command, verify_command, lift_command, devices_command,
    tune_command, bench_command, simulate_command, help_command, version_command;

/* Returns the command of that name, or NULL. */
const command *command_find(const char *name);

/* Returns CLA_ERROR_OPTION; the message names the most similar command. If `name` is a file, the message
 * shows the command that aligns it to `next`, the word after `name` (or NULL). */
cla_status command_unknown(const char *name, const char *next, cla_error *error);

/* Runs a command with the arguments after its name, and returns the exit code. `resumed` is the command line
 * of the run in --run-dir with which the command goes on; NULL starts a new run. */
int command_run(const command *it, int count, char **arguments, const char *resumed);

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
