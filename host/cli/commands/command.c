#include "cli/commands/command.h"

#include <string.h>

#include "cli/report/report.h"

const command *command_find(const char *name) {
  for (const command *entry = commands; entry->name; entry++)
    if (strcmp(entry->name, name) == 0) return entry;
  return NULL;
}

cla_status command_unknown(const char *name, cla_error *error) {
  if (name[0] == '-')
    return cli_error(
        error, CLA_ERROR_OPTION,
        "'%s' stands where a command is wanted; options follow it, and 'clalign help' lists the commands",
        name);
  const char *names[COMMANDS_MOST + 1];
  int count = 0;
  for (const command *entry = commands; entry->name; entry++) names[count++] = entry->name;
  names[count] = NULL;
  const char *nearest = cli_nearest(name, names);
  if (nearest)
    return cli_error(error, CLA_ERROR_OPTION, "unknown command '%s'; did you mean '%s'?", name, nearest);
  return cli_error(error, CLA_ERROR_OPTION, "unknown command '%s'; 'clalign help' lists them", name);
}
