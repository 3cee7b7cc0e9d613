#include "cli/commands/command.h"

#include <string.h>
#include <unistd.h>

#include "clalign/write.h"
#include "cli/report/report.h"

const command *command_find(const char *name) {
  for (const command *entry = commands; entry->name; entry++)
    if (strcmp(entry->name, name) == 0) return entry;
  return NULL;
}

/* True if a word in place of a command is a file, or is named like a file of sequences. */
static bool is_sequence_file(const char *word) {
  cla_format format;
  bool compressed = false;
  if (access(word, F_OK) == 0) return true;
  return strpbrk(word, "/:") ||
         (cla_format_from_path(&format, &compressed, word) && format == CLA_FORMAT_FASTA);
}

cla_status command_unknown(const char *name, const char *next, cla_error *error) {
  if (name[0] == '-')
    return cli_error(
        error, CLA_ERROR_OPTION,
        "'%s' stands where a command is wanted; options follow it, and 'clalign help' lists the commands",
        name);
  if (is_sequence_file(name))
    return cli_error(error, CLA_ERROR_OPTION,
                     "'%.300s' is no command; to align two sequences write: clalign align %.300s %.300s",
                     name, name, next && next[0] != '-' ? next : "TARGET");
  const char *names[COMMANDS_MOST + 1];
  int count = 0;
  for (const command *entry = commands; entry->name; entry++) names[count++] = entry->name;
  names[count] = NULL;
  const char *nearest = cli_nearest(name, names);
  if (nearest)
    return cli_error(error, CLA_ERROR_OPTION, "unknown command '%s'; did you mean '%s'?", name, nearest);
  return cli_error(error, CLA_ERROR_OPTION, "unknown command '%s'; 'clalign help' lists them", name);
}
