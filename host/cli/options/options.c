#include "cli/options/options.h"

#include <stdio.h>
#include <string.h>

#include "cli/report/report.h"

#define NAME_LIMIT 64

/* Returns the number of edits (insertions, deletions, substitutions) between two short words. Long words are
 * never near. */
static int edit_distance(const char *a, const char *b) {
  size_t a_length = strlen(a), b_length = strlen(b);
  if (a_length >= NAME_LIMIT || b_length >= NAME_LIMIT) return NAME_LIMIT;
  int row[NAME_LIMIT];
  for (size_t j = 0; j <= b_length; j++) row[j] = (int)j;
  for (size_t i = 1; i <= a_length; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= b_length; j++) {
      int replaced = diagonal + (a[i - 1] != b[j - 1]);
      int nearest = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
      diagonal = row[j];
      row[j] = nearest < replaced ? nearest : replaced;
    }
  }
  return row[b_length];
}

const char *cli_nearest(const char *word, const char *const *names) {
  const char *nearest = NULL;
  int least = 1 + (int)(strlen(word) + 2) / 3; /* number of edits; only words with fewer are near */
  for (; *names; names++) {
    bool begins = word[0] && strncmp(word, *names, strlen(word)) == 0;
    int distance = begins ? 0 : edit_distance(word, *names);
    if (distance < least) {
      least = distance;
      nearest = *names;
    }
  }
  return nearest;
}

/* True if the first `length` letters of `name` are the long name of the option. */
static bool is_called(const cli_option *option, const char *name, size_t length) {
  return strlen(option->name) == length && strncmp(option->name, name, length) == 0;
}

static cli_option *find_long(const cli_syntax *syntax, const char *name, size_t length) {
  cli_option *option = syntax->options;
  while (option->name && !is_called(option, name, length)) option++;
  return option->name ? option : NULL;
}

static cla_status unknown_option(const cli_syntax *syntax, const char *argument, size_t length,
                                 cla_error *error) {
  const char *names[NAME_LIMIT + 1];
  int count = 0;
  for (const cli_option *option = syntax->options; option->name && count < NAME_LIMIT - 1; option++)
    names[count++] = option->name;
  names[count++] = "help";
  names[count] = NULL;
  char word[NAME_LIMIT];
  const char *bare = argument + strspn(argument, "-");
  snprintf(word, sizeof word, "%.*s", (int)(length - (size_t)(bare - argument)), bare);
  const cli_option *format = find_long(syntax, "format", 6);
  if (format && strcmp(word, "json") == 0)
    return cli_error(error, CLA_ERROR_OPTION, "unknown option '%.*s'; did you mean --format json?",
                     (int)length, argument);
  /* A single letter is not treated as a misspelt word, but -output means --output. */
  const char *nearest = strlen(word) > 1 ? cli_nearest(word, names) : NULL;
  if (nearest)
    return cli_error(error, CLA_ERROR_OPTION, "unknown option '%.*s'; did you mean --%s?", (int)length,
                     argument, nearest);
  return cli_error(error, CLA_ERROR_OPTION, "unknown option '%.*s'; 'clalign %s --help' lists them",
                   (int)length, argument, syntax->command);
}

static cli_option *find_letter(const cli_syntax *syntax, char letter) {
  cli_option *option = syntax->options;
  while (option->name && !(option->letters && strchr(option->letters, letter))) option++;
  return option->name ? option : NULL;
}

cli_option *cli_option_find(const cli_syntax *syntax, const char *argument, const char **value) {
  const size_t length = strcspn(argument, "=");
  *value = argument[length] == '=' ? argument + length + 1 : NULL;
  if (argument[1] == '-') return length > 2 ? find_long(syntax, argument + 2, length - 2) : NULL;
  /* A long name after a single dash is not a letter with its value. */
  if (!argument[1] || (length > 2 && find_long(syntax, argument + 1, length - 1))) return NULL;
  if (length > 2) *value = argument + 2;
  return find_letter(syntax, argument[1]);
}

void cli_option_names(char text[CLI_NAMES_SIZE], const cli_option *option) {
  size_t used = 0;
  for (const char *letter = option->letters; letter && *letter; letter++, used += 4)
    snprintf(text + used, CLI_NAMES_SIZE - used, "-%c, ", *letter);
  snprintf(text + used, CLI_NAMES_SIZE - used, "--%s", option->name);
}

/* Takes the option arguments[*index] and its value. *index becomes the index of the last argument taken. */
static cla_status take_option(const cli_syntax *syntax, int count, char **arguments, int *index,
                              cla_error *error) {
  const char *argument = arguments[*index], *value = NULL;
  cli_option *option = cli_option_find(syntax, argument, &value);
  if (value && strncmp(argument, "--help=", 7) == 0)
    return cli_error(error, CLA_ERROR_OPTION, "--help takes no value; leave out '=%s'", value);
  if (!option) return unknown_option(syntax, argument, strcspn(argument, "="), error);
  if (option->given && !option->repeatable)
    return cli_error(error, CLA_ERROR_OPTION, "--%s is given twice; give it once", option->name);
  option->given = true;
  if (!option->argument && value)
    return cli_error(error, CLA_ERROR_OPTION, "--%s takes no value; leave out '%s%s'", option->name,
                     argument[1] == '-' ? "=" : "", value);
  if (option->argument && !value && option->alone) value = option->alone;
  if (option->argument && !value) {
    if (*index + 1 >= count)
      return cli_error(error, CLA_ERROR_OPTION, "--%s needs a value: --%s %s", option->name, option->name,
                       option->argument);
    value = arguments[++*index];
  }
  if (value && !*value)
    return cli_error(error, CLA_ERROR_OPTION, "--%s has an empty value; give --%s %s", option->name,
                     option->name, option->argument);
  return option->parse(option, value, error);
}

static cla_status check_positionals(const cli_arguments *out, const cli_syntax *syntax, cla_error *error) {
  if (out->count >= syntax->least_positionals) return CLA_OK;
  return cli_error(error, CLA_ERROR_OPTION, "'%s' needs %s; 'clalign %s --help' says more", syntax->command,
                   syntax->positionals, syntax->command);
}

bool cli_is_option(const char *argument) {
  return argument[0] == '-' && argument[1] && argument[1] != ':';
}

cla_status cli_parse_arguments(cli_arguments *out, const cli_syntax *syntax, int count, char **arguments,
                               cla_error *error) {
  memset(out, 0, sizeof *out);
  bool only_positionals = false;
  for (int i = 0; i < count; i++) {
    const char *argument = arguments[i];
    const bool is_option = !only_positionals && cli_is_option(argument);
    if (is_option && strcmp(argument, "--") == 0) {
      only_positionals = true;
    } else if (is_option && (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)) {
      out->help = true;
      return CLA_OK;
    } else if (is_option) {
      cla_status status = take_option(syntax, count, arguments, &i, error);
      if (status != CLA_OK) return status;
    } else if (!*argument) {
      return cli_error(error, CLA_ERROR_OPTION, "an argument is empty; '%s' takes %s", syntax->command,
                       syntax->most_positionals ? syntax->positionals : "options only");
    } else if (out->count == syntax->most_positionals) {
      return cli_error(error, CLA_ERROR_OPTION, "unexpected argument '%s'; '%s' takes %s", argument,
                       syntax->command, syntax->most_positionals ? syntax->positionals : "options only");
    } else {
      out->positionals[out->count++] = argument;
    }
  }
  return check_positionals(out, syntax, error);
}

bool cli_option_given(const cli_option *options, const char *name) {
  for (; options->name; options++)
    if (strcmp(options->name, name) == 0) return options->given;
  return false;
}
