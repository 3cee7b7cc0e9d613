#include "cli/report/command_line.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"

static bool is_plain(const char *argument) {
  for (const char *letter = argument; *letter; letter++)
    if (!isalnum((unsigned char)*letter) && !strchr("_-+=./:,@%", *letter)) return false;
  return *argument != '\0';
}

/* Appends one argument and returns the end. A quote within quotes becomes '\'' as a shell wants it. */
static char *append(char *at, const char *argument) {
  bool quoted = !is_plain(argument);
  *at++ = ' ';
  if (quoted) *at++ = '\'';
  for (const char *letter = argument; *letter; letter++) {
    if (*letter == '\'') at = stpcpy(at, "'\\'");
    *at++ = iscntrl((unsigned char)*letter) ? ' ' : *letter;
  }
  if (quoted) *at++ = '\'';
  return at;
}

cla_status command_line_text(char **out, const char *command, int count, char **arguments, cla_error *error) {
  size_t size = strlen("clalign ") + strlen(command) + 1;
  for (int i = 0; i < count; i++) size += 4 * strlen(arguments[i]) + 3;
  *out = malloc(size);
  if (!*out)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for the command line; free some memory");
  char *at = stpcpy(stpcpy(*out, "clalign "), command);
  for (int i = 0; i < count; i++) at = append(at, arguments[i]);
  *at = '\0';
  return CLA_OK;
}
