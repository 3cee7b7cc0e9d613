/* clalign help and clalign version. */

#include <stdio.h>
#include <string.h>

#include "clalign/device.h"
#include "clalign/version.h"
#include "cli/command.h"
#include "cli/commands/help_completion.h"
#include "cli/commands/help_man.h"
#include "cli/options/device_option.h"
#include "cli/options/help.h"
#include "cli/report/report.h"

static struct {
  const char *shell;
  bool man;
} settings;

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

static cli_option help_options[] = {
    {.name = "man",
     .parse = cli_parse_flag,
     .destination = &settings.man,
     .description = "print the man page, as it is installed"},
    {.name = "completion",
     .argument = "SHELL",
     .parse = cli_parse_text,
     .destination = (void *)&settings.shell,
     .words = shells,
     .description = "print what completes clalign's command lines in bash, zsh or fish"},
    {.name = NULL},
};

static const cli_example help_examples[] = {
    {"clalign help align", "the options of 'clalign align', with examples"},
    {"clalign help --man align | man -l -", "the same as a man page"},
    {"source <(clalign help --completion bash)", "completes commands, options and words in this shell"},
    {NULL, NULL},
};

const cli_syntax help_syntax = {
    .command = "help",
    .positionals = "[COMMAND]",
    .purpose = "Prints the list of commands, or the help of one.",
    .options = help_options,
    .examples = help_examples,
    .most_positionals = 1,
};

static cli_option no_options[] = {{.name = NULL}};

const cli_syntax version_syntax = {
    .command = "version",
    .positionals = "",
    .purpose = "Prints the versions of the program and of the libraries that it runs with, and the devices.",
    .notes = "'clalign --version' does the same.",
    .options = no_options,
};

static cla_status print_help(const char *name, cla_error *error) {
  const command *found = name ? command_find(name) : NULL;
  if (name && !found) return command_unknown(name, error);
  if (settings.shell && (found || settings.man))
    return cli_error(error, CLA_ERROR_OPTION, "--completion is of all commands; leave the rest out");
  if (settings.shell) return help_completion_print(settings.shell, error);
  if (settings.man && found)
    help_man_print_command(found);
  else if (settings.man)
    help_man_print();
  else if (found)
    cli_print_help(found->syntax);
  else
    cli_print_commands();
  return CLA_OK;
}

int cmd_help(int count, char **arguments) {
  cla_error error = {.status = CLA_OK};
  cli_arguments parsed;
  cla_status status = cli_parse_arguments(&parsed, &help_syntax, count, arguments, &error);
  if (status != CLA_OK) return cli_finish(status, &error);
  if (parsed.help)
    cli_print_help(&help_syntax);
  else
    status = print_help(parsed.count == 1 ? parsed.positionals[0] : NULL, &error);
  return cli_finish(status == CLA_OK ? cli_flush_stdout(&error) : status, &error);
}

#define COMPONENTS 16

static void print_versions(void) {
  cla_component components[COMPONENTS];
  const int count = cla_components(components, COMPONENTS);
  printf("clalign %s\n", cla_version());
  for (int i = 0; i < count && i < COMPONENTS; i++)
    printf("%s%s %s", i == 0 ? "with " : ", ", components[i].name, components[i].version);
  putchar('\n');
}

/* A machine without a device or a driver still has versions. */
static void print_devices(void) {
  cla_device_info *devices = NULL;
  size_t count = 0;
  cla_error error;
  const bool listed = cli_devices_list(&devices, &count, &error) == CLA_OK;
  if (!listed) printf("no device: %s\n", error.message);
  if (listed && count == 0) puts("no OpenCL device; 'clalign devices' says what to do");
  for (size_t i = 0; listed && i < count; i++)
    printf("device %d: %s (%s, driver %s)\n", devices[i].index, devices[i].name, devices[i].version,
           devices[i].driver);
  cla_devices_free(devices);
}

int cmd_version(int count, char **arguments) {
  cla_error error = {.status = CLA_OK};
  cli_arguments parsed;
  cla_status status = cli_parse_arguments(&parsed, &version_syntax, count, arguments, &error);
  if (status != CLA_OK) return cli_finish(status, &error);
  if (parsed.help) {
    cli_print_help(&version_syntax);
    return cli_finish(cli_flush_stdout(&error), &error);
  }
  print_versions();
  print_devices();
  return cli_finish(cli_flush_stdout(&error), &error);
}
