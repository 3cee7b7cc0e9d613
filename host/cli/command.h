#ifndef HOST_CLI_COMMAND_H
#define HOST_CLI_COMMAND_H

#include "cli/options/options.h"

/* The program's commands, one cmd_<name>.c each. `arguments` are those after the command's name; the
 * function returns the exit code. */

typedef struct command {
  const char *name;         /* NULL ends the table */
  const cli_syntax *syntax; /* its options */
  const char *purpose;      /* a few words for the list of commands */
  int (*run)(int count, char **arguments);
} command;

/* In the order of the list of commands. */
extern const command commands[];

extern const cli_syntax align_syntax, batch_syntax, resume_syntax, predict_syntax, show_syntax, verify_syntax,
    devices_syntax, tune_syntax, bench_syntax, simulate_syntax, help_syntax, version_syntax;

int cmd_align(int count, char **arguments);
int cmd_batch(int count, char **arguments);
int cmd_resume(int count, char **arguments);
int cmd_predict(int count, char **arguments);
int cmd_show(int count, char **arguments);
int cmd_verify(int count, char **arguments);
int cmd_devices(int count, char **arguments);
int cmd_tune(int count, char **arguments);
int cmd_bench(int count, char **arguments);
int cmd_simulate(int count, char **arguments);
int cmd_help(int count, char **arguments);
int cmd_version(int count, char **arguments);

/* NULL if there is none of that name. */
const command *command_find(const char *name);

/* CLA_ERROR_OPTION with the nearest name. */
cla_status command_unknown(const char *name, cla_error *error);

#endif
