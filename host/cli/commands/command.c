#include "cli/commands/command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clalign/write.h"
#include "cli/report/report.h"

const command *command_find(const char *name) {
  for (const command *const *entry = commands; *entry; entry++)
    if (strcmp((*entry)->syntax->command, name) == 0) return *entry;
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
  for (const command *const *entry = commands; *entry; entry++) names[count++] = (*entry)->syntax->command;
  names[count] = NULL;
  const char *nearest = cli_nearest(name, names);
  if (nearest)
    return cli_error(error, CLA_ERROR_OPTION, "unknown command '%s'; did you mean '%s'?", name, nearest);
  return cli_error(error, CLA_ERROR_OPTION, "unknown command '%s'; 'clalign help' lists them", name);
}

int command_run(const command *it, int count, char **arguments, const char *resumed) {
  cla_error error = {.status = CLA_OK};
  cli_arguments parsed;
  char *line = NULL;
  int code = 0;
  if (it->begin) it->begin();
  if (!cli_begin(&parsed, it->syntax, count, arguments, &code)) return code;
  cla_status status = command_line_text(&line, it->syntax->command, count, arguments, &error);
  command_call call = {.parsed = &parsed,
                       .count = count,
                       .arguments = arguments,
                       .line = resumed ? resumed : line,
                       .resumed = resumed != NULL};
  if (status == CLA_OK) status = it->run(&call, &error);
  free(line);
  code = cli_finish(status, &error);
  if (call.code != 0) code = call.code;
  return code == EXIT_INTERRUPTED && call.resumable ? EXIT_RESUMABLE : code;
}
