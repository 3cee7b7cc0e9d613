#ifndef HOST_CLI_COMMAND_H
#define HOST_CLI_COMMAND_H

/* The program's commands, one cmd_<name>.c each. `arguments` are those after the command's name; the
 * function returns the exit code. */

typedef struct command {
  const char *name; /* NULL ends the table */
  const char *positionals;
  const char *purpose; /* a few words for the list of commands */
  int (*run)(int count, char **arguments);
} command;

/* In the order of the list of commands. */
extern const command commands[];

int cmd_align(int count, char **arguments);
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

/* Reports an unknown command with the nearest name, and returns the exit code. */
int command_unknown(const char *name);

#endif
