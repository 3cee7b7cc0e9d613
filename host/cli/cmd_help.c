/* clalign help and clalign version. */

#include <stdio.h>
#include <string.h>

#include "clalign/version.h"
#include "cli/cli_options.h"
#include "cli/cli_report.h"
#include "cli/command.h"

static cli_option no_options[] = {{.name = NULL}};

static const cli_syntax help_syntax = {
    .command = "help",
    .positionals = "[COMMAND]",
    .purpose = "Prints the list of commands, or the help of one.",
    .options = no_options,
    .most_positionals = 1,
};

static const cli_syntax version_syntax = {
    .command = "version",
    .positionals = "",
    .purpose = "Prints the program's version.",
    .options = no_options,
};

static void print_commands(void) {
  puts("clalign aligns two long DNA sequences exactly, on any OpenCL device.\n");
  puts("usage: clalign COMMAND [options] ...\n\ncommands:");
  for (const command *entry = commands; entry->name; entry++)
    printf("  %-9s %-24s %s\n", entry->name, entry->positionals, entry->purpose);
  puts(
      "\n'clalign COMMAND --help' prints a command's options. Try:\n"
      "  clalign align query.fa target.fa\n\n"
      "exit codes: 0 result, 1 command or option, 2 input, 3 device, memory or output,\n"
      "            4 stopped and to be continued, 5 verification failed, 130 interrupted");
}

int cmd_help(int count, char **arguments) {
  cla_error error = {.status = CLA_OK};
  cli_arguments parsed;
  cla_status status = cli_parse_arguments(&parsed, &help_syntax, count, arguments, &error);
  if (status != CLA_OK) return cli_finish(status, &error);
  const char *name = parsed.count == 1 ? parsed.positionals[0] : NULL;
  if (name && !parsed.help && strcmp(name, "help") != 0) {
    static char help_option[] = "--help";
    char *help_arguments[] = {help_option, NULL};
    const command *found = command_find(name);
    return found ? found->run(1, help_arguments) : command_unknown(name);
  }
  if (parsed.help || name)
    cli_print_help(&help_syntax);
  else
    print_commands();
  return cli_finish(cli_flush_stdout(&error), &error);
}

int cmd_version(int count, char **arguments) {
  cla_error error = {.status = CLA_OK};
  cli_arguments parsed;
  cla_status status = cli_parse_arguments(&parsed, &version_syntax, count, arguments, &error);
  if (status != CLA_OK) return cli_finish(status, &error);
  if (parsed.help)
    cli_print_help(&version_syntax);
  else
    printf("clalign %s\n", cla_version());
  return cli_finish(cli_flush_stdout(&error), &error);
}
